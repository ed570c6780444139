// The path of a local model with real weights: set up by pip and npm as a user would, asked through frameworks, recorded, and replayed with the same verdicts. And the
// kept study of a larger one, played from its cassette.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrials } from '../runners/run-directory.ts';
import { cloneRoot, mustRun } from './run-child.ts';

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const VITEST = join(cloneRoot, 'node_modules', 'vitest', 'vitest.mjs');
const MODEL = 'smollm2-135m';

/** As docs/local-study.md says. */
const KEPT_MODEL_CALLS = 'engine 27, fetch 21, langchain 23, langgraph 23, llamaindex 23, openai 21, openai-agents 23';

/** The twelve questions that a larger model was asked, from the cassette in examples/local-study: what the row's model and tools did is what was recorded. */
async function playTheKeptStudy(out: string): Promise<void> {
  const plan = join(cloneRoot, 'examples', 'local-study', 'plan.json');
  const { out: said } = await mustRun('the kept study', process.execPath, [CLI, 'run', plan, '--out', out]);
  if (!said.includes('84 of 84 trials')) throw new Error(`the kept study was not played to its end: ${said.slice(-500)}`);
  const { out: run } = await mustRun('find', 'find', [out, '-name', 'manifest.json', '-printf', '%h']);
  const calls = new Map<string, number>();
  for (const { framework, usage } of readTrials(run)) calls.set(framework, (calls.get(framework) ?? 0) + usage.modelCalls);
  const found = [...calls]
    .sort()
    .map((pair) => pair.join(' '))
    .join(', ');
  if (found !== KEPT_MODEL_CALLS) throw new Error(`the kept study made other model calls than were recorded: ${found}, not ${KEPT_MODEL_CALLS}`);
}

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
    const model = ['--model', `local:${MODEL}`, '--temperature', '0', '--max-tokens', '48', '--cap', '3', '--timeout', '60'];
    const reports: string[] = [];
    for (const how of ['record', 'replay']) {
      const out = join(scratch, how);
      await mustRun(`the study (${how})`, process.execPath, [CLI, ...study, ...tasks, ...model, `--${how}`, cassette, '--out', out]);
      const { out: run } = await mustRun('find', 'find', [out, '-name', 'manifest.json', '-printf', '%h']);
      reports.push((await mustRun('report --exact', process.execPath, [CLI, 'report', run, '--exact', '--format', 'json'])).out);
      say(how);
    }
    if (reports[0] !== reports[1]) throw new Error('the replay differs from what was recorded in its exact part');
    await playTheKeptStudy(join(scratch, 'kept'));
    return `${MODEL} set up, asked by two frameworks, and replayed with the same exact part; the kept study of twelve questions played to its end`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
