// Every row on real processes, and the cases themselves held against adapters that break one rule each.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SettingsName } from '../adapters/adapter.ts';
import { CONFORMANCE_CASES, type ConformanceCase } from '../adapters/conformance.ts';
import { requestsAre } from '../adapters/conformance-checks.ts';
import { adapterModule, findAdapter } from '../adapters/registry.ts';
import { runConformance } from './conformance.ts';
import type { RunnableRow } from './rows.ts';
import { type ScriptedServices, startScriptedServices } from './scripted-services.ts';

// Hundreds of runs are a matter of seconds on a machine that has nothing else to do.
vi.setConfig({ testTimeout: 180_000 });

const { signal } = new AbortController();
let services: ScriptedServices;
beforeAll(async () => {
  services = await startScriptedServices();
});
afterAll(() => services.stop());

function rowOf(id: string, settings: SettingsName = 'default'): RunnableRow {
  const { title, language, floor, exportName, packages, ...entry } = findAdapter(id);
  return {
    framework: id,
    title,
    shape: 'single',
    settings,
    language,
    floor,
    module: adapterModule({ title, language, floor, exportName, packages, ...entry }),
    exportName,
    packages,
  };
}

function misbehaving(exportName: string): RunnableRow {
  const module = fileURLToPath(new URL('../adapters/fixtures/misbehaves.ts', import.meta.url));
  return { framework: exportName, title: exportName, shape: 'single', settings: 'default', language: 'node', floor: false, module, exportName, packages: [] };
}

async function failuresOf(row: RunnableRow, cases: readonly ConformanceCase[]): Promise<Record<string, string>> {
  const report = await runConformance({ row, cases, signal, services });
  expect(report.cases).toHaveLength(cases.length);
  return Object.fromEntries(report.cases.flatMap((each) => (each.outcome === 'fail' ? [[each.id, each.reason]] : [])));
}

/** Two hundred runs take their time; the bare loop stands for all here, `agentgauge conformance` does it for each. */
const quickCases = CONFORMANCE_CASES.filter((each) => each.runs === undefined);

test.concurrent.each([
  ['fetch', 'default', CONFORMANCE_CASES],
  ['fetch', 'hardened', quickCases],
  ['openai', 'default', quickCases],
  ['openai', 'hardened', quickCases],
  ['langchain', 'default', quickCases],
  ['langgraph', 'default', quickCases],
  ['llamaindex', 'default', quickCases],
  ['openai-agents', 'default', quickCases],
] as const)('%s %s keeps every rule, among them M1.1, M1.2, M2.1 and M3.2', async (id, settings, cases) => {
  expect(await failuresOf(rowOf(id, settings), cases)).toEqual({});
});

test.concurrent.each([
  ['trimsTheAnswer', ['answer-untouched']],
  ['ignoresTheCap', ['cap-exact']],
  ['stopsOneCallEarly', ['cap-exact', 'cap-reachable']],
  ['losesTheSystemText', ['instruction-kept']],
  ['samplesColder', ['sampling']],
  ['sendsAnotherKey', ['sampling']],
  ['offersNoTools', ['answers-at-once']],
  ['cutsToolTexts', ['unicode-and-size']],
  ['hidesErrors', ['model-error', 'cancellation']],
  ['asksAfterItsEnd', ['no-stray-work']],
  ['callsAfterItsEnd', ['no-stray-work']],
  ['keepsEveryRun', ['two-hundred-runs']],
  ['ignoresTheSignal', ['cancellation']],
  [
    'answersFromNowhere',
    ['answers-at-once', 'one-tool', 'usage-counted', 'instruction-kept', 'sampling', 'cap-exact', 'cancellation', 'model-error', 'no-tools'],
  ],
])('an adapter that %s fails %j', async (exportName, ids) => {
  // Nothing settles here, so nothing is asked again.
  const cases = CONFORMANCE_CASES.filter(({ id }) => ids.includes(id)).map(({ mostRuns: _, ...each }) => each);
  expect(Object.keys(await failuresOf(misbehaving(exportName), cases)).sort()).toEqual([...ids].sort());
});

test.concurrent('a case that is still wrong is played on, a hundred runs at a time, until it is right or its most runs are over', async () => {
  const rightFrom = (run: number, id: string): ConformanceCase => ({
    id,
    sentence: '',
    script: { replies: [{ kind: 'text', text: 'FINAL ANSWER: 1' }] },
    tools: [],
    mostRuns: 101,
    fault: (seen) => (seen.length >= run ? undefined : `${seen.length} runs`),
  });
  expect(await failuresOf(rowOf('fetch'), [rightFrom(1, 'at once'), rightFrom(101, 'later'), rightFrom(102, 'never')])).toEqual({ never: '101 runs' });
});

test.concurrent.each([
  ['fetch', 3],
  ['langgraph', 2],
  ['openai-agents', 3],
])("M3.3: --cap-literal 3 goes to %s's own option as it stands and means %i model calls there", async (id, calls) => {
  const cases: ConformanceCase[] = [
    {
      id: 'cap-literal',
      sentence: '',
      script: { replies: [{ kind: 'calls', calls: [{ name: 'again', arguments: '{}' }] }] },
      tools: [
        {
          schema: {
            name: 'again',
            description: 'Tells to try again.',
            parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
          },
          results: [{ kind: 'text', text: 'Again.' }],
        },
      ],
      agentCap: 10,
      capLiteral: 3,
      fault: ([seen]) => (seen === undefined ? 'not run' : requestsAre(seen, calls)),
    },
  ];
  expect(await failuresOf(rowOf(id), cases)).toEqual({});
});

test.concurrent('an adapter that dies is named with its last words, and the next case gets a new process', async () => {
  const module = fileURLToPath(new URL('../adapters/fixtures/rejects-unhandled.ts', import.meta.url));
  const failures = await failuresOf({ ...misbehaving('adapter'), module }, CONFORMANCE_CASES.slice(0, 2));
  expect(failures).toEqual({ 'answers-at-once': expect.stringContaining('nobody awaits me'), 'no-tools': expect.stringContaining('with exit code 1') });
});
