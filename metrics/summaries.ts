// Summaries of a run: a pure function of its stored records, so that the same records give the same bytes. The arithmetic of each kind stands in its own file.
import { type BareWorkers, coldStartOf } from './cold-start.ts';
import { commonPlaces, comparedPlaces, efficiencyOf, type Floors, leftOutOf, over, totalTokens } from './efficiency.ts';
import { type ModelTime, modelTimeOf } from './model-time.ts';
import { RateCounts } from './rates.ts';
import type { Manifest, ManifestPlan, WorkerRecord } from './record.ts';
import type { RowColumns } from './row-columns.ts';
import { rowId } from './row-counts.ts';
import type { RowTally } from './row-tally.ts';
import { type RunTally, type Trials, tallyOf } from './run-tally.ts';
import { shapeEffectOf } from './shape-effect.ts';
import { pearson, quantile, sortSamples } from './statistics.ts';
import type { EndToEnd, LeftOut, Level, RowSummary, RunSummary, TaskType, Tokens } from './summary.ts';
import { known, meanOf, medianOf, plain, spreadOf } from './summary-value.ts';

export type { ColdStart, Efficiency, Level, Rates, RowSummary, RunSummary, SummaryValue, TaskType } from './summary.ts';

export interface RunRecords {
  readonly manifest: Manifest;
  readonly trials: Trials;
  readonly workers: Iterable<WorkerRecord>;
}

type PlanRow = ManifestPlan['rows'][number];
type PlanTask = ManifestPlan['tasks'][number];

export function summarizeRun({ manifest, trials, workers }: RunRecords): RunSummary {
  const { plan } = manifest;
  const run = tallyOf(manifest, trials);
  const workersOf = Map.groupBy(workers, rowId);
  const common = commonPlacesOf(run, plan);
  const workersIn = (row: PlanRow | undefined) => (row === undefined ? undefined : workersOf.get(rowId(row))) ?? [];
  const columnsOf = (row: PlanRow | undefined) => row && run.row(row).columns;
  const rows = plan.rows.map((row) =>
    summarizeRow({
      tally: run.row(row),
      manifest,
      workers: workersIn(row),
      bare: { own: workersIn(bareRow(row, plan.rows)), fetch: workersIn(fetchBeside(row, plan.rows, () => true)) },
      floors: { own: columnsOf(floorOf(row, plan.rows)), fetch: columnsOf(fetchBeside(row, plan.rows, isAlike(row))) },
      common,
      beside: besideOf(row, plan.rows, columnsOf),
    }),
  );
  const used = new Set([...common].map((place) => run.places.taskAt(place)));
  return {
    planned: plan.rows.length * plan.tasks.length * plan.trials,
    recorded: rows.reduce((total, { rates }) => total + rates.recorded, 0),
    rows,
    commonTasks: plan.tasks.filter((task) => used.has(task)).map(({ taskId }) => taskId),
    leftOut: addUp(rows.flatMap(({ leftOut }) => leftOut)),
  };
}

/** The trials that rows in shape `single` are compared on. */
export function commonPlacesOf(run: RunTally, { rows }: ManifestPlan): ReadonlySet<number> {
  return commonPlaces(rows.filter(({ shape }) => shape === 'single').map((row) => run.row(row).columns));
}

interface RowFacts {
  readonly tally: RowTally;
  readonly manifest: Manifest;
  readonly workers: readonly WorkerRecord[];
  readonly bare: BareWorkers;
  readonly floors: Floors;
  readonly common: ReadonlySet<number>;
  /** Rows that a row of another shape stands beside, where the plan has them and they are others. */
  readonly beside: { readonly dagFloor?: RowColumns | undefined; readonly single?: RowColumns | undefined };
}

/** More than one shape: else there is nothing to tell of any. */
function hasShapes({ rows }: ManifestPlan): boolean {
  return new Set(rows.map(({ shape }) => shape)).size > 1;
}

function besideOf(row: PlanRow, rows: readonly PlanRow[], columnsOf: (row: PlanRow | undefined) => RowColumns | undefined): RowFacts['beside'] {
  const other = (found: PlanRow | undefined) => (found === undefined || rowId(found) === rowId(row) ? undefined : columnsOf(found));
  const alike = rows.filter(({ settings, language }) => settings === row.settings && language === row.language);
  return {
    dagFloor: row.shape === 'single' ? undefined : other(dagFloor(alike) ?? dagFloor(rows.filter(({ settings }) => settings === row.settings))),
    single: row.shape === 'single' ? undefined : other(alike.find(({ framework, shape }) => framework === row.framework && shape === 'single')),
  };
}

/** `fetch` `dag` stands beside every row of another shape, also where the floor of its language has no such shape (method M1.4): no time is compared there. */
function dagFloor(rows: readonly PlanRow[]): PlanRow | undefined {
  return rows.find(({ floor, shape }) => floor && shape === 'dag');
}

function summarizeRow({ tally, manifest, workers: allWorkers, bare, floors, common, beside }: RowFacts): RowSummary {
  const { plan } = manifest;
  const { row, columns } = tally;
  // In profile `clean` an error of ours would stand in the row's figures as its own (method M4.3): no figure then.
  const publishable = !(plan.profile === 'clean' && tally.hasHarnessError);
  const workers = publishable ? allWorkers : [];
  const recorded = publishable ? columns.where() : [];
  const compared = publishable ? comparedPlaces(columns, row.shape, common) : [];
  const planned = plan.tasks.length * plan.trials;
  const rates = (n: number, holds?: (task: Pick<PlanTask, 'taskType' | 'level'>) => boolean) =>
    (publishable ? tally.rateCounts(holds) : new RateCounts()).rates(n, plan.trials);
  const inType = (places: readonly number[], type: TaskType) => places.filter((place) => columns.places.taskAt(place).taskType === type);
  const ofType = <T extends { readonly taskType?: TaskType }>(list: readonly T[], type: TaskType) => list.filter(({ taskType }) => taskType === type);
  const plannedWhere = (holds: (task: PlanTask) => boolean) => plan.tasks.filter(holds).length * plan.trials;
  const byType = <T>(make: (type: TaskType, planned: number) => T) => perPart(TASK_TYPES, (type) => plannedWhere(({ taskType }) => taskType === type), make);
  const { framework, shape, settings, configuration } = row;
  const memoryTiers = publishable ? tally.memory.tiers() : undefined;
  const shapeEffect = hasShapes(plan) ? shapeEffectOf(columns, recorded, beside) : undefined;
  const correlation = levelCorrelation(columns, recorded);
  return {
    key: { framework, shape, settings, ...(configuration === undefined ? {} : { configuration }) },
    row,
    publishable,
    rates: rates(planned),
    byTaskType: byType((type, n) => rates(n, ({ taskType }) => taskType === type)),
    byLevel: perPart(
      LEVELS,
      (level) => plannedWhere((task) => task.level === level),
      (level, n) => rates(n, (task) => task.level === level),
    ),
    ...(correlation === undefined ? {} : { levelCorrelation: { value: correlation, n: planned } }),
    efficiency: efficiencyOf(columns, compared, floors, plan),
    efficiencyByTaskType: byType((type) => efficiencyOf(columns, inType(compared, type), floors, plan)),
    tokens: tokensOf(columns, recorded),
    tokensByTaskType: byType((type) => tokensOf(columns, inType(recorded, type))),
    endToEnd: endToEndOf(columns, { recorded, compared, floors, time: modelTimeOf(manifest) }),
    coldStart: coldStartOf(workers, bare),
    coldStartByTaskType: perPart(
      TASK_TYPES,
      (type) => ofType(workers, type).length,
      (type) => coldStartOf(ofType(workers, type), { own: ofType(bare.own, type), fetch: ofType(bare.fetch, type) }),
    ),
    ...(shapeEffect === undefined ? {} : { shapeEffect }),
    ...(memoryTiers === undefined ? {} : { memoryTiers }),
    leftOut: leftOutOf(tally, compared.length, planned),
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
function levelCorrelation(columns: RowColumns, recorded: readonly number[]): number | undefined {
  if (recorded.length === 0) return undefined;
  const { tasks, trials } = columns.places;
  const right = new Map<PlanTask, number>();
  for (const place of recorded) {
    const task = columns.places.taskAt(place);
    if (columns.isCorrect(place)) right.set(task, (right.get(task) ?? 0) + 1);
  }
  return pearson(
    tasks.flatMap((task) => {
      const correct = right.get(task) ?? 0;
      return Array.from({ length: trials }, (_, index): [number, number] => [task.level, index < correct ? 1 : 0]);
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

/** @param recorded places with a record; usage is exact where the trial was not cut */
function tokensOf(columns: RowColumns, recorded: readonly number[]): Tokens {
  const exact = recorded.filter((place) => !columns.isCut(place));
  return known({
    inputTokens: meanOf(columns.among('inputTokens', exact)),
    outputTokens: meanOf(columns.among('outputTokens', exact)),
    totalTokens: meanOf(exact.flatMap((place) => totalTokens(columns, place) ?? [])),
    modelCalls: meanOf(columns.among('modelCalls', exact)),
    toolCalls: meanOf(columns.among('toolCalls', exact)),
    outputTokensPerSecond: meanOf(columns.among('outputTokensPerSecond', exact)),
  });
}

function endToEndOf(
  columns: RowColumns,
  {
    recorded,
    compared,
    floors,
    time,
  }: { readonly recorded: readonly number[]; readonly compared: readonly number[]; readonly floors: Floors; readonly time: ModelTime },
): EndToEnd {
  const seconds = columns.among('endToEndSeconds', recorded);
  const secondsOf = (of: RowColumns, place: number) => of.at('endToEndSeconds', place);
  const sorted = sortSamples(seconds);
  return {
    basis: time.basis === 'computed' ? 'computed' : 'measured',
    ...known({
      meanSeconds: meanOf(seconds),
      medianSeconds: medianOf({ values: seconds }),
      p95Seconds: plain(sorted && quantile(sorted, 0.95), seconds.length),
      standardDeviationSeconds: spreadOf(seconds),
      maxSeconds: plain(sorted?.at(-1), seconds.length),
      overFloorSeconds: over(columns, compared, floors.own, secondsOf),
      overFetchSeconds: over(columns, compared, floors.fetch, secondsOf),
    }),
  };
}

function addUp(parts: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<string, number>();
  for (const { why, n } of parts) counts.set(why, (counts.get(why) ?? 0) + n);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([why, n]) => ({ why, n }));
}
