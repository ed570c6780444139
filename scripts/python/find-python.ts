// Finds what the set-up of Python rows starts from: an interpreter of 3.11 to 3.13, and uv, which is brought from the registry when it is not there.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GaugeError } from '../../base/error.ts';
import { lockFile, pythonFolder } from '../../runners/python-environments.ts';
import { runProgram } from './run-program.ts';

const CANDIDATES = ['python3.13', 'python3.12', 'python3.11', 'python3', 'python'] as const;
const ASK_VERSION = 'import sys; print(*sys.version_info[:2], sys.executable)';
const LOWEST = [3, 11] as const;
const HIGHEST = [3, 13] as const;

/** Absolute path of a Python that the locks are made for; AGENTGAUGE_PYTHON goes first. */
export async function findPython(): Promise<string | undefined> {
  const given = process.env['AGENTGAUGE_PYTHON'];
  for (const candidate of given ? [given] : CANDIDATES) {
    const { code, out } = await runProgram(candidate, ['-c', ASK_VERSION]);
    const [major = 0, minor = 0, ...rest] = out.trim().split(' ');
    if (code === 0 && Number(major) === LOWEST[0] && Number(minor) >= LOWEST[1] && Number(minor) <= HIGHEST[1]) return rest.join(' ');
  }
  return undefined;
}

export function noPython(): GaugeError {
  return new GaugeError('NO_PYTHON', `Python ${LOWEST.join('.')} to ${HIGHEST.join('.')} is needed, and none was found`, {
    remedy: 'Install one (Debian, Ubuntu: apt install python3 python3-pip), or name it in AGENTGAUGE_PYTHON.',
  });
}

/** Path of uv: the machine's own, or ours, installed with pip from a lock with hashes. @throws GaugeError NO_UV */
export async function findUv(python: string, say: (line: string) => void, signal: AbortSignal): Promise<string> {
  if (await works('uv')) return 'uv';
  const folder = join(pythonFolder(), 'uv');
  const own = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', 'uv');
  if (existsSync(own) && (await works(own))) return own;
  say('Bringing uv, which installs Python packages …');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:', '--require-hashes', '-r', lockFile('uv')];
  // Into a folder first; where pip itself is missing, a virtual environment may still bring one.
  const first = await install(folder, python, [...pip, '--target', folder], signal);
  if (first.code === 0 && (await works(own))) return own;
  if (signal.aborted) throw new GaugeError('INTERRUPTED', 'interrupted');
  rmSync(folder, { recursive: true, force: true });
  const made = await runProgram(python, ['-m', 'venv', folder], { signal });
  const second = made.code === 0 ? await runProgram(join(folder, 'bin', 'python'), pip, { signal }) : made;
  if (second.code === 0 && (await works(own))) return own;
  rmSync(folder, { recursive: true, force: true });
  const words = `${first.err}\n${made.code === 0 ? second.err : ''}`.trim().split('\n').at(-1);
  throw new GaugeError('NO_UV', `uv is not there and could not be installed with ${python}: ${words}`, {
    remedy: 'Check that the package registry can be reached and that pip is there (Debian, Ubuntu: apt install python3-pip), or install uv yourself.',
  });
}

async function install(folder: string, python: string, args: readonly string[], signal: AbortSignal) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return await runProgram(python, args, { signal });
}

async function works(uv: string): Promise<boolean> {
  return (await runProgram(uv, ['--version'])).code === 0;
}
