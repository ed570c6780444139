// Builds the image from the Dockerfile as it is shipped and runs the quick study in it with no network, two CPUs and 2 GB; then renders the report twice and
// compares the bytes. Where no registry of images is within reach, the base is made from Debian's packages and the Node of the lock, under the public
// base's name. Needs root; starts Debian's own engine when none runs, and ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import { cloneRoot, mustRun, runChild } from './run-child.ts';

const IMAGE = 'agentgauge:check';
const BASE = 'node:24-slim';
const LIMITS = ['--network', 'none', '--cpus', '2', '--memory', '2g'];
const ENGINE_READY_MS = 30_000;

export interface ContainerOptions {
  readonly say: (line: string) => void;
}

/** @returns what was shown, one line. @throws Error when the image does not build or the study does not run in it */
export async function checkContainer({ say }: ContainerOptions): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'container-'));
  let engine: ChildProcess | undefined;
  try {
    await mustRun('install the container engine', 'apt-get', ['install', '-y', '--no-install-recommends', 'docker.io', 'iptables', 'debootstrap'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    engine = await startEngine(scratch);
    const docker = (what: string, ...args: string[]) => mustRun(what, 'docker', ['-H', `unix://${scratch}/d.sock`, ...args]);
    say('engine ready');
    await bringBase(scratch, docker);
    say(`${BASE} ready`);
    await docker('docker build', 'build', '--network', 'host', '--tag', IMAGE, cloneRoot);
    const { out: size } = await docker('docker inspect', 'image', 'inspect', '--format', '{{.Size}}', IMAGE);
    say(`image built, ${Math.round(Number(size) / 1e6)} MB`);
    const runs = join(scratch, 'runs');
    mkdirSync(runs, { mode: 0o1777 });
    await mustRun('chmod', 'chmod', ['1777', runs]);
    const inImage = (what: string, ...args: string[]) => docker(what, 'run', '--rm', ...LIMITS, '--volume', `${runs}:/runs`, IMAGE, ...args);
    const startMs = systemClock.nowMs();
    await inImage('the quick study in the image', 'reproduce', '--quick', '--node-only', '--yes', '--out', '/runs');
    const seconds = Math.round((systemClock.nowMs() - startMs) / 1000);
    say(`quick study without network, 2 CPUs, 2 GB: ${seconds} s`);
    const [run] = readdirSync(runs).filter((name) => existsSync(join(runs, name, 'manifest.json')));
    if (run === undefined) throw new Error('the study in the image left no run');
    const first = await inImage('report', 'report', `/runs/${run}`, '--format', 'md,csv,json');
    const second = await inImage('report', 'report', `/runs/${run}`, '--format', 'md,csv,json');
    if (first.out !== second.out || first.out === '') throw new Error('two reports of one run differ in their bytes');
    const { out: user } = await docker('id', 'run', '--rm', '--entrypoint', 'id', IMAGE, '-u');
    if (user.trim() === '0') throw new Error('the image runs as root');
    return `image ${Math.round(Number(size) / 1e6)} MB, uid ${user.trim()}, quick study ${seconds} s with ${LIMITS.join(' ')}, report twice with the same bytes`;
  } finally {
    if (engine !== undefined) await stopEngine(engine);
    await removeScratch(scratch, say);
  }
}

/** The engine leaves mounts behind; what cannot be removed is named, and never hides why the check failed. */
async function removeScratch(scratch: string, say: (line: string) => void): Promise<void> {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const below = mounts.map((line) => line.split(' ')[1] ?? '').filter((mount) => mount.startsWith(`${scratch}/`));
  for (const mount of below.reverse()) await runChild('umount', ['--lazy', mount]);
  try {
    rmSync(scratch, { recursive: true, force: true });
  } catch (error) {
    say(`left behind: ${messageOf(error)}`);
  }
}

/** The engine of this check alone: own data, own socket, so that nobody else's images are touched. */
async function startEngine(scratch: string): Promise<ChildProcess> {
  const args = [
    '--data-root',
    join(scratch, 'data'),
    '--exec-root',
    join(scratch, 'exec'),
    '-H',
    `unix://${scratch}/d.sock`,
    '--pidfile',
    join(scratch, 'pid'),
  ];
  const engine = spawn('dockerd', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  engine.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const deadlineMs = systemClock.nowMs() + ENGINE_READY_MS;
  for (;;) {
    if ((await runChild('docker', ['-H', `unix://${scratch}/d.sock`, 'info'])).code === 0) return engine;
    if (engine.exitCode !== null || systemClock.nowMs() > deadlineMs) throw new Error(`dockerd does not start:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function stopEngine(engine: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => engine.on('close', resolve));
  engine.kill('SIGTERM');
  if (engine.exitCode === null) await ended;
}

type Docker = (what: string, ...args: string[]) => Promise<{ readonly out: string }>;

/** Pulls the public base, or makes one of that name from Debian's packages and the Node of the lock, with the npm that is installed here. */
async function bringBase(scratch: string, docker: Docker): Promise<void> {
  const pulled = await docker('docker pull', 'pull', '--quiet', BASE).catch(() => undefined);
  if (pulled !== undefined) return;
  const root = join(scratch, 'root');
  await mustRun('debootstrap', 'debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
  const node = join(cloneRoot, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  await mustRun('copy node', 'install', ['-D', node, join(root, 'usr', 'local', 'bin', 'node')]);
  const { out: npm } = await mustRun('find npm', 'sh', ['-c', 'readlink -f "$(command -v npm)"']);
  mkdirSync(join(root, 'usr', 'local', 'lib', 'node_modules'), { recursive: true });
  await mustRun('copy npm', 'cp', ['-a', dirname(dirname(npm.trim())), join(root, 'usr', 'local', 'lib', 'node_modules', 'npm')]);
  for (const name of ['npm', 'npx'])
    await mustRun('link npm', 'ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr', 'local', 'bin', name)]);
  const changes = ['--change', 'CMD ["node"]'];
  // A proxy's own certificate belongs to this host, so it goes into the local base and never into the Dockerfile.
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates !== undefined && existsSync(certificates)) {
    writeFileSync(join(root, 'etc', 'host-ca.crt'), readFileSync(certificates));
    changes.push('--change', 'ENV NODE_EXTRA_CA_CERTS=/etc/host-ca.crt');
  }
  await mustRun('tar', 'tar', ['-C', root, '-cf', join(scratch, 'root.tar'), '.']);
  await docker('docker import', 'import', ...changes, join(scratch, 'root.tar'), BASE);
}
