// Tests for runs of a real model (method M9.2): a row against the hardened floor of its language in the same shape. The unit is the task, and tasks of one template go together.
// Not for simulated runs: there more seeds would buy any significance.
import { bootstrapInterval } from './bootstrap.ts';
import type { ManifestPlan } from './record.ts';
import type { RowColumns } from './row-columns.ts';
import { mean } from './statistics.ts';
import type { SummaryValue } from './summary.ts';

type PlanRow = ManifestPlan['rows'][number];

export interface RowResults {
  readonly row: PlanRow;
  readonly columns: RowColumns;
}

export interface RowTest {
  readonly row: PlanRow;
  readonly floor: PlanRow;
  /** Mean over tasks of the row's accuracy minus the floor's, in points; the interval is a bootstrap over clusters. */
  readonly points: SummaryValue;
  readonly clusters: number;
  /** Two-sided, and after Holm's correction over the family. */
  readonly p: number;
  readonly adjustedP: number;
}

/**
 * The family: every row but floors, each against the first hardened floor of its language in its shape. A row without such a floor stands in no test.
 * @param clusterOf template or source file of a task
 */
export function testsAgainstFloors(results: readonly RowResults[], clusterOf: (taskId: string) => string): RowTest[] {
  const tests = results.flatMap((one) => {
    const floor = results.find(({ row }) => row.floor && row.settings === 'hardened' && row.shape === one.row.shape && row.language === one.row.language);
    return one.row.floor || floor === undefined ? [] : [testOf(one, floor, clusterOf)];
  });
  const adjusted = holm(tests.map(({ p }) => p));
  return tests.map((test, at) => ({ ...test, adjustedP: adjusted[at] ?? 1 }));
}

function testOf(one: RowResults, floor: RowResults, clusterOf: (taskId: string) => string): Omit<RowTest, 'adjustedP'> {
  const { tasks, trials } = one.columns.places;
  const differences = tasks.map(({ taskId }, task) => ({ cluster: clusterOf(taskId), more: rightOf(one.columns, task) - rightOf(floor.columns, task) }));
  const clusters = [...Map.groupBy(differences, ({ cluster }) => cluster).values()].map((members) => members.map(({ more }) => more));
  const inPoints = (more: number) => (100 * more) / trials;
  const points = clusters.map((members) => members.map(inPoints));
  // Where no task tells the rows apart every resample is the same, and an interval without width would claim that there is no difference.
  const interval = new Set(points.flat()).size < 2 ? undefined : bootstrapInterval(points, mean, { seed: 'tests against floors' });
  return {
    row: one.row,
    floor: floor.row,
    points: { value: mean(differences.map(({ more }) => inPoints(more))) ?? 0, n: tasks.length, ...interval },
    clusters: clusters.length,
    p: signFlipP(clusters.map((members) => members.reduce((total, more) => total + more, 0))),
  };
}

/** Right answers among the planned trials of a task: one that left no record has none. */
function rightOf(columns: RowColumns, task: number): number {
  const { trials } = columns.places;
  return Array.from({ length: trials }, (_, index) => columns.isCorrect(task * trials + index)).filter(Boolean).length;
}

/**
 * Two-sided test of paired differences, exact: the share of all ways to swap the two rows, cluster by cluster, in which they lie as far apart or further (Fisher 1935,
 * The Design of Experiments, section 21). With differences of one it is McNemar's exact test. @param sums whole numbers, one a cluster
 */
export function signFlipP(sums: readonly number[]): number {
  let shares = new Map([[0, 1]]);
  for (const sum of sums.filter((each) => each !== 0)) {
    const next = new Map<number, number>();
    for (const [total, share] of shares) for (const swapped of [total + sum, total - sum]) next.set(swapped, (next.get(swapped) ?? 0) + share / 2);
    shares = next;
  }
  const seen = Math.abs(sums.reduce((total, sum) => total + sum, 0));
  return Math.min(
    1,
    [...shares].reduce((total, [swapped, share]) => (Math.abs(swapped) >= seen ? total + share : total), 0),
  );
}

/** Adjusted p-values in the order given (Holm 1979): the chance of even one false verdict in the family stays below the level. */
export function holm(ps: readonly number[]): number[] {
  const adjusted = new Array<number>(ps.length);
  let highest = 0;
  const ascending = ps.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  for (const [rank, { p, at }] of ascending.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p));
    adjusted[at] = highest;
  }
  return adjusted;
}
