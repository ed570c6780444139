// The classifier of responses against adapters whose handling is all they have, on real processes; and what a run of faults keeps.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { FaultResponse } from '../metrics/fault-response.ts';
import { FAULTS } from '../models/faults/faults.ts';
import { BESIDE_FAULTS, LATER_FAULTS } from '../models/faults/later-faults.ts';
import { type FaultsRequest, faultsFor, runFaults } from './faults.ts';
import { confusionLines, type Judged, mistakesIn } from './fixtures/confusion.ts';
import { BESIDE, LATER, TRUTHS } from './fixtures/fault-truths.ts';
import { createProgress } from './progress.ts';
import { resolveRows } from './rows.ts';
import { readTrials } from './run-directory.ts';

let out: string;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'faults-test-'));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const FIXTURES = fileURLToPath(new URL('../adapters/fixtures/handles-faults.ts', import.meta.url));
const fixtures = (names: readonly string[]) =>
  resolveRows(
    names.map((exportName) => ({ framework: exportName, shape: 'single', settings: 'default', module: FIXTURES, exportName })),
    process.cwd(),
  );
const faults = (...ids: readonly string[]) => [...FAULTS, ...LATER_FAULTS].filter(({ id }) => ids.includes(id));

async function run(request: Pick<FaultsRequest, 'rows' | 'faults' | 'patienceMs'> & Partial<FaultsRequest>) {
  const progress = createProgress({ total: 1, clock: systemClock, write: () => {}, terminal: false, columns: 80 });
  return await runFaults({ out, progress, signal: new AbortController().signal, ...request });
}

/** Longer than any machine is busy: only who never ends is stopped by it. */
const PATIENCE_MS = 100_000;
const found = (directory: string) =>
  readTrials(directory).map(({ framework, taskId, response }) => ({ cell: `${framework} ${taskId}`, framework, taskId, response }));

/** By what the adapter is made of. A word to the model after a lost reply is a word too. */
const BY_NATURE: Readonly<Record<string, FaultResponse>> = {
  asksAgain: 'recovered',
  tellsTheModel: 'fed-back',
  throws: 'clear-error',
  returnsNothing: 'silent-wrong',
  returnsANotice: 'silent-wrong',
  runsWhatComes: 'silent-wrong',
  exits: 'crash',
  rejectsUnheld: 'crash',
  worksOn: 'stray-work',
};
const MODEL_FAULTS = faults('unknown-tool', 'missing-argument', 'empty-reply', '503-twice');

test('an adapter that has one way to meet a fault is called by it, whatever the fault', async () => {
  const { directory } = await run({ rows: fixtures(Object.keys(BY_NATURE)), faults: MODEL_FAULTS, patienceMs: PATIENCE_MS });
  const judged = found(directory).map(({ cell, framework, response }): Judged => {
    return { cell, truth: BY_NATURE[framework] as FaultResponse, found: response as FaultResponse };
  });
  expect(judged).toHaveLength(Object.keys(BY_NATURE).length * MODEL_FAULTS.length);
  expect(mistakesIn(judged), confusionLines(judged).join('\n')).toEqual([]);
}, 120_000);

test('who waits for nothing hangs, who asks on for ever hangs, and who waits for a model still waits', async () => {
  const hung = await run({ rows: fixtures(['neverEnds']), faults: faults('unknown-tool', 'hang'), patienceMs: 5_000 });
  expect(Object.fromEntries(found(hung.directory).map(({ taskId, response }) => [taskId, response]))).toEqual({
    'unknown-tool': 'hang',
    hang: 'still-waiting',
  });
  const endless = await run({ rows: fixtures(['asksAgain']), faults: faults('unknown-tool-always', '400-always'), patienceMs: PATIENCE_MS });
  expect(found(endless.directory).map(({ response }) => response)).toEqual(['hang', 'hang']);
  expect(readTrials(endless.directory).map(({ usage }) => usage.modelCalls)).toEqual([40, 40]);
}, 120_000);

test('a run goes on where it was interrupted, and no cell has two records', async () => {
  const controller = new AbortController();
  const request = { rows: fixtures(['throws', 'asksAgain']), faults: faults('unknown-tool', 'cut-arguments', 'missing-argument'), patienceMs: PATIENCE_MS };
  const progress = createProgress({ total: 6, clock: systemClock, write: () => {}, terminal: false, columns: 80 });
  const first = await run({ ...request, signal: controller.signal, progress: { ...progress, trial: () => controller.abort() } });
  expect(first.interrupted).toBe(true);
  expect(readTrials(first.directory).length).toBeLessThan(6);
  const second = await run({ ...request, resume: first.directory });
  const cells = found(second.directory).map(({ cell }) => cell);
  expect(new Set(cells).size).toBe(6);
  expect(cells).toHaveLength(6);
  await expect(run({ ...request, patienceMs: 1_000, resume: first.directory })).rejects.toThrow(/other rows, faults or patience/);
  expect(JSON.parse(readFileSync(join(second.directory, 'manifest.json'), 'utf8')).plan).toMatchObject({
    name: 'faults',
    modelKind: 'scripted',
    timeoutMs: PATIENCE_MS,
  });
}, 120_000);

test('what is known of rows is known of every fault', () => {
  expect(Object.keys(TRUTHS).sort()).toEqual(
    faultsFor({ shape: 'single' }, FAULTS)
      .map(({ id }) => id)
      .sort(),
  );
});

test('every fault has an id of its own, and a sentence', () => {
  const all = [...FAULTS, ...LATER_FAULTS, ...BESIDE_FAULTS];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect([LATER_FAULTS.length, BESIDE_FAULTS.length]).toEqual([10, 10]);
  expect([...LATER_FAULTS, ...BESIDE_FAULTS].map(({ id }) => id).sort()).toEqual(Object.keys({ ...LATER, ...BESIDE }).sort());
  for (const { sentence } of all) expect(sentence).toMatch(/^[a-z]/);
});
