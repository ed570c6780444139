// Summaries of a run: a pure function of its stored records, so that the same records give the same bytes. The arithmetic of each kind stands in its own file.
import { type BareWorkers, coldStartOf } from './cold-start.ts';
import { layOut } from './critical-path.ts';
import { commonTrials, efficiencyOf, type Floors, leftOutOf, type Measured, measuredTrials, over, pairKey } from './efficiency.ts';
import { memoryTiersOf } from './memory-tiers.ts';
import { isRealModel } from './model-kind.ts';
import { isCorrect, ratesOf } from './rates.ts';
import type { LatencyEntry, Manifest, ManifestPlan, TrialRecord, WorkerRecord } from './record.ts';
import { rowId } from './row-counts.ts';
import { shapeEffectOf } from './shape-effect.ts';
import { pearson, quantile, sortSamples } from './statistics.ts';
import type { EndToEnd, LeftOut, Level, RowKey, RowSummary, RunSummary, TaskType, Tokens } from './summary.ts';
import { known, meanOf, medianOf, plain, spreadOf } from './summary-value.ts';

export type { ColdStart, Efficiency, Level, Rates, RowSummary, RunSummary, SummaryValue, TaskType } from './summary.ts';

export interface RunRecords {
  readonly manifest: Manifest;
  /** One record a planned trial at most: doubles and strangers are for the reader to set aside. */
  readonly trials: Iterable<TrialRecord>;
  readonly workers: Iterable<WorkerRecord>;
}

type PlanRow = ManifestPlan['rows'][number];

export function summarizeRun({ manifest, trials, workers }: RunRecords): RunSummary {
  const { plan } = manifest;
  const recordsOf = groupedBy(trials);
  const workersOf = groupedBy(workers);
  const measuredOf = new Map(plan.rows.map((row) => [rowId(row), measuredTrials(recordsOf.get(rowId(row)) ?? [])]));
  const common = commonTrials(plan.rows.filter(({ shape }) => shape === 'single').flatMap((row) => measuredOf.get(rowId(row)) ?? []));
  const workersIn = (row: PlanRow | undefined) => (row === undefined ? undefined : workersOf.get(rowId(row))) ?? [];
  const usableIn = (row: PlanRow | undefined) => (row === undefined ? undefined : measuredOf.get(rowId(row))?.usable);
  const rows = plan.rows.map((row) =>
    summarizeRow({
      row,
      manifest,
      records: recordsOf.get(rowId(row)) ?? [],
      workers: workersOf.get(rowId(row)) ?? [],
      bare: { own: workersIn(bareRow(row, plan.rows)), fetch: workersIn(fetchBeside(row, plan.rows, () => true)) },
      measured: measuredOf.get(rowId(row)) ?? NOTHING_MEASURED,
      floors: { own: usableIn(floorOf(row, plan.rows)), fetch: usableIn(fetchBeside(row, plan.rows, isAlike(row))) },
      common,
      beside: besideOf(row, plan.rows, recordsOf),
    }),
  );
  const used = new Set(
    [...measuredOf.values()].flatMap(({ usable }) =>
      [...usable].flatMap(([key, { taskId, shape }]) => (shape === 'single' && common.has(key) ? [taskId] : [])),
    ),
  );
  return {
    planned: plan.rows.length * plan.tasks.length * plan.trials,
    recorded: rows.reduce((total, { rates }) => total + rates.recorded, 0),
    rows,
    commonTasks: plan.tasks.map(({ taskId }) => taskId).filter((taskId) => used.has(taskId)),
    leftOut: addUp(rows.flatMap(({ leftOut }) => leftOut)),
  };
}

const NOTHING_MEASURED: Measured = { usable: new Map(), leftOut: new Map() };

interface RowRecords {
  readonly row: PlanRow;
  readonly manifest: Manifest;
  readonly records: readonly TrialRecord[];
  readonly workers: readonly WorkerRecord[];
  readonly bare: BareWorkers;
  readonly measured: Measured;
  readonly floors: Floors;
  readonly common: ReadonlySet<string>;
  /** Rows that a row of another shape stands beside, where the plan has them and they are others. */
  readonly beside: { readonly dagFloor?: readonly TrialRecord[] | undefined; readonly single?: readonly TrialRecord[] | undefined };
}

/** More than one shape: else there is nothing to tell of any. */
function hasShapes({ rows }: ManifestPlan): boolean {
  return new Set(rows.map(({ shape }) => shape)).size > 1;
}

function besideOf(row: PlanRow, rows: readonly PlanRow[], recordsOf: ReadonlyMap<string, readonly TrialRecord[]>): RowRecords['beside'] {
  const recordsIn = (found: PlanRow | undefined) => (found === undefined || rowId(found) === rowId(row) ? undefined : recordsOf.get(rowId(found)));
  const alike = rows.filter(({ settings, language }) => settings === row.settings && language === row.language);
  return {
    dagFloor: row.shape === 'single' ? undefined : recordsIn(dagFloor(alike) ?? dagFloor(rows.filter(({ settings }) => settings === row.settings))),
    single: row.shape === 'single' ? undefined : recordsIn(alike.find(({ framework, shape }) => framework === row.framework && shape === 'single')),
  };
}

/** `fetch` `dag` stands beside every row of another shape, also where the floor of its language has no such shape (method M1.4): no time is compared there. */
function dagFloor(rows: readonly PlanRow[]): PlanRow | undefined {
  return rows.find(({ floor, shape }) => floor && shape === 'dag');
}

function summarizeRow({ row, manifest, records: all, workers: allWorkers, bare, measured, floors, common, beside }: RowRecords): RowSummary {
  const { plan } = manifest;
  // In profile `clean` an error of ours would stand in the row's figures as its own (method M4.3): no figure then.
  const publishable = !(plan.profile === 'clean' && all.some(({ events }) => events.some(({ code }) => code === 'harness-error')));
  const records = publishable ? all : [];
  const workers = publishable ? allWorkers : [];
  const comparable = publishable ? [...measured.usable].flatMap(([key, record]) => (row.shape !== 'single' || common.has(key) ? [record] : [])) : [];
  const used = new Set(comparable.map(pairKey));
  const planned = plan.tasks.length * plan.trials;
  const inType = <T extends { readonly taskType?: TaskType }>(list: readonly T[], type: TaskType) => list.filter(({ taskType }) => taskType === type);
  const plannedWhere = (holds: (task: ManifestPlan['tasks'][number]) => boolean) => plan.tasks.filter(holds).length * plan.trials;
  const { framework, shape, settings, configuration } = row;
  const memoryTiers = memoryTiersOf(records);
  const shapeEffect = hasShapes(plan) ? shapeEffectOf(records, beside.dagFloor, beside.single) : undefined;
  const correlation = levelCorrelation(records, plan);
  return {
    key: { framework, shape, settings, ...(configuration === undefined ? {} : { configuration }) },
    row,
    publishable,
    rates: ratesOf(records, planned, plan.trials),
    byTaskType: perPart(
      TASK_TYPES,
      (type) => plannedWhere(({ taskType }) => taskType === type),
      (type, n) => ratesOf(inType(records, type), n, plan.trials),
    ),
    byLevel: perPart(
      LEVELS,
      (level) => plannedWhere((task) => task.level === level),
      (level, n) =>
        ratesOf(
          records.filter((record) => record.level === level),
          n,
          plan.trials,
        ),
    ),
    ...(correlation === undefined ? {} : { levelCorrelation: { value: correlation, n: planned } }),
    efficiency: efficiencyOf(comparable, floors, plan),
    efficiencyByTaskType: perPart(
      TASK_TYPES,
      (type) => plannedWhere(({ taskType }) => taskType === type),
      (type) => efficiencyOf(inType(comparable, type), floors, plan),
    ),
    tokens: tokensOf(records, manifest),
    tokensByTaskType: perPart(
      TASK_TYPES,
      (type) => plannedWhere(({ taskType }) => taskType === type),
      (type) => tokensOf(inType(records, type), manifest),
    ),
    endToEnd: endToEndOf(records, { comparable, floors, manifest }),
    coldStart: coldStartOf(workers, bare),
    coldStartByTaskType: perPart(
      TASK_TYPES,
      (type) => inType(workers, type).length,
      (type) => coldStartOf(inType(workers, type), { own: inType(bare.own, type), fetch: inType(bare.fetch, type) }),
    ),
    ...(shapeEffect === undefined ? {} : { shapeEffect }),
    ...(memoryTiers === undefined ? {} : { memoryTiers }),
    leftOut: leftOutOf(measured, used, planned),
  };
}

const TASK_TYPES: readonly TaskType[] = ['zero-tool', 'document', 'web'];
const LEVELS: readonly Level[] = [1, 2, 3];

/** A part that the plan does not hold is absent. */
function perPart<K extends string | number, T>(parts: readonly K[], sizeOf: (part: K) => number, make: (part: K, size: number) => T): Partial<Record<K, T>> {
  const made: Partial<Record<K, T>> = {};
  for (const part of parts) {
    const size = sizeOf(part);
    if (size > 0) made[part] = make(part, size);
  }
  return made;
}

/** Over the plan: a trial that did not answer, or never ran, is not correct. */
function levelCorrelation(records: readonly TrialRecord[], { tasks, trials }: ManifestPlan): number | undefined {
  if (records.length === 0) return undefined;
  const right = Map.groupBy(records.filter(isCorrect), ({ taskId }) => taskId);
  return pearson(
    tasks.flatMap(({ taskId, level }) => {
      const correct = right.get(taskId)?.length ?? 0;
      return Array.from({ length: trials }, (_, index): [number, number] => [level, index < correct ? 1 : 0]);
    }),
  );
}

/** The floor of a row (method M1.6): the first of the plan of its language, shape and settings. A row is not its own floor. */
function floorOf(row: PlanRow, rows: readonly PlanRow[]): PlanRow | undefined {
  const floor = rows.filter(isAlike(row)).find(({ floor, language }) => floor && language === row.language);
  return floor === row ? undefined : floor;
}

/** `fetch` is shown too, beside the rows of other languages. */
function fetchBeside({ language }: PlanRow, rows: readonly PlanRow[], fits: (row: PlanRow) => boolean): PlanRow | undefined {
  const fetch = rows.find((row) => row.framework === 'fetch' && fits(row));
  return fetch?.language === language ? undefined : fetch;
}

function isAlike({ shape, settings }: PlanRow): (row: PlanRow) => boolean {
  return (other) => other.shape === shape && other.settings === settings;
}

/** The bare worker of a language: its first floor, whatever shape and settings, since those barely weigh. */
function bareRow(row: PlanRow, rows: readonly PlanRow[]): PlanRow | undefined {
  const floors = rows.filter(({ floor, language }) => floor && language === row.language);
  return floors.find(({ shape, settings }) => shape === 'single' && settings === 'default') ?? floors[0];
}

/** The table that stands in for a model's time: only where the model was ours and took none. */
function latencyOf({ latencyTable, plan }: Manifest): LatencyEntry | undefined {
  return plan.latency === 'zero' && !isRealModel(plan.modelKind) ? latencyTable : undefined;
}

function tokensOf(records: readonly TrialRecord[], manifest: Manifest): Tokens {
  const latency = latencyOf(manifest);
  const exact = records.filter(({ cut }) => !cut);
  const hasTime = latency !== undefined || manifest.plan.latency !== 'zero' || isRealModel(manifest.plan.modelKind);
  const meanUsage = (read: (usage: TrialRecord['usage']) => number) => meanOf(exact.map(({ usage }) => read(usage)));
  const speeds = exact.flatMap((record) => (latency === undefined ? measuredSpeed(record) : (layOut(record, latency)?.outputTokensPerSecond ?? [])));
  return known({
    inputTokens: meanUsage(({ inputTokens }) => inputTokens),
    outputTokens: meanUsage(({ outputTokens }) => outputTokens),
    totalTokens: meanUsage(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    modelCalls: meanUsage(({ modelCalls }) => modelCalls),
    toolCalls: meanUsage(({ toolCalls }) => toolCalls),
    // At zero latency without a table this would be the speed of our own server.
    outputTokensPerSecond: hasTime ? meanOf(speeds) : undefined,
  });
}

function measuredSpeed({ usage, modelMs }: TrialRecord): number[] {
  return modelMs === undefined || modelMs <= 0 ? [] : [(1000 * usage.outputTokens) / modelMs];
}

function endToEndOf(
  records: readonly TrialRecord[],
  { comparable, floors, manifest }: Pick<RowRecords, 'floors' | 'manifest'> & { readonly comparable: readonly TrialRecord[] },
): EndToEnd {
  const secondsOf = secondsReader(manifest);
  const seconds = records.flatMap((record) => secondsOf(record) ?? []);
  const sorted = sortSamples(seconds);
  return {
    basis: latencyOf(manifest) === undefined ? 'measured' : 'computed',
    ...known({
      meanSeconds: meanOf(seconds),
      medianSeconds: medianOf(seconds.map((value) => ({ value }))),
      p95Seconds: plain(sorted && quantile(sorted, 0.95), seconds.length),
      standardDeviationSeconds: spreadOf(seconds),
      maxSeconds: plain(sorted?.at(-1), seconds.length),
      overFloorSeconds: over(comparable, floors.own, secondsOf),
      overFetchSeconds: over(comparable, floors.fetch, secondsOf),
    }),
  };
}

function secondsReader(manifest: Manifest): (record: TrialRecord) => number | undefined {
  const { plan } = manifest;
  const latency = latencyOf(manifest);
  // A simulated model without latency and without a table to lay on: its wall time would be taken for a model's.
  if (latency === undefined && plan.latency === 'zero' && !isRealModel(plan.modelKind)) return () => undefined;
  return (record) => {
    if (record.outcome === 'cancelled' || record.wallMs === undefined) return undefined;
    return latency === undefined ? record.wallMs / 1000 : layOut(record, latency)?.endToEndSeconds;
  };
}

function groupedBy<T extends RowKey>(records: Iterable<T>): Map<string, T[]> {
  return Map.groupBy(records, rowId);
}

function addUp(parts: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<string, number>();
  for (const { why, n } of parts) counts.set(why, (counts.get(why) ?? 0) + n);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([why, n]) => ({ why, n }));
}
