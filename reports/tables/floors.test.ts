// What a row costs beyond a bare loop, in the tables that say so: the loop of its own language, and `fetch` beside a Python row (method M1.6).
import { expect, test } from 'vitest';
import { buildReport } from '../build-report.ts';
import { coldOf, FETCH, LANGGRAPH, manifestOf, trialOf } from '../fixtures/tiny-run.ts';
import type { Report } from '../report.ts';

const HTTPX = { ...FETCH, framework: 'httpx', language: 'python' } as const;
const LANGGRAPH_PY = { ...LANGGRAPH, framework: 'langgraph-py', language: 'python' } as const;
const OVER = {
  table6: ['overFloorMs', 'overFetchMs'],
  table8: ['overFloorTokens', 'overFetchTokens'],
  table9: ['overFloorSeconds', 'overFetchSeconds'],
  table10: ['importOverFloorMs', 'importOverFetchMs'],
} as const;

function reportOf(rows: readonly (typeof FETCH)[]): Report {
  const costs: Readonly<Record<string, number>> = { fetch: 1, httpx: 2, langgraph: 5, 'langgraph-py': 10 };
  const of = ({ framework }: typeof FETCH) => costs[framework] ?? 0;
  return buildReport({
    manifest: manifestOf(rows),
    trials: rows.map((row) =>
      trialOf(row, 'zero-1', {
        overheadMs: of(row),
        wallMs: 1000 * of(row),
        usage: { modelCalls: 2, toolCalls: 1, inputTokens: 100 * of(row), outputTokens: 0 },
      }),
    ),
    workers: rows.map((row) => coldOf(row, 100 * of(row))),
    wires: [],
    setAside: [],
  });
}

/** Both columns of a row in each table: floor, fetch. */
function overOf(report: Report, framework: string) {
  return Object.entries(OVER).map(([table, columns]) => {
    const row = report.tables[table]?.rows.find(({ key: { framework: name, taskType } }) => name === framework && (taskType ?? 'zero-tool') === 'zero-tool');
    return columns.map((column) => row?.cells[column]?.value);
  });
}

const nothing = [undefined, undefined];

test('M1.6: a Python row stands beside httpx and beside fetch in columns of their own, a Node row beside fetch', () => {
  const report = reportOf([FETCH, HTTPX, LANGGRAPH, LANGGRAPH_PY]);
  expect(overOf(report, 'langgraph-py')).toEqual([
    [8, 9],
    [800, 900],
    [8, 9],
    [800, 900],
  ]);
  expect(overOf(report, 'langgraph')).toEqual([
    [4, undefined],
    [400, undefined],
    [4, undefined],
    [400, undefined],
  ]);
  expect(overOf(report, 'httpx')).toEqual([
    [undefined, 1],
    [undefined, 100],
    [undefined, 1],
    [undefined, 100],
  ]);
  expect(overOf(report, 'fetch')).toEqual([nothing, nothing, nothing, nothing]);
});

test('M1.6: a floor that did not run leaves its cells absent', () => {
  expect(overOf(reportOf([LANGGRAPH_PY]), 'langgraph-py')).toEqual([nothing, nothing, nothing, nothing]);
  expect(overOf(reportOf([FETCH, LANGGRAPH_PY]), 'langgraph-py').map(([floor]) => floor)).toEqual([undefined, undefined, undefined, undefined]);
  expect(overOf(reportOf([HTTPX, LANGGRAPH_PY]), 'langgraph-py').map(([, fetch]) => fetch)).toEqual([undefined, undefined, undefined, undefined]);
});
