// Files on disk: what is written, that it is whole, that others' files stay.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { buildReport } from './build-report.ts';
import { storeRun, tinyRun } from './fixtures/tiny-run.ts';
import { loadRun } from './load-run.ts';
import { writeReport } from './write-report.ts';

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function stored(): Promise<string> {
  const directory = await storeRun(tinyRun());
  made.push(directory);
  return directory;
}

describe('writeReport', () => {
  it('writes HTML, Markdown, JSON, a CSV a table and the pictures, twice the same bytes, and leaves no half file', async () => {
    const directory = await stored();
    const written = await writeReport(directory, buildReport(await loadRun(directory)));
    const names = (await readdir(written, { recursive: true })).filter((name) => name.includes('.')).sort();
    expect(names).toEqual([
      'accuracy.svg',
      'caused.svg',
      'overhead.svg',
      'report.html',
      'report.json',
      'report.md',
      ...['failures', 'table1', 'table10', 'table2', 'table4', 'table5', 'table6', 'table8', 'table9', 'unrepaired', 'wireAudit'].map((id) =>
        join('tables', `${id}.csv`),
      ),
      'tokens.svg',
    ]);
    const read = () => Promise.all(names.map((name) => readFile(join(written, name), 'utf8')));
    const first = await read();
    await writeReport(directory, buildReport(await loadRun(directory)));
    expect(await read()).toEqual(first);
  });

  it("keeps a file of the user's in the same folder", async () => {
    const directory = await stored();
    await mkdir(join(directory, 'report'));
    await writeFile(join(directory, 'report', 'notes.txt'), 'mine');
    await writeReport(directory, buildReport(tinyRun()));
    expect(await readFile(join(directory, 'report', 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('writes nothing in place of a figure that JSON cannot hold, and says which', async () => {
    const directory = await stored();
    const report = buildReport(tinyRun());
    const [first, ...rows] = report.tables.table1?.rows ?? [];
    const table1 = { ...report.tables.table1, rows: [{ ...first, cells: { accuracyPercent: { value: Number.NaN, n: 4 } } }, ...rows] };
    await expect(writeReport(directory, { ...report, tables: { table1 } } as typeof report)).rejects.toMatchObject({ code: 'REPORT_NUMBER' });
    expect((await readdir(join(directory, 'report'))).filter((name) => name.startsWith('report.'))).toEqual([]);
  });

  it('names the file and a remedy when it cannot write', async () => {
    const directory = await stored();
    await writeFile(join(directory, 'report'), 'a file where the folder should be');
    await expect(writeReport(directory, buildReport(tinyRun()))).rejects.toMatchObject({
      code: 'REPORT_WRITE',
      message: expect.stringContaining('accuracy.svg cannot be written'),
      remedy: expect.stringContaining('agentgauge report'),
    });
  });
});
