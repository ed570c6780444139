import { describe, expect, it } from 'vitest';
import type { ManifestPlan, TrialRecord, WorkerRecord } from './record.ts';
import { type RowSummary, summarizeRun } from './summaries.ts';
import { manifest, planRow, trialRecord, workerRecord } from './testing-records.ts';

const right = { score: { rule: 'number' as const, correct: true } };
const wrong = { score: { rule: 'number' as const, correct: false }, code: 'wrong-answer', events: [{ code: 'wrong-answer', source: 'model' as const }] };
const fault = { code: 'unknown-tool', source: 'model' as const };
const task = (number: number, rest: Partial<TrialRecord> = {}) => trialRecord({ taskId: `t${number}`, ...rest });

/** The summary of row `alpha` in a run of one row over as many tasks as there are records, unless more were planned. */
function rowOf(trials: readonly TrialRecord[], planned = trials.length, plan: Partial<ManifestPlan> = {}, workers: readonly WorkerRecord[] = []): RowSummary {
  return summarizeRun({ manifest: manifest(['alpha'], planned, plan), trials, workers }).rows[0] as RowSummary;
}

describe('accuracy', () => {
  it('keeps errors and time-outs in the denominator: 6 of 10, and 6 of 7 only as a labelled extra', () => {
    const trials = [
      ...[1, 2, 3, 4, 5, 6].map((number) => task(number, right)),
      task(7, wrong),
      task(8, { outcome: 'failed', code: 'framework-exception', handling: 'reported' }),
      task(9, { outcome: 'failed', code: 'worker-exit', handling: 'lost' }),
      task(10, { outcome: 'infrastructure', code: 'timeout', handling: 'reported' }),
    ];
    const { rates } = rowOf(trials);
    expect(rates.accuracyPercent).toMatchObject({ value: 60, n: 10 });
    expect(rates.accuracyPercent?.low).toBeCloseTo(31.27, 2);
    expect(rates.accuracyPercent?.high).toBeCloseTo(83.18, 2);
    expect(rates.accuracyOfScoredPercent?.value).toBeCloseTo(600 / 7, 9);
    expect(rates).toMatchObject({ planned: 10, recorded: 10, correct: 6, infrastructure: 1, codes: { timeout: 1, 'worker-exit': 1, 'wrong-answer': 1 } });
  });

  it('counts what never ran against the plan, and is unknown when nothing ran', () => {
    expect(rowOf([task(1, right)], 4).rates).toMatchObject({ planned: 4, recorded: 1, accuracyPercent: { value: 25, n: 4 } });
    expect(rowOf([], 4).rates).not.toHaveProperty('accuracyPercent');
  });

  it('takes trials of one task for a cluster: the interval counts tasks', () => {
    const once = rowOf([task(1, right), task(2, wrong)], 2).rates.accuracyPercent;
    const thrice = rowOf(
      [0, 1, 2].flatMap((trialIndex) => [task(1, { ...right, trialIndex }), task(2, { ...wrong, trialIndex })]),
      2,
      { trials: 3 },
    ).rates.accuracyPercent;
    expect(thrice).toEqual({ ...once, n: 6 });
  });

  it('shows no interval for one task', () => {
    expect(rowOf([task(1, right)]).rates.accuracyPercent).toEqual({ value: 100, n: 1 });
  });

  it('is given by task type and level, and a part that was not planned is absent', () => {
    const tasks: ManifestPlan['tasks'] = [
      { taskId: 't1', taskType: 'web', level: 1 },
      { taskId: 't2', taskType: 'web', level: 3 },
      { taskId: 't3', taskType: 'document', level: 3 },
    ];
    const trials = [task(1, right), task(2, { ...wrong, level: 3 })];
    const [row] = summarizeRun({ manifest: manifest(['alpha'], tasks), trials, workers: [] }).rows;
    expect(row?.byTaskType.web?.accuracyPercent).toMatchObject({ value: 50, n: 2 });
    expect(row?.byTaskType.document).toMatchObject({ planned: 1, recorded: 0 });
    expect(row?.byTaskType['zero-tool']).toBeUndefined();
    expect(Object.keys(row?.byLevel ?? {})).toEqual(['1', '3']);
    expect(row?.levelCorrelation?.value).toBeCloseTo(-1, 12);
    expect(row?.levelCorrelation?.n).toBe(3);
  });
});

describe('M5.2: the two rates', () => {
  const share = (record: Partial<TrialRecord>) => {
    const { rates } = rowOf([task(1, record)]);
    return [rates.causedPercent, rates.notRepairedPercent, rates.causedWithoutCapPercent, rates.notRepairedWithoutCapPercent].map(
      (rate) => (rate?.value ?? 0) / 100,
    );
  };

  it.each<[string, Partial<TrialRecord>, number[]]>([
    ['an undisturbed answer', right, [0, 0, 0, 0]],
    ['a wrong answer', wrong, [0, 0, 0, 0]],
    ['a repaired fault', { ...right, handling: 'repaired', code: 'unknown-tool', events: [{ ...fault, repaired: true }] }, [0, 0, 0, 0]],
    ['a reported fault', { outcome: 'failed', handling: 'reported', code: 'unknown-tool', events: [fault] }, [0, 1, 0, 1]],
    [
      'bad arguments of the model, let through and refused by the tool',
      { outcome: 'failed', handling: 'reported', code: 'invalid-arguments-executed', events: [{ code: 'invalid-arguments-executed', source: 'framework' }] },
      [0, 1, 0, 1],
    ],
    [
      'an error without any fault',
      { outcome: 'failed', handling: 'reported', code: 'framework-exception', events: [{ code: 'framework-exception', source: 'framework' }] },
      [1, 1, 1, 1],
    ],
    ['a concealed fault', { outcome: 'failed', handling: 'concealed', code: 'unknown-tool', events: [fault] }, [1, 1, 1, 1]],
    ['a lost trial', { outcome: 'failed', handling: 'lost', code: 'hang', events: [fault] }, [1, 1, 1, 1]],
    ['a right answer after altered arguments', { ...right, handling: 'concealed', code: 'altered-arguments' }, [1, 1, 1, 1]],
    ['an empty reply handed on', { outcome: 'failed', handling: 'concealed', code: 'empty-passed-on' }, [0, 1, 0, 1]],
    [
      'the cap without any fault',
      { outcome: 'limit', handling: 'reported', code: 'iteration-cap', events: [{ code: 'iteration-cap', source: 'framework' }] },
      [1, 1, 0, 0],
    ],
    ['the cap after a fault', { outcome: 'limit', handling: 'reported', code: 'iteration-cap', events: [fault] }, [0, 1, 0, 0]],
    ['a forced answer', { ...right, handling: 'reported', code: 'forced-answer', events: [{ code: 'forced-answer', source: 'framework' }] }, [1, 1, 0, 0]],
    ['a provider that failed', { outcome: 'infrastructure', handling: 'reported', code: 'provider-error' }, [0, 0, 0, 0]],
    ['a user who stopped the run', { outcome: 'cancelled' }, [0, 0, 0, 0]],
  ])('%s', (_, record, shares) => {
    expect(share(record)).toEqual(shares);
  });
});

describe('M6.2: efficiency', () => {
  const timed = (framework: string, number: number, overheadMs: number, rest: Partial<TrialRecord> = {}) =>
    task(number, { ...right, framework, undisturbed: true, overheadMs, wallMs: overheadMs + 10, setupMs: 1, cpuMs: overheadMs, ...rest });
  const rows = [planRow('fetch', { floor: true }), planRow('alpha'), planRow('beta')];
  const run = (trials: readonly TrialRecord[], tasks = 3, plan: Partial<ManifestPlan> = {}) =>
    summarizeRun({ manifest: manifest(rows, tasks, plan), trials, workers: [] });

  it('uses the tasks that are undisturbed and answered in every single row, and says what it left out', () => {
    const trials = [
      ...[1, 2, 3].flatMap((number) => [timed('fetch', number, number), timed('alpha', number, 10 * number)]),
      timed('beta', 1, 5),
      timed('beta', 2, 6),
      timed('beta', 3, 7, { outcome: 'failed', handling: 'reported' }),
    ];
    const summary = run(trials);
    const [fetch, alpha, beta] = summary.rows;
    expect(summary.commonTasks).toEqual(['t1', 't2']);
    expect(alpha?.efficiency).toMatchObject({ tasks: 2, overheadMs: { value: 15, n: 2 }, overheadAndSetupMs: { value: 16, n: 2 } });
    expect(alpha?.efficiency.overFloorMs).toMatchObject({ value: 13.5, n: 2 });
    expect(alpha?.efficiency.overFloorPerCallMs).toMatchObject({ value: 6.75, n: 2 });
    expect(fetch?.efficiency.overFloorMs).toBeUndefined();
    expect(beta?.leftOut).toEqual([{ why: 'undisturbed, and ended as failed', n: 1 }]);
    expect(alpha?.leftOut).toEqual([{ why: 'not usable in every row', n: 1 }]);
    expect(summary.leftOut).toEqual([
      { why: 'not usable in every row', n: 2 },
      { why: 'undisturbed, and ended as failed', n: 1 },
    ]);
  });

  it('is not narrowed by a row that has next to nothing', () => {
    const trials = [1, 2, 3].flatMap((number) => [
      timed('fetch', number, 1),
      timed('alpha', number, 2),
      timed('beta', number, 3, number === 1 ? {} : { undisturbed: false }),
    ]);
    const [, alpha, beta] = run(trials).rows;
    expect(alpha?.efficiency.overheadMs?.n).toBe(3);
    expect(beta?.efficiency.overheadMs).toMatchObject({ value: 3, n: 1 });
    expect(beta?.leftOut).toEqual([{ why: 'disturbed by a fault of the model', n: 2 }]);
  });

  it('leaves out what is not known, and a row without figures has no cells', () => {
    const { overheadMs: _, ...unknown } = timed('alpha', 1, 1);
    const [, alpha] = run([unknown]).rows;
    expect(alpha?.efficiency).toEqual({ tasks: 0 });
    expect(alpha?.leftOut).toEqual([
      { why: 'not run', n: 2 },
      { why: 'overhead not known', n: 1 },
    ]);
  });

  it('states CPU with one core as 100 %, the restated rate and, one trial at a time, the measured one', () => {
    const trials = [1, 2, 3].map((number) => timed('alpha', number, 30));
    const one = run(trials).rows[1]?.efficiency;
    expect(one?.cpuPercent?.value).toBe(75);
    expect(one?.restatedPerMinute?.value).toBe(2000);
    expect(one?.measuredPerMinute?.value).toBe(1500);
    expect(run(trials, 3, { concurrency: 4 }).rows[1]?.efficiency).not.toHaveProperty('measuredPerMinute');
  });

  it('takes blocks for the unit of the interval where they are known', () => {
    const trials = Array.from({ length: 16 }, (_, index) => timed('alpha', index + 1, index < 14 ? 10 : 50, { block: index >> 1 }));
    expect(run(trials, 16).rows[1]?.efficiency.overheadMs).toEqual({ value: 10, n: 16, low: 10, high: 50 });
  });

  it('shows the upper bound only where branches overlapped', () => {
    expect(run([timed('alpha', 1, 5)]).rows[1]?.efficiency).not.toHaveProperty('overheadUpperMs');
    expect(run([timed('alpha', 1, 5, { overheadUpperMs: 9 }), timed('alpha', 2, 5)]).rows[1]?.efficiency.overheadUpperMs?.value).toBe(7);
  });

  it('compares another shape with the floor of that shape alone, on its own trials', () => {
    const shaped = [...rows, planRow('alpha', { shape: 'dag' }), planRow('fetch', { shape: 'dag', floor: true })];
    const trials = [timed('alpha', 1, 9, { shape: 'dag' }), timed('fetch', 1, 4, { shape: 'dag' }), timed('fetch', 1, 1)];
    const summary = summarizeRun({ manifest: manifest(shaped, 1), trials, workers: [] });
    expect(summary.rows[3]?.efficiency.overFloorMs).toEqual({ value: 5, n: 1 });
  });

  it('M1.6: sets a row beside the floor of its language, and one of Python beside fetch too', () => {
    const mixed = [planRow('fetch', { floor: true }), planRow('httpx', { floor: true, language: 'python' }), planRow('alpha', { language: 'python' })];
    const tokens = (inputTokens: number) => ({ usage: { modelCalls: 2, toolCalls: 1, inputTokens, outputTokens: 10 } });
    const trials = [timed('fetch', 1, 1, tokens(100)), timed('httpx', 1, 4, tokens(100)), timed('alpha', 1, 9, tokens(150))];
    const of = (plan: readonly ManifestPlan['rows'][number][]) => {
      const { rows } = summarizeRun({ manifest: manifest(plan, 1, { latency: 'model' }), trials, workers: [] });
      return Object.fromEntries(rows.map(({ key, efficiency: e, endToEnd: t }) => [key.framework, [e, t] as const]));
    };
    const { alpha, httpx, fetch } = of(mixed);
    expect(alpha?.[0]).toMatchObject({ overFloorMs: { value: 5 }, overFetchMs: { value: 8 }, overFloorTokens: { value: 50 }, overFetchTokens: { value: 50 } });
    expect(alpha?.[1]).toMatchObject({ overFloorSeconds: { value: expect.closeTo(0.005) }, overFetchSeconds: { value: expect.closeTo(0.008) } });
    expect(httpx?.[0]).toMatchObject({ overFetchMs: { value: 3, n: 1 } });
    expect(httpx?.[0]).not.toHaveProperty('overFloorMs');
    expect(fetch?.[0]).not.toHaveProperty('overFetchMs');
    // A floor that did not run is no zero: each comparison is absent by itself.
    expect(of(mixed.slice(1)).alpha?.[0]).toMatchObject({ overFloorMs: { value: 5 } });
    expect(of(mixed.slice(1)).alpha?.[0]).not.toHaveProperty('overFetchMs');
    const without = of(mixed.filter(({ framework }) => framework !== 'httpx')).alpha?.[0];
    expect(without).toMatchObject({ overFetchMs: { value: 8 } });
    expect(without).not.toHaveProperty('overFloorMs');
  });

  it('M1.4: sets every row of another shape beside the floor in shape dag, also where that floor has another language', () => {
    const shaped = [planRow('fetch', { shape: 'dag', floor: true }), planRow('alpha', { shape: 'idiomatic', language: 'python' }), planRow('alpha')];
    const right = { score: { rule: 'string', correct: true } } as const;
    const trials = [task(1, { framework: 'fetch', shape: 'dag', ...right }), task(1, { framework: 'alpha', shape: 'idiomatic' })];
    const {
      rows: [, idiomatic, single],
    } = summarizeRun({ manifest: manifest(shaped, 1), trials, workers: [] });
    expect(idiomatic?.shapeEffect?.overDagFloorPoints).toEqual({ value: -100, n: 1 });
    expect(idiomatic?.efficiency).not.toHaveProperty('overFloorMs');
    expect(single?.shapeEffect).not.toHaveProperty('overDagFloorPoints');
  });
});

describe('tokens and end-to-end time', () => {
  const latencyTable = { model: 'gpt-4o-mini', firstTokenMs: 500, perOutputTokenMs: 10, sigma: 0.4, source: 's', dated: '2026-01-01' };
  const trials = [task(1, { wallMs: 10 }), task(2, { wallMs: 10, cut: true })];

  it('average exact usage only', () => {
    expect(rowOf(trials).tokens).toMatchObject({ inputTokens: { value: 200, n: 1 }, totalTokens: { value: 220, n: 1 }, modelCalls: { value: 2, n: 1 } });
  });

  it('are computed from the latency table at zero latency, and say so', () => {
    const [row] = summarizeRun({ manifest: manifest(['alpha'], 2, {}, { latencyTable }), trials, workers: [] }).rows;
    // 10 ms of wall time, of which two calls of 2 ms give way to 500 + 100 each.
    expect(row?.endToEnd).toMatchObject({
      basis: 'computed',
      medianSeconds: { value: 1.206, n: 2 },
      maxSeconds: { value: 1.206, n: 2 },
      standardDeviationSeconds: { value: 0 },
    });
    expect(row?.tokens.outputTokensPerSecond?.value).toBeCloseTo(20 / 1.2, 9);
  });

  it('are measured with a real model, and unknown with a simulated one that has neither latency nor table', () => {
    const live = summarizeRun({ manifest: manifest(['alpha'], 2, { modelKind: 'upstream' }, { latencyTable }), trials, workers: [] }).rows[0];
    expect(live?.endToEnd).toMatchObject({ basis: 'measured', medianSeconds: { value: 0.01, n: 2 } });
    expect(rowOf(trials).endToEnd).toEqual({ basis: 'measured' });
    expect(rowOf(trials).tokens).not.toHaveProperty('outputTokensPerSecond');
  });
});

describe('M6.3: cold starts', () => {
  const rows = [planRow('fetch', { floor: true }), planRow('alpha'), planRow('pyrow', { language: 'python' })];
  const cold = (framework: string, rest: Partial<WorkerRecord>) => workerRecord({ framework, taskId: 't1', rssMethod: 'vm-hwm', ...rest });
  const run = (workers: readonly WorkerRecord[]) => summarizeRun({ manifest: manifest(rows, 1), trials: [], workers }).rows;

  it('give memory as peak minus after-import minus the bare worker of the language', () => {
    const [fetch, alpha, python] = run([
      cold('fetch', { rssAfterImportBytes: 50e6, peakRssBytes: 60e6 }),
      cold('alpha', { rssAfterImportBytes: 90e6, peakRssBytes: 125e6, importMs: 400 }),
      cold('pyrow', { rssAfterImportBytes: 90e6, peakRssBytes: 125e6 }),
    ]);
    expect(alpha?.coldStart).toMatchObject({
      importMs: { value: 400, n: 1 },
      importBytes: { value: 40e6 },
      taskBytes: { value: 35e6 },
      taskOverFloorBytes: { value: 25e6 },
      methods: ['vm-hwm'],
    });
    expect(fetch?.coldStart).not.toHaveProperty('taskOverFloorBytes');
    expect(python?.coldStart).not.toHaveProperty('taskOverFloorBytes');
    expect(python?.coldStart.taskBytes?.value).toBe(35e6);
  });

  it('pair by task where the bare worker ran it', () => {
    const [, alpha] = run([
      cold('fetch', { taskId: 't1', rssAfterImportBytes: 50e6, peakRssBytes: 60e6 }),
      cold('fetch', { taskId: 't2', rssAfterImportBytes: 50e6, peakRssBytes: 80e6 }),
      cold('alpha', { taskId: 't2', rssAfterImportBytes: 50e6, peakRssBytes: 85e6 }),
    ]);
    expect(alpha?.coldStart.taskOverFloorBytes?.value).toBe(5e6);
  });

  it('ignore warm workers and those that died, and have no zero for an unknown', () => {
    const [, alpha] = run([cold('alpha', { kind: 'warm' }), cold('alpha', { ended: { code: 'worker-exit' } })]);
    expect(alpha?.coldStart).toEqual({ methods: [] });
  });
});

describe('a row with an error of the harness', () => {
  const trials = [task(1, { ...right, profile: 'clean', undisturbed: true, overheadMs: 1, events: [{ code: 'harness-error', source: 'infrastructure' }] })];

  it('has no cells in profile clean', () => {
    const row = rowOf(trials, 1, { profile: 'clean' });
    expect(row.publishable).toBe(false);
    expect(row.rates).toMatchObject({ planned: 1, recorded: 0 });
    expect([row.rates.accuracyPercent, row.efficiency, row.tokens]).toEqual([undefined, { tasks: 0 }, {}]);
  });

  it('keeps them in other profiles', () => {
    expect(rowOf(trials)).toMatchObject({ publishable: true, rates: { recorded: 1 } });
  });
});

describe('a summary', () => {
  it('is the same for records in any order, and holds no NaN, null or undefined', () => {
    const trials = [1, 2, 3, 4].map((number) => task(number, number % 2 ? { ...right, undisturbed: true, overheadMs: number / 7, wallMs: number / 3 } : wrong));
    const facts = { manifest: manifest(['alpha', 'beta'], 4), workers: [workerRecord()] };
    const text = JSON.stringify(summarizeRun({ ...facts, trials }));
    expect(JSON.stringify(summarizeRun({ ...facts, trials: trials.toReversed() }))).toBe(text);
    expect(text).not.toMatch(/null/);
    expect(summarizeRun({ ...facts, trials })).toEqual(JSON.parse(text));
  });
});
