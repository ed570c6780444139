// Differences with their range as a picture: a thin line from least to most over our choices, a thick one for the simulation interval, a dot for the mean, filled where the
// sentence stands. Hand-written SVG as in plot-column; the same table gives the same bytes.
import { printNumber } from './render/print-cell.ts';
import type { Row, Table } from './report.ts';
import { at, svgDocument, svgText } from './svg.ts';
import { plural } from './tables/caption.ts';

export interface RangePlotOptions {
  readonly title: string;
  /** Which lines: the beginning of their configuration, such as `accuracy over`. */
  readonly measure: string;
}

const WIDTH = 860;
const LABELS = 330;
const RIGHT = 76;
const TOP = 46;
const ROW = 22;
const COLOUR = '#0b5fa5';
const RANGE = '#b0762b';

interface Mark {
  readonly label: string;
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly range: readonly [number, number];
  readonly stands: boolean;
}

/** @returns `undefined` when no line has this measure */
export function plotRange(table: Table, { title, measure }: RangePlotOptions): string | undefined {
  const marks = table.rows.flatMap((row) => markOf(row, measure) ?? []);
  if (marks.length === 0) return undefined;
  const [low, high] = bounds(marks);
  const x = (value: number) => LABELS + ((value - low) / (high - low)) * (WIDTH - LABELS - RIGHT);
  const bottom = TOP + marks.length * ROW;
  const lines: string[] = [];
  for (const tick of ticks(low, high)) {
    const stroke = tick === 0 ? '#1a1a1a' : '#d9d9d9';
    lines.push(`<line x1="${at(x(tick))}" y1="${TOP - 4}" x2="${at(x(tick))}" y2="${bottom + 4}" stroke="${stroke}"/>`);
    lines.push(svgText(x(tick), bottom + 20, String(tick), 'text-anchor="middle" fill="#4a4a4a"'));
  }
  for (const [index, mark] of marks.entries()) lines.push(...drawMark(mark, x, TOP + index * ROW + ROW / 2));
  lines.push(
    svgText(16, bottom + 40, 'Points. Dot: mean over seeds; blue: 95 % simulation interval; brown: least to most over our choices.', 'fill="#4a4a4a"'),
  );
  lines.push(
    svgText(16, bottom + 56, 'Filled: the sign stands. Hollow: open. Simulated model: nothing here is a measurement of a real one.', 'fill="#4a4a4a"'),
  );
  return svgDocument(WIDTH, bottom + 66, title, lines);
}

function markOf({ key, cells }: Row, measure: string): Mark | undefined {
  const { differencePoints: cell, leastPoints, mostPoints, standing } = cells;
  if (key.configuration?.startsWith(measure) !== true || cell === undefined || typeof cell.value === 'string') return undefined;
  const { value, low = value, high = value } = cell as { value: number; low?: number; high?: number };
  const [least, most] = [leastPoints, mostPoints].map((end) => (typeof end?.value === 'number' ? end.value : value)) as [number, number];
  const against = key.configuration.slice(measure.length).trim();
  const settings = key.settings === 'default' ? '' : ` ${key.settings}`;
  const shape = key.shape === 'single' ? '' : ` ${key.shape}`;
  const label = `${key.framework}${shape}${settings} − ${against === 'its default' ? 'default' : against}, ${cell.n} ${plural(cell.n, 'seed')}`;
  return { label, value, interval: [low, high], range: [least, most], stands: String(standing?.value).startsWith('stands') };
}

function drawMark({ label, value, interval, range, stands }: Mark, x: (value: number) => number, y: number): string[] {
  const line = ([from, to]: readonly [number, number], colour: string, width: number) =>
    `<line x1="${at(x(from))}" y1="${at(y)}" x2="${at(x(to))}" y2="${at(y)}" stroke="${colour}" stroke-width="${width}"/>`;
  const ends = range.map((end) => `<line x1="${at(x(end))}" y1="${at(y - 5)}" x2="${at(x(end))}" y2="${at(y + 5)}" stroke="${RANGE}" stroke-width="1.5"/>`);
  return [
    svgText(LABELS - 12, y + 4, label, 'text-anchor="end" fill="#1a1a1a"'),
    line(range, RANGE, 1.5),
    ...ends,
    line(interval, COLOUR, 4),
    `<circle cx="${at(x(value))}" cy="${at(y)}" r="4.5" fill="${stands ? COLOUR : '#ffffff'}" stroke="${COLOUR}" stroke-width="2"/>`,
    svgText(WIDTH - 12, y + 4, `${value > 0 ? '+' : ''}${printNumber(value, 'mean')}`, `text-anchor="end" fill="${COLOUR}"`),
  ];
}

/** Whole tens around all that is drawn, with 0 among them. */
function bounds(marks: readonly Mark[]): [number, number] {
  const all = marks.flatMap(({ value, interval, range }) => [value, ...interval, ...range, 0]);
  const low = Math.floor(Math.min(...all) / 10) * 10;
  const high = Math.ceil(Math.max(...all) / 10) * 10;
  return low === high ? [low, low + 10] : [low, high];
}

function ticks(low: number, high: number): number[] {
  const step = high - low > 100 ? 20 : high - low > 40 ? 10 : 5;
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, index) => (Math.ceil(low / step) + index) * step + 0);
}
