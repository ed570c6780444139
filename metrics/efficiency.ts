// What a framework costs where nothing went wrong (method M6.2): the same tasks in every `single` row, medians, and the paired difference to the floor.
import type { ManifestPlan, TrialRecord } from './record.ts';
import type { Efficiency, LeftOut, SummaryValue } from './summary.ts';
import { known, meanOf, medianOf, type Sample } from './summary-value.ts';

/** The trials of a row by what is left of them. Keys are task and trial index: rows are paired by them. */
export interface Measured {
  readonly usable: ReadonlyMap<string, TrialRecord>;
  /** Trials that are not, each under its first reason. */
  readonly leftOut: ReadonlyMap<string, string>;
}

export function pairKey({ taskId, trialIndex }: Pick<TrialRecord, 'taskId' | 'trialIndex'>): string {
  return `${trialIndex} ${taskId}`;
}

export function measuredTrials(records: readonly TrialRecord[]): Measured {
  const usable = new Map<string, TrialRecord>();
  const leftOut = new Map<string, string>();
  for (const record of records) {
    const why = whyNot(record);
    if (why === undefined) usable.set(pairKey(record), record);
    else leftOut.set(pairKey(record), why);
  }
  return { usable, leftOut };
}

function whyNot({ undisturbed, events, outcome, overheadMs, cut }: TrialRecord): string | undefined {
  // Real models draw no slips: what went wrong is then all that can be told.
  if (!(undisturbed ?? events.every(({ source }) => source === 'framework'))) return 'disturbed by a fault of the model';
  if (outcome !== 'completed') return `undisturbed, and ended as ${outcome}`;
  if (cut) return 'ended while other branches were at work';
  return overheadMs === undefined ? 'overhead not known' : undefined;
}

/**
 * The trials that every row can be compared on. A row that has fewer than half of what the fullest row has would leave nothing for the others:
 * it does not narrow the set, and shows by its n how little of it it has.
 */
export function commonTrials(rows: readonly Measured[]): ReadonlySet<string> {
  const fullest = Math.max(0, ...rows.map(({ usable }) => usable.size));
  const narrowing = rows.filter(({ usable }) => usable.size > 0 && usable.size >= fullest / 2);
  const [first, ...rest] = narrowing;
  return new Set([...(first?.usable.keys() ?? [])].filter((key) => rest.every(({ usable }) => usable.has(key))));
}

/** The rows that a row is compared with, trial by trial (method M1.6): each absent for itself and where there is none. */
export interface Floors {
  /** Of the row's own language. */
  readonly own?: ReadonlyMap<string, TrialRecord> | undefined;
  /** Of a row of another language: what its language adds stands in this difference too. */
  readonly fetch?: ReadonlyMap<string, TrialRecord> | undefined;
}

export function efficiencyOf(records: readonly TrialRecord[], { own, fetch }: Floors, plan: ManifestPlan): Efficiency {
  const figures = (read: (record: TrialRecord) => number | undefined): Sample[] =>
    records.flatMap((record) => {
      const value = read(record);
      return value === undefined ? [] : [{ value, block: record.block }];
    });
  const overhead = figures((record) => record.overheadMs);
  const branched = records.some((record) => record.overheadUpperMs !== undefined);
  const meanOverheadMs = meanOf(overhead.map(({ value }) => value));
  return {
    tasks: new Set(records.map(({ taskId }) => taskId)).size,
    ...known({
      overheadMs: medianOf(overhead),
      meanOverheadMs,
      overheadAndSetupMs: medianOf(figures(({ overheadMs, setupMs }) => sum(overheadMs, setupMs))),
      overheadUpperMs: branched ? medianOf(figures((record) => record.overheadUpperMs ?? record.overheadMs)) : undefined,
      cpuMs: medianOf(figures((record) => record.cpuMs)),
      cpuPercent: medianOf(figures(({ cpuMs, wallMs }) => (cpuMs === undefined || !wallMs ? undefined : (100 * cpuMs) / wallMs))),
      stubMs: medianOf(figures((record) => record.stubMs)),
      setupMs: medianOf(figures((record) => record.setupMs)),
      overFloorMs: over(records, own, ({ overheadMs }) => overheadMs),
      overFetchMs: over(records, fetch, ({ overheadMs }) => overheadMs),
      overFloorPerCallMs: over(records, own, perCall),
      overFloorTokens: over(records, own, tokens),
      overFetchTokens: over(records, fetch, tokens),
      restatedPerMinute: restated(meanOverheadMs),
      measuredPerMinute: plan.concurrency === 1 ? throughput(figures((record) => record.wallMs)) : undefined,
    }),
  };
}

/** Median over trials of what a row has more than a floor; absent where there is no floor. */
export function over(records: readonly TrialRecord[], floor: Floors['own'], read: (record: TrialRecord) => number | undefined): SummaryValue | undefined {
  return medianOf(
    records.flatMap((record) => {
      const other = floor?.get(pairKey(record));
      return other === undefined ? [] : difference(record, read(record), read(other));
    }),
  );
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function tokens({ usage }: TrialRecord): number {
  return usage.inputTokens + usage.outputTokens;
}

function perCall({ overheadMs, usage }: TrialRecord): number | undefined {
  return overheadMs === undefined || usage.modelCalls === 0 ? undefined : overheadMs / usage.modelCalls;
}

function difference({ block }: TrialRecord, ours: number | undefined, theirs: number | undefined): Sample[] {
  return ours === undefined || theirs === undefined ? [] : [{ value: ours - theirs, block }];
}

/** The paper's throughput: 60000 over the mean processing time. A slower mean is a lower rate, so the ends change places. */
function restated(overhead: SummaryValue | undefined): SummaryValue | undefined {
  if (overhead === undefined || overhead.value <= 0) return undefined;
  const { value, n, low, high } = overhead;
  return { value: 60_000 / value, n, ...(low === undefined || high === undefined || low <= 0 ? {} : { low: 60_000 / high, high: 60_000 / low }) };
}

/** One trial at a time: the time that passed is the sum of wall times, so the rate is that of the mean. */
function throughput(wall: readonly Sample[]): SummaryValue | undefined {
  return restated(meanOf(wall.map(({ value }) => value)));
}

/** How many trials of a row stand in no efficiency figure, by reason; what never ran included. */
export function leftOutOf({ usable, leftOut }: Measured, used: ReadonlySet<string>, planned: number): LeftOut[] {
  const counts = new Map<string, number>();
  const add = (why: string, n: number) => n > 0 && counts.set(why, (counts.get(why) ?? 0) + n);
  for (const why of leftOut.values()) add(why, 1);
  for (const key of usable.keys()) if (!used.has(key)) add('not usable in every row', 1);
  add('not run', planned - usable.size - leftOut.size);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([why, n]) => ({ why, n }));
}
