// The long check of the Python rows: set-up, conformance in every shape and both settings, and the clean study, in which every row must come through without an
// error of ours.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS } from '../adapters/registry.ts';
import { DEV_ENVIRONMENT } from '../runners/python-environments.ts';
import { readTrials } from '../runners/run-directory.ts';
import { cloneRoot, mustRun } from './run-child.ts';

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const TASKS = 68;

/** @returns what was shown, one line. @throws Error when a case fails, a trial has no record, or an error was ours */
export async function checkPythonRows({ say }: { readonly say: (line: string) => void }): Promise<string> {
  const cli = (what: string, ...args: readonly string[]) => mustRun(what, process.execPath, [CLI, ...args]);
  const entries = ADAPTERS.filter(({ language }) => language === 'python');
  const ids = entries.map(({ id }) => id);
  await cli('set-up', 'setup', 'python', '--yes', ...ids, DEV_ENVIRONMENT.name);
  say('set up');
  for (const { id, shapes, settings } of entries) {
    for (const shape of shapes)
      for (const each of settings) await cli(`conformance of ${id} ${shape} ${each}`, 'conformance', id, '--shape', shape, '--settings', each);
    say(`${id}: conformant`);
  }
  const out = mkdtempSync(join(tmpdir(), 'python-rows-'));
  try {
    const choice = ['--settings', 'default,hardened', '--shape', 'single,idiomatic,dag', '--profile', 'clean'];
    await cli('the clean study', 'reproduce', '--frameworks', ids.join(','), ...choice, '--out', out);
    const [run] = readdirSync(out).filter((name) => existsSync(join(out, name, 'manifest.json')));
    const shown = entries.flatMap(({ id, shapes, settings }) =>
      shapes.flatMap((shape) => settings.map((each) => solvedBy(join(out, run ?? ''), id, shape, each))),
    );
    return `${shown.filter((line) => line.endsWith(` ${TASKS}`)).length} of ${shown.length} rows solve all ${TASKS}; the others: ${shown.filter((line) => !line.endsWith(` ${TASKS}`)).join(', ') || 'none'}`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function solvedBy(run: string, framework: string, shape: string, settings: string): string {
  const trials = readTrials(run).filter((trial) => trial.framework === framework && trial.shape === shape && trial.settings === settings);
  const ours = trials.filter(({ code }) => code === 'harness-error');
  if (trials.length !== TASKS || ours.length > 0)
    throw new Error(
      `${framework} ${shape} ${settings}: ${trials.length} of ${TASKS} trials, ${ours.length} of them with an error of ours (${ours[0]?.taskId ?? ''})`,
    );
  return `${framework} ${shape} ${settings} ${trials.filter(({ score }) => score?.correct === true).length}`;
}
