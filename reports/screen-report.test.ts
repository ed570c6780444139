// The last lines of a study's screen: what they hold comes from the tables, and they come last.
import { expect, test } from 'vitest';
import { buildReport } from './build-report.ts';
import { tinyRun } from './fixtures/tiny-run.ts';
import { renderTerminal } from './render/terminal.ts';
import { screenReport } from './screen-report.ts';

test('a screen has the ten tables, and last one line a row with the figures of the tables', () => {
  const report = buildReport(tinyRun());
  const screen = screenReport(report);
  const numbered = Object.keys(report.tables).filter((id) => /^table\d+$/.test(id));
  expect(Object.keys(screen.tables)).toEqual([...numbered, 'glance']);
  const { glance } = screen.tables;
  expect(glance?.rows.map(({ key }) => key)).toEqual(report.tables.table1?.rows.map(({ key }) => key));
  expect(renderTerminal({ ...screen, tables: glance === undefined ? {} : { glance }, headline: [] }, { columns: 100, colour: false })).toMatchInlineSnapshot(`
    "At a glance
    Simulated model gpt-4o-mini, profile gpt-4o-mini. Accuracy with its interval as in table 1; of the
    others the middle figures alone: times are medians of undisturbed trials, memory is of fresh
    processes, tokens are means a trial.

                                                   not            overhead       peak   total
     rank  framework  n         accuracy %  repaired %  caused %        ms  memory MB  tokens
    -----------------------------------------------------------------------------------------
        1  langgraph  4  50.0 [15.0, 85.0]        50.0      25.0      20.0      151.0     960
    apart  engine     4  75.0 [30.1, 95.4]         0.0       0.0      10.0       75.0     960
    floor  fetch      4  75.0 [30.1, 95.4]         0.0       0.0      10.0       75.0     773

    - In the report besides: Failures by row and code; Failures that were not repaired, one by one; Wire
      audit: where requests differ from the floor.
    "
  `);
});
