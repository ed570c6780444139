// What a framework costs where nothing went wrong (method M6.2): the same tasks in every `single` row, medians, and the paired difference to the floor.
import type { ManifestPlan } from './record.ts';
import type { RowColumns } from './row-columns.ts';
import type { RowTally } from './row-tally.ts';
import type { Efficiency, LeftOut, SummaryValue } from './summary.ts';
import { known, meanOf, medianOf, type Samples } from './summary-value.ts';

/**
 * The trials that every row can be compared on. A row that has fewer than half of what the fullest row has would leave nothing for the others:
 * it does not narrow the set, and shows by its n how little of it it has.
 */
export function commonPlaces(rows: readonly RowColumns[]): ReadonlySet<number> {
  const usable = rows.map((row) => ({ row, places: usablePlaces(row) }));
  const fullest = Math.max(0, ...usable.map(({ places }) => places.length));
  const [first, ...rest] = usable.filter(({ places }) => places.length > 0 && places.length >= fullest / 2);
  return new Set(first?.places.filter((place) => rest.every(({ row }) => row.isUsable(place))));
}

function usablePlaces(row: RowColumns): number[] {
  return row.where((place) => row.isUsable(place));
}

/** @param common of the rows in shape `single`; another shape stands on its own trials */
export function comparedPlaces(row: RowColumns, shape: string, common: ReadonlySet<number>): number[] {
  return usablePlaces(row).filter((place) => shape !== 'single' || common.has(place));
}

/** The rows that a row is compared with, trial by trial (method M1.6): each absent for itself and where there is none. */
export interface Floors {
  /** Of the row's own language. */
  readonly own?: RowColumns | undefined;
  /** Of a row of another language: what its language adds stands in this difference too. */
  readonly fetch?: RowColumns | undefined;
}

type Reader = (row: RowColumns, place: number) => number | undefined;

/** @param places those that the row is compared on */
export function efficiencyOf(row: RowColumns, places: readonly number[], { own, fetch }: Floors, plan: ManifestPlan): Efficiency {
  const median = (read: (place: number) => number | undefined) => medianOf(samplesOf(row, places, read));
  const overheadAt = (place: number) => overhead(row, place);
  const branched = row.among('overheadUpperMs', places).length > 0;
  const meanOverheadMs = meanOf(row.among('overheadMs', places));
  return {
    tasks: new Set(places.map((place) => row.places.taskAt(place))).size,
    ...known({
      overheadMs: median(overheadAt),
      meanOverheadMs,
      overheadAndSetupMs: median((place) => plus(overheadAt(place), row.at('setupMs', place))),
      overheadUpperMs: branched ? median((place) => row.at('overheadUpperMs', place) ?? overheadAt(place)) : undefined,
      cpuMs: median((place) => row.at('cpuMs', place)),
      cpuPercent: median((place) => percentOf(row.at('cpuMs', place), row.at('wallMs', place))),
      stubMs: median((place) => row.at('stubMs', place)),
      toolMs: median((place) => row.at('toolMs', place)),
      setupMs: median((place) => row.at('setupMs', place)),
      overFloorMs: over(row, places, own, overhead),
      overFetchMs: over(row, places, fetch, overhead),
      overFloorPerCallMs: over(row, places, own, perCall),
      overFloorTokens: over(row, places, own, totalTokens),
      overFetchTokens: over(row, places, fetch, totalTokens),
      restatedPerMinute: restated(meanOverheadMs),
      // One trial at a time: the time that passed is the sum of wall times, so the rate is that of the mean.
      measuredPerMinute: plan.concurrency === 1 ? restated(meanOf(row.among('wallMs', places))) : undefined,
    }),
  };
}

/** Median over trials of what a row has more than a floor; absent where there is no floor. */
export function over(row: RowColumns, places: readonly number[], floor: RowColumns | undefined, read: Reader): SummaryValue | undefined {
  const shared = floor === undefined ? [] : places.filter((place) => floor.isUsable(place));
  return medianOf(samplesOf(row, shared, (place) => minus(read(row, place), floor && read(floor, place))));
}

function samplesOf(row: RowColumns, places: readonly number[], read: (place: number) => number | undefined): Samples {
  const values: number[] = [];
  const blocks: (number | undefined)[] = [];
  for (const place of places) {
    const value = read(place);
    if (value === undefined) continue;
    values.push(value);
    blocks.push(row.at('block', place));
  }
  return { values, blocks };
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function minus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

function percentOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || !whole ? undefined : (100 * part) / whole;
}

function overhead(row: RowColumns, place: number): number | undefined {
  return row.at('overheadMs', place);
}

function perCall(row: RowColumns, place: number): number | undefined {
  const [overheadMs, calls] = [overhead(row, place), row.at('modelCalls', place)];
  return overheadMs === undefined || !calls ? undefined : overheadMs / calls;
}

export function totalTokens(row: RowColumns, place: number): number | undefined {
  return plus(row.at('inputTokens', place), row.at('outputTokens', place));
}

/** The paper's throughput: 60000 over the mean processing time. A slower mean is a lower rate, so the ends change places. */
function restated(overhead: SummaryValue | undefined): SummaryValue | undefined {
  if (overhead === undefined || overhead.value <= 0) return undefined;
  const { value, n, low, high } = overhead;
  return { value: 60_000 / value, n, ...(low === undefined || high === undefined || low <= 0 ? {} : { low: 60_000 / high, high: 60_000 / low }) };
}

/** How many trials of a row stand in no efficiency figure, by reason; what never ran included. @param compared how many stand in one */
export function leftOutOf({ columns, leftOut }: RowTally, compared: number, planned: number): LeftOut[] {
  const usable = usablePlaces(columns).length;
  const unusable = [...leftOut.values()].reduce((total, n) => total + n, 0);
  const counts = [...leftOut, ['not usable in every row', usable - compared] as const, ['not run', planned - usable - unusable] as const];
  return counts
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([why, n]) => ({ why, n }));
}
