// Table 5: the two fault rates by task type and over all, with and without the trials that ended at the cap (method M5.2, M3.4).
import type { Table } from '../report.ts';
import { WILSON } from './caption.ts';
import { frameTable, type RowDraft, type TableInput } from './frame-table.ts';
import { FAULT_COLUMNS, FAULT_NOTE_SHORT, rateCells } from './rate-columns.ts';
import { typesOf } from './task-types.ts';

export function table5(input: TableInput): Table {
  const { summary, manifest } = input;
  const rows = summary.rows.flatMap((of): RowDraft[] => [
    ...typesOf(manifest.plan).map((taskType) => ({ of, part: { taskType }, cells: rateCells(of.byTaskType[taskType], false) })),
    { of, part: { taskType: 'overall' }, cells: rateCells(of.rates, false) },
  ]);
  return frameTable(input, {
    id: 'table5',
    title: 'Table 5: Fault rates by task type',
    columns: FAULT_COLUMNS,
    rows,
    lead: { column: 'causedPercent', better: 'low' },
    denominator: 'Denominator: all planned trials of the row and task type, not its failures.',
    interval: WILSON,
    notes: ['Ranked by the caused rate within a task type, shape single and one settings.', FAULT_NOTE_SHORT],
  });
}
