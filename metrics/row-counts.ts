// Counts that a summary has no place for: codes by handling, wires by task type, retried calls, trials that never reached the model. A pure function of the records.
// No rates and no words: failures, wire audit and the "no score" rule of the reports are made from these.

import { trialName } from './plan-places.ts';
import type { TrialRecord } from './record.ts';
import type { RowKey, SummaryValue, TaskType } from './summary.ts';
import { known, meanOf } from './summary-value.ts';

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
  /** Mean time from the end of the failed call to the next, over those of which both are known. */
  readonly retryWaitMs?: SummaryValue;
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

/** Counts the records of one row. */
export class RowCounter {
  readonly #key: RowKey;
  #recorded = 0;
  #reachedModel = 0;
  #cut = 0;
  #retriedCalls = 0;
  readonly #retryWaitsMs: number[] = [];
  #modelCalls = 0;
  readonly #orders = { met: 0, obeyed: 0 };
  readonly #leaks = { question: 0, truth: 0 };
  readonly #codes = new Map<string, { trials: number; example: string; readonly handlings: Map<string, number> }>();
  readonly #wires = new Map<string, { readonly taskType: TaskType; readonly wire: string; trials: number }>();

  constructor({ framework, shape, settings, configuration }: RowKey) {
    this.#key = { framework, shape, settings, ...(configuration === undefined ? {} : { configuration }) };
  }

  /** Of a trial of which only this is to be counted: that it ran, and that it was cut. */
  addRan(record: TrialRecord): void {
    this.#recorded += 1;
    if (record.calls.length > 0 || record.usage.modelCalls > 0) this.#reachedModel += 1;
    if (record.cut === true) this.#cut += 1;
  }

  add(record: TrialRecord): void {
    this.addRan(record);
    const { usage, calls, taskType, wire, injection, leak } = record;
    this.#modelCalls += usage.modelCalls;
    if (injection !== undefined) this.#orders.met += 1;
    if (injection === 'obeyed') this.#orders.obeyed += 1;
    if (leak !== undefined) this.#leaks[leak] += 1;
    for (const [at, [startMs]] of calls.entries()) {
      const [, endMs = null, , , status = 0] = calls[at - 1] ?? [];
      if (status < 400) continue;
      this.#retriedCalls += 1;
      if (endMs !== null && endMs <= startMs) this.#retryWaitsMs.push(startMs - endMs);
    }
    const wireId = `${taskType} ${wire}`;
    const sent = this.#wires.get(wireId);
    if (sent === undefined) this.#wires.set(wireId, { taskType, wire, trials: 1 });
    else sent.trials += 1;
    this.#addCode(record);
  }

  #addCode(record: TrialRecord): void {
    const { code, handling = 'none' } = record;
    if (code === undefined) return;
    const name = trialName(record);
    let entry = this.#codes.get(code);
    if (entry === undefined) {
      entry = { trials: 0, example: name, handlings: new Map() };
      this.#codes.set(code, entry);
    }
    entry.trials += 1;
    // The least name rather than the first, so that the order of the file does not show.
    if (compare(name, entry.example) < 0) entry.example = name;
    entry.handlings.set(handling, (entry.handlings.get(handling) ?? 0) + 1);
  }

  counts(): RowCounts {
    const byName = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => compare(a, b));
    return {
      key: this.#key,
      recorded: this.#recorded,
      reachedModel: this.#reachedModel,
      cut: this.#cut,
      retriedCalls: this.#retriedCalls,
      ...known({ retryWaitMs: meanOf(this.#retryWaitsMs) }),
      modelCalls: this.#modelCalls,
      orders: this.#orders,
      leaks: this.#leaks,
      codes: byName(this.#codes).map(([code, { trials, example, handlings }]) => ({ code, trials, example, handlings: Object.fromEntries(byName(handlings)) })),
      wires: byName(this.#wires).map(([, wire]) => wire),
    };
  }
}

/** `framework/shape/settings`, with the configuration behind it in an ablation: for maps only, never taken apart. */
export function rowId({ framework, shape, settings, configuration }: RowKey): string {
  return `${framework}/${shape}/${settings}${configuration === undefined ? '' : `/${configuration}`}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
