// What a screen shows at the end of a study: the ten tables, the verdicts of a real model, and last, where the eye is, one line a row of the figures that most people look for first. Files have everything.
import { isAblation } from './headline.ts';
import { printNumber } from './render/print-cell.ts';
import type { Cell, Column, Report, Row, RowKey, Table } from './report.ts';

/** Figures of the last lines, each from the table that makes it. */
const FIGURES: readonly (readonly [table: string, column: string])[] = [
  ['table1', 'notRepairedPercent'],
  ['table1', 'causedPercent'],
  ['table1', 'overheadMs'],
  ['table1', 'peakMemoryMb'],
  ['table8', 'totalTokens'],
];

const ON_SCREEN = /^(?:table\d+|verdicts)$/;

/** @param report of one study. @returns the same with fewer tables; of an ablation only table 3, which it is made for */
export function screenReport(report: Report): Report {
  const { manifest, tables } = report;
  const { table1, table3 } = tables;
  if (isAblation(manifest.plan)) return { ...report, tables: table3 === undefined ? {} : { table3 } };
  if (table1 === undefined) return report;
  const shown = Object.entries(tables).filter(([id]) => ON_SCREEN.test(id));
  return { ...report, tables: { ...Object.fromEntries(shown), glance: glanceOf(table1, report) } };
}

function glanceOf(table1: Table, { tables }: Report): Table {
  const [model = ''] = table1.caption.split(': ');
  const columns = FIGURES.flatMap(([table, id]) => tables[table]?.columns.filter((column) => column.id === id) ?? []);
  const accuracy = table1.columns.filter(({ id }) => id === 'accuracyPercent');
  const unseen = Object.values(tables).filter(({ id, columns: some }) => !ON_SCREEN.test(id) && some.length > 0);
  return {
    ...table1,
    id: 'glance',
    title: 'At a glance',
    caption: `${model}. Accuracy with its interval as in table 1; of the others the middle figures alone: times are medians of undisturbed trials, memory is of fresh processes, tokens are means a trial.`,
    columns: [...accuracy, ...columns],
    rows: table1.rows.map((row) => ({ ...row, cells: cellsOf(row, columns, tables) })),
    notes: unseen.length === 0 ? [] : [`In the report besides: ${unseen.map(({ title }) => title).join('; ')}.`],
  };
}

function cellsOf(row: Row, columns: readonly Column[], tables: Report['tables']): Row['cells'] {
  const accuracy = cellOf(row, 'accuracyPercent');
  const rowN = (accuracy ?? cellOf(row, 'causedPercent'))?.n ?? 0;
  const cells: Record<string, Cell> = accuracy === undefined ? {} : { accuracyPercent: accuracy };
  for (const { id, unit } of columns) {
    const [table] = FIGURES.find(([, column]) => column === id) ?? [];
    const cell = cellOf(rowWith(tables[table ?? '']?.rows, row.key), id);
    // Text, since a line here has one n: each figure's own stands in its table.
    if (typeof cell?.value === 'number') cells[id] = { value: printNumber(cell.value, unit), n: rowN };
  }
  return cells;
}

/** Without the paper's figure: it stands in the table. */
function cellOf(row: Row | undefined, id: string): Cell | undefined {
  const cell = row?.cells[id];
  if (cell === undefined || typeof cell.value === 'string') return cell;
  const { value, n, low, high } = cell as Extract<Cell, { value: number }>;
  return { value, n, ...(low !== undefined && high !== undefined && { low, high }) };
}

function rowWith(rows: readonly Row[] | undefined, { framework, shape, settings, configuration }: RowKey): Row | undefined {
  return rows?.find(({ key }) => key.framework === framework && key.shape === shape && key.settings === settings && key.configuration === configuration);
}
