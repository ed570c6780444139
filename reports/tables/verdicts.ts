// Verdicts: of a real model alone, each row against the hardened floor of its language in its shape (method M9.2). All else in a report is an interval without a verdict.
import { isRealModel } from '../../metrics/model-kind.ts';
import { testsAgainstFloors } from '../../metrics/paired-test.ts';
import { rowId } from '../../metrics/row-counts.ts';
import type { RunTally } from '../../metrics/run-tally.ts';
import type { Row, Table } from '../report.ts';
import { captionOf } from './caption.ts';
import { exactColumn, rounded } from './exact.ts';
import { sectionOf, type TableInput } from './frame-table.ts';
import { isScored } from './scored.ts';

const LEVEL = 0.05;

/** @returns `undefined` for a simulated model, and where no row has a hardened floor or a score */
export function verdicts(input: TableInput, run: RunTally): Table | undefined {
  const { summary, counts, manifest } = input;
  if (!isRealModel(manifest.plan.modelKind)) return undefined;
  const judged = summary.rows.filter((row) => isScored(row, counts) && row.rates.accuracyPercent !== undefined && row.key.configuration === undefined);
  const family = testsAgainstFloors(
    judged.map(({ row, key }) => ({ row, columns: run.row(key).columns })),
    (taskId) => run.clusterOf(taskId),
  );
  if (family.length === 0) return undefined;
  const rows = family.flatMap(({ row, floor, points, clusters, p, adjustedP }): Row[] => {
    const of = judged.find((one) => one.row === row);
    if (of === undefined) return [];
    const { value, n, low, high } = points;
    const verdict = adjustedP >= LEVEL ? 'open' : value > 0 ? 'above' : 'below';
    return [
      {
        key: of.key,
        section: sectionOf(of, manifest.plan),
        cells: {
          heldAgainst: { value: rowId(floor), n },
          differencePoints: { value: rounded(value), n, ...(low !== undefined && high !== undefined && { low: rounded(low), high: rounded(high) }) },
          clusters: { value: clusters, n },
          p: { value: chance(p), n },
          adjustedP: { value: chance(adjustedP), n },
          verdict: { value: verdict, n },
        },
      },
    ];
  });
  return {
    id: 'verdicts',
    title: 'Verdicts: each row against the hardened floor of its language',
    caption: captionOf(
      input,
      {
        denominator: 'n: planned tasks, each the mean of its trials; what left no record is not right.',
        interval: 'Interval of a difference: 95 % bootstrap over templates.',
      },
      { excluded: [], cited: undefined },
    ),
    runs: 1,
    trials: summary.recorded,
    excluded: [],
    columns: [
      exactColumn('heldAgainst', 'held against', 'text'),
      exactColumn('differencePoints', 'points of accuracy over it', 'mean'),
      exactColumn('clusters', 'templates', 'count'),
      exactColumn('p', 'p', 'text'),
      exactColumn('adjustedP', 'p, Holm', 'text'),
      exactColumn('verdict', 'verdict', 'text'),
    ],
    rows,
    notes: [
      `p: exact, two-sided, over all ways to swap the two rows template by template, since tasks of one template are alike. Holm: corrected for the ${family.length} tests of this table; above or below where that is under ${LEVEL}, else open.`,
      'Nothing else in this report has a verdict: overlapping intervals tell no rows apart, and rows are not tested against each other.',
    ],
  };
}

function chance(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toPrecision(2);
}
