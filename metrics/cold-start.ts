// Memory and start-up from fresh processes, one undisturbed task each (method M6.3). A row's memory is what it needs beyond the bare worker of its language,
// never a ratio, and never across languages.
import type { WorkerRecord } from './record.ts';
import { median, sortSamples } from './statistics.ts';
import type { ColdStart } from './summary.ts';
import { known, medianOf } from './summary-value.ts';

/** Cold starts of the rows that a row is compared with; empty where there are none. */
export interface BareWorkers {
  /** Of the row's own language. */
  readonly own: readonly WorkerRecord[];
  /** Of `fetch`, for a row of another language: memory is not compared with it. */
  readonly fetch: readonly WorkerRecord[];
}

export function coldStartOf(workers: readonly WorkerRecord[], { own: bare, fetch }: BareWorkers): ColdStart {
  const cold = workers.filter(isColdStart);
  const samples = (read: (worker: WorkerRecord) => number | undefined) =>
    medianOf({
      values: cold.flatMap((worker) => read(worker) ?? []),
    });
  const isBare = bare.length > 0 && bare[0] === workers[0];
  const importOver = (floor: readonly WorkerRecord[]) => {
    const floorMs = middle(floor.filter(isColdStart).map(({ importMs }) => importMs));
    return samples(({ importMs }) => minus(importMs, floorMs));
  };
  const bareImport = middle(bare.map((worker) => worker.rssAfterImportBytes));
  // By task where both ran it, since one task needs more than another; else against the bare worker's median.
  const bareGrowth = (taskId: string | undefined) =>
    middle(bare.filter((worker) => worker.taskId === taskId).flatMap(growthOf)) ?? middle(bare.flatMap(growthOf));
  return {
    ...known({
      importMs: samples((worker) => worker.importMs),
      importOverFloorMs: isBare ? undefined : importOver(bare),
      importOverFetchMs: importOver(fetch),
      setupMs: samples((worker) => worker.setupMs),
      firstRunMs: samples((worker) => worker.firstRunMs),
      importBytes: isBare ? undefined : samples((worker) => minus(worker.rssAfterImportBytes, bareImport)),
      taskBytes: samples((worker) => growthOf(worker)[0]),
      taskOverFloorBytes: isBare ? undefined : samples((worker) => minus(growthOf(worker)[0], bareGrowth(worker.taskId))),
      peakBytes: samples((worker) => worker.peakRssBytes),
    }),
    methods: [...new Set(cold.flatMap(({ rssMethod }) => (rssMethod === undefined ? [] : [rssMethod])))].sort(),
  };
}

function isColdStart({ kind, ended }: WorkerRecord): boolean {
  return kind === 'cold' && ended === undefined;
}

/** Peak minus after-import, or nothing where the peak is not known. */
function growthOf({ peakRssBytes, rssAfterImportBytes }: WorkerRecord): number[] {
  return peakRssBytes === undefined ? [] : [peakRssBytes - rssAfterImportBytes];
}

function minus(value: number | undefined, other: number | undefined): number | undefined {
  return value === undefined || other === undefined ? undefined : value - other;
}

function middle(values: readonly number[]): number | undefined {
  const sorted = sortSamples(values);
  return sorted && median(sorted);
}
