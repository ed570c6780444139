// The table of faults: from records to cells, to text, and held against what somebody expects.
import { expect, test } from 'vitest';
import type { Manifest, TrialRecord } from '../../metrics/record.ts';
import { differencesFrom, expectationOf, unexpectedCells } from './expectation.ts';
import { faultMatrix } from './fault-matrix.ts';
import { renderFaultsHtml } from './render-html.ts';
import { renderFaultsJson } from './render-json.ts';
import { renderFaultsMarkdown } from './render-markdown.ts';
import { faultsInWords, renderFaultsSvg } from './render-svg.ts';
import { renderFaultsTerminal } from './render-terminal.ts';

type Change = Partial<Omit<TrialRecord, 'usage'>> & { readonly requests?: number };

function record(framework: string, taskId: string, { requests = 1, ...change }: Change): TrialRecord {
  return {
    framework,
    shape: 'single',
    settings: 'default',
    taskId,
    usage: { modelCalls: requests, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
    outcome: 'completed',
    events: [],
    wallMs: 12,
    ...change,
  } as unknown as TrialRecord;
}

const row = (framework: string) => ({ framework, shape: 'single', settings: 'default', title: framework, language: 'node', floor: false });

function matrixOf(trials: readonly TrialRecord[]) {
  const manifest = {
    agentgauge: '0.1.0',
    startedAt: '2026-11-30T10:00:00.000Z',
    machine: { node: 'v24.22.3' },
    plan: {
      rows: [row('tidy'), row('sloppy')],
      absentRows: [{ framework: 'gone', why: 'not installed' }],
      tasks: ['unknown-tool', 'hang'].map((taskId) => ({ taskId })),
      timeoutMs: 45_000,
      cap: 40,
      agentCap: 10,
    },
  } as unknown as Manifest;
  const faults = [
    { id: 'unknown-tool', group: 'calls', sentence: 'calls a tool | that was <not> offered' },
    { id: 'hang', group: 'transport', sentence: 'never answers' },
  ];
  return faultMatrix({ manifest, trials, workers: [] }, { faults, documentedLimits: { tidy: '10 minutes' } });
}

const trials = [
  record('tidy', 'unknown-tool', { response: 'fed-back', requests: 3 }),
  record('tidy', 'hang', { response: 'still-waiting', wallMs: 45_012 }),
  record('sloppy', 'unknown-tool', { response: 'crash', outcome: 'failed', failure: { code: 'worker-exit', message: 'it said <boom>' } }),
];

test('a terminal of 120 columns shows counts, every cell, and what still waits', () => {
  expect(renderFaultsTerminal(matrixOf(trials), { columns: 120, colour: false })).toMatchInlineSnapshot(`
    "What each framework does with each fault
    A scripted model and its wire misbehave in 2 ways; 2 rows meet each on real processes, one agent alone. A cell: what
    came of it, model requests made, time from one second on. Tools take what they get, as plain functions do. Each
    framework's own limit stands at 10 model calls; the gateway answers 40. Patience: 45 s. Node 24.22.3, 2026-11-30.

      ok        recovered: came to the right end without a word to the model
      fed back  fed-back: told the model, which then did it right
      error     clear-error: ended in time with an error
      SILENT    silent-wrong: a success with nothing, half, a notice, or that rests on a call which the tool does not take
      CRASH     crash: the process died
      HANG      hang: never ended: waits for nothing, or asks on beyond every limit
      STRAY     stray-work: went on working after its end
      waits     still-waiting: was still waiting when patience ran out; no ending

    row                   ok  fed back     error    SILENT     CRASH      HANG     STRAY     waits    of
    tidy/default           ·         1         ·         ·         ·         ·         ·         1     2
    sloppy/default         ·         ·         ·         ·         1         ·         ·         ·     1

    default       tidy         sloppy
    ----------------------------------
    unknown-tool  fed back 3   CRASH 1
    ----------------------------------
    hang          waits 1 45s

    - tidy/default still waits after 45 s: hang (1 request). Its limit: 10 minutes.
    - Not here: gone (not installed).
    "
  `);
});

test('a line is never wider than the terminal', () => {
  for (const columns of [60, 80, 120]) {
    const { rows, ...matrix } = matrixOf(trials);
    const many = Array.from({ length: 19 }, (_, at) => ({ ...(rows[0] as (typeof rows)[number]), id: `row-${at}/default`, framework: `framework-${at}` }));
    const text = renderFaultsTerminal({ ...matrix, rows: many }, { columns, colour: false });
    const panels = text.split('\n\n').filter((part) => part.startsWith('default'));
    expect(panels.length).toBeGreaterThan(1);
    expect(Math.max(...panels.flatMap((panel) => panel.split('\n')).map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

test('Markdown and HTML keep every word of foreign text, escaped', () => {
  const markdown = renderFaultsMarkdown(matrixOf(trials));
  expect(markdown).toContain('| unknown-tool | fed back 3 | CRASH 1 |');
  expect(markdown).toContain('calls a tool \\| that was &lt;not&gt; offered');
  const html = renderFaultsHtml(matrixOf(trials));
  expect(html).toContain('<td class="crash" title="it said &lt;boom&gt;">CRASH<small>1</small></td>');
  expect(html).not.toMatch(/<(?:script|link|img)|https?:/);
});

test('a picture has a square for each cell that was run and each word of its legend, a letter in every one, and settings beside each other', () => {
  const matrix = matrixOf(trials);
  const squares = (picture: string) => picture.match(/<rect x=/g)?.length;
  const [first, ...others] = matrix.rows;
  const both = { ...matrix, rows: [...matrix.rows, ...(first === undefined ? [] : [{ ...first, id: 'tidy/hardened', settings: 'hardened' }])] };
  expect(squares(renderFaultsSvg(matrix))).toBe(8 + 3);
  expect(squares(renderFaultsSvg({ ...matrix, rows: others }))).toBe(8 + 1);
  expect(renderFaultsSvg(matrix).match(/<rect x=.*\n<text x=.*>\w<\/text>/g)).toHaveLength(8 + 3);
  expect(renderFaultsSvg(both).match(/>(default|hardened)</g)).toEqual(['>default<', '>hardened<']);
  expect(renderFaultsSvg({ ...matrix, rows: [] })).not.toMatch(/NaN|undefined|Infinity/);
});

test('Markdown shows a picture only where there is one, and says in words what is on it', () => {
  const words = 'A square for each of 3 cells, 2 faults by 2 rows: 0 ok, 1 fed back, 0 error, 0 SILENT, 1 CRASH, 0 HANG, 0 STRAY, 1 waits';
  expect(faultsInWords(matrixOf(trials))).toBe(words);
  expect(renderFaultsMarkdown(matrixOf(trials), 'faults.svg')).toContain(`\n\n![${words}](faults.svg)\n\n`);
  expect(renderFaultsMarkdown(matrixOf(trials))).not.toContain('![');
});

test('JSON names a cell by row and fault, and leaves out what was not run', () => {
  const { rows } = JSON.parse(renderFaultsJson(matrixOf(trials)));
  expect(rows[0].cells.hang).toEqual({ response: 'still-waiting', requests: 1, toolCalls: 0, wallMs: 45_012 });
  expect(rows[1].cells.hang).toBeUndefined();
});

test('the same records give an expectation that holds, in whatever order they came', () => {
  const expected = expectationOf(matrixOf(trials));
  expect(differencesFrom(expected, matrixOf([...trials].reverse()))).toEqual([]);
});

test('another response, another number of requests and a cell that is missing differ; the time and the requests of what waits do not', () => {
  const expected = expectationOf(matrixOf(trials));
  const waitsOn = trials.map((one) =>
    one.response === 'still-waiting' ? record('tidy', 'hang', { response: 'still-waiting', requests: 9, wallMs: 50_000 }) : one,
  );
  expect(differencesFrom(expected, matrixOf(waitsOn))).toEqual([]);
  const changed = [record('tidy', 'unknown-tool', { response: 'fed-back', requests: 4 }), record('sloppy', 'unknown-tool', { response: 'clear-error' })];
  expect(differencesFrom(expected, matrixOf(changed)).map(({ row: id, fault, found }) => [id, fault, found?.response, found?.requests])).toEqual([
    ['tidy/default', 'unknown-tool', 'fed-back', 4],
    ['tidy/default', 'hang', undefined, undefined],
    ['sloppy/default', 'unknown-tool', 'clear-error', 1],
  ]);
});

test('cells that nobody expected anything of are counted, not judged', () => {
  const { rows, ...rest } = expectationOf(matrixOf(trials));
  const { 'sloppy/default': _, ...fewer } = rows;
  expect(unexpectedCells({ ...rest, rows: fewer }, matrixOf(trials))).toBe(1);
  expect(differencesFrom({ ...rest, rows: fewer }, matrixOf(trials))).toEqual([]);
});
