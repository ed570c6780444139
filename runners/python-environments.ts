// The virtual environments of the Python rows: which there are, where they live, and whether one is ready. Making them is scripts/python/set-up.ts.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADAPTERS, type AdapterEntry, installCommand, missingPackages, pythonFile } from '../adapters/registry.ts';
import { cacheDirectory } from './cache-directory.ts';

export interface PythonEnvironment {
  readonly name: string;
  /** Disk with bytecode, and what is downloaded for it; measured, rounded. */
  readonly megabytes: number;
  readonly downloadMegabytes: number;
}

/** Rows share an environment where their packages resolve to the same versions as alone. */
export const PYTHON_ENVIRONMENTS: readonly PythonEnvironment[] = [
  { name: 'shared', megabytes: 224, downloadMegabytes: 60 },
  { name: 'pydantic-ai', megabytes: 85, downloadMegabytes: 15 },
  { name: 'crewai', megabytes: 988, downloadMegabytes: 300 },
  { name: 'autogen', megabytes: 87, downloadMegabytes: 20 },
  { name: 'llamaindex', megabytes: 276, downloadMegabytes: 60 },
  { name: 'graphbit', megabytes: 164, downloadMegabytes: 40 },
  { name: 'graphbit-0.6.7', megabytes: 164, downloadMegabytes: 15 },
];

/** What checks our own Python files: linter and type checker. Belongs to no row. */
export const DEV_ENVIRONMENT: PythonEnvironment = { name: 'dev', megabytes: 92, downloadMegabytes: 25 };

/** What programs of the tool `run_python` run in, where bubblewrap can shut them in. Belongs to no row. */
export const SANDBOX_ENVIRONMENT: PythonEnvironment = { name: 'sandbox', megabytes: 160, downloadMegabytes: 35 };

/** Written last, so that what a kill or a full disk left behind is not taken for an environment. */
export const STAMP = 'agentgauge-lock.sha256';

export function pythonFolder(): string {
  return join(cacheDirectory(), 'python');
}

export function lockFile(name: string): string {
  return pythonFile(`locks/${name}.txt`);
}

export function lockHash(name: string): string {
  return createHash('sha256')
    .update(readFileSync(lockFile(name)))
    .digest('hex');
}

/** The interpreter of an environment that was made from today's lock; absent otherwise. */
export function interpreterOf(name: string): string | undefined {
  const folder = join(pythonFolder(), name);
  const interpreter = process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
  // `existsSync` follows the link: an interpreter that was removed from the machine makes the environment unready.
  if (!existsSync(interpreter) || !existsSync(join(folder, STAMP))) return undefined;
  return readFileSync(join(folder, STAMP), 'utf8') === lockHash(name) ? interpreter : undefined;
}

/** What keeps a built-in row from running here, with the command that mends it; absent when nothing does. */
export function whyAbsent(entry: AdapterEntry): string | undefined {
  // The same words for all of them, so that they are told in one line.
  if (entry.environment !== undefined) return interpreterOf(entry.environment) === undefined ? 'not set up; agentgauge setup python' : undefined;
  const missing = missingPackages(entry);
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed; ${installCommand(entry)}`;
}

/** Python rows that cannot run yet, by environment. */
export function environmentsMissing(ids: readonly string[]): PythonEnvironment[] {
  const wanted = new Set(ADAPTERS.flatMap(({ id, environment }) => (ids.includes(id) && environment !== undefined ? [environment] : [])));
  return PYTHON_ENVIRONMENTS.filter(({ name }) => wanted.has(name) && interpreterOf(name) === undefined);
}
