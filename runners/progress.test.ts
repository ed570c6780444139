import { expect, test } from 'vitest';
import { manualClock } from '../base/clock.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { createProgress, duration, progressLine } from './progress.ts';

test('a line says how far, how fast, how long still, and what has not completed', () => {
  expect(
    progressLine({
      name: 'trials',
      total: 100,
      done: 20,
      elapsedMs: 10_000,
      rowName: 'langgraph/single/default',
      failures: new Map([
        ['loop', 1],
        ['iteration-cap', 3],
      ]),
    }),
  ).toBe('trials 20/100  2.0/s  40 s left  langgraph/single/default  not completed: 3 iteration-cap, 1 loop');
});

test('before anything is done there is no rate, and at the end no time left', () => {
  expect(progressLine({ name: 'trials', total: 5, done: 0, elapsedMs: 0, rowName: 'r', failures: new Map() })).toBe('trials 0/5  r');
  expect(progressLine({ name: 'trials', total: 5, done: 5, elapsedMs: 1000, rowName: 'r', failures: new Map() })).toBe('trials 5/5  5.0/s  r');
});

test('without a terminal a plain line comes every ten seconds and at the end', () => {
  const clock = manualClock();
  const written: string[] = [];
  const progress = createProgress({ total: 25, clock, write: (text) => written.push(text), terminal: false, columns: 80 });
  progress.phase('cold starts', 25);
  for (let i = 0; i < 25; i++) {
    clock.advance(1000);
    progress.step('r');
  }
  expect(written.map((line) => line.split('  ')[0])).toEqual(['cold starts 1/25', 'cold starts 11/25', 'cold starts 21/25', 'cold starts 25/25']);
  expect(written.join('')).not.toContain('\r');
});

test('another phase begins without what has not completed in the one before', () => {
  const written: string[] = [];
  const progress = createProgress({ total: 1, clock: manualClock(), write: (text) => written.push(text), terminal: false, columns: 80 });
  progress.trial({ outcome: 'failed', code: 'loop' } as TrialRecord, 'r');
  progress.phase('cold starts', 1);
  progress.step('r');
  expect(written).toEqual(['trials 1/1  r  not completed: 1 loop\n', 'cold starts 1/1  r\n']);
});

test('durations read as a person says them', () => {
  expect([0, 45_400, 185_000, 3_599_400, 7_520_000].map(duration)).toEqual(['0 s', '45 s', '3 min 05 s', '59 min 59 s', '2 h 05 min']);
});
