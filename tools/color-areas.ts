// Which colours a picture has, and where one of them fills an area: bars of a chart, marks of a legend. On a coarse grid, in whole numbers, so that every
// machine says the same.
import { colorName } from './color-name.ts';
import type { Pixels } from './decode-image.ts';

export interface ColorArea {
  readonly color: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Whether nothing but this colour is inside its bounds. */
  readonly solid: boolean;
}

/** Pixels between two points that are looked at. */
const GRID = 4;
const MIN_CELLS = 24;
const MAX_AREAS = 60;

export interface ColorFacts {
  /** Share of the whole in percent, largest first, those above half a percent. */
  readonly shares: readonly (readonly [color: string, percent: number])[];
  readonly areas: readonly ColorArea[];
}

export function colorFacts({ width, height, data }: Pixels): ColorFacts {
  const [columns, rows] = [Math.ceil(width / GRID), Math.ceil(height / GRID)];
  const names: string[] = new Array(columns * rows);
  const counts = new Map<string, number>();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = 3 * (row * GRID * width + column * GRID);
      const name = colorName(data[at] as number, data[at + 1] as number, data[at + 2] as number);
      names[row * columns + column] = name;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const shares = [...counts]
    .map(([name, count]) => [name, Math.round((1_000 * count) / names.length) / 10] as const)
    .filter(([, percent]) => percent >= 0.5)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { shares, areas: areasOf(names, columns, rows) };
}

const GROUNDS = new Set(['white', 'black', 'grey']);

/** Connected cells of one colour, by a flood over the grid. */
function areasOf(names: readonly string[], columns: number, rows: number): ColorArea[] {
  const seen = new Uint8Array(names.length);
  const areas: ColorArea[] = [];
  for (let start = 0; start < names.length; start++) {
    const color = names[start] as string;
    if (seen[start] || GROUNDS.has(color)) continue;
    const open = [start];
    seen[start] = 1;
    let [cells, left, right, top, bottom] = [0, columns, 0, rows, 0];
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const [column, row] = [cell % columns, Math.floor(cell / columns)];
      cells += 1;
      [left, right, top, bottom] = [Math.min(left, column), Math.max(right, column), Math.min(top, row), Math.max(bottom, row)];
      const around = [column > 0 ? cell - 1 : -1, column + 1 < columns ? cell + 1 : -1, cell - columns, cell + columns];
      for (const next of around) {
        if (next < 0 || next >= names.length || seen[next] || names[next] !== color) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
    const [wide, high] = [right - left + 1, bottom - top + 1];
    if (cells < MIN_CELLS || areas.length >= MAX_AREAS) continue;
    areas.push({ color, left: left * GRID, top: top * GRID, width: wide * GRID, height: high * GRID, solid: cells >= 0.95 * wide * high });
  }
  return areas;
}
