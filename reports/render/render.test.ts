// The promises that all renderers share, and the spelling of each: whole outputs, foreign text, and cells that are not there.
import { describe, expect, it } from 'vitest';
import { reportOf, rowOf, tableOf } from '../fixtures/tables.ts';
import { renderCsv, renderTableCsv } from './csv.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { printNumber } from './print-cell.ts';
import { renderTerminal, renderTerminalTable } from './terminal.ts';

const TWO_ROWS = tableOf(
  [
    rowOf('engine', {
      accuracyPercent: { value: 75, n: 4, low: 30.06, high: 95.44, published: 67.6, publishedIsClaim: true },
      overheadMs: { value: 0.456, n: 3 },
    }),
    rowOf('langgraph', { accuracyPercent: { value: 50, n: 4, published: 36.8 } }, { rank: 2 }),
    rowOf('fetch', { accuracyPercent: { value: 0, n: 4 } }, { section: 'floor', rank: undefined } as never),
  ],
  { notes: ['llamaindex: not installed.'] },
);

describe('Markdown', () => {
  it('prints a table with ranks, n, intervals and the paper in a column of its own', () => {
    expect(renderMarkdown(reportOf(TWO_ROWS))).toMatchInlineSnapshot(`
      "# Report

      One sentence.

      ## Table 1: Overall performance

      Simulated model.

      | rank | framework | n | accuracy % | accuracy %, paper | overhead ms |
      | ---: | --- | ---: | ---: | ---: | ---: |
      | 1 | engine | 4 | 75.0 [30.1, 95.4] | 67.6 *claim* | 0.46 (n 3) |
      | 2 | langgraph | 4 | 50.0 | 36.8 |  |
      | floor | fetch | 4 | 0.0 |  |  |

      - llamaindex: not installed.
      "
    `);
  });

  it('keeps every word of a hostile cell and the column count of its row', () => {
    const nasty = 'a|b x\\|y `c` <b>two\nlines</b> *s* [l](u) #1 & ~';
    const text = renderMarkdown(reportOf(tableOf([rowOf(nasty, { accuracyPercent: { value: 1, n: 4 } })])));
    const line = text.split('\n').find((candidate) => candidate.includes('two'));
    expect(line).toMatchInlineSnapshot(`"| a\\|b x\\\\\\|y \\\`c\\\` &lt;b&gt;two<br>lines&lt;/b&gt; \\*s\\* [l\\](u) #1 &amp; \\~ | 4 | 1.0 |"`);
    const bare = line?.replaceAll('\\\\', '').replaceAll('\\|', '') ?? '';
    const header = text.split('\n').find((candidate) => candidate.startsWith('| rank') || candidate.startsWith('| framework')) ?? '';
    expect(bare.split('|').length).toBe(header.split('|').length);
  });
});

describe('a long list', () => {
  it.each([997, 998, 999, 1_998, 2_000])('of %d rows has one line each, with no line between or lost', (rows) => {
    const text = renderMarkdown(reportOf(tableOf(Array.from({ length: rows }, (_, at) => rowOf(`row${at}`, {}, { rank: at + 1 })))));
    const lines = text.split('\n').filter((line) => /^\| \d/.test(line));
    expect(lines).toEqual(Array.from({ length: rows }, (_, at) => `| ${at + 1} | row${at} |`));
    expect(text).not.toContain('\n\n\n');
  });
});

describe('CSV', () => {
  it('leaves an unknown field empty and says whose figure the published one is', () => {
    expect(renderTableCsv(TWO_ROWS)).toMatchInlineSnapshot(`
      "framework,shape,settings,taskType,level,configuration,host,section,rank,accuracyPercent,accuracyPercent_n,accuracyPercent_low,accuracyPercent_high,accuracyPercent_published,accuracyPercent_publishedIs,overheadMs,overheadMs_n,overheadMs_low,overheadMs_high,overheadMs_published,overheadMs_publishedIs
      engine,single,default,,,,,ranked,1,75,4,30.06,95.44,67.6,claim,0.456,3,,,,
      langgraph,single,default,,,,,ranked,2,50,4,,,36.8,paper,,,,,,
      fetch,single,default,,,,,floor,,0,4,,,,,,,,,,
      "
    `);
  });

  it('prints one line a cell for a stream and quotes what needs quoting', () => {
    const text = renderCsv(reportOf(tableOf([rowOf('a,"b"\nc', { accuracyPercent: { value: 1, n: 4 } })])), { run: 'r1' });
    expect(text).toMatchInlineSnapshot(`
      "run,table,framework,shape,settings,taskType,level,configuration,host,section,rank,column,value,n,low,high,published,publishedIs
      r1,table1,"a,""b""
      c",single,default,,,,,ranked,1,accuracyPercent,1,4,,,,
      "
    `);
  });
});

describe('JSON', () => {
  it('is {manifest, headline, tables} with cells by column and no null', () => {
    const text = renderJson(reportOf(TWO_ROWS));
    const { tables } = JSON.parse(text);
    expect(Object.keys(tables.table1)).toEqual(['title', 'caption', 'runs', 'trials', 'excluded', 'columns', 'rows', 'notes']);
    expect(tables.table1.rows[1]).toEqual({
      key: { framework: 'langgraph', shape: 'single', settings: 'default' },
      section: 'ranked',
      rank: 2,
      cells: { accuracyPercent: { value: 50, n: 4, published: 36.8 } },
    });
    expect(text).not.toMatch(/null|NaN|Infinity/);
  });

  it.each([0, 1, 1_000, 1_001])('spells a table of %d rows as JSON does, also beside others', (n) => {
    const rows = Array.from({ length: n }, (_, at) => rowOf(`a "row"\n${at}`, { accuracyPercent: { value: at, n: 4 } }));
    const report = reportOf(tableOf(rows, { notes: ['\n      "rows": ['] }), tableOf([], { id: 'empty' }));
    const { manifest, headline, tables } = report;
    const bare = Object.fromEntries(Object.entries(tables).map(([name, { id: _, ...table }]) => [name, table]));
    expect(renderJson(report)).toBe(`${JSON.stringify({ manifest, headline, tables: bare }, undefined, 2)}\n`);
    expect(renderJson({ manifest, headline, tables: {} })).toBe(`${JSON.stringify({ manifest, headline, tables: {} }, undefined, 2)}\n`);
  });

  it('refuses a number that JSON cannot hold and names its place', () => {
    expect(() => renderJson(reportOf(tableOf([rowOf('x', { accuracyPercent: { value: Number.NaN, n: 4 } })])))).toThrowErrorMatchingInlineSnapshot(
      `[GaugeError: tables.table1.rows.0.cells.accuracyPercent.value is NaN, which JSON cannot hold]`,
    );
  });
});

describe('terminal', () => {
  it('shows the first twenty rows of a list, and where the rest stands', () => {
    const list = (rows: number) =>
      renderTerminal(
        reportOf(
          tableOf(
            Array.from({ length: rows }, (_, at) => rowOf(`row${at}`, {})),
            { id: 'long', isList: true },
          ),
        ),
        {
          columns: 80,
          colour: false,
        },
      );
    expect(list(20)).not.toContain('more');
    expect(list(23)).toContain('row19');
    expect(list(23)).not.toContain('row20');
    expect(list(23)).toContain('… and 3 more: report.md and tables/long.csv have them.');
  });

  it('fits the columns it is given by folding a wide table and repeating the labels', () => {
    const text = renderTerminal(reportOf(TWO_ROWS), { columns: 50, colour: false });
    expect(text).toMatchInlineSnapshot(`
      "Table 1: Overall performance
      Simulated model.

                                                accuracy
       rank  framework  n         accuracy %    %, paper
      --------------------------------------------------
          1  engine     4  75.0 [30.1, 95.4]  67.6 claim
          2  langgraph  4               50.0        36.8
      floor  fetch      4                0.0

                          overhead
       rank  framework          ms
      ----------------------------
          1  engine     0.46 (n 3)
          2  langgraph
      floor  fetch

      - llamaindex: not installed.

      One sentence.
      "
    `);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50);
  });

  it('names a row in one column where labels would take more than half of the screen, and never prints a line wider than it', () => {
    const row = (framework: string, shape: string, settings: string) =>
      rowOf(
        framework,
        { accuracyPercent: { value: 45.6, n: 68, low: 34.3, high: 57.3, published: 44.9 }, overheadMs: { value: 12.5, n: 26 } },
        { key: { framework, shape, settings } },
      );
    const table = tableOf([row('openai-agents-py', 'single', 'default'), row('openai-agents-py', 'idiomatic', 'hardened')]);
    expect(renderTerminalTable(table, { columns: 60, colour: false })).toMatchInlineSnapshot(`
      "Table 1: Overall performance
      Simulated model.

      row; where not said: single,
      default                               n         accuracy %
      ----------------------------------------------------------
      openai-agents-py                     68  45.6 [34.3, 57.3]
      openai-agents-py idiomatic hardened  68  45.6 [34.3, 57.3]

      row; where not said: single,         accuracy
      default                              %, paper  overhead ms
      ----------------------------------------------------------
      openai-agents-py                         44.9  12.5 (n 26)
      openai-agents-py idiomatic hardened      44.9  12.5 (n 26)"
    `);
    expect(renderTerminalTable(table, { columns: 90, colour: false })).toContain('openai-agents-py  idiomatic  hardened');
    for (const columns of [40, 50, 60, 80]) {
      const lines = renderTerminalTable(table, { columns, colour: false }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it('colours only when asked to and never passes on a control character of foreign text', () => {
    const hostile = reportOf(tableOf([rowOf('\u001b[31mred\u0007', { accuracyPercent: { value: 1, n: 4 } })]));
    expect(renderTerminal(hostile, { columns: 80, colour: false })).not.toContain('\u001b');
    expect(renderTerminal(hostile, { columns: 80, colour: true })).toContain('\u001b[1m');
    expect(renderTerminal(hostile, { columns: 80, colour: true })).not.toContain('\u001b[31m');
  });
});

describe('all renderers', () => {
  it.each([
    ['md', () => renderMarkdown(reportOf(TWO_ROWS))],
    ['html', () => renderHtml(reportOf(TWO_ROWS))],
    ['csv', () => renderCsv(reportOf(TWO_ROWS))],
    ['json', () => renderJson(reportOf(TWO_ROWS))],
    ['terminal', () => renderTerminal(reportOf(TWO_ROWS), { columns: 80, colour: false })],
  ])('%s gives the same bytes twice and holds no NaN, Infinity, undefined or null', (_, render) => {
    expect(render()).toBe(render());
    expect(render()).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

describe('printNumber', () => {
  it.each([
    [61.764, 'percent', '61.8'],
    [-0.01, 'percent', '0.0'],
    [0, 'ms', '0.0'],
    [0.0456, 'ms', '0.046'],
    [0.00000001, 'ms', '0.000000'],
    [1234.5, 'tokens', '1235'],
    [-0.2649, 'ratio', '-0.26'],
  ] as const)('prints %d %s as %s', (value, unit, text) => {
    expect(printNumber(value, unit)).toBe(text);
  });
});
