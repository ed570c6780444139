// Shapes beside each other over real processes: what a clean division changes (nothing but who calls), and what each configuration of an ablation records.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelTraffic } from '../base/traffic.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { cacheDirectory } from './cache-directory.ts';
import { type PlanSpecInput, parsePlanSpec } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { resolvePlan } from './resolved-plan.ts';
import { startStudy } from './start-study.ts';

const out = mkdtempSync(join(tmpdir(), 'agentgauge-shapes-'));
const silent: Progress = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };
afterAll(() => rmSync(out, { recursive: true, force: true }));

interface Transcript extends Pick<TrialRecord, 'framework' | 'shape' | 'configuration' | 'taskId'> {
  readonly modelCalls: ModelTraffic['calls'];
}

async function study(rows: PlanSpecInput['rows'], sample: number) {
  const spec = parsePlanSpec({ name: 'shapes', rows, sample, coldStarts: 0, profile: 'clean' }, 'test');
  const plan = await resolvePlan(spec, { baseDirectory: out, cacheDirectory: cacheDirectory() });
  const { directory } = await startStudy({ plan, baseDirectory: out, out, progress: silent, signal: new AbortController().signal });
  const lines = readFileSync(join(directory, 'trials.jsonl'), 'utf8').trim().split('\n');
  const transcripts = readdirSync(join(directory, 'transcripts')).map(
    (name) => JSON.parse(readFileSync(join(directory, 'transcripts', name), 'utf8')) as Transcript,
  );
  return { records: lines.map((line) => JSON.parse(line) as TrialRecord), transcripts };
}

describe('in the profile clean', () => {
  let records: readonly TrialRecord[] = [];
  let transcripts: readonly Transcript[] = [];
  beforeAll(async () => {
    ({ records, transcripts } = await study(
      [
        { framework: 'fetch', shape: 'single' },
        { framework: 'fetch', shape: 'dag' },
        { framework: 'engine', shape: 'single' },
        { framework: 'engine', shape: 'dag' },
        { framework: 'engine', shape: 'idiomatic' },
      ],
      10,
    ));
  }, 120_000);

  test('M1.4: every shape answers every task rightly, and none has a fault', () => {
    expect(records).toHaveLength(50);
    for (const record of records) {
      expect(record, `${record.framework}/${record.shape} ${record.taskId}`).toMatchObject({ outcome: 'completed', score: { correct: true }, events: [] });
      expect(record.undisturbed).toBe(true);
    }
  });

  test('M1.4: dag and single execute the same plan steps', () => {
    const steps = new Map(transcripts.map(({ framework, shape, taskId, modelCalls }) => [`${framework} ${shape} ${taskId}`, stepsOf(modelCalls)]));
    for (const { taskId } of records) {
      for (const framework of ['fetch', 'engine']) {
        expect(steps.get(`${framework} dag ${taskId}`), `${framework} ${taskId}`).toEqual(steps.get(`${framework} single ${taskId}`));
      }
    }
  });

  test('M1.4: dag sends the same messages in fetch and in the engine', () => {
    const divided = (framework: string, taskId: string) =>
      transcripts
        .find((one) => one.framework === framework && one.shape === 'dag' && one.taskId === taskId)
        ?.modelCalls.map(({ requestBody }) => messagesOf(requestBody))
        .sort();
    for (const { taskId } of records) expect(divided('engine', taskId), taskId).toEqual(divided('fetch', taskId));
  });

  test('M1.3: a task without tools is one request of one agent in every shape', () => {
    const zero = records.filter(({ taskType }) => taskType === 'zero-tool');
    expect(zero.length).toBeGreaterThan(0);
    for (const { usage, parts } of zero) expect([usage.modelCalls, parts]).toEqual([1, undefined]);
  });

  test('a divided trial records its parts and what each step was read among', () => {
    for (const record of records.filter(({ shape, taskType }) => shape !== 'single' && taskType !== 'zero-tool')) {
      expect(Object.keys(record.parts ?? {})).toEqual(['planner', 'subtask-worker', 'synthesis']);
      expect(record.readings?.filter(([, , how]) => how === 'handed-over').length).toBeGreaterThan(0);
    }
  });
});

test('M8: each configuration of the memory ablation prompts and keeps otherwise, under its own name', async () => {
  const configurations = ['full', 'without-scratch', 'without-structured-state', 'without-connectors', 'single-tier'];
  const { records, transcripts } = await study(
    configurations.map((configuration) => ({ framework: 'engine', shape: 'dag' as const, configuration })),
    4,
  );
  const divided = records.filter(({ taskType, score }) => taskType !== 'zero-tool' && score?.correct === true);
  expect(new Set(divided.map(({ configuration }) => configuration))).toEqual(new Set(configurations));
  const of = (configuration: string) => divided.filter((record) => record.configuration === configuration);
  const synthesis = (configuration: string) => of(configuration).map(({ parts }) => parts?.synthesis?.largestInputTokens ?? 0);
  const kept = (configuration: string) => of(configuration).map(({ tierBytes }) => tierBytes);
  for (const [at, tokens] of synthesis('full').entries()) {
    expect(synthesis('without-scratch')[at]).toBeGreaterThan(tokens);
    expect(synthesis('without-connectors')[at]).toBeGreaterThan(tokens);
    expect(synthesis('single-tier')[at]).toBeGreaterThan(tokens);
    expect(kept('full')[at]).toMatchObject({ scratchKept: 0, connectorsKept: 0, transcriptKept: 0 });
    expect(kept('without-scratch')[at]?.scratchKept).toBeGreaterThan(0);
    expect(kept('without-connectors')[at]?.connectorsKept).toBeGreaterThan(0);
    expect(kept('single-tier')[at]?.transcriptKept).toBeGreaterThan(0);
  }
  const asked = transcripts.map(({ configuration, modelCalls }) => ({ configuration, last: messagesOf(modelCalls.at(-1)?.requestBody) }));
  const shown = (configuration: string, words: string) => asked.filter((one) => one.configuration === configuration && one.last.includes(words)).length;
  expect(shown('without-scratch', 'earlier turns of find[0]:')).toBe(of('without-scratch').length);
  expect(shown('without-connectors', 'results of find[0]:')).toBe(of('without-connectors').length);
  expect(shown('full', 'findings:')).toBe(of('full').length);
  expect(shown('without-structured-state', 'findings:')).toBe(0);
}, 120_000);

/** Plan steps whose evidence stood in any request of the trial. */
function stepsOf(calls: ModelTraffic['calls']): string[] {
  return [...new Set(calls.flatMap(({ stepsDone = [] }) => stepsDone))].sort();
}

/** The floor echoes the model's turn with its `refusal: null`, the engine without. */
function messagesOf(body: unknown): string {
  return JSON.stringify((body as { readonly messages?: unknown } | undefined)?.messages ?? null, (name, value: unknown) =>
    name === 'refusal' ? undefined : value,
  );
}
