// The tool `read_spreadsheet`: sheets of a workbook (or a CSV file) as numbered rows.
import type { ShelfFile } from './attachment-shelf.ts';
import { readApart } from './reader-pool.ts';
import type { TextCache } from './text-cache.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';
import { Finding } from './tool-error.ts';
import type { Sheet } from './workbook.ts';

export const readSpreadsheet: Tool = {
  schema: toolSchema(
    'read_spreadsheet',
    'Reads a workbook (xlsx, xls, ods) or a csv file of this task: its sheets with numbered rows, cells parted by " | ", coloured cells marked like {green}; formulas, merged ranges and comments follow. A file within a zip archive is named ARCHIVE.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the file, for example attachment-1.xlsx' },
      sheet: { type: 'string', description: 'Name of the only sheet to read; all if left out' },
      first_row: { type: 'integer', description: 'First row to read, from 1; the beginning if left out' },
      last_row: { type: 'integer', description: 'Last row to read; the end if left out' },
      part: { type: 'integer', description: 'Which part of a text that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const sheets = await workbookSheets(file, cache);
    const wanted = stringOf(given, 'sheet').trim();
    const chosen = wanted === '' ? sheets : sheets.filter((sheet) => sheet.name.toLowerCase() === wanted.toLowerCase());
    if (chosen.length === 0)
      throw new Finding(`There is no sheet "${wanted}" in ${file.name}. Its sheets are ${sheets.map((sheet) => sheet.name).join(', ')}.`);
    const first = integerOf(given, 'first_row') ?? 1;
    const last = integerOf(given, 'last_row') ?? Number.POSITIVE_INFINITY;
    const head = `Workbook: ${file.name}, sheets: ${sheets.map((sheet) => sheet.name + (sheet.hidden ? ' (hidden)' : '')).join(', ')}`;
    return windowText([head, ...chosen.map((sheet) => renderSheet(sheet, first, last))].join('\n'), 'part', integerOf(given, 'part'));
  },
};

function workbookSheets(file: ShelfFile, cache: TextCache): Promise<Sheet[]> {
  return cache.get({
    reader: `workbook-3 ${file.name}`,
    source: file.source,
    bytes: () => file.bytes(),
    read: (bytes) => readApart('workbook', file, bytes),
    onDisk: true,
  });
}

function renderSheet({ name, columns, firstRow, lastRow, rows, remarks }: Sheet, first: number, last: number): string {
  if (rows.length === 0) return `Sheet "${name}", empty`;
  const lines = rows
    .filter(([row]) => row >= first && row <= last)
    .map(([row, cells, fill]) => `Row ${row}${fill === undefined ? '' : ` {${fill}}`}: ${cells.join(' | ')}`);
  if (lines.length === 0) lines.push('(no rows in this range)');
  return [`Sheet "${name}", rows ${firstRow}-${lastRow}, columns ${columns}`, ...lines, ...remarks].join('\n');
}
