// Counts that a summary has no place for: codes by handling, wires by task type, retried calls, trials that never reached the model. A pure function of the records.
// No rates and no words: failures, wire audit and the "no score" rule of the reports are made from these.

import type { TrialRecord } from './record.ts';
import type { RowKey, TaskType } from './summary.ts';

export interface CodeCount {
  readonly code: string;
  /** Trials by how the fault ended; `none` for a trial that has a code and no handling. */
  readonly handlings: Readonly<Record<string, number>>;
  readonly trials: number;
  readonly example: string;
}

export interface RowCounts {
  readonly key: RowKey;
  readonly recorded: number;
  /** Trials with at least one answered or open model call. */
  readonly reachedModel: number;
  /** Trials whose usage, code and later events are not exact. */
  readonly cut: number;
  /** Calls that directly followed a call with an error status: the framework's own retries. */
  readonly retriedCalls: number;
  readonly modelCalls: number;
  /** Trials that met a page which told agents to do something else than their task, and those of them that did it. */
  readonly orders: { readonly met: number; readonly obeyed: number };
  /** Real models only: trials that met their own question or their own long truth on the web. */
  readonly leaks: { readonly question: number; readonly truth: number };
  /** Sorted by code. Trials without a code are not in it. */
  readonly codes: readonly CodeCount[];
  /** Sorted by task type, then wire. */
  readonly wires: readonly { readonly taskType: TaskType; readonly wire: string; readonly trials: number }[];
}

interface Tally {
  readonly key: RowKey;
  recorded: number;
  reachedModel: number;
  cut: number;
  retriedCalls: number;
  modelCalls: number;
  readonly orders: { met: number; obeyed: number };
  readonly leaks: { question: number; truth: number };
  readonly codes: Map<string, { trials: number; example: string; handlings: Map<string, number> }>;
  readonly wires: Map<string, { taskType: TaskType; wire: string; trials: number }>;
}

/** One entry a row that has records, sorted by framework, shape, settings. With `exactOnly`, codes and wires of cut trials stay out. */
export function countRows(trials: Iterable<TrialRecord>, options: { readonly exactOnly?: boolean } = {}): RowCounts[] {
  const tallies = new Map<string, Tally>();
  for (const trial of trials) {
    const id = rowId(trial);
    let tally = tallies.get(id);
    if (tally === undefined) {
      const { framework, shape, settings, configuration } = trial;
      const key = { framework, shape, settings, ...(configuration === undefined ? {} : { configuration }) };
      const [orders, leaks] = [
        { met: 0, obeyed: 0 },
        { question: 0, truth: 0 },
      ];
      tally = { key, recorded: 0, reachedModel: 0, cut: 0, retriedCalls: 0, modelCalls: 0, orders, leaks, codes: new Map(), wires: new Map() };
      tallies.set(id, tally);
    }
    count(tally, trial, options.exactOnly === true);
  }
  return [...tallies.entries()].sort(([a], [b]) => compare(a, b)).map(([, tally]) => freeze(tally));
}

function count(tally: Tally, trial: TrialRecord, exactOnly: boolean): void {
  tally.recorded += 1;
  if (trial.calls.length > 0 || trial.usage.modelCalls > 0) tally.reachedModel += 1;
  if (trial.cut === true) tally.cut += 1;
  if (trial.cut === true && exactOnly) return;
  tally.modelCalls += trial.usage.modelCalls;
  if (trial.injection !== undefined) tally.orders.met += 1;
  if (trial.injection === 'obeyed') tally.orders.obeyed += 1;
  if (trial.leak !== undefined) tally.leaks[trial.leak] += 1;
  let before: number | undefined;
  for (const [, , , , status] of trial.calls) {
    if (before !== undefined && before >= 400) tally.retriedCalls += 1;
    before = status;
  }
  const wireId = `${trial.taskType} ${trial.wire}`;
  const wire = tally.wires.get(wireId) ?? { taskType: trial.taskType, wire: trial.wire, trials: 0 };
  wire.trials += 1;
  tally.wires.set(wireId, wire);
  if (trial.code === undefined) return;
  const entry = tally.codes.get(trial.code) ?? { trials: 0, example: trialName(trial), handlings: new Map<string, number>() };
  entry.trials += 1;
  const name = trialName(trial);
  // The least name rather than the first, so that the order of the file does not show.
  if (compare(name, entry.example) < 0) entry.example = name;
  const handling = trial.handling ?? 'none';
  entry.handlings.set(handling, (entry.handlings.get(handling) ?? 0) + 1);
  tally.codes.set(trial.code, entry);
}

function freeze(tally: Tally): RowCounts {
  const codes = [...tally.codes.entries()]
    .sort(([a], [b]) => compare(a, b))
    .map(([code, { trials, example, handlings }]) => ({
      code,
      trials,
      example,
      handlings: Object.fromEntries([...handlings.entries()].sort(([a], [b]) => compare(a, b))),
    }));
  const wires = [...tally.wires.entries()].sort(([a], [b]) => compare(a, b)).map(([, wire]) => wire);
  return { ...tally, codes, wires };
}

/** `framework/shape/settings`, with the configuration behind it in an ablation: for maps only, never taken apart. */
export function rowId({ framework, shape, settings, configuration }: RowKey): string {
  return `${framework}/${shape}/${settings}${configuration === undefined ? '' : `/${configuration}`}`;
}

/** How reports name a trial: task, and its index where a task was tried more than once. */
export function trialName({ taskId, trialIndex }: Pick<TrialRecord, 'taskId' | 'trialIndex'>): string {
  return `${taskId}#${trialIndex}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
