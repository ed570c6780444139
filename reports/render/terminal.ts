// A report for a terminal: fits the columns it is given by folding wide tables into panels that repeat the labels. Colours only when asked for.
// Width is counted in code points; foreign control characters are shown, never sent.
import type { Report, Row, Table } from '../report.ts';
import { type Grid, type GridColumn, layOutTable } from './lay-out-table.ts';

export interface TerminalOptions {
  readonly columns: number;
  readonly colour: boolean;
}

const GAP = '  ';
const NARROWEST = 40;
/** A cell longer than this is broken into lines. */
const WIDEST_CELL = 44;
const NARROWEST_CELL = 16;
/** Rows of a list on a screen. */
const LONGEST_LIST = 20;

export function renderTerminal(report: Report, options: TerminalOptions): string {
  const parts = [
    ...Object.values(report.tables).map((table) => renderTerminalTable(table, options)),
    report.headline.flatMap((sentence) => wrap(sentence, widthOf(options))).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

export function renderTerminalTable(table: Table, options: TerminalOptions): string {
  const width = widthOf(options);
  const paint = painter(options.colour);
  const unseen = table.isList === true ? Math.max(0, table.rows.length - LONGEST_LIST) : 0;
  const notes = unseen === 0 ? table.notes : [`… and ${unseen} more: report.md and tables/${table.id}.csv have them.`, ...table.notes];
  const parts = [[...wrap(table.title, width).map(paint.bold), ...wrap(table.caption, width).map(paint.dim)].join('\n')];
  const rows = table.rows.slice(0, table.rows.length - unseen);
  if (rows.length > 0)
    parts.push(
      ...panels(layOutTable({ ...table, rows }), rows, width).map((lines) => lines.map((line, index) => (index === 0 ? paint.bold(line) : line)).join('\n')),
    );
  if (notes.length > 0)
    parts.push(notes.flatMap((note) => wrap(note, width - 2).map((line, index) => paint.dim(`${index === 0 ? '- ' : '  '}${line}`))).join('\n'));
  return parts.join('\n\n');
}

interface Draft extends GridColumn {
  readonly texts: readonly string[];
}

interface WideColumn extends GridColumn {
  readonly width: number;
  readonly titleLines: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

/** As many columns beside each other as fit; the rest follows below, with the labels again. */
function panels(grid: Grid, rows: readonly Row[], width: number): string[][] {
  const cellsOfRows = rows.map(grid.cellsOf);
  const drafts = grid.columns.map((column, index): Draft => {
    const texts = cellsOfRows.map((row) => {
      const cell = row[index];
      return cell === undefined ? '' : `${visible(cell.text)}${cell.claim ? ' claim' : ''}`;
    });
    return { ...column, texts };
  });
  const labels = labelColumns(
    drafts.filter(({ label }) => label),
    width,
  );
  const labelsWidth = spanOf(labels);
  const rest = drafts.filter(({ label }) => !label).map((draft) => lay(draft, Math.max(NARROWEST_CELL, width - labelsWidth - GAP.length)));
  const groups: WideColumn[][] = [];
  for (const column of rest) {
    const last = groups.at(-1);
    if (column.joined && last !== undefined && labelsWidth + GAP.length + spanOf([...last, column]) <= width) last.push(column);
    else groups.push([column]);
  }
  const folded: WideColumn[][] = [[]];
  for (const group of groups) {
    const panel = folded.at(-1) ?? [];
    if (panel.length > 0 && labelsWidth + GAP.length + spanOf([...panel, ...group]) > width) folded.push(group);
    else panel.push(...group);
  }
  return folded.map((some) => printPanel([...labels, ...some], rows.length));
}

/** On a narrow screen what tells a row stands in one column, so that there is room for figures. */
function labelColumns(drafts: readonly Draft[], width: number): WideColumn[] {
  const columns = drafts.map((draft) => lay(draft, width));
  if (spanOf(columns) <= width / 2) return columns;
  const isRank = ({ title }: Draft) => title === 'rank';
  const named = drafts.filter((draft) => !isRank(draft));
  const texts = (named[0]?.texts ?? []).map((name, row) => [name, ...named.slice(1).flatMap((draft) => notUsual(draft.texts[row]))].join(' '));
  return [...drafts.filter(isRank), { title: USUAL, align: 'left' as const, label: true, texts }].map((draft) => lay(draft, width - NARROWEST_CELL));
}

const USUAL = 'row; where not said: single, default';

function notUsual(text = ''): string[] {
  return text === '' || text === 'single' || text === 'default' ? [] : [text];
}

function lay({ texts, ...column }: Draft, most: number): WideColumn {
  const cells = texts.map((text) => clip(wrap(text, Math.min(WIDEST_CELL, most))));
  const widest = Math.max(0, ...cells.flat().map(lengthOf));
  const titleLines = wrap(column.title, Math.max(widest, 10));
  return { ...column, cells, titleLines, width: Math.max(widest, ...titleLines.map(lengthOf)) };
}

/** Two lines of a cell are enough on a screen: report.md and the csv files have it whole. */
function clip(lines: readonly string[]): readonly string[] {
  const [first = '', second = ''] = lines;
  return lines.length <= 2 ? lines : [first, `${second.slice(0, WIDEST_CELL - 2)} …`];
}

function printPanel(columns: readonly WideColumn[], rows: number): string[] {
  const lines = printRow(
    columns.map((column) => ({ column, lines: column.titleLines })),
    'bottom',
  );
  lines.push('-'.repeat(spanOf(columns)));
  for (let row = 0; row < rows; row += 1)
    lines.push(
      ...printRow(
        columns.map((column) => ({ column, lines: column.cells[row] ?? [] })),
        'top',
      ),
    );
  return lines;
}

function printRow(cells: readonly { readonly column: WideColumn; readonly lines: readonly string[] }[], edge: 'top' | 'bottom'): string[] {
  const height = Math.max(1, ...cells.map((cell) => cell.lines.length));
  const printed: string[] = [];
  for (let line = 0; line < height; line += 1) {
    const texts = cells.map(({ column, lines }) => {
      const text = lines[edge === 'top' ? line : line - (height - lines.length)] ?? '';
      const pad = ' '.repeat(Math.max(0, column.width - lengthOf(text)));
      return column.align === 'right' ? pad + text : text + pad;
    });
    printed.push(texts.join(GAP).trimEnd());
  }
  return printed;
}

function spanOf(columns: readonly WideColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width, Math.max(0, columns.length - 1) * GAP.length);
}

function widthOf(options: TerminalOptions): number {
  return Math.max(NARROWEST, options.columns);
}

/** Breaks at blanks; a word longer than the width is cut. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = '';
    for (const word of visible(paragraph).split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (lengthOf(joined) <= width) {
        line = joined;
        continue;
      }
      if (line !== '') lines.push(line);
      const points = [...word];
      while (points.length > width) lines.push(points.splice(0, width).join(''));
      line = points.join('');
    }
    lines.push(line);
  }
  return lines;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** A framework's text must not move the cursor or change colours. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function painter(colour: boolean): { bold(text: string): string; dim(text: string): string } {
  const paint = (on: number, off: number) => (text: string) => (colour ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  return { bold: paint(1, 22), dim: paint(2, 22) };
}
