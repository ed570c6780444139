import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GENERATOR_VERSION } from '../tasks/task-set-files.ts';
import { tidyCache } from './tidy-cache.ts';

const NOW = '2026-06-30T12:00:00.000Z';
const HASH = 'a'.repeat(40);
let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'agentgauge-tidy-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** Puts a file there that was last used so many days ago. */
function put(path: string, days: number, text = 'x'): void {
  const file = join(cache, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const usedAt = Date.parse(NOW) / 1000 - days * 86_400;
  utimesSync(file, usedAt, usedAt);
}

function left(): string[] {
  tidyCache(cache, NOW);
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cache.length + 1))
    .sort();
}

test('drops sets of older generators after a day, and those of this one after a month without use', () => {
  put(`open68-1-v${GENERATOR_VERSION - 1}/set.json`, 2);
  put(`open68-2-v${GENERATOR_VERSION - 1}/set.json`, 0.5);
  put(`generated-7-n500-v${GENERATOR_VERSION}/set.json`, 31);
  put(`own-${'b'.repeat(16)}/set.json`, 31);
  put(`open68-1-v${GENERATOR_VERSION}/set.json`, 29);
  put(`open68-1-v${GENERATOR_VERSION}/web/pages.jsonl`, 90);
  expect(left()).toEqual([
    `open68-1-v${GENERATOR_VERSION}/set.json`,
    `open68-1-v${GENERATOR_VERSION}/web/pages.jsonl`,
    `open68-2-v${GENERATOR_VERSION - 1}/set.json`,
  ]);
});

test('drops texts that nobody used for a month, and what a killed process was writing', () => {
  put(`texts/${HASH}.json`, 31);
  put(`texts/${HASH.replaceAll('a', 'c')}.json`, 3);
  put(`texts/${HASH}.json.123.partial`, 2);
  put(`${HASH}.json`, 2);
  put(`open68-3-v${GENERATOR_VERSION}.0f0f.partial/tasks.json`, 2);
  utimesSync(join(cache, `open68-3-v${GENERATOR_VERSION}.0f0f.partial`), 0, 0);
  expect(left()).toEqual([`texts/${HASH.replaceAll('a', 'c')}.json`]);
});

test('keeps the texts used last when there are too many', () => {
  const name = (sign: string) => `texts/${sign.repeat(40)}.json`;
  for (const [sign, days] of [
    ['1', 3],
    ['2', 1],
    ['3', 2],
  ] as const)
    put(name(sign), days, 'four');
  tidyCache(cache, NOW, { textsBytes: 8 });
  expect(readdirSync(join(cache, 'texts')).sort()).toEqual([name('2'), name('3')].map((path) => path.slice(6)));
});

test('leaves alone what was set up, what runs, and whatever is not ours, however old', () => {
  const old = [
    'python/shared/bin/python',
    'models/weights.gguf',
    'speech/model.onnx',
    'voices/joe/voice.onnx',
    'running/17.json',
    'start.lock',
    'node-24.1.0/package.json',
    'notes.json',
    'open68-1/set.json',
  ];
  for (const path of old) put(path, 400);
  expect(left()).toEqual([...old].sort());
});

test('passes over a cache that is not there', () => {
  rmSync(cache, { recursive: true });
  expect(() => tidyCache(cache, NOW)).not.toThrow();
});
