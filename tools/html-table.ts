// The cells of an HTML table as rows of equal width: a cell over several rows is repeated in each, one over several columns is followed by empty ones.
import { isSkipped } from './html-clutter.ts';

const MAX_SPAN = 100;

/** Rows without any text are left out. @param textOf what a cell says */
export function tableRows(table: Element, textOf: (cell: Element) => string): string[][] {
  const rows: string[][] = [];
  /** Cells that reach down from rows above, by column. */
  const reaching = new Map<number, { readonly text: string; rows: number }>();
  for (const row of table.querySelectorAll('tr')) {
    if (row.closest('table') !== table || isSkipped(row)) continue;
    const cells: string[] = [];
    const takeReaching = () => {
      for (let held = reaching.get(cells.length); held; held = reaching.get(cells.length)) {
        held.rows--;
        if (held.rows === 0) reaching.delete(cells.length);
        cells.push(held.text);
      }
    };
    for (const cell of row.children) {
      if (cell.tagName !== 'TD' && cell.tagName !== 'TH') continue;
      takeReaching();
      const text = textOf(cell);
      const deep = spanOf(cell, 'rowspan');
      if (deep > 1) reaching.set(cells.length, { text, rows: deep - 1 });
      cells.push(text, ...blanks(spanOf(cell, 'colspan') - 1));
    }
    takeReaching();
    if (cells.some((text) => text !== '')) rows.push(cells);
  }
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  return rows.map((cells) => [...cells, ...blanks(width - cells.length)]);
}

function blanks(count: number): string[] {
  return Array.from({ length: count }, () => '');
}

function spanOf(cell: Element, attribute: 'rowspan' | 'colspan'): number {
  const span = Number(cell.getAttribute(attribute) ?? 1);
  return Number.isInteger(span) && span >= 1 ? Math.min(span, MAX_SPAN) : 1;
}
