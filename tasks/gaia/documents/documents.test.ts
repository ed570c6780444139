import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { normalizeText, readValue } from '../../evidence.ts';
import { archiveFile } from './archive.ts';
import { pdfFile } from './pdf.ts';
import { COLORS, Picture } from './picture.ts';
import { jpegFile, pngBytes } from './picture-files.ts';
import { richWorkbook } from './rich-workbook.ts';
import { slidesFile } from './slides.ts';
import { speechFile } from './speech.ts';
import { cellRead, type SheetTable } from './table.ts';
import { csvText, textFile } from './text-files.ts';
import { wordFile } from './word.ts';
import { workbookFile } from './workbook.ts';
import { writerPackage } from './writer-package.ts';

const table: SheetTable = {
  name: 'Calls',
  columns: ['Ship', 'Cargo', 'Berth', 'Due'],
  rows: [
    ['Iron Tern', 4810, 'East', '2026-02-03'],
    ['Amber Gannet', 377, 'West', '2026-04-05'],
  ],
};
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

describe('document writers', () => {
  // The hashes hold on every machine: a change here is a change of bytes for every seed, and raises GENERATOR_VERSION.
  it('write the same bytes for the same content', async () => {
    const picture = new Picture(300, 60);
    picture.text('Abc 123', 10, 4);
    picture.rectangle(220, 4, 60, 50, COLORS.green);
    const written = {
      pdf: hash((await pdfFile('Report', [{ heading: 'Calls', paragraphs: ['Some prose.'], tables: [table] }])).bytes),
      xlsx: hash((await workbookFile([table, { ...table, name: 'Copy' }], 'Calls')).bytes),
      xls: hash((await workbookFile([table], 'Calls', 'xls')).bytes),
      rich: hash(
        richWorkbook(
          [
            { name: 'A', rows: [['a', { value: 5, formula: '2+3', fill: '63BE7B' }, { date: '2026-02-03' }]], merges: ['A1:A2'] },
            { name: 'B', hidden: true, rows: [] },
          ],
          'A',
        ).bytes,
      ),
      png: hash(pngBytes(picture)),
      jpeg: hash((await jpegFile(picture, 3)).bytes),
      docx: hash(wordFile('Minutes', [{ heading: 'Minutes' }, { text: 'New.', struck: 'Old. ' }, { items: ['one'] }, { table, mergeFirst: true }]).bytes),
      pptx: hash(slidesFile('Talk', [{ title: 'Calls', lines: ['All'], table, drawing: ['A'], notes: 'Note.' }]).bytes),
      wav: hash((await speechFile(['The price of the paper is 245 dollars.'])).bytes),
      zip: hash(archiveFile({ 'b/calls.csv': textFile('csv', csvText(table)), 'a.txt': textFile('txt', 'hello') }).bytes),
    };
    expect(written).toMatchInlineSnapshot(`
      {
        "docx": "a7e733d88df9e594",
        "jpeg": "ded86b5a77ea9ac3",
        "pdf": "7c9f085d950c3f5a",
        "png": "4874fb7b372f6f4e",
        "pptx": "604c9897c042f819",
        "rich": "f191eca8ce0ac1e8",
        "wav": "dbda0963cce27d90",
        "xls": "d14ad97e60f58efb",
        "xlsx": "f72537c9efcb10a6",
        "zip": "5a2de9adc66328b1",
      }
    `);
  });

  it('packs an archive that unpacks to what went in', () => {
    const members = unzipSync(archiveFile({ 'books/calls.csv': textFile('csv', csvText(table)) }).bytes);
    expect(strFromU8(members['books/calls.csv'] as Uint8Array)).toBe(
      'Ship,Cargo,Berth,Due\nIron Tern,4810,East,2026-02-03\nAmber Gannet,377,West,2026-04-05\n',
    );
  });

  it('refuse a page that is too full, and two numbers that a comma would join', async () => {
    await expect(pdfFile('Report', [{ heading: 'Long', paragraphs: Array<string>(80).fill('A line.') }])).rejects.toThrow('page 1 of Report is too full');
    expect(() => csvText({ ...table, rows: [['Iron Tern', 12, 345, 'x']] })).toThrow('semicolons');
    expect(csvText({ ...table, rows: [['Iron Tern', 12, 345, 'x']] }, ';')).toContain('Iron Tern;12;345;x');
  });

  it('say which package is missing and which command brings it', async () => {
    const load = () => Promise.reject(new Error('Cannot find package'));
    await expect(writerPackage('@cantoo/pdf-lib', load)).rejects.toMatchObject({
      code: 'MISSING_PACKAGE',
      message: 'building a task set needs the package @cantoo/pdf-lib, which cannot be loaded',
      remedy: expect.stringMatching(/^npm install @cantoo\/pdf-lib@\d+\.\d+\.\d+ @e965\/xlsx@/),
    });
  });
});

describe('letters in pictures', () => {
  it('are at least 24 pixels high, small ones and figures too', () => {
    const { glyphs } = JSON.parse(readFileSync(new URL('./glyphs.json', import.meta.url), 'utf8')) as {
      glyphs: Record<string, [number, number, number, number, string]>;
    };
    const heights = Object.entries(glyphs).map(([sign, [, , , width, rows]]) => [sign, rows.length / Math.ceil(width / 4)] as const);
    const letters = heights.filter(([sign]) => /[\p{L}\p{N}]/u.test(sign));
    expect(letters.length).toBeGreaterThanOrEqual(62);
    expect(letters.filter(([, height]) => height < 24)).toEqual([]);
  });
});

describe('cells of tables', () => {
  const texts = {
    csv: csvText(table),
    semicolon: csvText(table, ';'),
    xlsx: 'Workbook: a.xlsx, sheets: Calls\nSheet "Calls", rows 1-3, columns A-D\nRow 2: Iron Tern | 4810 | East | 2026-02-03\nRow 3: Amber Gannet | 377 | West | 2026-04-05',
    pdf: 'Page 1 of 1\nCalls\nShip  Cargo  Berth  Due\nIron Tern  4,810  East  2026-02-03\nAmber Gannet  377  West  2026-04-05',
  };
  const read = (format: keyof typeof texts, key: string, column: string) => {
    const { value, wrong, ...rest } = cellRead(format, table, key, column, 'x');
    return { found: readValue(normalizeText(texts[format]), { name: 'x', ...rest }, {}), value, wrong };
  };

  it.each(['csv', 'semicolon', 'xlsx', 'pdf'] as const)('are read from %s as they were written', (format) => {
    for (const [key, cargo, , due] of table.rows as [string, number, string, string][]) {
      expect(read(format, key, 'Cargo').found).toBe(cargo);
      expect(read(format, key, 'Due').found).toBe(due);
    }
    if (format !== 'pdf') expect(read(format, 'Amber Gannet', 'Berth').found).toBe('West');
  });

  it('have the neighbouring row as the slip of the eye', () => {
    expect(read('csv', 'Iron Tern', 'Cargo').wrong).toBe(377);
    expect(read('csv', 'Amber Gannet', 'Cargo').wrong).toBe(4810);
  });
});
