// A table as a grid of strings, the same for every renderer that prints for people: labels first, then n, then the columns, each with the paper's figure beside it where there is one.
// Not for CSV or JSON: those keep the numbers.
import type { Cell, Column, NumberCell, Row, Table } from '../report.ts';
import { printCell, printNumber } from './print-cell.ts';

export interface GridColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Tells the row: repeated when a wide table is folded. */
  readonly label: boolean;
  /** Stays beside the column before it: the paper's figure beside ours. */
  readonly joined?: true;
}

export interface GridCell {
  readonly text: string;
  /** A published figure about an engine that was not measured here; each renderer marks it in its own way. */
  readonly claim?: true;
}

export interface Grid {
  readonly columns: readonly GridColumn[];
  /** Made as they are asked for: a list may have as many rows as the run has trials. */
  cellsOf(row: Row): GridCell[];
}

interface LabelColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly of: (row: Row) => string | undefined;
  /** Shown even when all rows agree. */
  readonly always?: true;
}

const LABELS: readonly LabelColumn[] = [
  { title: 'rank', align: 'right', of: placeOf },
  { title: 'framework', align: 'left', of: (row) => row.key.framework, always: true },
  { title: 'shape', align: 'left', of: (row) => row.key.shape },
  { title: 'settings', align: 'left', of: (row) => row.key.settings },
  { title: 'task type', align: 'left', of: (row) => row.key.taskType },
  { title: 'level', align: 'right', of: (row) => row.key.level?.toString() },
  { title: 'configuration', align: 'left', of: (row) => row.key.configuration },
  { title: 'host', align: 'left', of: (row) => row.key.host },
];

/** Columns that hold nothing are left out; so are labels on which all rows agree (the caption says them). */
export function layOutTable(table: Table): Grid {
  const ranked = table.rows.some(({ rank }) => rank !== undefined);
  const labels = LABELS.filter((label) => (label.of !== placeOf || ranked) && (label.always === true || new Set(table.rows.map(label.of)).size > 1));
  const filled = table.columns.filter((column) => table.rows.some((row) => row.cells[column.id] !== undefined));
  const cited = new Set(filled.filter((column) => table.rows.some((row) => publishedIn(row.cells[column.id]) !== undefined)).map((column) => column.id));
  const counts = new Set(table.rows.map((row) => rowN(row, filled)));
  counts.delete(undefined);
  // Of a list of single trials it would be a column of ones.
  if (table.isList === true) counts.delete(1);
  const counted = counts.size > 0;

  const columns: GridColumn[] = labels.map(({ title, align }) => ({ title, align, label: true }));
  if (counted) columns.push({ title: 'n', align: 'right', label: false });
  for (const column of filled) {
    columns.push({ title: column.title, align: column.unit === 'text' ? 'left' : 'right', label: false });
    if (cited.has(column.id)) columns.push({ title: `${column.title}, paper`, align: 'right', label: false, joined: true });
  }

  const cellsOf = (row: Row) => {
    const n = rowN(row, filled);
    const cells: GridCell[] = labels.map((label) => ({ text: label.of(row) ?? '' }));
    if (counted) cells.push({ text: n === undefined ? '' : String(n) });
    for (const column of filled) {
      const cell = row.cells[column.id];
      cells.push({ text: cell === undefined ? '' : printCell(cell, column.unit, n) });
      if (cited.has(column.id)) cells.push(citedCell(cell, column));
    }
    return cells;
  };
  return { columns, cellsOf };
}

function placeOf(row: Row): string {
  if (row.section === 'floor' || row.section === 'apart') return row.section;
  return row.rank === undefined ? '' : String(row.rank);
}

/** The n that most cells of a row share is printed once; only others carry their own. */
function rowN(row: Row, columns: readonly Column[]): number | undefined {
  for (const column of columns) {
    const cell = row.cells[column.id];
    if (cell !== undefined) return cell.n;
  }
  return undefined;
}

function publishedIn(cell: Cell | undefined): number | undefined {
  return (cell as NumberCell | undefined)?.published;
}

function citedCell(cell: Cell | undefined, column: Column): GridCell {
  const published = publishedIn(cell);
  if (published === undefined) return { text: '' };
  return { text: printNumber(published, column.unit), ...((cell as NumberCell).publishedIsClaim === true && { claim: true as const }) };
}
