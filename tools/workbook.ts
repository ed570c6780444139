// Workbooks (xlsx, xls, ods) and CSV files as rows of text cells: formulas by their stored values (and apart, as they are), dates as ISO, numbers in full,
// fills by their colour, merged cells repeated downwards.
import type { CellObject, Range, WorkBook, WorkSheet } from '@e965/xlsx';
import { measureArchive } from './archive.ts';
import { colorName } from './color-name.ts';
import { decodeText, guessRemark } from './decode-text.ts';
import { isEncryptedOffice } from './office-encryption.ts';
import { Finding, loadPackage } from './tool-error.ts';

export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Columns from the first used one to the last, such as `A-E`; empty when nothing is used. */
  readonly columns: string;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Rows that hold anything: their number, from 1, their cells from the first used column on, and the colour that fills all of them, if one does. */
  readonly rows: readonly (readonly [row: number, cells: readonly string[], fill?: string])[];
  /** What stands under the rows: formulas, merged ranges, shades, hidden rows and columns, comments. */
  readonly remarks: readonly string[];
}

type Library = typeof import('@e965/xlsx');

/** A workbook that unpacks to more is a bomb or no task for an agent. */
const MAX_UNPACKED_BYTES = 100_000_000;
/** Cells are what takes time and memory; a sheet may hold a million of them that say nothing. */
const MAX_CELLS = 500_000;
const MAX_CSV_BYTES = 20_000_000;

/** @throws Finding when the file is encrypted, damaged, too large or no table at all */
export async function readWorkbook(name: string, extension: string, bytes: Uint8Array): Promise<Sheet[]> {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const isZip = head === '504b0304';
  if (!isZip && head !== 'd0cf11e0') {
    if (['csv', 'tsv', 'txt'].includes(extension)) return [await readCsv(name, bytes)];
    throw new Finding(`${name} cannot be read as a workbook: it is damaged or of another kind.`);
  }
  if (isZip) await refuseTooLarge(name, bytes);
  else if (isEncryptedOffice(bytes)) throw new Finding(`${name} is encrypted and needs a password, so it cannot be read.`);
  const library = await loadPackage('@e965/xlsx', () => import('@e965/xlsx'));
  const book = parse(library, name, bytes);
  const from1904 = book.Workbook?.WBProps?.date1904 === true;
  return book.SheetNames.map((sheetName, i) => {
    const sheet = book.Sheets[sheetName];
    const hidden = (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) !== 0;
    return sheet ? readSheet(library, sheetName, hidden, sheet, from1904) : emptySheet(sheetName, hidden);
  });
}

async function refuseTooLarge(name: string, bytes: Uint8Array): Promise<void> {
  const measured = await measureArchive(name, bytes, { mark: '<c ', maxBytes: MAX_UNPACKED_BYTES, maxMarks: MAX_CELLS });
  if (measured.bytes > MAX_UNPACKED_BYTES) throw new Finding(`${name} unpacks to more than ${MAX_UNPACKED_BYTES / 1e6} MB and is not read.`);
  if (measured.marks > MAX_CELLS) throw new Finding(`${name} has more than ${MAX_CELLS.toLocaleString('en')} cells, filled or not, and is not read.`);
}

function parse(library: Library, name: string, bytes: Uint8Array): WorkBook {
  try {
    const book = library.read(bytes, { type: 'array', cellNF: true, cellDates: false, cellText: false, cellHTML: false, cellStyles: true, sheetStubs: true });
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
  const cells: Used[] = [];
  const { encode_cell: at, encode_col: columnOf } = library.utils;
  const formulas: string[] = [];
  const comments: string[] = [];
  let filled = 0;
  for (const [address, entry] of Object.entries(sheet)) {
    if (address.startsWith('!')) continue;
    const cell = entry as StyledCell;
    const { r: row, c: column } = library.utils.decode_cell(address);
    const text = cellText(library, cell, from1904);
    const shade = shadeOf(cell);
    // Some writers store a formula without what it comes to.
    if (cell.f !== undefined) formulas.push(`${address} =${cell.f}`);
    for (const { t: comment } of cell.c ?? []) comments.push(`${address} "${collapsed(comment ?? '')}"`);
    // A sheet that is coloured without end is mostly empty: only so many blank cells count.
    if (text === '' && cell.f === undefined && (shade === undefined || ++filled > MAX_BLANK_FILLED)) continue;
    cells.push({ row, column, text, ...(shade === undefined ? {} : { shade }) });
  }
  const merges = sheet['!merges'] ?? [];
  cells.push(...mergedDown(cells, merges));
  if (cells.length === 0) return emptySheet(name, hidden);
  let [firstColumn, lastColumn] = [Number.POSITIVE_INFINITY, 0];
  const byRow = new Map<number, Used[]>();
  for (const cell of cells) {
    firstColumn = Math.min(firstColumn, cell.column);
    lastColumn = Math.max(lastColumn, cell.column);
    const line = byRow.get(cell.row);
    if (line) line.push(cell);
    else byRow.set(cell.row, [cell]);
  }
  const rows = [...byRow].sort(([a], [b]) => a - b).map(([row, line]) => rowOf(row, line, firstColumn));
  const shades = new Map(cells.flatMap(({ shade }) => (shade ? [[shade.hex, shade] as const] : [])));
  const hiddenRows = hiddenOf(sheet['!rows'], (row) => String(row + 1));
  const hiddenColumns = hiddenOf(sheet['!cols'], columnOf);
  const remarks = [
    remark('Formulas', formulas),
    remark(
      'Merged',
      merges.map(({ s: start, e: end }) => `${at(start)}:${at(end)}`),
    ),
    remark(
      'Shades',
      [...shades.values()].map((shade) => `{${shade.name}} #${shade.hex}`),
    ),
    remark('Hidden rows', hiddenRows),
    remark('Hidden columns', hiddenColumns),
    remark('Comments', comments),
  ].filter((line) => line !== '');
  return {
    name,
    hidden,
    columns: `${columnOf(firstColumn)}-${columnOf(lastColumn)}`,
    firstRow: rows[0]?.[0] ?? 0,
    lastRow: rows.at(-1)?.[0] ?? 0,
    rows,
    remarks,
  };
}

type StyledCell = CellObject & { readonly s?: { readonly patternType?: string; readonly fgColor?: { readonly rgb?: string } } };

interface Shade {
  readonly name: string;
  readonly hex: string;
}

interface Used {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly shade?: Shade;
}

const MAX_BLANK_FILLED = 20_000;
const MAX_REMARKS = 200;

/** White is what paper looks like anyway. */
function shadeOf({ s: style }: StyledCell): Shade | undefined {
  const hex = style?.fgColor?.rgb?.slice(-6).toUpperCase();
  if (style?.patternType === undefined || style.patternType === 'none' || hex === undefined || !/^[0-9A-F]{6}$/.test(hex) || hex === 'FFFFFF') return undefined;
  const [red, green, blue] = [0, 2, 4].map((from) => Number.parseInt(hex.slice(from, from + 2), 16)) as [number, number, number];
  return { name: colorName(red, green, blue), hex };
}

/** What a merged cell says, for each further row that it covers, so that a row can be read by itself. */
function mergedDown(cells: readonly Used[], merges: readonly Range[]): Used[] {
  if (merges.length === 0) return [];
  const first = new Map(cells.map((cell) => [`${cell.row},${cell.column}`, cell]));
  let left = MAX_BLANK_FILLED;
  return merges.flatMap(({ s: { r: top, c: column }, e: { r: bottom } }) => {
    const cell = first.get(`${top},${column}`);
    const further = Math.min(bottom - top, left);
    if (!cell || further <= 0) return [];
    left -= further;
    return Array.from({ length: further }, (_, i) => ({ ...cell, row: top + 1 + i }));
  });
}

/** A colour that fills the whole row is said once. */
function rowOf(row: number, line: readonly Used[], firstColumn: number): Sheet['rows'][number] {
  const names = new Set(line.map(({ shade }) => shade?.name));
  const [only] = names;
  const whole = names.size === 1 && line.length > 1 ? only : undefined;
  const texts: string[] = [];
  for (const { column, text, shade } of line)
    texts[column - firstColumn] = shade === undefined || whole !== undefined ? text : `${text} {${shade.name}}`.trim();
  const cells = Array.from(texts, (text) => text ?? '');
  return whole === undefined ? [row + 1, cells] : [row + 1, cells, whole];
}

function hiddenOf(entries: readonly ({ readonly hidden?: boolean } | undefined)[] | undefined, name: (index: number) => string): string[] {
  const hidden: string[] = [];
  entries?.forEach((entry, index) => {
    if (entry?.hidden) hidden.push(name(index));
  });
  return hidden;
}

function remark(what: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  const more = entries.length > MAX_REMARKS ? `; and ${entries.length - MAX_REMARKS} more` : '';
  return `${what}: ${entries.slice(0, MAX_REMARKS).join('; ')}${more}`;
}

/** A cell stays on its row's line; where it broke is marked. */
function collapsed(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, '↵');
}

function emptySheet(name: string, hidden: boolean): Sheet {
  return { name, hidden, columns: '', firstRow: 0, lastRow: 0, rows: [], remarks: [] };
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
      return collapsed(String(value));
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
  const { text, isText, guessed } = decodeText(bytes);
  if (!isText) throw new Finding(`${name} cannot be read as a table: it is no text.`);
  const { parse: parseCsv } = await loadPackage('csv-parse', () => import('csv-parse/sync'));
  const records: string[][] = parseCsv(text, { delimiter: delimiterOf(text), relax_column_count: true, relax_quotes: true, skip_empty_lines: false });
  const rows: (readonly [number, readonly string[]])[] = [];
  let width = 0;
  for (const [i, record] of records.entries()) {
    const cells = record.map(collapsed);
    while (cells.at(-1) === '') cells.pop();
    if (cells.length === 0) continue;
    width = Math.max(width, cells.length);
    rows.push([i + 1, cells]);
  }
  if (rows.length === 0) return emptySheet('CSV', false);
  const [firstRow, lastRow] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0];
  const remarks = guessed === undefined ? [] : [guessRemark(guessed)];
  return { name: 'CSV', hidden: false, columns: `A-${columnName(width)}`, firstRow, lastRow, rows, remarks };
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
