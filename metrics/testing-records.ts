// Builders of records and manifests for tests of everything that reads them, and for benches: a run in a few lines.
import { type Manifest, type ManifestPlan, RECORD_VERSION, type TrialRecord, type WorkerRecord } from './record.ts';

export function trialRecord(rest: Partial<TrialRecord> = {}): TrialRecord {
  return {
    recordVersion: RECORD_VERSION,
    framework: 'alpha',
    shape: 'single',
    settings: 'default',
    taskId: 't1',
    taskType: 'web',
    level: 1,
    template: 'lookup',
    width: 1,
    trialIndex: 0,
    seed: 1,
    modelKind: 'simulated',
    model: 'gpt-4o-mini',
    profile: 'gpt-4o-mini',
    host: 'h1',
    outcome: 'completed',
    events: [],
    usage: { modelCalls: 2, toolCalls: 1, inputTokens: 200, outputTokens: 20 },
    calls: [
      [1, 3, 100, 10, 200],
      [6, 8, 100, 10, 200],
    ],
    toolCalls: [['web_search', 4, 5, 200]],
    wire: 'wire-1',
    ...rest,
  };
}

export function workerRecord(rest: Partial<WorkerRecord> = {}): WorkerRecord {
  return {
    recordVersion: RECORD_VERSION,
    framework: 'alpha',
    shape: 'single',
    settings: 'default',
    host: 'h1',
    kind: 'cold',
    versions: { alpha: '1.0.0' },
    runtime: 'node v24',
    importMs: 100,
    rssAfterImportBytes: 80e6,
    ...rest,
  };
}

export function planRow(framework: string, rest: Partial<ManifestPlan['rows'][number]> = {}): ManifestPlan['rows'][number] {
  return { framework, shape: 'single', settings: 'default', title: framework, language: 'node', floor: false, ...rest };
}

/** A plan of these rows over these tasks: `t1`, `t2`, … of type web and level 1 where only their number is given. */
export function manifest(
  rows: readonly (string | ManifestPlan['rows'][number])[],
  tasks: number | ManifestPlan['tasks'],
  rest: Partial<ManifestPlan> = {},
  facts: Partial<Manifest> = {},
): Manifest {
  return {
    recordVersion: RECORD_VERSION,
    agentgauge: '0.1.0',
    planHash: 'plan',
    plan: {
      name: 'test',
      rows: rows.map((row) => (typeof row === 'string' ? planRow(row) : row)),
      absentRows: [],
      tasks:
        typeof tasks === 'number'
          ? Array.from({ length: tasks }, (_, index) => ({ taskId: `t${index + 1}`, taskType: 'web' as const, level: 1 as const }))
          : tasks,
      trials: 1,
      seed: 1,
      modelKind: 'simulated',
      model: 'gpt-4o-mini',
      profile: 'gpt-4o-mini',
      cap: 20,
      agentCap: 20,
      temperature: 1,
      maxTokens: 2000,
      isolation: 'worker',
      concurrency: 1,
      timeoutMs: 20_000,
      latency: 'zero',
      instruction: 'both',
      toolErrors: 'throw',
      broker: 'strict',
      enforce: 'honoured',
      coldStarts: 7,
      ...rest,
    },
    taskSet: { name: 'test', seed: 1, hash: 'set', tasks: 1, pages: 1 },
    versions: { node: 'v24' },
    machine: { cpu: 'a cpu', cores: 2, memoryBytes: 8e9, os: 'linux 6', arch: 'x64', node: 'v24', container: false },
    startedAt: '2026-01-01T00:00:00.000Z',
    host: 'h1',
    ...facts,
  };
}

/** Of each framework by its signs: `1100` solves the first two of four tasks; what it does not solve ends at the cap and is not repaired. */
export function trialsBySigns(solved: Readonly<Record<string, string>>): TrialRecord[] {
  return Object.entries(solved).flatMap(([framework, signs]) =>
    [...signs].map((sign, at) =>
      trialRecord({
        framework,
        taskId: `t${at + 1}`,
        ...(sign === '1'
          ? { score: { rule: 'string', correct: true } }
          : { outcome: 'limit', code: 'iteration-cap', handling: 'reported', stoppedBy: 'framework' }),
      }),
    ),
  );
}
