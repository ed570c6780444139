// Whole studies over real processes: a worker that misbehaves costs one trial with the right code, and the run goes on.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrialRecord } from '../metrics/record.ts';
import { cacheDirectory } from './cache-directory.ts';
import { parsePlanSpec, type PlanSpecInput } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { resolvePlan, type ResolvedPlan } from './resolved-plan.ts';
import { ServiceProcess } from './service-process.ts';
import { startStudy } from './start-study.ts';

const FIXTURES = fileURLToPath(new URL('../adapters/fixtures/', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'agentgauge-study-'));
const silent: Progress = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };

afterEach(() => {
  rmSync(out, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const fixture = (name: string) => ({ framework: name, module: join(FIXTURES, `${name}.ts`), exportName: 'adapter' });

async function planOf(input: Partial<PlanSpecInput>): Promise<ResolvedPlan> {
  const spec = parsePlanSpec({ name: 'test', rows: [{ framework: 'fetch' }], sample: 2, coldStarts: 0, profile: 'clean', timeoutMs: 1_500, ...input }, 'test');
  return await resolvePlan(spec, { baseDirectory: FIXTURES, cacheDirectory: cacheDirectory() });
}

async function study(plan: ResolvedPlan, options: { signal?: AbortSignal; resume?: string; progress?: Progress } = {}) {
  const { directory, outcome } = await startStudy({
    plan,
    baseDirectory: FIXTURES,
    out,
    progress: options.progress ?? silent,
    signal: options.signal ?? new AbortController().signal,
    ...(options.resume === undefined ? {} : { resume: options.resume }),
  });
  return { directory, outcome, records: recordsOf(directory) };
}

function recordsOf(directory: string): TrialRecord[] {
  return readFileSync(join(directory, 'trials.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TrialRecord);
}

beforeAll(async () => {
  await planOf({});
}, 120_000);

describe('a worker that', () => {
  const cases: readonly [string, { outcome: string; code: string }][] = [
    ['hangs-forever', { outcome: 'failed', code: 'hang' }],
    ['ignores-sigterm', { outcome: 'failed', code: 'hang' }],
    ['exits-with-42', { outcome: 'failed', code: 'worker-exit' }],
    ['sends-garbage', { outcome: 'infrastructure', code: 'harness-error' }],
    ['eats-memory', { outcome: 'failed', code: 'out-of-memory' }],
    ['rejects-unhandled', { outcome: 'failed', code: 'unhandled-rejection' }],
    ['throws-in-prepare', { outcome: 'failed', code: 'framework-exception' }],
  ];
  test.each(cases)('%s ends as a failed trial with its own code, and the other rows go on', async (name, expected) => {
    const plan = await planOf({ rows: [fixture(name), { framework: 'fetch' }], sample: 1 });
    const { records } = await study({ ...plan, warmUps: [] });
    expect(records.find((record) => record.framework === name)).toMatchObject(expected);
    expect(records.find((record) => record.framework === 'fetch')).toMatchObject({ outcome: 'completed', score: { correct: true } });
  });

  test.each(['floods-stdout', 'prints-garbage'])('%s still has its answer taken from the channel alone', async (name) => {
    const plan = await planOf({ rows: [fixture(name)], sample: 1 });
    const { records } = await study({ ...plan, warmUps: [] });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ output: 'the answer' });
  });

  test('cannot load its framework is named once and leaves a run that says so', async () => {
    const plan = await planOf({ rows: [fixture('needs-missing-package'), { framework: 'fetch' }] });
    const { outcome, records } = await study(plan);
    expect(outcome.unstartable).toEqual([{ row: 'needs-missing-package/single/default', why: expect.stringContaining('agentgauge-no-such-framework') }]);
    expect(records.map((record) => record.framework)).toEqual(['fetch', 'fetch']);
  });
});

describe('a study', () => {
  test('gives the same exact part twice, and another draw for another trial index', async () => {
    const plan = await planOf({ profile: 'gpt-4o-mini', sample: 6, trials: 3 });
    const exact = (records: readonly TrialRecord[]) => records.map(({ taskId, trialIndex, outcome, answer, code, usage }) => ({ taskId, trialIndex, outcome, answer, code, usage }));
    const [first, second] = [await study(plan), await study(plan)];
    expect(exact(first.records)).toEqual(exact(second.records));
    const byIndex = [0, 1, 2].map((index) => JSON.stringify(first.records.filter((record) => record.trialIndex === index).map((record) => [record.taskId, record.usage]).sort()));
    expect(new Set(byIndex).size).toBe(3);
  });

  test('that is stopped keeps what is finished, runs nothing twice on resume, and counts an interrupted trial as none', async () => {
    const plan = await planOf({ sample: 8 });
    const controller = new AbortController();
    let seen = 0;
    const progress = { ...silent, trial: () => void (++seen === 3 && controller.abort()) };
    const stopped = await study(plan, { signal: controller.signal, progress });
    expect(stopped.outcome.interrupted).toBe(true);
    expect(stopped.records.length).toBeLessThan(8);
    const resumed = await study(plan, { resume: stopped.directory });
    expect(resumed.outcome).toMatchObject({ interrupted: false, recorded: 8, planned: 8 });
    expect(new Set(resumed.records.map((record) => record.taskId)).size).toBe(8);
    expect(resumed.records.slice(0, stopped.records.length)).toEqual(stopped.records);
  });

  test('refuses to resume a run of another plan', async () => {
    const { directory } = await study(await planOf({ sample: 1 }));
    await expect(study(await planOf({ sample: 2 }), { resume: directory })).rejects.toMatchObject({ code: 'PLAN_CHANGED' });
  });

  test('never lets a target or a task id cross to a worker, a model or a tool', async () => {
    const plan = await planOf({ rows: [{ framework: 'fetch' }, fixture('echoes-terms')], sample: 6 });
    const canary = (i: number) => `canary${'abcdefgh'[i]}7f3a91c2e5`;
    const directory = join(out, 'set');
    cpSync(plan.taskSetDirectory, directory, { recursive: true });
    const tasks = plan.tasks.map((task, i) => ({ ...task, id: canary(i) }));
    const targets = new Map(tasks.map((task, i) => [task.id, `truth-${canary(i)}`]));
    for (const name of ['tasks.json', 'targets.json']) writeFileSync(join(directory, name), '[]');
    const asked = vi.spyOn(ServiceProcess.prototype, 'ask');
    const blocks = plan.blocks.map((block) => ({ ...block, trials: block.trials.map((trial) => ({ ...trial, taskId: tasks[plan.tasks.findIndex((task) => task.id === trial.taskId)]?.id ?? '' })) }));
    const { directory: run, records } = await study({ ...plan, tasks, targets, blocks, taskSetDirectory: directory });
    expect(records).toHaveLength(12);
    const told = JSON.stringify(asked.mock.calls);
    const echoed = records.filter((record) => record.framework === 'echoes-terms').map((record) => record.output);
    expect(echoed.join('')).toContain('FINAL ANSWER');
    const transcripts = records.map((record) => {
      const name = `${record.framework}.single.default.${record.taskId}.0.json`;
      const { modelCalls, toolCalls } = JSON.parse(readFileSync(join(run, 'transcripts', name), 'utf8')) as { modelCalls: unknown; toolCalls: unknown };
      return JSON.stringify({ modelCalls, toolCalls });
    });
    for (let i = 0; i < tasks.length; i++) for (const text of [told, ...echoed, ...transcripts]) expect(text).not.toContain(canary(i));
  });

  test('names an upstream that is down by address and cause before anything starts', async () => {
    const plan = await planOf({ model: 'upstream:some-model', baseUrl: 'http://127.0.0.1:9/v1' });
    await expect(study(plan)).rejects.toMatchObject({ code: 'UPSTREAM_DOWN', message: expect.stringContaining('http://127.0.0.1:9/v1/models: ECONNREFUSED') });
  });
});
