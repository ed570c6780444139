// Table 4: accuracy by level, with the correlation of level and correctness. The paper's tables 2 and 4 count different tasks as right; here both come from one log.

import { rowId } from '../../metrics/row-counts.ts';
import type { Level } from '../../metrics/summaries.ts';
import { printNumber } from '../render/print-cell.ts';
import type { Table } from '../report.ts';
import { WILSON } from './caption.ts';
import { frameTable, type RowDraft, type TableInput } from './frame-table.ts';
import { ACCURACY, rateCells } from './rate-columns.ts';
import { isScored, unscoredNotes } from './scored.ts';

const LEVELS: readonly Level[] = [1, 2, 3];

export function table4(input: TableInput): Table {
  const { summary, counts, manifest } = input;
  const levels = LEVELS.filter((level) => manifest.plan.tasks.some((task) => task.level === level));
  const rows = summary.rows.flatMap((of): RowDraft[] =>
    levels.map((level) => ({ of, part: { level }, cells: rateCells(of.byLevel[level], isScored(of, counts)) })),
  );
  return frameTable(input, {
    id: 'table4',
    title: 'Table 4: Accuracy by level',
    columns: [ACCURACY],
    rows,
    lead: { column: 'accuracyPercent', better: 'high' },
    denominator: 'Denominator: all planned trials of the row and level, errors and time-outs included.',
    interval: WILSON,
    notes: [
      'Level is the number of plan steps: 1 up to 5, 2 from 6 to 10, 3 from 11. Ranked by accuracy within a level, shape single and one settings.',
      ...correlation(input),
      ...unscoredNotes(summary.rows, counts),
    ],
  });
}

function correlation({ summary, counts }: TableInput): string[] {
  const parts = summary.rows
    .filter((row) => row.publishable && isScored(row, counts) && row.levelCorrelation !== undefined)
    .map((row) => `${rowId(row.key)} ${printNumber(row.levelCorrelation?.value ?? 0, 'ratio')}`);
  if (parts.length === 0) return [];
  return [`Pearson's r of level with correctness over the planned trials, a description without a test: ${parts.join(', ')}.`];
}
