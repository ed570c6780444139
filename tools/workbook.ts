// Workbooks (xlsx, xls, ods) and CSV files as rows of text cells: formulas by their stored values, dates as ISO, numbers in full.
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { unpackedWithin } from './archive.ts';
import { decodeText } from './decode-text.ts';
import { Finding, loadPackage } from './tool-error.ts';

export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Columns from the first used one to the last, such as `A-E`; empty when nothing is used. */
  readonly columns: string;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Rows that hold anything: their number, from 1, and their cells from the first used column on. */
  readonly rows: readonly (readonly [number, readonly string[]])[];
}

type Library = typeof import('@e965/xlsx');

/** A workbook that unpacks to more is a bomb or no task for an agent. */
const MAX_UNPACKED_BYTES = 200_000_000;
const MAX_CSV_BYTES = 20_000_000;

/** @throws Finding when the file is encrypted, damaged, too large or no table at all */
export async function readWorkbook(name: string, extension: string, bytes: Uint8Array): Promise<Sheet[]> {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const isZip = head === '504b0304';
  if (!isZip && head !== 'd0cf11e0') {
    if (['csv', 'tsv', 'txt'].includes(extension)) return [await readCsv(name, bytes)];
    throw new Finding(`${name} cannot be read as a workbook: it is damaged or of another kind.`);
  }
  if (isZip && !(await unpackedWithin(name, bytes, MAX_UNPACKED_BYTES)))
    throw new Finding(`${name} unpacks to more than ${MAX_UNPACKED_BYTES / 1e6} MB and is not read.`);
  const library = await loadPackage('@e965/xlsx', () => import('@e965/xlsx'));
  const book = parse(library, name, bytes);
  const from1904 = book.Workbook?.WBProps?.date1904 === true;
  return book.SheetNames.map((sheetName, i) => {
    const sheet = book.Sheets[sheetName];
    const hidden = (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) !== 0;
    return sheet ? readSheet(library, sheetName, hidden, sheet, from1904) : emptySheet(sheetName, hidden);
  });
}

function parse(library: Library, name: string, bytes: Uint8Array): WorkBook {
  try {
    const book = library.read(bytes, { type: 'array', cellNF: true, cellDates: false, cellText: false, cellHTML: false });
    if (book.SheetNames.length > 0) return book;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    if (/password|encrypt/i.test(message)) throw new Finding(`${name} is encrypted and needs a password, so it cannot be read.`);
    throw new Finding(`${name} cannot be read as a workbook: ${message}.`);
  }
  throw new Finding(`${name} cannot be read as a workbook: it holds no sheets.`);
}

function readSheet(library: Library, name: string, hidden: boolean, sheet: WorkSheet, from1904: boolean): Sheet {
  // The declared range may be far larger than what is used, so the cells decide.
  const cells: { row: number; column: number; text: string }[] = [];
  for (const [address, cell] of Object.entries(sheet)) {
    if (address.startsWith('!')) continue;
    const { r, c } = library.utils.decode_cell(address);
    const text = cellText(library, cell as CellObject, from1904);
    if (text !== '') cells.push({ row: r, column: c, text });
  }
  if (cells.length === 0) return emptySheet(name, hidden);
  let [firstColumn, lastColumn] = [Number.POSITIVE_INFINITY, 0];
  const byRow = new Map<number, string[]>();
  for (const { column } of cells) {
    firstColumn = Math.min(firstColumn, column);
    lastColumn = Math.max(lastColumn, column);
  }
  for (const { row, column, text } of cells) {
    const line = byRow.get(row) ?? [];
    line[column - firstColumn] = text;
    byRow.set(row, line);
  }
  const rows = [...byRow].sort(([a], [b]) => a - b).map(([row, line]) => [row + 1, Array.from(line, (text) => text ?? '')] as const);
  const columns = `${library.utils.encode_col(firstColumn)}-${library.utils.encode_col(lastColumn)}`;
  return { name, hidden, columns, firstRow: rows[0]?.[0] ?? 0, lastRow: rows.at(-1)?.[0] ?? 0, rows };
}

function emptySheet(name: string, hidden: boolean): Sheet {
  return { name, hidden, columns: '', firstRow: 0, lastRow: 0, rows: [] };
}

function cellText(library: Library, cell: CellObject, from1904: boolean): string {
  const { t: type, v: value, z: format } = cell;
  if (value === undefined || value === null) return '';
  switch (type) {
    case 'b':
      return value === true ? 'TRUE' : 'FALSE';
    case 'e':
      return cell.w ?? ERRORS.get(Number(value)) ?? '#ERROR!';
    case 'n':
      if (format !== undefined && library.SSF.is_date(String(format))) return dateText(library, Number(value), from1904);
      return numberText(Number(value));
    default:
      return String(value)
        .replace(/\s*\n\s*/g, ' ')
        .trim();
  }
}

const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

/** Fifteen digits, as spreadsheets keep: 0.1 + 0.2 reads 0.3. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** From the serial number, so that no time zone can move a day. */
function dateText(library: Library, serial: number, from1904: boolean): string {
  const parts: { y: number; m: number; d: number; H: number; M: number; S: number } | null = library.SSF.parse_date_code(serial, { date1904: from1904 });
  if (!parts) return numberText(serial);
  const two = (n: number) => String(n).padStart(2, '0');
  const time = `${two(parts.H)}:${two(parts.M)}:${two(Math.floor(parts.S))}`;
  if (serial < 1) return time;
  const day = `${String(parts.y).padStart(4, '0')}-${two(parts.m)}-${two(parts.d)}`;
  return time === '00:00:00' ? day : `${day}T${time}`;
}

async function readCsv(name: string, bytes: Uint8Array): Promise<Sheet> {
  if (bytes.length > MAX_CSV_BYTES)
    throw new Finding(`${name} has ${bytes.length} bytes, more than is read as a table. Use read_text with start_line and end_line.`);
  const { text, isText } = decodeText(bytes);
  if (!isText) throw new Finding(`${name} cannot be read as a table: it is no text.`);
  const { parse: parseCsv } = await loadPackage('csv-parse', () => import('csv-parse/sync'));
  const records: string[][] = parseCsv(text, { delimiter: delimiterOf(text), relax_column_count: true, relax_quotes: true, skip_empty_lines: false });
  const rows: (readonly [number, readonly string[]])[] = [];
  let width = 0;
  for (const [i, record] of records.entries()) {
    const cells = record.map((cell) => cell.replace(/\s*\n\s*/g, ' ').trim());
    while (cells.at(-1) === '') cells.pop();
    if (cells.length === 0) continue;
    width = Math.max(width, cells.length);
    rows.push([i + 1, cells]);
  }
  if (rows.length === 0) return emptySheet('CSV', false);
  return { name: 'CSV', hidden: false, columns: `A-${columnName(width)}`, firstRow: rows[0]?.[0] ?? 0, lastRow: rows.at(-1)?.[0] ?? 0, rows };
}

/** The mark that parts the first line most often. */
function delimiterOf(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .replace(/"[^"]*"/g, '')
      .split('\n', 1)[0] ?? '';
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

function columnName(number: number): string {
  return number <= 26 ? String.fromCharCode(64 + number) : columnName(Math.floor((number - 1) / 26)) + columnName(((number - 1) % 26) + 1);
}
