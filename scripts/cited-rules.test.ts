import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneRoot } from './run-child.ts';

const FOLDERS = ['adapters', 'base', 'bench', 'docs', 'engine', 'metrics', 'models', 'reports', 'runners', 'scripts', 'tasks', 'tools'];

/** Rules of docs/method.md by their number: `M5.2`. */
function rules(): Set<string> {
  let chapter = '';
  return new Set(
    readFileSync(join(cloneRoot, 'docs', 'method.md'), 'utf8')
      .split('\n')
      .flatMap((line) => {
        chapter = /^## (M\d) /.exec(line)?.[1] ?? chapter;
        const number = /^(\d+)\. /.exec(line)?.[1];
        return number === undefined ? [] : [`${chapter}.${number}`];
      }),
  );
}

test('every rule of the method that a source names stands in docs/method.md', () => {
  const known = rules();
  const unknown = FOLDERS.flatMap((folder) => readdirSync(join(cloneRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) => /\.(ts|mjs|py|md)$/.test(file) && !/node_modules/.test(file))
    .flatMap((file) => [...readFileSync(join(cloneRoot, file), 'utf8').matchAll(/\bM[1-9]\.\d+/g)].map(([rule]) => ({ file, rule })))
    .filter(({ rule }) => !known.has(rule));
  expect(known.size).toBeGreaterThan(40);
  expect(unknown).toEqual([]);
});
