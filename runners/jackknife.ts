// How far a run's accuracies move under other selections of 68 tasks with the composition of the paper, whose own 68 were never published: the selection is a
// choice like any other, and an order of rows that hangs on it is none.
import type { ManifestPlan } from '../metrics/record.ts';
import type { RowColumns } from '../metrics/row-columns.ts';
import { type Trials, tallyOf } from '../metrics/run-tally.ts';
import { quantile, sortSamples } from '../metrics/statistics.ts';
import { paperShapeDrawer } from '../tasks/gaia/official/select.ts';

export interface JackknifeRow {
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly configuration?: string;
  /** Percent of planned trials, over all tasks of the run. */
  readonly overall: number;
  /** Percent over the selections: least, 2.5 %, median, 97.5 %, greatest. */
  readonly over: readonly [number, number, number, number, number];
  /** Share of selections, in percent, in which no row of the same shape and settings was better. */
  readonly leads: number;
}

/**
 * @param draws how many selections; each has a seed of its own, from 1
 * @returns a row for each row of the plan, in its order; rows with answers that nobody could judge are left out
 * @throws UsageError SELECTION_IMPOSSIBLE when the run's tasks cannot give the composition
 */
export function jackknife(plan: ManifestPlan, trials: Trials, draws: number): JackknifeRow[] {
  const draw = paperShapeDrawer(plan.tasks.map(({ taskId, taskType, level }) => ({ id: taskId, type: taskType, level })));
  const run = tallyOf({ plan }, trials);
  const rows = plan.rows.flatMap((row) => {
    const tally = run.row(row);
    return tally.rateCounts().isJudged ? [{ row, right: rightByTask(tally.columns), samples: [] as number[], led: 0 }] : [];
  });
  const share = (right: ReadonlyMap<string, number>, ids: readonly string[]) =>
    (100 * ids.reduce((sum, id) => sum + (right.get(id) ?? 0), 0)) / (ids.length * plan.trials);
  for (let seed = 1; seed <= draws; seed++) {
    const ids = draw(seed).map(({ id }) => id);
    const shares = rows.map(({ right }) => share(right, ids));
    for (const [index, one] of rows.entries()) {
      const mine = shares[index] ?? 0;
      one.samples.push(mine);
      const better = rows.some(({ row }, other) => row.shape === one.row.shape && row.settings === one.row.settings && (shares[other] ?? 0) > mine);
      if (!better) one.led += 1;
    }
  }
  const all = plan.tasks.map(({ taskId }) => taskId);
  return rows.map(({ row, right, samples, led }) => {
    const sorted = sortSamples(samples);
    const at = (q: number) => (sorted === undefined ? 0 : quantile(sorted, q));
    const { framework, shape, settings, configuration } = row;
    return {
      framework,
      shape,
      settings,
      ...(configuration === undefined ? {} : { configuration }),
      overall: share(right, all),
      over: [at(0), at(0.025), at(0.5), at(0.975), at(1)] as const,
      leads: (100 * led) / draws,
    };
  });
}

function rightByTask(columns: RowColumns): ReadonlyMap<string, number> {
  const right = new Map<string, number>();
  for (const place of columns.where((place) => columns.isCorrect(place))) {
    const { taskId } = columns.places.taskAt(place);
    right.set(taskId, (right.get(taskId) ?? 0) + 1);
  }
  return right;
}
