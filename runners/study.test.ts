// Whole studies over real processes: a worker that misbehaves costs one trial with the right code, and the run goes on.
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ModelCall } from '../base/traffic.ts';
import type { TrialRecord, WorkerRecord } from '../metrics/record.ts';
import { toolsForTaskType } from '../tools/toolset.ts';
import { cacheDirectory } from './cache-directory.ts';
import { type PlanSpecInput, parsePlanSpec } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { type ResolvedPlan, resolvePlan } from './resolved-plan.ts';
import { ServiceProcess } from './service-process.ts';
import { startStudy } from './start-study.ts';

const FIXTURES = fileURLToPath(new URL('../adapters/fixtures/', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'agentgauge-study-'));
const silent: Progress = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

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
  const cases: readonly (readonly [string, Partial<TrialRecord>])[] = [
    ['hangs-forever', { outcome: 'failed', code: 'hang' }],
    ['ignores-sigterm', { outcome: 'failed', code: 'hang' }],
    ['exits-with-42', { outcome: 'failed', code: 'worker-exit' }],
    ['sends-garbage', { outcome: 'failed', code: 'worker-exit' }],
    ['eats-memory', { outcome: 'failed', code: 'out-of-memory' }],
    ['rejects-unhandled', { outcome: 'failed', code: 'unhandled-rejection' }],
    ['throws-in-prepare', { outcome: 'failed', code: 'framework-exception' }],
    // What it prints is not what it answers; text that stands in no reply is no answer either.
    ['floods-stdout', { output: 'the answer', code: 'notice-as-answer' }],
    ['prints-garbage', { output: 'the answer', code: 'notice-as-answer' }],
  ];
  let records: readonly TrialRecord[] = [];
  beforeAll(async () => {
    const plan = await planOf({ rows: [...cases.map(([name]) => fixture(name)), { framework: 'fetch' }], sample: 1, timeoutMs: 8_000, concurrency: 10 });
    ({ records } = await study({ ...plan, warmUps: [] }));
  }, 120_000);

  test.each(cases)('%s ends as one trial with its own code', (name, expected) => {
    const own = records.filter((record) => record.framework === name);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject(expected);
  });

  test('goes wrong leaves the other rows alone', () => {
    expect(records.find((record) => record.framework === 'fetch')).toMatchObject({ outcome: 'completed', score: { correct: true } });
  });

  test('does not live through its warm-ups runs its planned trials all the same', async () => {
    const { records } = await study(await planOf({ rows: [fixture('hangs-forever')], sample: 2, timeoutMs: 300 }));
    expect(records.map(({ code, usage }) => [code, usage.modelCalls])).toEqual([
      ['hang', 0],
      ['hang', 0],
    ]);
    expect(records.every(({ wallMs = 0 }) => wallMs >= 300)).toBe(true);
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
    const exact = (records: readonly TrialRecord[]) =>
      records.map(({ taskId, trialIndex, outcome, answer, code, usage }) => ({ taskId, trialIndex, outcome, answer, code, usage }));
    const [first, second] = [await study(plan), await study(plan)];
    expect(exact(first.records)).toEqual(exact(second.records));
    const byIndex = [0, 1, 2].map((index) =>
      JSON.stringify(
        first.records
          .filter((record) => record.trialIndex === index)
          .map((record) => [record.taskId, record.usage])
          .sort(),
      ),
    );
    expect(new Set(byIndex).size).toBe(3);
  });

  test('charges what a framework does for an earlier trial to no other, and gives the next one a new worker', async () => {
    const row = { ...fixture('works-on'), exportName: 'inTheNext' };
    const plan = await planOf({ rows: [row], sample: 4, taskTypes: ['document'] });
    const { records, directory } = await study({ ...plan, warmUps: [] });
    expect(records.map(({ usage, toolCalls }) => [usage.modelCalls, toolCalls.length])).toEqual(Array(4).fill([1, 1]));
    expect(records.flatMap(({ events }) => events.map(({ code }) => code))).not.toContain('stray-work');
    expect(readFileSync(join(directory, 'workers.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('runs one row on several workers at once when there are more lanes than rows, each trial once and with the same exact part', async () => {
    const alone = await study(await planOf({ profile: 'gpt-4o-mini', sample: 8 }));
    const together = await study(await planOf({ profile: 'gpt-4o-mini', sample: 8, concurrency: 3 }));
    const exact = (records: readonly TrialRecord[]) =>
      records.map(({ taskId, outcome, answer, code, usage, events, wire }) => JSON.stringify({ taskId, outcome, answer, code, usage, events, wire })).sort();
    expect(exact(together.records)).toEqual(exact(alone.records));
    expect(readFileSync(join(together.directory, 'workers.jsonl'), 'utf8').trim().split('\n')).toHaveLength(3);
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

  test('names the Python that runs programs, in its manifest and in the record of each trial that called it', async () => {
    const caller = { framework: 'calls-python', module: fileURLToPath(new URL('fixtures/calls-python.ts', import.meta.url)), exportName: 'adapter' };
    const plan = { ...(await planOf({ rows: [caller, { framework: 'fetch' }], sample: 3, timeoutMs: 60_000 })), warmUps: [] };
    const { directory, records } = await study(plan);
    const python = expect.stringMatching(/^(?:Pyodide|CPython) \d+\.\d+\.\d+ /);
    expect(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))).toMatchObject({ versions: { run_python: python } });
    const hasPython = new Set(plan.tasks.filter(({ type }) => toolsForTaskType(type).includes('run_python')).map(({ id }) => id));
    expect(hasPython.size).toBeGreaterThan(0);
    for (const { framework, taskId, python: ran } of records) expect(ran).toEqual(framework === 'fetch' || !hasPython.has(taskId) ? undefined : python);
    const notes: string[] = [];
    await study(plan, { resume: directory, progress: { ...silent, note: (text) => notes.push(text) } });
    expect(notes).toEqual([]);
  }, 60_000);

  test('names the seeds of world and faults where they are not the one seed', async () => {
    expect((await planOf({ seed: 4, taskSeed: 1, faultSeed: 9 })).manifest).toMatchObject({ seed: 4, taskSeed: 1, faultSeed: 9 });
    expect((await planOf({ seed: 1, faultSeed: 1 })).manifest).not.toHaveProperty('faultSeed');
  });

  test('tells what keeps the gateway from serving as its own fault, and of no row', async () => {
    const directory = join(out, 'without-plans');
    mkdirSync(directory);
    const notes: string[] = [];
    const plan = { ...(await planOf({})), taskSetDirectory: directory };
    await expect(study(plan, { progress: { ...silent, note: (text) => notes.push(text) } })).rejects.toMatchObject({ code: 'TASK_SET_MISSING' });
    expect(notes).toEqual([]);
  });

  test('keeps of each trial what was asked and answered, spelled as JSON spells it', async () => {
    const { directory, records } = await study(await planOf({}));
    for (const { taskId, usage } of records) {
      const text = readFileSync(join(directory, 'transcripts', `fetch.single.default.${taskId}.0.json`), 'utf8');
      const transcript = JSON.parse(text) as { readonly modelCalls: readonly ModelCall[] };
      expect(Object.keys(transcript)).toEqual(['framework', 'shape', 'settings', 'taskId', 'trialIndex', 'modelCalls', 'toolCalls', 'worker', 'noise']);
      expect(`${JSON.stringify(transcript)}\n`).toBe(text);
      expect(transcript.modelCalls).toHaveLength(usage.modelCalls);
      for (const call of transcript.modelCalls)
        expect(call).toMatchObject({ requestBody: { messages: expect.any(Array) }, replyBody: { choices: [{ finish_reason: expect.any(String) }] } });
    }
  });

  test('refuses to resume a run of another plan', async () => {
    const { directory } = await study(await planOf({ sample: 1 }));
    await expect(study(await planOf({ sample: 2 }), { resume: directory })).rejects.toMatchObject({ code: 'PLAN_CHANGED' });
  });

  test('counts the memory of processes that a framework starts', async () => {
    const plan = await planOf({ rows: [fixture('starts-a-child')], sample: 1, coldStarts: 1, timeoutMs: 20_000 });
    const { directory } = await study({ ...plan, warmUps: [], blocks: [] });
    const cold = readFileSync(join(directory, 'workers.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as WorkerRecord);
    expect(cold).toHaveLength(1);
    expect((cold[0]?.treePeakRssBytes ?? 0) - (cold[0]?.peakRssBytes ?? 0)).toBeGreaterThan(60_000_000);
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
    const blocks = plan.blocks.map((block) => ({
      ...block,
      trials: block.trials.map((trial) => ({ ...trial, taskId: tasks[plan.tasks.findIndex((task) => task.id === trial.taskId)]?.id ?? '' })),
    }));
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
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const plan = await planOf({ model: 'upstream:some-model', baseUrl: `http://127.0.0.1:${port}/v1` });
    await expect(study(plan)).rejects.toMatchObject({
      code: 'UPSTREAM_DOWN',
      message: `no model server answers at http://127.0.0.1:${port}/v1/models: ECONNREFUSED`,
    });
  });

  test('names an upstream that refuses the key, and never the key', async () => {
    const server = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('TEST_KEY', 'sk-very-secret');
    const plan = await planOf({ model: 'upstream:some-model', baseUrl: `http://127.0.0.1:${port}/v1`, keyVariable: 'TEST_KEY' });
    const refusal = await study(plan).catch((error: unknown) => error);
    server.close();
    expect(refusal).toMatchObject({ code: 'UPSTREAM_REFUSED_KEY', remedy: 'Check the key in TEST_KEY.' });
    expect(String(refusal)).not.toContain('sk-very-secret');
  });
});
