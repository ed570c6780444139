// A row of a table in a document as cells: merged cells downwards repeat their text, so that every row can be read by itself; sideways they leave blanks.

export type Merge = 'none' | 'continued';

export interface TableCell {
  readonly text: string;
  /** Columns that it covers. */
  readonly span: number;
  /** Whether it goes on from the row above. */
  readonly vertical: Merge;
}

/** A table wider than this is a fault of its file. */
const MAX_COLUMNS = 500;

export function cellsOfRow(cells: readonly TableCell[], above: readonly string[]): string[] {
  const row: string[] = [];
  for (const { text, span, vertical } of cells) {
    const width = Number.isInteger(span) && span > 1 ? Math.min(span, MAX_COLUMNS) : 1;
    if (row.length + width > MAX_COLUMNS) break;
    row.push(vertical === 'continued' ? (above[row.length] ?? '') : text.replace(/\s*\n\s*/g, ' ').trim(), ...Array<string>(width - 1).fill(''));
  }
  return row;
}
