// One suite for every store: the port's own promises.
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CheckpointStore, fileCheckpoints, memoryCheckpoints, sqliteCheckpoints } from './checkpoint-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'stores-'));
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(scratch, { recursive: true, force: true });
});
let folders = 0;
const newPath = () => join(scratch, `s${folders++}`);

function sqlite(path = `${newPath()}.db`) {
  const store = sqliteCheckpoints(path);
  closers.push(() => store.close());
  return store;
}

const STORES: readonly (readonly [string, () => CheckpointStore])[] = [
  ['memory', () => memoryCheckpoints()],
  ['file', () => fileCheckpoints(newPath())],
  ['file without sync', () => fileCheckpoints(newPath(), { sync: false })],
  ['sqlite', () => sqlite()],
];

describe.each(STORES)('store %s', (_, open) => {
  test('gives back the lines of each run in their order, and none for a run that it does not know', async () => {
    const store = open();
    expect(await store.load('a')).toEqual([]);
    await store.append('a', 0, ['1', '2 "北京🌍"']);
    await store.append('b', 0, ['x']);
    await store.append('a', 2, ['3']);
    expect(await store.load('a')).toEqual(['1', '2 "北京🌍"', '3']);
    expect(await store.load('b')).toEqual(['x']);
  });

  test('refuses lines that begin elsewhere than where it ends, and keeps none of them', async () => {
    const store = open();
    await store.append('a', 0, ['1']);
    for (const at of [0, 2]) await expect(store.append('a', at, ['other'])).rejects.toMatchObject({ code: 'checkpoint-failed' });
    expect(await store.load('a')).toEqual(['1']);
    await store.append('a', 1, ['2']);
    expect(await store.load('a')).toEqual(['1', '2']);
  });

  test('forgets a run, which then begins anew', async () => {
    const store = open();
    await store.append('a', 0, ['1']);
    await store.append('b', 0, ['2']);
    await store.delete('a');
    expect([await store.load('a'), await store.load('b')]).toEqual([[], ['2']]);
    await store.append('a', 0, ['3']);
    expect(await store.load('a')).toEqual(['3']);
  });

  test('takes any name for a run', async () => {
    const store = open();
    const names = ['..', '../up', '/', 'a b', '__proto__', '', 'ü🌍', 'a%2Fb'];
    for (const name of names) await store.append(name, 0, [`of ${name}`]);
    for (const name of names) expect(await store.load(name)).toEqual([`of ${name}`]);
  });
});

test('a file store that is opened again goes on where the last one stopped, over many segments', async () => {
  const path = newPath();
  const line = (i: number) => `${i} ${'x'.repeat(20_000)}`;
  for (let i = 0; i < 12; i++) await fileCheckpoints(path, { sync: false }).append('a', i, [line(i)]);
  expect(await fileCheckpoints(path).load('a')).toEqual(Array.from({ length: 12 }, (_, i) => line(i)));
  expect(readdirSync(join(path, 'run-a')).length).toBe(3);
});

test('a file store tells a segment that is missing or cut, and ignores one that was never finished', async () => {
  const path = newPath();
  const store = fileCheckpoints(path, { sync: false });
  for (let i = 0; i < 3; i++) await store.append('a', i, ['x'.repeat(70_000)]);
  const [first, second, third] = readdirSync(join(path, 'run-a')).map((name) => join(path, 'run-a', name)) as [string, string, string];
  writeFileSync(`${third}.part`, 'half');
  expect(await fileCheckpoints(path).load('a')).toHaveLength(3);
  const whole = readFileSync(second);
  truncateSync(second, 1000);
  await expect(fileCheckpoints(path).load('a')).rejects.toMatchObject({ code: 'checkpoint-corrupt', message: expect.stringContaining('not whole') });
  writeFileSync(second, whole);
  rmSync(first);
  await expect(fileCheckpoints(path).load('a')).rejects.toMatchObject({ code: 'checkpoint-corrupt', message: expect.stringContaining('line 1') });
});

test('two SQLite stores over one file see each other, and the second writer of a run is told', async () => {
  const path = `${newPath()}.db`;
  const [one, two] = [sqlite(path), sqlite(path)];
  await one.append('a', 0, ['1']);
  await two.append('a', 1, ['2']);
  await expect(one.append('a', 1, ['other'])).rejects.toMatchObject({ code: 'checkpoint-failed', message: expect.stringContaining('somebody else') });
  expect(await one.load('a')).toEqual(['1', '2']);
});
