// What a user of the package loads: the engine as the build puts it together, imported by processes of its own. Counts, no timings; bench/engine-import.ts times it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fromSources from './index.ts';

const root = resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'engine-'));
const folder = join(scratch, 'a b', 'engine');

beforeAll(async () => {
  const step = (await import(pathToFileURL(join(root, 'scripts/start/bundle-engine.mjs')).href)) as {
    bundleEngine(root: string, node: string, folder: string): string | undefined;
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  expect(step.bundleEngine(root, process.execPath, folder)).toBeUndefined();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a module in a process of its own; `engine` is the address of the bundle there. */
function inChild(text: string, flags: readonly string[] = []): unknown {
  const engine = JSON.stringify(pathToFileURL(join(folder, 'index.js')).href);
  const out = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', `const engine = ${engine};\n${text}`], { encoding: 'utf8', cwd: scratch });
  return JSON.parse(out);
}

test('importing the engine loads at most four files and none of Node’s modules; checkpoints, their stores and the trace hash come when they are used', () => {
  const loaded = inChild(`
    import { registerHooks } from 'node:module';
    const told = [];
    registerHooks({ load(url, context, next) { told.push(url.replace(/.*[/]/, '')); return next(url, context); } });
    const { execute, fileCheckpoints, workflow } = await import(engine);
    const eager = told.splice(0);
    const flow = workflow('w');
    flow.after(flow.start, flow.node('a', { run: () => 1 }));
    const checkpoint = { store: fileCheckpoints('runs'), run: 'r' };
    const { status } = await execute(flow.build(), 1, { checkpoint, traceHash: true }).result;
    console.log(JSON.stringify({ eager, status, late: told }));`) as {
    readonly eager: readonly string[];
    readonly status: string;
    readonly late: readonly string[];
  };
  expect(loaded.eager).toContain('index.js');
  expect(loaded.eager.length).toBeLessThanOrEqual(4);
  expect(loaded.eager.filter((name) => /^node:|run-extras|^file|sqlite/.test(name))).toEqual([]);
  expect(loaded).toMatchObject({ status: 'completed', late: expect.arrayContaining(['run-extras.js', 'file.js', 'node:crypto']) });
});

test('the engine in one file exports what its sources export, and is made of the engine’s modules alone', () => {
  const names = inChild('console.log(JSON.stringify(Object.keys(await import(engine))));') as readonly string[];
  expect([...names].sort()).toEqual(Object.keys(fromSources).sort());
  const maps = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.map'))
    .map((name) => join(folder, name));
  const sources = maps.flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as { readonly sources: readonly string[] }).sources.map((one) => resolve(file, '..', one)),
  );
  expect(sources.length).toBeGreaterThan(40);
  expect(sources.filter((file) => !file.startsWith(join(root, 'engine')))).toEqual([]);
});

test('the connectors stand apart from it, and share its errors', () => {
  const told = inChild(`
    const { execute, WorkflowError, workflow } = await import(engine);
    const { fileConnector } = await import(engine.replace('index.js', 'connectors.js'));
    const docs = fileConnector({ name: 'docs', root: '.' });
    const flow = workflow('w');
    flow.after(flow.start, flow.node('a', { connectors: [docs], run: (_, { use }) => use(docs).read('../x') }));
    const { error } = await execute(flow.build(), 1).result;
    console.log(JSON.stringify([error.code, error instanceof WorkflowError]));`);
  expect(told).toEqual(['connector-refused', true]);
});

test('an error thrown inside the one file leads to the source by its map', () => {
  const stack = inChild(
    `const { execute, workflow } = await import(engine);
    try { execute(workflow('w').build(), 1, { concurrency: 0 }); } catch (error) { console.log(JSON.stringify(error.stack)); }`,
    ['--enable-source-maps'],
  );
  expect(stack).toMatch(/engine\/(build|execute|workflow)\.ts:\d+/);
});
