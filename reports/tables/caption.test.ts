import { expect, test } from 'vitest';
import { buildReport } from '../build-report.ts';
import { tinyRun } from '../fixtures/tiny-run.ts';

const tables = Object.values(buildReport(tinyRun()).tables).filter(({ columns }) => columns.length > 0);

test.each(tables)(
  'M9.4: $id says its model, runs, trials, denominator, interval, what was left out, and how many trials ended at the cap',
  ({ caption, trials }) => {
    expect(caption).toMatch(
      /^Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model\. 1 run of seed 1 on tiny, /,
    );
    expect(caption).toContain(`${trials} of 12 planned trials (3 rows × 4 tasks × 1)`);
    expect(caption).toMatch(/Denominator|\bn: |[Oo]ver the recorded|One line a trial/);
    expect(caption).toMatch(/[Ii]nterval/);
    expect(caption).toMatch(/Left out: .+\./);
    expect(caption).toMatch(/\d+ trials? ended at the cap of 24 model calls or in a forced answer\./);
  },
);

test('M9.4: a run that is not finished says so in every caption', () => {
  const run = tinyRun();
  const unfinished = Object.values(buildReport({ ...run, trials: run.trials.slice(1) }).tables).filter(({ columns }) => columns.length > 0);
  for (const { caption } of unfinished) expect(caption).toContain('UNFINISHED: 1 planned trial left no record and count as not correct');
});
