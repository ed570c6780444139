// The table of faults for a terminal: a count of each row first, then all cells, folded into as many columns as fit. Colours only when asked for.
import { FAULT_RESPONSES, type FaultResponse } from '../../metrics/fault-response.ts';
import { captionOf, type FaultMatrix, type FaultRow, figures, MEANING, notesOf, SHORT } from './fault-matrix.ts';

const COLOURS: Readonly<Record<FaultResponse, number>> = {
  recovered: 32,
  'fed-back': 32,
  'clear-error': 33,
  'silent-wrong': 31,
  crash: 31,
  hang: 31,
  'stray-work': 31,
  'still-waiting': 36,
};
const GAP = 2;
const NARROWEST = 60;

export function renderFaultsTerminal(matrix: FaultMatrix, { columns, colour }: { readonly columns: number; readonly colour: boolean }): string {
  const width = Math.max(NARROWEST, columns);
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const bold = (text: string) => paint(text, 1);
  const lines: string[] = [bold('What each framework does with each fault'), ...wrap(captionOf(matrix), width), ''];
  for (const response of FAULT_RESPONSES) lines.push(`  ${paint(SHORT[response].padEnd(9), COLOURS[response])} ${response}: ${MEANING[response]}`);
  lines.push('', ...counts(matrix, paint, bold), '');
  const labelWidth = Math.max(5, ...matrix.faults.map(({ id }) => id.length));
  for (const rows of panels(matrix, width - labelWidth)) lines.push(...panel(matrix, rows, labelWidth, paint, bold), '');
  lines.push(...notesOf(matrix).flatMap((note) => wrap(`- ${note}`, width).map((line, at) => (at === 0 ? line : `  ${line}`))));
  return `${lines.join('\n').trimEnd()}\n`;
}

type Paint = (text: string, code: number) => string;

function counts({ rows, faults }: FaultMatrix, paint: Paint, bold: (text: string) => string): string[] {
  const label = Math.max(3, ...rows.map(({ id }) => id.length));
  const head = `${'row'.padEnd(label)}${FAULT_RESPONSES.map((response) => SHORT[response].padStart(10)).join('')}${'of'.padStart(6)}`;
  return [
    bold(head),
    ...rows.map((row) => {
      const shown = FAULT_RESPONSES.map((response) => {
        const n = faults.filter(({ id }) => row.cells[id]?.response === response).length;
        return n === 0 ? '·'.padStart(10) : paint(String(n).padStart(10), COLOURS[response]);
      });
      return `${row.id.padEnd(label)}${shown.join('')}${String(faults.filter(({ id }) => row.cells[id] !== undefined).length).padStart(6)}`;
    }),
  ];
}

function cellText(row: FaultRow, fault: string): string {
  const cell = row.cells[fault];
  return cell === undefined ? '' : `${SHORT[cell.response]} ${figures(cell)}`;
}

function widthOf(matrix: FaultMatrix, row: FaultRow): number {
  return Math.max(row.framework.length, row.settings.length, ...matrix.faults.map(({ id }) => cellText(row, id).length));
}

/** One settings a panel, and no more columns than fit. */
function panels(matrix: FaultMatrix, width: number): FaultRow[][] {
  const folded: FaultRow[][] = [];
  let left = 0;
  let settings: string | undefined;
  for (const row of matrix.rows) {
    const needs = widthOf(matrix, row) + GAP;
    if (row.settings !== settings || needs > left) {
      folded.push([]);
      left = width;
      settings = row.settings;
    }
    folded.at(-1)?.push(row);
    left -= needs;
  }
  return folded;
}

function panel(matrix: FaultMatrix, rows: readonly FaultRow[], labelWidth: number, paint: Paint, bold: (text: string) => string): string[] {
  const gap = ' '.repeat(GAP);
  const line = (label: string, texts: readonly string[]) =>
    `${label.padEnd(labelWidth)}${rows.map((row, at) => gap + (texts[at] ?? '').padEnd(widthOf(matrix, row))).join('')}`.trimEnd();
  const lines = [
    bold(
      line(
        rows[0]?.settings ?? '',
        rows.map(({ framework }) => framework),
      ),
    ),
  ];
  let group: string | undefined;
  for (const fault of matrix.faults) {
    if (fault.group !== group)
      lines.push(
        '-'.repeat(
          line(
            '',
            rows.map((row) => 'x'.repeat(widthOf(matrix, row))),
          ).length,
        ),
      );
    group = fault.group;
    const texts = rows.map((row) => {
      const text = cellText(row, fault.id).padEnd(widthOf(matrix, row));
      const response = row.cells[fault.id]?.response;
      return gap + (response === undefined ? text : paint(text, COLOURS[response]));
    });
    lines.push(`${fault.id.padEnd(labelWidth)}${texts.join('')}`.trimEnd());
  }
  return lines;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length + 1 > width - 2) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
