// The conditional reliability of each row (method M7): what a fault of one kind, at one place, so often in a row, makes of tasks that the row solves without it.
// A pure function of a run's records. Fail = the twin solves the task and this trial does not.
import type { Burst, Condition, Place } from '../base/forced-fault.ts';
import type { AsksByPlace } from './asks-by-place.ts';
import { isCorrect } from './rates.ts';
import type { Manifest, ManifestPlan, TrialRecord } from './record.ts';
import { rowId } from './row-counts.ts';

export interface Response {
  readonly failed: number;
  /** Tasks whose twin was solved and in which the fault was met. */
  readonly of: number;
  /** Failed tasks, each with the code that its record has. */
  readonly failures: readonly { readonly taskId: string; readonly code: string }[];
}

export interface FaultCell {
  readonly kind: string;
  readonly form?: string;
  readonly place: Place;
  /** By burst, as a word. A burst in which no trial met the fault is absent. */
  readonly responses: Readonly<Record<string, Response>>;
}

export interface RowReliability {
  readonly row: ManifestPlan['rows'][number];
  /** Fails without any fault what the floor of the shape solves: r0. */
  readonly own: { readonly failed: number; readonly of: number };
  readonly cells: readonly FaultCell[];
  /** Asks a trial without faults, by place. */
  readonly exposures: AsksByPlace;
  /** Trials in which the rates of the run drew, on the tasks that the floor solves. */
  readonly drawn: { readonly failed: number; readonly of: number };
}

type Forced = Extract<Condition, { what: 'forced' }>;

export function reliabilityOf({ plan }: Pick<Manifest, 'plan'>, trials: Iterable<TrialRecord>): RowReliability[] {
  const conditions = plan.conditions ?? [];
  const byRow = Map.groupBy(trials, rowId);
  const recordsOf = (row: ManifestPlan['rows'][number] | undefined) => (row === undefined ? [] : (byRow.get(rowId(row)) ?? []));
  return plan.rows.map((row) => {
    const records = recordsOf(row);
    const inCondition = Map.groupBy(records, ({ trialIndex }) => trialIndex);
    const solvedBy = (some: readonly TrialRecord[]) => new Set(some.filter(isCorrect).map(({ taskId }) => taskId));
    const twinAt = (policy: 'impatient' | undefined) => conditions.findIndex((condition) => condition.what === 'twin' && condition.policy === policy);
    const twins = inCondition.get(twinAt(undefined)) ?? [];
    const solved = solvedBy(twins);
    const solvedInHaste = solvedBy(inCondition.get(twinAt('impatient')) ?? []);
    const floor = floorOf(row, plan.rows);
    const floorSolves = floor === undefined ? undefined : solvedBy(recordsOf(floor).filter(({ trialIndex }) => trialIndex === twinAt(undefined)));
    const counts = ({ taskId }: TrialRecord) => floorSolves === undefined || floorSolves.has(taskId);
    const fair = twins.filter(counts);
    const drawn = records.filter((record) => conditions[record.trialIndex]?.what === 'drawn' && counts(record));
    return {
      row,
      own: { failed: fair.filter((twin) => !isCorrect(twin)).length, of: fair.length },
      cells: cellsOf(conditions, (at, { place }) => {
        const base = place === 'parallel-call' ? solvedInHaste : solved;
        return responseOf((inCondition.get(at) ?? []).filter(({ taskId, forced = 0 }) => forced > 0 && base.has(taskId)));
      }),
      exposures: meanAsks(fair),
      drawn: { failed: drawn.filter((trial) => !isCorrect(trial)).length, of: drawn.length },
    };
  });
}

/** A floor of the same shape, of the same language where there is one. Without faults its settings make no difference. */
function floorOf(row: ManifestPlan['rows'][number], rows: ManifestPlan['rows']): ManifestPlan['rows'][number] | undefined {
  const floors = rows.filter(({ floor, shape }) => floor && shape === row.shape);
  return floors.find(({ language }) => language === row.language) ?? floors[0];
}

function cellsOf(conditions: readonly Condition[], respond: (at: number, forced: Forced) => Response | undefined): FaultCell[] {
  const forced = conditions.flatMap((condition, at) => (condition.what === 'forced' ? [{ condition, at }] : []));
  const groups = Map.groupBy(forced, ({ condition: { kind, form, place } }) => JSON.stringify([kind, form, place]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, form, place } = first.condition;
    const responses = group.flatMap(({ condition, at }): [string, Response][] => {
      const response = respond(at, condition);
      return response === undefined ? [] : [[burstName(condition.burst), response]];
    });
    return [{ kind, ...(form === undefined ? {} : { form }), place, responses: Object.fromEntries(responses) }];
  });
}

export function burstName(burst: Burst): string {
  return String(burst);
}

function responseOf(records: readonly TrialRecord[]): Response | undefined {
  if (records.length === 0) return undefined;
  const failures = records.filter((record) => !isCorrect(record)).map(({ taskId, code, outcome }) => ({ taskId, code: code ?? outcome }));
  return { failed: failures.length, of: records.length, failures: failures.sort((a, b) => (a.taskId < b.taskId ? -1 : 1)) };
}

function meanAsks(twins: readonly TrialRecord[]): AsksByPlace {
  const sums = new Map<string, number>();
  for (const { asks = {} } of twins) for (const [place, count] of Object.entries(asks)) sums.set(place, (sums.get(place) ?? 0) + count);
  return Object.fromEntries([...sums].map(([place, sum]) => [place, sum / twins.length]));
}
