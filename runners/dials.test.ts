// The dials of the model, over real processes: a recorded run and its replay are the same run, and what a plan sets arrives where it works.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exactPart } from '../metrics/exact-part.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { cacheDirectory } from './cache-directory.ts';
import { type PlanSpecInput, parsePlanSpec } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { resolvePlan } from './resolved-plan.ts';
import { startStudy } from './start-study.ts';

const folder = mkdtempSync(join(tmpdir(), 'agentgauge-dials-'));
const silent: Progress = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };
const HELD_OUT = fileURLToPath(new URL('../examples/held-out', import.meta.url));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function study(input: Partial<PlanSpecInput>) {
  const spec = parsePlanSpec({ name: 'dials', rows: [{ framework: 'fetch' }], sample: 6, coldStarts: 0, transcripts: false, ...input }, 'test');
  const plan = await resolvePlan(spec, { baseDirectory: folder, cacheDirectory: cacheDirectory() });
  const { directory } = await startStudy({ plan, baseDirectory: folder, out: folder, progress: silent, signal: new AbortController().signal });
  const lines = readFileSync(join(directory, 'trials.jsonl'), 'utf8').split('\n').filter(Boolean);
  return { plan, records: lines.map((line) => JSON.parse(line) as TrialRecord) };
}

beforeAll(async () => {
  const spec = parsePlanSpec({ name: 'dials', rows: [{ framework: 'fetch' }] }, 'test');
  await resolvePlan(spec, { baseDirectory: folder, cacheDirectory: cacheDirectory() });
}, 120_000);

test('a replay gives the same records as the run that was recorded; what was not recorded ends it, with the nearest request and what differs', async () => {
  const rows = [{ framework: 'fetch' }, { framework: 'fetch', settings: 'hardened' as const }];
  const recorded = await study({ rows, record: 'words.jsonl' });
  const replayed = await study({ rows, replay: 'words.jsonl' });
  expect(exactParts(replayed.records)).toEqual(exactParts(recorded.records));
  expect(recorded.records).toHaveLength(12);
  await expect(study({ rows, record: 'words.jsonl' })).rejects.toMatchObject({ code: 'CASSETTE_EXISTS' });
  await expect(study({ rows, replay: 'nowhere.jsonl' })).rejects.toMatchObject({ code: 'CASSETTE_MISSING' });
  await expect(study({ rows, replay: 'words.jsonl', instruction: 'user' })).rejects.toMatchObject({
    code: 'REPLAY_MISS',
    message: expect.stringMatching(/was not recorded\. Nearest is one of recorded trial \d+.*(?:differs|it lacks|it has a)/),
  });
}, 60_000);

/** Which of two records is written first is not decided. */
function exactParts(records: readonly TrialRecord[]) {
  const spelled = ({ taskId, settings }: TrialRecord) => `${taskId} ${settings}`;
  return [...records].sort((a, b) => (spelled(a) < spelled(b) ? -1 : 1)).map(exactPart);
}

test('rates, policy, profile, latency and the literal cap arrive where they work', async () => {
  const refusing = await study({ profile: 'clean', policy: 'impatient', rates: { refusal: 1 }, sample: 2 });
  expect(new Set(refusing.records.map(({ code }) => code))).toEqual(new Set(['refusal']));
  expect(refusing.plan.manifest).toMatchObject({ rates: { refusal: 1 }, policy: 'impatient', profile: 'clean', model: 'gpt-4o-mini' });
  const slow = await study({ profile: 'gpt-4o', rates: QUIET, latency: 'fixed:30', capLiteral: 1, taskTypes: ['web'], sample: 2 });
  expect(slow.plan.manifest).toMatchObject({ latency: 'fixed:30', model: 'gpt-4o', capLiteral: 1 });
  for (const { modelMs, usage, outcome, code } of slow.records) {
    expect(modelMs ?? 0).toBeGreaterThanOrEqual(28 * usage.modelCalls);
    expect([outcome, code]).toEqual(['limit', 'iteration-cap']);
  }
}, 60_000);

const QUIET = { 'empty-reply': 0, 'early-answer': 0, 'unknown-tool': 0, 'malformed-arguments': 0, 'schema-violation': 0, prose: 0, 'cut-reply': 0 };

test('faults and questions from outside the repository are met, and what is wrong with them is told by its place', async () => {
  const { records, plan } = await study({ profile: 'clean', heldOut: HELD_OUT, tasks: 'held-out', sample: undefined });
  expect(plan.manifest.heldOut).toMatch(/^[0-9a-f]+$/);
  expect(plan.taskSet).toMatchObject({ name: 'held-out', tasks: 3 });
  for (const { undisturbed, score } of records) if (undisturbed) expect(score?.correct).toBe(true);
  await expect(study({ tasks: 'held-out' })).rejects.toMatchObject({ code: 'OPTIONS_EXCLUDE' });
  await expect(study({ heldOut: 'nowhere' })).rejects.toMatchObject({ code: 'HELD_OUT_MISSING' });
  writeFileSync(join(folder, 'templates.mjs'), 'export const templates = [{ name: "x", type: "audio" }];\n');
  await expect(study({ heldOut: '.' })).rejects.toMatchObject({
    code: 'HELD_OUT_MISSING',
    message: expect.stringContaining('holds templates alone, and the tasks are'),
  });
  writeFileSync(join(folder, 'faults.mjs'), 'export const faults = [{ name: "x", at: "call", rate: 2 }];\n');
  await expect(study({ heldOut: '.' })).rejects.toMatchObject({ code: 'HELD_OUT_INVALID', message: expect.stringContaining('faults[0].rate is 2') });
  await expect(study({ heldOut: '.', tasks: 'held-out' })).rejects.toMatchObject({
    code: 'HELD_OUT_INVALID',
    message: expect.stringContaining('templates[0].type is "audio"'),
  });
}, 60_000);

test('M7.1: each trial of a run of conditions meets its fault and no other, beside a twin that meets none', async () => {
  const input: Partial<PlanSpecInput> = { profile: 'clean', rates: { 'empty-reply': 1 }, faults: { bursts: [1], draws: 1 }, sample: 1 };
  const { records, plan } = await study({ ...input, rows: [{ framework: 'fetch', settings: 'hardened' }] });
  const { conditions = [] } = plan.manifest;
  expect(records.map(({ trialIndex }) => trialIndex)).toEqual([...conditions.keys()]);
  const under = (what: string) => records.filter(({ trialIndex }) => conditions[trialIndex]?.what === what);
  for (const twin of under('twin')) expect([twin.score?.correct, twin.forced, twin.events]).toEqual([true, undefined, []]);
  expect(under('twin')[0]?.asks).toMatchObject({ 'first-call': 1, 'last-reply': 1 });
  for (const met of under('forced')) expect(met.forced).toBeLessThanOrEqual(1);
  expect(under('forced').filter(({ forced }) => forced === 1).length).toBeGreaterThan(20);
  // The rates of the run draw in the draws alone.
  expect(under('drawn').map(({ code }) => code)).toEqual(['empty-passed-on']);
  const fed = records.filter(({ trialIndex }) => JSON.stringify(conditions[trialIndex]).includes('"kind":"unknown-tool"'));
  expect(fed.map(({ score }) => score?.correct)).toEqual([true, true, true]);
}, 60_000);

test('the cache of the tools may be off: the same answers, and the manifest says so', async () => {
  const few: Partial<PlanSpecInput> = { profile: 'clean', taskTypes: ['document', 'web'], sample: 6 };
  const told = async (more: Partial<PlanSpecInput>) => {
    const { records, plan } = await study({ ...few, ...more });
    return { answers: records.map(({ taskId, answer, score }) => [taskId, answer, score?.correct]), off: plan.manifest.toolCache };
  };
  const on = await told({ toolCache: 'on' });
  expect(on.off).toBeUndefined();
  expect(on.answers).toHaveLength(6);
  expect(await told({ toolCache: 'off' })).toEqual({ answers: on.answers, off: 'off' });
}, 60_000);

test('the dials of the search reach the tool: where it knows no page, no web task is solved; the manifest names a dial that is turned and no other', async () => {
  const web: Partial<PlanSpecInput> = { profile: 'clean', taskTypes: ['web'], sample: 3 };
  const solved = (records: readonly TrialRecord[]) => records.filter(({ score }) => score?.correct === true).length;
  const usual = await study({ ...web, searchRecall: 1, searchNoise: 0 });
  const blind = await study({ ...web, searchRecall: 0 });
  expect([solved(usual.records), solved(blind.records), blind.records.length]).toEqual([3, 0, 3]);
  expect(usual.plan.manifest).not.toHaveProperty('searchRecall');
  expect(blind.plan.manifest).toMatchObject({ searchRecall: 0 });
  expect(blind.plan.manifest).not.toHaveProperty('searchNoise');
  await expect(study({ tasks: 'jsonl:mine.jsonl', searchNoise: 0.5 })).rejects.toMatchObject({
    message: expect.stringContaining('searchNoise: turns the offline search'),
  });
}, 60_000);
