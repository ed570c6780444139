import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkArrows } from './check-arrows.ts';

const made: string[] = [];

/** A tree of sources and what a compiler made of them; `undefined` leaves the module out. */
function tree(modules: Readonly<Record<string, string | undefined>>): string {
  const root = mkdtempSync(join(tmpdir(), 'arrows-'));
  made.push(root);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [name, text] of Object.entries(modules)) {
    write(`${name}.ts`, '');
    if (text !== undefined) write(`dist/${name}.js`, text);
  }
  return root;
}

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true });
});

const problemsOf = (modules: Readonly<Record<string, string | undefined>>) => checkArrows({ root: tree(modules) }).problems;

test('allowed arrows pass, and modules and imports are counted', () => {
  const root = tree({ 'base/error': '', 'runners/study': "import { a } from '../base/error.js';\nimport '../adapters/registry.js';", 'adapters/registry': '' });
  expect(checkArrows({ root })).toEqual({ modules: 3, imports: 2, problems: [] });
});

test('a planted import against an arrow is named with both ends', () => {
  expect(problemsOf({ 'reports/report': "import { start } from '../runners/study.js';", 'runners/study': '' })).toEqual([
    'reports/report.js imports ../runners/study.js: reports/ may import base, metrics',
  ]);
});

test.each([
  ['a re-export', "export { a } from '../base/error.js';"],
  ['a re-export of everything', "export * from '../base/error.js';"],
  ['an import for its effect', "import '../base/error.js';"],
  ['a dynamic import', "const a = await import('../base/error.js');"],
  ['a dynamic import by template', 'const a = await import(`../base/error.js`);'],
  ['a child entry', "const a = new URL('../base/error.js', import.meta.url);"],
  ['the package by its own name', "import { a } from 'agentgauge/metrics';"],
])('the engine may import nothing of ours: %s is seen', (_name, text) => {
  const [problem, ...others] = problemsOf({ 'engine/run': text, 'base/error': '' });
  expect(problem).toContain('engine/ may import nothing of ours');
  expect(others).toEqual([]);
});

test('the engine may import no package, but all of Node', () => {
  expect(problemsOf({ 'engine/run': "import { z } from 'zod';\nimport { join } from 'node:path';" })).toEqual([
    "engine/run.js imports the package zod: engine/ loads nothing but Node's own modules",
  ]);
  expect(problemsOf({ 'engine/fixtures/drawn': "import fc from 'fast-check';\nconst root = new URL('../../', import.meta.url);" })).toEqual([]);
});

test('words in comments and strings are no imports', () => {
  expect(problemsOf({ 'engine/run': `// import '../base/error.js'\nexport const text = "import '../base/error.js'; Math.random()";` })).toEqual([]);
});

test('a source without its module fails, so that an old or partial build cannot pass', () => {
  expect(problemsOf({ 'base/error': undefined, 'base/clock': '' })).toEqual(['base/error.ts: not in dist/, so its imports were not seen; build first']);
  expect(problemsOf({})).toEqual(['dist/ holds no module; build first']);
});

test('a folder for which no arrow is drawn is named', () => {
  expect(problemsOf({ 'lib/a': '' })).toEqual(['lib/a.js: no arrow is drawn for the folder lib/']);
});

test('an optional package that a public entry would load at once is named with the way to it', () => {
  const root = tree({
    'tasks/index': "export { a } from './a.js';\nexport const late = () => import('yauzl');",
    'tasks/a': "import { b } from '@scope/pdf/deep';\nimport { z } from 'zod';",
  });
  const manifest = { exports: { './tasks': { default: './dist/tasks/index.js' } }, optionalDependencies: { '@scope/pdf': '1.0.0', yauzl: '1.0.0' } };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  expect(checkArrows({ root }).problems).toEqual(['tasks/index.js loads the optional package @scope/pdf at once, through tasks/a.js: import it late']);
});

test('an import with a computed target is named, for nobody can follow it', () => {
  expect(problemsOf({ 'tasks/a': 'await import(name);' })).toEqual(['tasks/a.js computes what it imports (import(name)), which no check can follow']);
});

test('time and chance are read in base/clock and base/random only', () => {
  const read = 'export const t = Date.now() + performance.now() + Math.random();';
  expect(problemsOf({ 'base/clock': read, 'base/random': read })).toEqual([]);
  expect(problemsOf({ 'tasks/a': read }).map((problem) => problem.split(':')[0])).toEqual([
    'tasks/a.js reads Date.now',
    'tasks/a.js reads performance.now',
    'tasks/a.js reads Math.random',
  ]);
});
