// One column of a table as a dot-and-whisker picture: a dot is the value, a whisker its interval, a row without the cell is left out and never drawn at zero.
// Hand-written SVG: no font file, no clock, no library; the same table gives the same bytes.

import { printNumber } from './render/print-cell.ts';
import type { Column, NumberCell, Row, Table } from './report.ts';
import { at, svgDocument, svgText as text } from './svg.ts';

export interface PlotOptions {
  readonly title: string;
  /** Under the axis: what the dot and the whisker are. */
  readonly axis: string;
}

interface Mark {
  readonly label: string;
  readonly section: Row['section'];
  readonly cell: NumberCell;
}

const WIDTH = 760;
const LABELS = 220;
const RIGHT = 70;
const TOP = 46;
const ROW = 24;
/** Room between the ranked rows, the floors and the other shapes. */
const BREAK = 12;
const COLOURS: Readonly<Record<Row['section'], string>> = { ranked: '#0b5fa5', apart: '#7a3fa0', floor: '#6b6b6b', 'by-name': '#8a4b08' };

/** @returns `undefined` when no row has the cell */
export function plotColumn(table: Table, columnId: string, options: PlotOptions): string | undefined {
  const column = table.columns.find(({ id }) => id === columnId);
  if (column === undefined) return undefined;
  const marks = table.rows.flatMap((row): Mark[] => {
    const cell = row.cells[columnId];
    return cell === undefined || typeof cell.value === 'string' ? [] : [{ label: labelOf(row, table), section: row.section, cell: cell as NumberCell }];
  });
  if (marks.length === 0) return undefined;
  const top = column.unit === 'percent' ? 100 : niceCeiling(Math.max(...marks.map(({ cell }) => Math.max(cell.value, cell.high ?? cell.value))));
  const x = (value: number) => LABELS + (value / top) * (WIDTH - LABELS - RIGHT);

  const lines: string[] = [];
  let y = TOP;
  let before: Mark | undefined;
  const body: string[] = [];
  for (const mark of marks) {
    if (before !== undefined && before.section !== mark.section) y += BREAK;
    body.push(...drawMark(mark, x, y + ROW / 2, column));
    y += ROW;
    before = mark;
  }
  for (let tick = 0; tick <= 4; tick += 1) {
    const value = (top * tick) / 4;
    lines.push(`<line x1="${at(x(value))}" y1="${TOP - 4}" x2="${at(x(value))}" y2="${y + 4}" stroke="#d9d9d9"/>`);
    lines.push(text(x(value), y + 20, tickLabel(value), 'text-anchor="middle" fill="#4a4a4a"'));
  }
  lines.push(...body);
  lines.push(text(16, y + 38, options.axis, 'fill="#4a4a4a"'));
  return svgDocument(WIDTH, y + 50, options.title, lines);
}

function drawMark(mark: Mark, x: (value: number) => number, y: number, column: Column): string[] {
  const { value, low, high } = mark.cell;
  const colour = COLOURS[mark.section];
  const lines = [text(LABELS - 12, y + 4, mark.label, 'text-anchor="end" fill="#1a1a1a"')];
  if (low !== undefined && high !== undefined) {
    lines.push(`<line x1="${at(x(low))}" y1="${at(y)}" x2="${at(x(high))}" y2="${at(y)}" stroke="${colour}" stroke-width="2"/>`);
    for (const end of [low, high])
      lines.push(`<line x1="${at(x(end))}" y1="${at(y - 5)}" x2="${at(x(end))}" y2="${at(y + 5)}" stroke="${colour}" stroke-width="2"/>`);
  }
  const fill = mark.section === 'ranked' ? colour : '#ffffff';
  lines.push(`<circle cx="${at(x(value))}" cy="${at(y)}" r="5" fill="${fill}" stroke="${colour}" stroke-width="2"/>`);
  lines.push(text(WIDTH - 12, y + 4, printNumber(value, column.unit), `text-anchor="end" fill="${colour}"`));
  return lines;
}

/** The framework, and whatever else tells its row from the others. */
function labelOf(row: Row, table: Table): string {
  const { framework, shape, settings } = row.key;
  const others = table.rows.filter(({ key }) => key.framework === framework && key !== row.key);
  const extra = [others.some(({ key }) => key.shape !== shape) ? shape : '', others.some(({ key }) => key.settings !== settings) ? settings : ''].filter(
    (word) => word !== '',
  );
  return [framework, ...extra].join(' ');
}

/** 1, 2, 4 or 8 times a power of ten, so that quarter ticks are short numbers. */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 8, 10].find((factor) => value <= factor * power * 1.000001) ?? 10;
  return step * power;
}

function tickLabel(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
