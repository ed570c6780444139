// Makes the virtual environments of the Python rows. What a kill, a broken download or a full disk left behind has no stamp, and the next call makes it anew
// from what was already downloaded. One process at a time.
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { GaugeError, UsageError } from '../../base/error.ts';
import { interpreterOf, lockFile, lockHash, type PythonEnvironment, pythonFolder, STAMP } from '../../runners/python-environments.ts';
import { findPython, findUv, noPython } from './find-python.ts';
import { runProgram } from './run-program.ts';

export interface SetUpOptions {
  readonly environments: readonly PythonEnvironment[];
  readonly say: (line: string) => void;
  /** Standard error is a terminal, where uv may draw. */
  readonly terminal: boolean;
  readonly signal: AbortSignal;
}

/** Downloads of uv: kept, so that an interrupted set-up goes on, and dropped by `--prune`. */
function downloadsFolder(): string {
  return join(pythonFolder(), 'downloads');
}

/** What a set-up will cost, in words; estimates, and called so. */
export function costOf(environments: readonly PythonEnvironment[]): string {
  const disk = sum(environments.map(({ megabytes }) => megabytes));
  const download = sum(environments.map(({ downloadMegabytes }) => downloadMegabytes));
  const minutes = Math.max(1, Math.round(environments.length * 0.2 + disk / 600));
  return `about ${size(disk)} on disk and up to ${size(download)} to download, about ${minutes} min on a fast line`;
}

export function size(megabytes: number): string {
  return megabytes < 1000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1000).toFixed(1)} GB`;
}

/** @throws GaugeError NO_PYTHON, NO_UV, NO_SPACE, SETUP_FAILED with a remedy; UsageError SETUP_RUNNING */
export async function setUp({ environments, say, terminal, signal }: SetUpOptions): Promise<void> {
  const python = await findPython();
  if (python === undefined) throw noPython();
  const folder = pythonFolder();
  mkdirSync(folder, { recursive: true });
  checkSpace(folder, environments);
  const release = takeLock(join(folder, 'setup.lock'));
  try {
    const uv = await findUv(python, say, signal);
    for (const [index, { name }] of environments.entries()) {
      // Another call may have made it while this one asked.
      if (interpreterOf(name) !== undefined) continue;
      const startMs = systemClock.nowMs();
      const lock = lockFile(name);
      const packages = readFileSync(lock, 'utf8').match(/^\S+==/gm)?.length ?? 0;
      say(`${name} (${index + 1} of ${environments.length}, ${packages} packages) …`);
      await make({ uv, python, name, lock, show: terminal, signal });
      say(`${name}: ready (${((systemClock.nowMs() - startMs) / 1000).toFixed(0)} s)`);
    }
  } finally {
    release();
  }
}

interface Making {
  readonly uv: string;
  readonly python: string;
  readonly name: string;
  readonly lock: string;
  readonly show: boolean;
  readonly signal: AbortSignal;
}

async function make({ uv, python, name, lock, show, signal }: Making): Promise<void> {
  const folder = join(pythonFolder(), name);
  rmSync(folder, { recursive: true, force: true });
  const { VIRTUAL_ENV: _other, ...inherited } = process.env;
  const env = { ...inherited, UV_CACHE_DIR: downloadsFolder(), UV_PYTHON_DOWNLOADS: 'never', UV_NO_PROGRESS: show ? '' : '1' };
  const interpreter = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  // Copied rather than linked, since NLTK refuses files with a second name; compiled, since a worker compiles nothing.
  const sync = ['pip', 'sync', '--require-hashes', '--only-binary', ':all:', '--link-mode', 'copy', '--compile-bytecode', '--python', interpreter, lock];
  for (const args of [['venv', '--quiet', '--python', python, folder], sync]) {
    const { code, err } = await runProgram(uv, args, { env, signal, show });
    if (signal.aborted) throw new GaugeError('INTERRUPTED', 'interrupted');
    if (code !== 0) throw failed(name, err);
  }
  writeFileSync(join(folder, `${STAMP}.new`), lockHash(name));
  renameSync(join(folder, `${STAMP}.new`), join(folder, STAMP));
}

function failed(name: string, err: string): GaugeError {
  const words = err.trim().split('\n').slice(-12).join('\n  ');
  const full = /No space left|os error 28/.test(err);
  return new GaugeError('SETUP_FAILED', `the environment ${name} could not be made${words === '' ? '' : `:\n  ${words}`}`, {
    remedy: full
      ? 'Free some space (`agentgauge setup python --prune` drops downloads), then call the same command again: it goes on where it stopped.'
      : 'Check that the package registry can be reached, then call the same command again: it goes on where it stopped.',
  });
}

/** Downloads pass through the same disk. */
function checkSpace(folder: string, environments: readonly PythonEnvironment[]): void {
  const needed = sum(environments.map(({ megabytes, downloadMegabytes }) => megabytes + 2 * downloadMegabytes));
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / 1e6;
  if (free < needed)
    throw new GaugeError('NO_SPACE', `${size(needed)} are needed in ${folder}, and ${size(free)} are free`, {
      remedy: 'Free some space, name fewer environments, or put the cache elsewhere with AGENTGAUGE_CACHE.',
    });
}

/** @throws UsageError SETUP_RUNNING when another living process holds it */
function takeLock(file: string): () => void {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0 && isAlive(pid))
      throw new UsageError('SETUP_RUNNING', `process ${pid} is setting up Python already`, {
        remedy: `Wait for it; if it is no set-up of ours, remove ${file}.`,
      });
    rmSync(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
