// The conditional reliability of each row (method M7): what a fault of one kind, at one place, so often in a row, makes of tasks that the row solves without it.
// A pure function of a run's records. Fail = the twin solves the task and this trial does not.
import type { Burst, Condition, Place } from '../base/forced-fault.ts';
import type { AsksByPlace } from './asks-by-place.ts';
import type { Manifest, ManifestPlan } from './record.ts';
import type { RowColumns } from './row-columns.ts';
import { type Trials, tallyOf } from './run-tally.ts';

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

export function reliabilityOf(manifest: Pick<Manifest, 'plan' | 'latencyTable'>, trials: Trials): RowReliability[] {
  const { plan } = manifest;
  const conditions = plan.conditions ?? [];
  const run = tallyOf(manifest, trials);
  const twinAt = (policy: 'impatient' | undefined) => conditions.findIndex((condition) => condition.what === 'twin' && condition.policy === policy);
  const [twin, twinInHaste] = [twinAt(undefined), twinAt('impatient')];
  /** Which condition a place is under. */
  const conditionAt = (place: number) => place % plan.trials;
  /** Whether the task at a place is solved under another condition. */
  const isSolved = (of: RowColumns, place: number, condition: number) => condition !== -1 && of.isCorrect(place - conditionAt(place) + condition);
  return plan.rows.map((row) => {
    const { columns, conditions: met } = run.row(row);
    const floor = floorOf(row, plan.rows);
    const floorColumns = floor && run.row(floor).columns;
    const counts = (place: number) => floorColumns === undefined || isSolved(floorColumns, place, twin);
    const fair = columns.where((place) => conditionAt(place) === twin && counts(place));
    const drawn = columns.where((place) => conditions[conditionAt(place)]?.what === 'drawn' && counts(place));
    const failed = (places: readonly number[]) => places.filter((place) => !columns.isCorrect(place));
    return {
      row,
      own: { failed: failed(fair).length, of: fair.length },
      cells: cellsOf(conditions, (at, { place: where }) => {
        const base = where === 'parallel-call' ? twinInHaste : twin;
        const isMet = (place: number) => (columns.at('forced', place) ?? 0) > 0 && isSolved(columns, place, base);
        const places = columns.where((place) => conditionAt(place) === at && isMet(place));
        const failures = failed(places).map((place) => ({ taskId: run.places.taskAt(place).taskId, code: met.get(place)?.code ?? '' }));
        return places.length === 0
          ? undefined
          : { failed: failures.length, of: places.length, failures: failures.sort((a, b) => (a.taskId < b.taskId ? -1 : 1)) };
      }),
      exposures: meanAsks(fair.map((place) => met.get(place)?.asks ?? {})),
      drawn: { failed: failed(drawn).length, of: drawn.length },
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

function meanAsks(twins: readonly AsksByPlace[]): AsksByPlace {
  const sums = new Map<string, number>();
  for (const asks of twins) for (const [place, count] of Object.entries(asks)) sums.set(place, (sums.get(place) ?? 0) + count);
  return Object.fromEntries([...sums].map(([place, sum]) => [place, sum / twins.length]));
}
