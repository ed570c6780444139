// Tables as CSV, numbers as they are. `renderTableCsv` is one wide table, a file each; `renderCsv` is all of them, one line a cell, for one stream. An unknown is an empty field.
import { stringify } from 'csv-stringify/sync';
import type { Cell, NumberCell, Report, Row, Table } from '../report.ts';
import { inPieces } from './in-pieces.ts';

const LABELS = ['framework', 'shape', 'settings', 'taskType', 'level', 'configuration', 'host'] as const;

export function renderTableCsv(table: Table): string {
  return [...tableCsvPieces(table)].join('');
}

/** What `renderTableCsv` gives, in pieces. */
export function* tableCsvPieces(table: Table): Generator<string> {
  const header: string[] = [...LABELS, 'section', 'rank'];
  for (const column of table.columns) {
    header.push(column.id);
    if (column.unit === 'text') continue;
    header.push(`${column.id}_n`, `${column.id}_low`, `${column.id}_high`, `${column.id}_published`, `${column.id}_publishedIs`);
  }
  yield stringify([header]);
  for (const rows of inPieces(table.rows)) yield stringify(rows.map((row) => lineOf(row, table)));
}

function lineOf(row: Row, table: Table): string[] {
  const line = labelsOf(row);
  for (const column of table.columns) {
    const cell = row.cells[column.id];
    if (column.unit === 'text') line.push(field(cell?.value));
    else line.push(...numbersOf(cell));
  }
  return line;
}

export interface CsvOptions {
  /** Goes into a first column `run`, so that several reports can stand in one stream. */
  readonly run?: string;
  readonly header?: boolean;
}

export function renderCsv(report: Report, { run, header = true }: CsvOptions = {}): string {
  const lines: string[][] = [];
  if (header) lines.push(['table', ...LABELS, 'section', 'rank', 'column', 'value', 'n', 'low', 'high', 'published', 'publishedIs']);
  for (const table of Object.values(report.tables)) {
    for (const row of table.rows) {
      for (const column of table.columns) {
        const cell = row.cells[column.id];
        if (cell !== undefined) lines.push([table.id, ...labelsOf(row), column.id, ...numbersOf(cell)]);
      }
    }
  }
  return stringify(run === undefined ? lines : lines.map((line, index) => [header && index === 0 ? 'run' : run, ...line]));
}

function labelsOf(row: Row): string[] {
  return [...LABELS.map((label) => field(row.key[label])), row.section, field(row.rank)];
}

function numbersOf(cell: Cell | undefined): string[] {
  const { value, n, low, high, published, publishedIsClaim } = (cell ?? {}) as Partial<NumberCell>;
  return [field(value), field(n), field(low), field(high), field(published), published === undefined ? '' : publishedIsClaim === true ? 'claim' : 'paper'];
}

function field(value: string | number | undefined): string {
  return value === undefined ? '' : String(value);
}
