// Table 2: accuracy and both rates by task type.
import type { Table } from '../report.ts';
import { WILSON } from './caption.ts';
import { frameTable, type RowDraft, type TableInput } from './frame-table.ts';
import { ACCURACY, FAULT_COLUMNS, FAULT_NOTE_SHORT, rateCells } from './rate-columns.ts';
import { isScored, unscoredNotes } from './scored.ts';
import { typesOf } from './task-types.ts';

export function table2(input: TableInput): Table {
  const { summary, counts, manifest } = input;
  const rows = summary.rows.flatMap((of): RowDraft[] =>
    typesOf(manifest.plan).map((taskType) => ({ of, part: { taskType }, cells: rateCells(of.byTaskType[taskType], isScored(of, counts)) })),
  );
  return frameTable(input, {
    id: 'table2',
    title: 'Table 2: Accuracy and fault rates by task type',
    columns: [ACCURACY, ...FAULT_COLUMNS],
    rows,
    lead: { column: 'accuracyPercent', better: 'high' },
    denominator: 'Denominator: all planned trials of the row and task type, errors and time-outs included.',
    interval: WILSON,
    notes: [
      'Ranked by accuracy within a task type, shape single and one settings. zero-tool: one agent without tools; it stands in no comparison of shapes.',
      FAULT_NOTE_SHORT,
      ...unscoredNotes(summary.rows, counts),
    ],
  });
}
