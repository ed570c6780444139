// The command as a user meets it: what goes to the screen, what to disk, and what a mistake is told.
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { storeRun, tinyRun } from '../../reports/fixtures/tiny-run.ts';
import { report } from './report.ts';

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function stored(): Promise<string> {
  const directory = await storeRun(tinyRun());
  made.push(directory);
  return directory;
}

async function call(positionals: readonly string[], values: Record<string, string | boolean> = {}, terminal = false): Promise<string> {
  let out = '';
  const io = { stdin: Readable.from([]), out: (text: string) => (out += text), err: () => {}, terminal, columns: 80, signal: new AbortController().signal };
  expect(await report.run({ values, positionals }, io)).toBe(0);
  return out;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe('report', () => {
  it('writes the report beside the records and says where', async () => {
    const directory = await stored();
    expect(await call([directory])).toContain(`Written to ${join(directory, 'report')}`);
    expect(await isThere(join(directory, 'report', 'report.md'))).toBe(true);
  });

  it('prints a format and writes nothing', async () => {
    const directory = await stored();
    const { tables, manifest } = JSON.parse(await call([directory], { format: 'json' }));
    expect(Object.keys(tables)).toEqual([
      'table1',
      'table2',
      'table3',
      'table4',
      'table5',
      'table6',
      'table7',
      'table8',
      'table9',
      'table10',
      'failures',
      'unrepaired',
      'wireAudit',
    ]);
    expect(manifest.planHash).toBe('plan');
    expect(await isThere(join(directory, 'report'))).toBe(false);
  });

  it('prints the exact part without a path, a time or a megabyte, and writes nothing', async () => {
    const [one, two] = [await stored(), await stored()];
    const text = await call([one], { exact: true });
    expect(await call([two], { exact: true })).toBe(text);
    expect(text).not.toMatch(/ ms\b| MB\b|import/);
    expect(await isThere(join(one, 'report'))).toBe(false);
  });

  it('prints a page of one run, and refuses one of two', async () => {
    const runs = [await stored(), await stored()];
    expect(await call(runs.slice(1), { format: 'html' })).toMatch(/^<!doctype html>.*<svg .*<\/html>\n$/s);
    await expect(call(runs, { format: 'html' })).rejects.toMatchObject({ code: 'REPORT_FORMAT', remedy: expect.stringContaining('--seeds') });
  });

  it('prints an array for several runs, and CSV with the run in front', async () => {
    const runs = [await stored(), await stored()];
    expect(JSON.parse(await call(runs, { format: 'json' }))).toHaveLength(2);
    const lines = (await call(runs, { format: 'csv' })).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^run,table,/);
    expect(lines.filter((line) => line.startsWith('run,'))).toHaveLength(1);
    expect(lines.at(-1)?.startsWith(`${runs[1]},`)).toBe(true);
  });

  it('explains a cell by its trials, as text and as JSON', async () => {
    const directory = await stored();
    const explain = 'table1:engine/single/default:accuracyPercent';
    expect(await call([directory], { explain })).toContain('web-1#0\t0\tcompleted wrong-answer');
    expect(JSON.parse(await call([directory], { explain, format: 'json' })).observations).toHaveLength(4);
  });

  it.each([
    ['no run', [], {}, 'REPORT_NO_RUN'],
    ['an unknown format', ['x'], { format: 'xml' }, 'REPORT_FORMAT'],
    ['a run that is not there', ['/no/such/run'], {}, 'RUN_MISSING'],
    ['one cell of two runs', ['a', 'b'], { explain: 'c' }, 'REPORT_EXPLAIN'],
  ])('refuses %s', async (_, positionals, values, code) => {
    await expect(call(positionals, values)).rejects.toMatchObject({ code, remedy: expect.any(String) });
  });
});
