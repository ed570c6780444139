import { readFileSync } from 'node:fs';
import * as xlsx from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { richWorkbook } from '../tasks/gaia/documents/rich-workbook.ts';
import { openTestSet, type TestSet } from './testing.ts';
import { readWorkbook } from './workbook.ts';

let set: TestSet | undefined;
afterEach(() => set?.close());

async function readSheet(name: string, content: Uint8Array | string, more: Record<string, unknown> = {}): Promise<string> {
  await set?.close();
  set = await openTestSet({ [name]: content });
  const { status, text } = await set.run('read_spreadsheet', { file: name, ...more });
  expect(status).toBe(200);
  return text;
}

const DATE = { t: 'n', v: 45356, z: 'yyyy-mm-dd' };

function workbook(bookType: 'xlsx' | 'xls' | 'ods' = 'xlsx'): Uint8Array {
  const book = xlsx.utils.book_new();
  const houses = xlsx.utils.aoa_to_sheet([
    ['Name', 'Opened', 'Visitors', 'Counted', 'Open'],
    ['Harlow House', 1987, 48210, null, true],
    [],
    ['Sum', null, null, null, null],
  ]);
  // The writer knows no other mark between the parts of a date in ods.
  houses['D2'] = bookType === 'ods' ? { ...DATE, z: 'yyyymmdd' } : DATE;
  houses['C4'] = { t: 'n', v: 0.1 + 0.2, f: '0.1+0.2' };
  if (bookType !== 'ods') houses['D4'] = { t: 'n', v: 45356.604166666664, z: 'yyyy-mm-dd hh:mm' };
  xlsx.utils.book_append_sheet(book, houses, 'Houses');
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([[], [], [null, null, 'secret | one\ntwo']]), 'Notes');
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([]), 'Empty');
  book.Workbook = { Sheets: [{}, { Hidden: 1 }, {}] };
  return new Uint8Array(xlsx.write(book, { type: 'buffer', bookType }) as Buffer);
}

describe('read_spreadsheet', () => {
  it('gives every sheet with numbered rows, dates as ISO and formulas by their stored values', async () => {
    expect(await readSheet('attachment-1.xlsx', workbook())).toBe(
      [
        'Workbook: attachment-1.xlsx, sheets: Houses, Notes (hidden), Empty',
        'Sheet "Houses", rows 1-4, columns A-E',
        'Row 1: Name | Opened | Visitors | Counted | Open',
        'Row 2: Harlow House | 1987 | 48210 | 2024-03-05 | TRUE',
        'Row 4: Sum |  | 0.3 | 2024-03-05T14:30:00',
        'Formulas: C4 =0.1+0.2',
        'Sheet "Notes", rows 3-3, columns C-C',
        'Row 3: secret | one↵two',
        'Sheet "Empty", empty',
      ].join('\n'),
    );
  });

  it.each(['xls', 'ods'] as const)('reads %s alike', async (kind) => {
    expect(await readSheet(`attachment-1.${kind}`, workbook(kind))).toContain('Row 2: Harlow House | 1987 | 48210 | 2024-03-05 | TRUE');
  });

  const coloured = () =>
    richWorkbook(
      [
        {
          name: 'Regions',
          rows: [
            ['Region', { fill: '63BE7B' }, 'H2395', { value: 5, formula: '2+3' }, { date: '2021-03-28' }],
            [undefined, { value: 'a', fill: 'FFFF00' }, 7],
            [undefined, 'b', 9],
            [
              { value: 'South', fill: 'FF0000' },
              { value: 'c', fill: 'FF0000' },
            ],
          ],
          merges: ['A1:A3'],
        },
        { name: 'Old', hidden: true, rows: [['x']] },
      ],
      'Regions',
    ).bytes;
  const coloursRead = [
    'Workbook: attachment-1.xlsx, sheets: Regions, Old (hidden)',
    'Sheet "Regions", rows 1-4, columns A-E',
    'Row 1: Region | {green} | H2395 | 5 | 2021-03-28',
    'Row 2: Region | a {yellow} | 7',
    'Row 3: Region | b | 9',
    'Row 4 {red}: South | c',
    'Formulas: D1 =2+3',
    'Merged: A1:A3',
    'Shades: {green} #63BE7B; {yellow} #FFFF00; {red} #FF0000',
    'Sheet "Old", rows 1-1, columns A-A',
    'Row 1: x',
  ].join('\n');

  it('marks fills also of empty cells, repeats merged cells downwards, and lists formulas, ranges and shades', async () => {
    expect(await readSheet('attachment-1.xlsx', coloured())).toBe(coloursRead);
  });

  it.each(['America/New_York', 'Asia/Tokyo', 'Pacific/Apia'])('shifts no date in the zone %s', async (zone) => {
    const before = process.env['TZ'];
    process.env['TZ'] = zone;
    try {
      const [sheet] = await readWorkbook('a.xlsx', 'xlsx', coloured());
      expect(sheet?.rows[0]?.[1]).toContain('2021-03-28');
      for (const kind of ['xlsx', 'xls', 'ods'] as const)
        expect(JSON.stringify(await readWorkbook(`a.${kind}`, kind, workbook(kind)))).toContain('"2024-03-05"');
      expect(JSON.stringify(await readWorkbook('a.xls', 'xls', workbook('xls')))).toContain('"2024-03-05T14:30:00"');
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });

  it('reads a text whose letters are of several styles as one text', async () => {
    const parts = unzipSync(coloured());
    const plain = strFromU8(parts['xl/sharedStrings.xml'] as Uint8Array);
    const mixed = plain.replace(/<si><t[^>]*>H2395<\/t><\/si>/, '<si><r><rPr><b/></rPr><t>H</t></r><r><t>2395</t></r></si>');
    expect(mixed).not.toBe(plain);
    expect(await readSheet('attachment-1.xlsx', zipSync({ ...parts, 'xl/sharedStrings.xml': strToU8(mixed) }))).toBe(coloursRead);
  });

  it('lists formulas whose values are not stored, and comments on cells without any', async () => {
    const book = xlsx.utils.book_new();
    const sheet = xlsx.utils.aoa_to_sheet([['a', 2]]);
    sheet['C1'] = { t: 's', v: '', f: 'B1*2' };
    sheet['D1'] = { t: 's', v: '', c: [{ t: 'see below', a: 'x' }] };
    sheet['!ref'] = 'A1:D1';
    xlsx.utils.book_append_sheet(book, sheet, 'S');
    const text = await readSheet('attachment-1.xlsx', new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer));
    expect(text).toContain('Formulas: C1 =B1*2');
    expect(text).toContain('Comments: D1 "see below"');
  });

  it('reads fills, theme colours and comments of a workbook by another writer', async () => {
    const text = await readSheet('attachment-1.xlsx', readFileSync(new URL('./fixtures/openpyxl.xlsx', import.meta.url)));
    expect(text).toContain('Row 1: mixed text | {blue}');
    expect(text).toContain('Comments: A1 "look here"');
    expect(text).toContain('Hidden rows: 3');
    expect(text).toContain('Hidden columns: D');
  });

  it('reads a sheet that claims a million rows, and refuses one that has more cells than are read', async () => {
    const ghost = (rows: string) =>
      zipSync({
        ...unzipSync(coloured()),
        'xl/worksheets/sheet1.xml': [
          strToU8(
            `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>7</v></c></row>${rows}</sheetData></worksheet>`,
          ),
          { level: 1 },
        ],
      });
    const claimed = ghost('<row r="1048576"><c r="XFD1048576"><v>8</v></c></row>');
    expect(await readSheet('attachment-1.xlsx', claimed, { last_row: 2 })).toContain('Row 1: 7');
    const filled = ghost(Array.from({ length: 520_000 }, (_, i) => `<row r="${i + 2}"><c r="A${i + 2}" s="2"/></row>`).join(''));
    expect(await readSheet('attachment-1.xlsx', filled)).toBe('attachment-1.xlsx has more than 500,000 cells, filled or not, and is not read.');
  });

  it('reads an ods file that repeats an empty row a million times', async () => {
    const parts = unzipSync(workbook('ods'));
    const content = strFromU8(parts['content.xml'] as Uint8Array);
    const ghost =
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>';
    const bytes = zipSync({ ...parts, 'content.xml': strToU8(content.replace('</table:table>', ghost)) });
    expect(await readSheet('attachment-1.ods', bytes)).toContain('Row 2: Harlow House | 1987 | 48210 | 2024-03-05 | TRUE');
  });

  it('gives one sheet and a range of rows', async () => {
    const text = await readSheet('attachment-1.xlsx', workbook(), { sheet: 'houses', first_row: 2, last_row: 3 });
    expect(text.split('\n').slice(1)).toEqual([
      'Sheet "Houses", rows 1-4, columns A-E',
      'Row 2: Harlow House | 1987 | 48210 | 2024-03-05 | TRUE',
      'Formulas: C4 =0.1+0.2',
    ]);
    expect(await readSheet('attachment-1.xlsx', workbook(), { sheet: 'Houses', first_row: 9 })).toContain('(no rows in this range)');
  });

  it('names the sheets when there is no such sheet', async () => {
    expect(await readSheet('attachment-1.xlsx', workbook(), { sheet: 'Boats' })).toBe(
      'There is no sheet "Boats" in attachment-1.xlsx. Its sheets are Houses, Notes, Empty.',
    );
  });

  it('counts dates from 1904 where the workbook does', async () => {
    const book = xlsx.utils.book_new();
    const sheet = xlsx.utils.aoa_to_sheet([[null]]);
    sheet['A1'] = { ...DATE, v: DATE.v - 1462 };
    sheet['!ref'] = 'A1:A1';
    xlsx.utils.book_append_sheet(book, sheet, 'S');
    book.Workbook = { WBProps: { date1904: true } };
    expect(await readSheet('attachment-1.xlsx', new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer))).toContain(
      'Row 1: 2024-03-05',
    );
  });

  it('reads csv files with their own delimiter, quotes and widths', async () => {
    expect(await readSheet('attachment-1.csv', '\uFEFFtown;people\n"Å; sgard";4711\n\nB;1;2\n')).toBe(
      [
        'Workbook: attachment-1.csv, sheets: CSV',
        'Sheet "CSV", rows 1-4, columns A-C',
        'Row 1: town | people',
        'Row 2: Å; sgard | 4711',
        'Row 4: B | 1 | 2',
      ].join('\n'),
    );
  });

  it.each([
    ['a byte order mark, semicolons and decimal commas', '\uFEFFid;prix\n1;3,50\n', ['Row 1: id | prix', 'Row 2: 1 | 3,50']],
    [
      'Windows-1252',
      Buffer.from('name;price\nZo\xeb;\xa35\n', 'latin1'),
      ['Row 2: Zoë | £5', '[The file is no UTF-8 and names no encoding: it was taken for windows-1252.]'],
    ],
    [
      'a Japanese code page',
      Buffer.concat([Buffer.from('93fa95742c8d8796bc', 'hex'), Buffer.from('\n1,2\n')]),
      ['Row 1: 日付 | 合名', 'Row 2: 1 | 2', '[The file is no UTF-8 and names no encoding: it was taken for shift_jis.]'],
    ],
    ['a quoted line break', 'a,b\n"x\ny",2\n', ['Row 1: a | b', 'Row 2: x↵y | 2']],
  ])('reads a csv file with %s', async (_, content, lines) => {
    expect((await readSheet('attachment-1.csv', content)).split('\n')).toEqual(expect.arrayContaining(lines));
  });

  it('gives long sheets in parts', async () => {
    const rows = Array.from({ length: 2_000 }, (_, i) => `name ${i},${i}`).join('\n');
    expect(await readSheet('attachment-1.csv', rows)).toMatch(/\n\[part 1 of 7: characters 1-\d+ of \d+\. For the next one: part: 2\.\]$/);
    expect(await readSheet('attachment-1.csv', rows, { first_row: 1_999 })).toContain('Row 2000: name 1999 | 1999');
  });

  it('says so when a workbook is damaged, of another kind, or a bomb', async () => {
    const whole = workbook();
    expect(await readSheet('attachment-1.xlsx', whole.subarray(0, whole.length / 2))).toContain('cannot be read');
    const encrypted = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    encrypted.write('EncryptedPackage', 100, 'utf16le');
    expect(await readSheet('attachment-1.xlsx', encrypted)).toBe('attachment-1.xlsx is encrypted and needs a password, so it cannot be read.');
    expect(await readSheet('attachment-1.xlsx', 'plain text')).toContain('cannot be read as a workbook');
    expect(await readSheet('attachment-1.xlsx', zipSync({ 'a.txt': new Uint8Array(3) }))).toContain('cannot be read as a workbook');
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': [new Uint8Array(110_000_000), { level: 1 }] });
    expect(await readSheet('attachment-1.xlsx', bomb)).toBe('attachment-1.xlsx unpacks to more than 100 MB and is not read.');
  });
});
