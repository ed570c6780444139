import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneRoot } from './run-child.ts';

const FOLDERS = ['adapters', 'base', 'bench', 'docs', 'engine', 'metrics', 'models', 'reports', 'runners', 'scripts', 'tasks', 'tools'];

const RULE = /\bM[1-9]\.\d+/g;

function filesOf(kind: RegExp): string[] {
  const all = FOLDERS.flatMap((folder) => readdirSync(join(cloneRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)));
  return all.filter((file) => kind.test(file) && !file.includes('node_modules'));
}

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
  const unknown = filesOf(/\.(ts|mjs|py|md)$/)
    .flatMap((file) => [...readFileSync(join(cloneRoot, file), 'utf8').matchAll(RULE)].map(([rule]) => ({ file, rule })))
    .filter(({ rule }) => !known.has(rule));
  expect(known.size).toBeGreaterThan(40);
  expect(unknown).toEqual([]);
});

test('every rule of the method is shown by a test that bears its number', () => {
  const borne = new Set(
    filesOf(/\.test\.ts$/).flatMap((file) => {
      const code = readFileSync(join(cloneRoot, file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\/[/*]|\*)/.test(line));
      return code.join('\n').match(RULE) ?? [];
    }),
  );
  expect([...rules()].filter((rule) => !borne.has(rule))).toEqual([]);
});
