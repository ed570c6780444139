// A report as JSON: `{manifest, headline, tables}`. An unknown is an absent key; a number that JSON cannot hold is an error of ours, never a null.
import { GaugeError } from '../../base/error.ts';
import type { Report, Table } from '../report.ts';
import { inPieces } from './in-pieces.ts';

/** @throws GaugeError `REPORT_NUMBER` naming the place of a number that is not finite */
export function renderJson(report: Report): string {
  return [...jsonPieces(report)].join('');
}

/** What `renderJson` gives, in pieces. @throws GaugeError as there, before the first */
export function* jsonPieces({ manifest, headline, tables }: Report): Generator<string> {
  assertFinite(tables, 'tables');
  yield `{\n  "manifest": ${spelt(manifest, 2)},\n  "headline": ${spelt(headline, 2)},\n  "tables": {`;
  let between = '';
  for (const [name, table] of Object.entries(tables)) {
    yield `${between}\n    ${JSON.stringify(name)}: `;
    yield* tablePieces(table);
    between = ',';
  }
  yield between === '' ? '}\n}\n' : '\n  }\n}\n';
}

function* tablePieces({ id: _, ...table }: Table): Generator<string> {
  const frame = spelt({ ...table, rows: [] }, 4);
  if (table.rows.length === 0) return yield frame;
  // No text holds a line break as it is, so that this stands in the frame once.
  const place = '\n      "rows": [';
  const [head, tail] = frame.split(place);
  yield `${head}${place}`;
  let between = '';
  for (const rows of inPieces(table.rows)) {
    yield between + rows.map((row) => `\n        ${spelt(row, 8)}`).join(',');
    between = ',';
  }
  yield `\n      ${tail}`;
}

function spelt(value: unknown, indent: number): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

function assertFinite(value: unknown, place: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new GaugeError('REPORT_NUMBER', `${place} is ${value}, which JSON cannot hold`, { remedy: 'Leave the cell out; this is a defect of the table.' });
  }
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) assertFinite(member, `${place}.${key}`);
}
