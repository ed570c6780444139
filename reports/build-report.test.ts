// The whole report of a tiny run, and what must hold of any: denominators, blocks and ranks, absent cells, the exact part.
import { describe, expect, it } from 'vitest';
import type { TrialRecord } from '../metrics/record.ts';
import { buildReport } from './build-report.ts';
import { coldOf, ENGINE, FETCH, failed, LANGGRAPH, manifestOf, tinyRun, trialOf } from './fixtures/tiny-run.ts';
import type { RunContents } from './load-run.ts';
import { renderCsv } from './render/csv.ts';
import { renderJson } from './render/json.ts';
import { renderMarkdown } from './render/markdown.ts';
import { renderTerminal } from './render/terminal.ts';
import type { Cell, Report } from './report.ts';
import { reportFiles } from './write-report.ts';

const TASKS = ['zero-1', 'doc-1', 'doc-2', 'web-1'];

function cell(report: Report, table: string, framework: string, column: string, part: { taskType?: string; level?: number } = {}): Cell | undefined {
  const row = report.tables[table]?.rows.find(({ key }) => key.framework === framework && key.taskType === part.taskType && key.level === part.level);
  return row?.cells[column];
}

function everyText(report: Report): string {
  return [
    renderMarkdown(report),
    renderCsv(report),
    renderJson(report),
    renderTerminal(report, { columns: 100, colour: false }),
    ...Object.values(reportFiles(report)),
  ].join('\n');
}

/** The same run, with other times and memory and its lines in another order. */
function again(run: RunContents): RunContents {
  const slower = (trial: TrialRecord): TrialRecord => ({
    ...trial,
    wallMs: 99,
    overheadMs: 77,
    cpuMs: 55,
    setupMs: 33,
    calls: trial.calls.map(([start, end, input, output, status]) => [start + 5, end === null ? null : end + 5, input, output, status] as const),
    toolCalls: [],
  });
  return {
    ...run,
    manifest: { ...run.manifest, startedAt: '2031-01-01T00:00:00.000Z', host: 'h9', machine: { ...run.manifest.machine, cpu: 'another' } },
    trials: run.trials.map(slower).toReversed(),
    workers: run.workers.map((worker) => ({ ...worker, importMs: 1 })),
    wires: run.wires.toReversed(),
  };
}

describe('buildReport', () => {
  it('prints the tiny run', () => {
    expect(renderMarkdown(buildReport(tinyRun()))).toMatchInlineSnapshot();
  });

  it('prints the exact part of the tiny run on a terminal of 100 columns', () => {
    expect(renderTerminal(buildReport(tinyRun(), { exact: true }), { columns: 100, colour: false })).toMatchInlineSnapshot();
  });

  it('gives the same bytes twice, whatever the order of the records', () => {
    const run = tinyRun();
    const text = everyText(buildReport(run));
    expect(everyText(buildReport(tinyRun()))).toBe(text);
    expect(everyText(buildReport({ ...run, trials: run.trials.toReversed(), workers: run.workers.toReversed(), wires: run.wires.toReversed() }))).toBe(text);
  });

  it('gives equal exact reports for two runs that differ in times, memory, machine and moment only', () => {
    const exact = { exact: true };
    expect(everyText(buildReport(again(tinyRun()), exact))).toBe(everyText(buildReport(tinyRun(), exact)));
    expect(everyText(buildReport(again(tinyRun())))).not.toBe(everyText(buildReport(tinyRun())));
  });

  it('keeps errors, time-outs and trials without a record in the denominator', () => {
    const run = tinyRun();
    const report = buildReport({ ...run, trials: run.trials.filter(({ framework, taskId }) => !(framework === 'langgraph' && taskId === 'web-1')) });
    expect(cell(report, 'table1', 'langgraph', 'accuracyPercent')).toMatchObject({ value: 50, n: 4 });
    expect(report.tables.table1?.caption).toContain('11 of 12 planned trials');
    expect(report.tables.table1?.caption).toContain('UNFINISHED: 1 planned trial left no record');
  });

  it('gives no score to a row whose every trial died before its first model call, and keeps its denominators', () => {
    const dead = TASKS.map((taskId) =>
      failed(LANGGRAPH, taskId, {
        outcome: 'failed',
        failure: { code: 'worker-exit', message: 'exit 1' },
        code: 'worker-exit',
        handling: 'lost',
        calls: [],
        usage: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
        undisturbed: false,
      }),
    );
    const run = tinyRun();
    const report = buildReport({ ...run, trials: [...run.trials.filter(({ framework }) => framework !== 'langgraph'), ...dead] });
    expect(cell(report, 'table1', 'langgraph', 'accuracyPercent')).toBeUndefined();
    expect(cell(report, 'table1', 'langgraph', 'causedPercent')).toMatchObject({ value: 100, n: 4 });
    expect(cell(report, 'table2', 'langgraph', 'accuracyPercent', { taskType: 'web' })).toBeUndefined();
    expect(report.tables.table1?.rows.find(({ key }) => key.framework === 'langgraph')).not.toHaveProperty('rank');
    expect(report.tables.table1?.notes).toContain(
      'langgraph/single/default: none of its 4 planned trials reached the model (worker-exit 4), so it has no score.',
    );
  });

  it('prints a run without a single record, and one of one trial, without NaN, Infinity, undefined or null', () => {
    const empty = { ...tinyRun(), trials: [], workers: [], wires: [] };
    const one = {
      ...tinyRun(),
      manifest: manifestOf([ENGINE], { tasks: [{ taskId: 'web-1', taskType: 'web', level: 2 }] }),
      trials: [trialOf(ENGINE, 'web-1')],
      workers: [coldOf(ENGINE, 15)],
    };
    for (const run of [empty, one]) expect(everyText(buildReport(run))).not.toMatch(/NaN|Infinity|undefined|\bnull\b/);
    expect(buildReport(empty).headline[0]).toContain('no row has a score');
    expect(cell(buildReport(one), 'table10', 'engine', 'importMs')).toEqual({ value: 15, n: 1, published: 2400, publishedIsClaim: true });
  });

  it('says a tie as such and lets equal rows share a rank', () => {
    const run = tinyRun();
    const report = buildReport({
      ...run,
      trials: [
        ...run.trials.filter(({ framework }) => framework === 'fetch'),
        ...TASKS.flatMap((taskId) => [trialOf(LANGGRAPH, taskId), trialOf(ENGINE, taskId)]),
      ],
    });
    expect(report.tables.table1?.rows.map(({ key, rank }) => [key.framework, rank])).toEqual([
      ['engine', 1],
      ['langgraph', 1],
      ['fetch', undefined],
    ]);
    expect(report.headline[0]).toContain('engine and langgraph tie');
  });

  it('never ranks a floor or another shape', () => {
    const dag = { ...LANGGRAPH, shape: 'dag' };
    const run = tinyRun();
    const report = buildReport({
      ...run,
      manifest: manifestOf([FETCH, LANGGRAPH, ENGINE, dag]),
      trials: [...run.trials, ...TASKS.map((taskId) => trialOf(dag, taskId))],
    });
    expect(report.tables.table1?.rows.map(({ key, section, rank }) => [key.framework, key.shape, section, rank])).toEqual([
      ['engine', 'single', 'ranked', 1],
      ['langgraph', 'single', 'ranked', 2],
      ['fetch', 'single', 'floor', undefined],
      ['langgraph', 'dag', 'by-name', undefined],
    ]);
  });

  it('leaves usage and codes of a row with a cut trial out of the exact part', () => {
    const run = tinyRun();
    const cut = run.trials.map((trial): TrialRecord => (trial.framework === 'engine' && trial.taskId === 'web-1' ? { ...trial, cut: true } : trial));
    const exact = buildReport({ ...run, trials: cut }, { exact: true });
    expect(cell(exact, 'table1', 'engine', 'accuracyPercent')).toMatchObject({ value: 75 });
    expect(cell(exact, 'table1', 'engine', 'causedPercent')).toBeUndefined();
    expect(cell(exact, 'table8', 'engine', 'totalTokens')).toBeUndefined();
    expect(cell(exact, 'table8', 'langgraph', 'totalTokens')).toBeDefined();
  });

  it('says under the first table which records stand nowhere', () => {
    const report = buildReport({ ...tinyRun(), setAside: [{ why: 'half-written last lines', n: 1 }] });
    expect(report.tables.table1?.notes.at(-1)).toBe('Set aside: 1 half-written last lines.');
  });
});
