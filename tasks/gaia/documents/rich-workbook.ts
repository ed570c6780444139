// An Excel workbook with what plain writers leave out: fills, merged cells, formulas with their stored values, real dates, hidden sheets. Own XML, packed by
// fflate: SheetJS writes no styles, and the libraries that do put the time into their files.
import type { AttachedFile } from '../template.ts';
import { daysBetween } from '../world/calendar.ts';
import { zipOf } from './archive.ts';
import { OFFICE, officeShell, relations, xmlEscaped, xmlParts } from './xml-text.ts';

/** `fill` as `RRGGBB`; a date as `YYYY-MM-DD`; a formula without its equals sign, beside the value that was stored for it. */
export type RichCell =
  | string
  | number
  | { readonly value?: string | number; readonly date?: string; readonly formula?: string; readonly fill?: string }
  | undefined;

export interface RichSheet {
  readonly name: string;
  readonly hidden?: true;
  readonly rows: readonly (readonly RichCell[])[];
  /** Ranges such as `A2:A4`. */
  readonly merges?: readonly string[];
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export function richWorkbook(sheets: readonly RichSheet[], title: string): AttachedFile {
  const strings: string[] = [];
  const fills: string[] = [];
  const worksheets = sheets.map((sheet) => sheetXml(sheet, strings, fills));
  const paths = sheets.map((_, i) => `xl/worksheets/sheet${i + 1}.xml`);
  const parts = {
    ...officeShell(title, 'xl/workbook.xml', {
      'xl/workbook.xml': `${TYPE}.sheet.main+xml`,
      'xl/styles.xml': `${TYPE}.styles+xml`,
      'xl/sharedStrings.xml': `${TYPE}.sharedStrings+xml`,
      ...Object.fromEntries(paths.map((path) => [path, `${TYPE}.worksheet+xml`])),
    }),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets>${sheets.map(({ name, hidden }, i) => `<sheet name="${xmlEscaped(name)}" sheetId="${i + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...paths.map((path) => [`${OFFICE}/relationships/worksheet`, path.slice(3)] as const),
      [`${OFFICE}/relationships/styles`, 'styles.xml'],
      [`${OFFICE}/relationships/sharedStrings`, 'sharedStrings.xml'],
    ]),
    ...Object.fromEntries(paths.map((path, i) => [path, worksheets[i] as string])),
    'xl/styles.xml': stylesXml(fills),
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}" uniqueCount="${strings.length}">${strings.map((text) => `<si><t xml:space="preserve">${xmlEscaped(text)}</t></si>`).join('')}</sst>`,
  };
  return { extension: 'xlsx', bytes: zipOf(xmlParts(parts)) };
}

function sheetXml({ rows, merges = [] }: RichSheet, strings: string[], fills: string[]): string {
  const lines = rows.map((row, y) => {
    const cells = row.map((cell, x) => (cell === undefined ? '' : cellXml(cell, `${columnName(x)}${y + 1}`, strings, fills)));
    return `<row r="${y + 1}">${cells.join('')}</row>`;
  });
  const merged =
    merges.length === 0 ? '' : `<mergeCells count="${merges.length}">${merges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;
  return `<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="28" customWidth="1"/></cols><sheetData>${lines.join('')}</sheetData>${merged}</worksheet>`;
}

function cellXml(cell: Exclude<RichCell, undefined>, address: string, strings: string[], fills: string[]): string {
  const { value, date, formula, fill } = typeof cell === 'object' ? cell : { value: cell };
  const style = styleOf(fill, date !== undefined, fills);
  const head = `<c r="${address}"${style === 0 ? '' : ` s="${style}"`}`;
  if (date !== undefined) return `${head}><v>${daysBetween('1899-12-30', date)}</v></c>`;
  if (value === undefined) return `${head}/>`;
  const calculated = formula === undefined ? '' : `<f>${xmlEscaped(formula)}</f>`;
  if (typeof value === 'number') return `${head}>${calculated}<v>${value}</v></c>`;
  if (!strings.includes(value)) strings.push(value);
  return `${head} t="s"><v>${strings.indexOf(value)}</v></c>`;
}

/** Styles come in pairs, a fill without and with a date; the first pair has no fill. */
function styleOf(fill: string | undefined, isDate: boolean, fills: string[]): number {
  if (fill !== undefined && !fills.includes(fill)) fills.push(fill);
  return 2 * (fill === undefined ? 0 : fills.indexOf(fill) + 1) + (isDate ? 1 : 0);
}

function stylesXml(fills: readonly string[]): string {
  const patterns = [
    '<patternFill patternType="none"/>',
    '<patternFill patternType="gray125"/>',
    ...fills.map((fill) => `<patternFill patternType="solid"><fgColor rgb="FF${fill}"/><bgColor indexed="64"/></patternFill>`),
  ];
  const formats = [0, ...fills.map((_, i) => i + 2)].flatMap((fill) =>
    [0, 14].map(
      (format) =>
        `<xf numFmtId="${format}" fontId="0" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="${format === 0 ? 0 : 1}" applyFill="${fill === 0 ? 0 : 1}"/>`,
    ),
  );
  return `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Arial"/></font></fonts><fills count="${patterns.length}">${patterns.map((pattern) => `<fill>${pattern}</fill>`).join('')}</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join('')}</cellXfs></styleSheet>`;
}

function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26);
}
