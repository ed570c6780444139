// Real files that were made by other programs than the ones we write with: fixtures/README.md says by which.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSet, type TestSet } from './testing.ts';

const folder = new URL('./fixtures/', import.meta.url);
const names = readdirSync(folder).filter((name) => !/\.(?:ts|md)$/.test(name));
let set: TestSet;
beforeAll(async () => {
  set = await openTestSet(Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder))])));
});
afterAll(() => set.close());

describe('a file of another writer', () => {
  it.each([
    ['read_pdf', 'reportlab.pdf', 'Page 1 of 1\nBoats of Marl Quay\nBoat  Built  Crew\nHeron  1987  1,204\nTern & Sons  2001  96'],
    ['read_pdf', 'fpdf2.pdf', 'Page 1 of 2\nBoat  Built\nHeron  1987\nZoë  2001\n\nPage 2 of 2\nThe second page says that the Heron left at 07:40.'],
    [
      'read_spreadsheet',
      'xlwt.xls',
      'Workbook: xlwt.xls, sheets: Boats, Old (hidden)\nSheet "Boats", rows 1-5, columns A-C\nRow 1: Boat | Built | Left\nRow 2: Heron | 1987 | 2021-03-28\nRow 3: Tern | 2001.5\nRow 4: Both | x {yellow}\nRow 5: Both | \nFormulas: B5 =B2+13\nMerged: A4:A5\nShades: {yellow} #FFFF00\nSheet "Old", empty',
    ],
    [
      'read_spreadsheet',
      'odfpy.ods',
      'Workbook: odfpy.ods, sheets: Boats\nSheet "Boats", rows 1-3, columns A-B\nRow 1: Boat | Left\nRow 2: Heron | 2021-03-28\nRow 3: Tern | 48210',
    ],
    ['list_archive', 'zipfile.zip', 'data/boats.csv  22 bytes\nünï.txt  5 bytes'],
    ['list_archive', 'infozip.zip', 'data/boats.csv  21 bytes'],
    ['read_text', 'infozip.zip!/data/boats.csv', 'boat;built\nTern;2001\n'],
    ['read_spreadsheet', 'zipfile.zip!/data/boats.csv', 'Row 2: Heron | 1987'],
    ['transcribe_audio', 'soundfile.wav', 'Recording: soundfile.wav, WAV, 0:00, 8000 Hz, 2 channels'],
    ['transcribe_audio', 'soundfile.opus', 'Recording: soundfile.opus, Opus, 0:01, 16000 Hz, 2 channels'],
    ['describe_image', 'pillow.png', 'PNG, 64 x 40 pixels\nColours: green 50 %, red 25 %, white 25 %'],
    ['describe_image', 'pillow.jpg', 'JPEG, 420 x 120 pixels\nColours: white 85'],
    ['describe_image', 'pillow.jpg', '\nPier 1987  [beside it: green 84 x 60]'],
  ])('is read by %s: %s', async (tool, file, text) => {
    const result = await set.run(tool, { file });
    expect(result.status).toBe(200);
    expect(result.text).toContain(text);
  });

  it('is named with its writer and its licence', () => {
    const list = readFileSync(new URL('README.md', folder), 'utf8');
    expect(names.filter((name) => !list.includes(`\`${name}\``))).toEqual([]);
  });
});
