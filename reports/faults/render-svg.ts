// The table of faults to be looked at: a square a cell, its colour and a letter for what came of it, so that it can be read without colours. Same records, same bytes.
import { FAULT_RESPONSES, type FaultResponse } from '../../metrics/fault-response.ts';
import { svgDocument, svgText } from '../svg.ts';
import { type FaultMatrix, type FaultRow, SHORT } from './fault-matrix.ts';

interface Mark {
  readonly letter: string;
  readonly ground: string;
  readonly ink: string;
}

const INK = '#1a1a1a';
const FAINT = '#4a4a4a';
const ON_BAD = '#ffffff';
const BAD = '#b8372b';

/** Capitals for what a person should see first, as in the words. */
const MARKS: Readonly<Record<FaultResponse, Mark>> = {
  recovered: { letter: 'o', ground: '#cbead0', ink: INK },
  'fed-back': { letter: 'f', ground: '#a5dbd2', ink: INK },
  'clear-error': { letter: 'e', ground: '#f6dd92', ink: INK },
  'silent-wrong': { letter: 'S', ground: BAD, ink: ON_BAD },
  crash: { letter: 'C', ground: BAD, ink: ON_BAD },
  hang: { letter: 'H', ground: BAD, ink: ON_BAD },
  'stray-work': { letter: 'Y', ground: BAD, ink: ON_BAD },
  'still-waiting': { letter: 'w', ground: '#c6d5f4', ink: INK },
};

const IN_THE_DARK = { '#cbead0': '#24572f', '#a5dbd2': '#1a5850', '#f6dd92': '#665518', [BAD]: '#ee8379', '#c6d5f4': '#2f4878' };

const LABELS = 176;
const RIGHT = 96;
const CELL = { width: 26, height: 18 };
const PANEL_GAP = 28;
const GROUP = 24;
const LEGEND = { top: 44, step: 104, each: 4, height: 22 };

export function renderFaultsSvg(matrix: FaultMatrix): string {
  const columns = placed(matrix.rows);
  const last = columns.at(-1)?.x ?? LABELS;
  const width = Math.max(LEGEND.step * LEGEND.each + 32, last + CELL.width + RIGHT);
  const longest = Math.max(0, ...matrix.rows.map(({ framework }) => framework.length));
  const top = LEGEND.top + 2 * LEGEND.height + 30 + longest * LETTER;
  const lines = heads(columns, top);
  const squares = legend();
  let y = top;
  let group: string | undefined;
  for (const fault of matrix.faults) {
    if (fault.group !== group) {
      y += GROUP;
      lines.push(svgText(16, y - 6, fault.group, `font-weight="bold" fill="${FAINT}"`));
    }
    group = fault.group;
    lines.push(svgText(16, y + 13, fault.id, `fill="${INK}"`));
    for (const { row, x } of columns) {
      const response = row.cells[fault.id]?.response;
      if (response !== undefined) squares.push(...square(x, y, response));
    }
    y += CELL.height;
  }
  lines.push(`<g text-anchor="middle" font-size="11">`, ...squares, '</g>');
  lines.push(svgText(16, y + 22, `A scripted model: no measurement of a real one. Node ${matrix.node.replace(/^v/, '')}, ${matrix.date}.`, `fill="${FAINT}"`));
  return svgDocument(width, y + 36, 'What each framework does with each fault', lines, IN_THE_DARK);
}

/** For those who do not see the picture: how often each came. */
export function faultsInWords({ rows, faults }: FaultMatrix): string {
  const found = rows.flatMap(({ cells }) => faults.flatMap(({ id }) => cells[id]?.response ?? []));
  const counts = FAULT_RESPONSES.map((response) => `${found.filter((one) => one === response).length} ${SHORT[response]}`);
  return `A square for each of ${found.length} cells, ${faults.length} faults by ${rows.length} rows: ${counts.join(', ')}`;
}

/** Height of one letter of a name that is written upwards, about. */
const LETTER = 5.6;

interface Placed {
  readonly row: FaultRow;
  readonly x: number;
}

/** Settings beside each other, with room between them. */
function placed(rows: readonly FaultRow[]): Placed[] {
  let x = LABELS - CELL.width;
  return rows.map((row, at) => {
    x += CELL.width + (at > 0 && rows[at - 1]?.settings !== row.settings ? PANEL_GAP : 0);
    return { row, x };
  });
}

function legend(): string[] {
  return FAULT_RESPONSES.flatMap((response, at) => {
    const x = 16 + (at % LEGEND.each) * LEGEND.step;
    const y = LEGEND.top + Math.floor(at / LEGEND.each) * LEGEND.height;
    return [...square(x, y, response), svgText(x + CELL.width + 6, y + 13, SHORT[response], `text-anchor="start" font-size="12" fill="${INK}"`)];
  });
}

function heads(columns: readonly Placed[], bottom: number): string[] {
  return columns.flatMap(({ row, x }, at) => {
    const [middle, y] = [x + CELL.width / 2 + 4, bottom + GROUP - 6];
    const name = svgText(middle, y, row.framework, `transform="rotate(-60 ${middle} ${y})" fill="${INK}"`);
    if (at > 0 && columns[at - 1]?.row.settings === row.settings) return [name];
    return [name, svgText(x, LEGEND.top + 2 * LEGEND.height + 20, row.settings, `font-weight="bold" fill="${INK}"`)];
  });
}

function square(x: number, y: number, response: FaultResponse): string[] {
  const { letter, ground, ink } = MARKS[response];
  const [width, height] = [CELL.width - 2, CELL.height - 2];
  return [`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${ground}"/>`, svgText(x + width / 2, y + 12, letter, `fill="${ink}"`)];
}
