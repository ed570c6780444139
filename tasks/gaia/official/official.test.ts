// The official layouts with invented questions: nothing of the real data is here.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readOfficial, type Split } from './read-official.ts';
import { PAPER_SHAPE, type Selectable, selectIds, selectionHash, selectPaperShape } from './select.ts';
import { OFFICIAL_COUNTS, submissionLines } from './submission.ts';
import { typeOfOfficial } from './task-type.ts';

const scratches: string[] = [];
let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'official-'));
  scratches.push(data);
});
afterAll(() => {
  for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
});

interface InventedRow {
  readonly task_id: string;
  readonly Question: string;
  readonly Level: string | number;
  readonly 'Final answer': string;
  readonly file_name: string;
  readonly 'Annotator Metadata'?: { readonly Tools: string };
}

function row(id: string, more: Partial<InventedRow> = {}): InventedRow {
  return {
    task_id: id,
    Question: `Which sail has the ship ${id}?`,
    Level: 1,
    'Final answer': 'a red one',
    file_name: '',
    'Annotator Metadata': { Tools: '1. A web browser' },
    ...more,
  };
}

function file(path: string, content: string): void {
  mkdirSync(dirname(join(data, path)), { recursive: true });
  writeFileSync(join(data, path), content);
}

function jsonl(split: Split, ...rows: readonly object[]): void {
  file(`2023/${split}/metadata.jsonl`, rows.map((each) => JSON.stringify(each)).join('\n'));
}

function parquet(split: Split, ...rows: readonly InventedRow[]): void {
  mkdirSync(join(data, '2023', split), { recursive: true });
  const column = (name: 'task_id' | 'Question' | 'Final answer' | 'file_name') => ({ name, data: rows.map((each) => each[name]), type: 'STRING' as const });
  parquetWriteFile({
    filename: join(data, '2023', split, 'metadata.parquet'),
    columnData: [
      column('task_id'),
      column('Question'),
      { name: 'Level', data: rows.map(({ Level }) => String(Level)), type: 'STRING' },
      column('Final answer'),
      column('file_name'),
      { name: 'file_path', data: rows.map(({ file_name }) => (file_name === '' ? '' : `2023/${split}/${file_name}`)), type: 'STRING' },
      { name: 'Annotator Metadata', data: rows.map((each) => each['Annotator Metadata'] ?? null), type: 'JSON' },
    ],
  });
}

describe('reading the official data', () => {
  it('gives the same questions from both layouts', async () => {
    const rows = [row('one'), row('two', { Level: 3, file_name: 'two.csv' }), row('three', { 'Annotator Metadata': { Tools: 'None' } })];
    file('2023/validation/two.csv', 'a;b');
    jsonl('validation', ...rows);
    const fromLines = await readOfficial(data, 'validation');
    rmSync(join(data, '2023/validation/metadata.jsonl'));
    parquet('validation', ...rows);
    const fromParquet = await readOfficial(data, 'validation');
    expect(fromParquet.map(({ place: _, ...question }) => question)).toEqual(fromLines.map(({ place: _, ...question }) => question));
    expect(fromParquet.map(({ type, level }) => [type, level])).toEqual([
      ['web', 1],
      ['document', 3],
      ['zero-tool', 1],
    ]);
  });

  it('takes the root, the year or the split as its folder', async () => {
    jsonl('validation', row('one'));
    for (const directory of [data, join(data, '2023'), join(data, '2023', 'validation')]) expect(await readOfficial(directory, 'validation')).toHaveLength(1);
  });

  it('takes the level as text or number', async () => {
    jsonl('validation', row('one', { Level: '2' }), row('two', { Level: 2 }));
    expect((await readOfficial(data, 'validation')).map(({ level }) => level)).toEqual([2, 2]);
  });

  it('never has a truth for the test split, whatever stands there', async () => {
    jsonl('test', row('one', { 'Final answer': '?' }), row('two', { 'Final answer': 'leaked' }));
    for (const question of await readOfficial(data, 'test')) expect(question).not.toHaveProperty('truth');
  });

  it('refuses a truth that an empty answer would equal', async () => {
    jsonl('validation', row('one', { 'Final answer': '?' }));
    await expect(readOfficial(data, 'validation')).rejects.toThrow(/row 1: "Final answer" is empty/);
  });

  it('names every bad row, and files that are not there', async () => {
    jsonl('validation', row('one', { Level: 'hard' }), row('two', { file_name: 'two.pdf' }), { Level: 1 }, row('one'));
    await expect(readOfficial(data, 'validation')).rejects.toThrow(
      /row 1: Level is "hard"[\s\S]*row 2: its file two\.pdf is not there[\s\S]*row 3: task_id is missing[\s\S]*row 4: task_id one stands there twice/,
    );
  });

  it('never leaves its folder for a file', async () => {
    file('2023/validation/metadata.jsonl', JSON.stringify({ ...row('one', { file_name: 'passwd' }), file_path: '../../../../../../../../etc/passwd' }));
    await expect(readOfficial(data, 'validation')).rejects.toThrow(/its file passwd is not there/);
  });

  it('says where it looked when there is no data, and what a broken file is', async () => {
    await expect(readOfficial(data, 'validation')).rejects.toMatchObject({
      code: 'GAIA_NOT_FOUND',
      remedy: expect.stringContaining('2023/validation/metadata.parquet'),
    });
    file('2023/validation/metadata.parquet', 'version https://git-lfs.github.com/spec/v1\n');
    await expect(readOfficial(data, 'validation')).rejects.toMatchObject({ code: 'GAIA_UNREADABLE' });
    file('2023/test/metadata.jsonl', '{"task_id":');
    await expect(readOfficial(data, 'test')).rejects.toThrow(/line 1 is no JSON/);
  });
});

describe('a download that was refused', () => {
  it.each([
    ['metadata.parquet', '{"error":"Access to dataset gaia-benchmark/GAIA is restricted. You must be authenticated to access it."}'],
    ['metadata.parquet', '<!doctype html><title>403</title>'],
    ['metadata.jsonl', '<!doctype html><title>401 Unauthorized</title>'],
    ['metadata.jsonl', '{"error":"Access to dataset gaia-benchmark/GAIA is restricted."}'],
  ])('and stands in the place of %s names the terms and the token: %s', async (name, content) => {
    file(`2023/validation/${name}`, content);
    await expect(readOfficial(data, 'validation')).rejects.toMatchObject({
      code: expect.stringMatching(/^GAIA_(?:UNREADABLE|INVALID)$/),
      remedy: expect.stringMatching(/accept its terms .* token/),
    });
  });

  it('and left nothing names them too', async () => {
    await expect(readOfficial(data, 'validation')).rejects.toMatchObject({
      code: 'GAIA_NOT_FOUND',
      remedy: expect.stringMatching(/accept its terms .* token/),
    });
  });

  it('and left a list without questions is an error, never a run of none', async () => {
    jsonl('validation');
    await expect(readOfficial(data, 'validation')).rejects.toThrow(/it has no rows/);
  });
});

describe('the type of an official question', () => {
  it('is document with a file, web with the web among its tools, and zero-tool without any', () => {
    expect(typeOfOfficial({ hasFile: true, tools: 'Web browser' })).toBe('document');
    expect(typeOfOfficial({ hasFile: false, tools: '1. Search engine' })).toBe('web');
    expect(typeOfOfficial({ hasFile: false, tools: 'A calculator' })).toBe('zero-tool');
    expect(typeOfOfficial({ hasFile: false, tools: undefined })).toBe('web');
  });
});

describe('selecting', () => {
  const pool: Selectable[] = Array.from({ length: 165 }, (_, i) => ({
    id: `id-${i}`,
    type: i < 20 ? 'zero-tool' : i < 58 ? 'document' : 'web',
    level: i % 6 === 0 ? 3 : i % 2 === 0 ? 2 : 1,
  }));
  const countBy = (chosen: readonly Selectable[], key: 'type' | 'level') =>
    Object.fromEntries([...Map.groupBy(chosen, (one) => one[key])].map(([name, all]) => [name, all.length]));

  it('has the composition of the paper exactly, by type and by level', () => {
    const chosen = selectPaperShape(pool, 1);
    expect(countBy(chosen, 'type')).toEqual(PAPER_SHAPE.types);
    expect(countBy(chosen, 'level')).toEqual(PAPER_SHAPE.levels);
  });

  it('is the same for a seed whatever the order of the questions, and another for another seed', () => {
    const ids = (seed: number, from = pool) => selectionHash(selectPaperShape(from, seed).map(({ id }) => id));
    expect(ids(1, pool.toReversed())).toBe(ids(1));
    expect(ids(2)).not.toBe(ids(1));
  });

  it('says what there is when the quotas cannot be met', () => {
    expect(() => selectPaperShape(pool.slice(0, 60), 1)).toThrow(/cannot give 7\/19\/42/);
  });

  it('keeps the order of a list of ids', () => {
    expect(selectIds(pool, ['id-3', 'id-1'], 'ids.txt').map(({ id }) => id)).toEqual(['id-3', 'id-1']);
  });
});

describe('the file of the leaderboard', () => {
  const levels = (split: Split) =>
    ([1, 2, 3] as const).flatMap((level) => Array.from({ length: OFFICIAL_COUNTS[split][level] }, (_, i) => ({ id: `${level}-${i}`, level })));

  it('has every question of the split once, with its answer', () => {
    const tasks = levels('test');
    const lines = submissionLines({ split: 'test', tasks, answers: new Map(tasks.map(({ id }) => [id, `answer ${id}`])), fillMissing: false });
    expect(lines).toHaveLength(301);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ task_id: '1-0', model_answer: 'answer 1-0' });
  });

  it('is refused when an answer is missing, unless empty ones are wanted', () => {
    const tasks = levels('validation');
    const input = { split: 'validation', tasks, answers: new Map([['1-0', 'x']]) } as const;
    expect(() => submissionLines({ ...input, fillMissing: false })).toThrow(/164 of 165 questions have no answer, the first 1-1/);
    expect(JSON.parse(submissionLines({ ...input, fillMissing: true })[1] ?? '')).toEqual({ task_id: '1-1', model_answer: '' });
  });

  it('is refused for a part of a split', () => {
    expect(() => submissionLines({ split: 'validation', tasks: levels('validation').slice(1), answers: new Map(), fillMissing: true })).toThrow(
      /has 52 questions of level 1.*has 53/,
    );
  });
});
