import { expect, test } from 'vitest';
import { RowCounter } from './row-counts.ts';
import { planRow, trialRecord } from './testing-records.ts';

test('M6.1: what a framework waits before it asks again has a figure of its own, over the calls of which both ends are known', () => {
  const counter = new RowCounter(planRow('alpha'));
  counter.add(
    trialRecord({
      calls: [
        [0, 10, 100, 0, 429],
        [510, 520, 100, 0, 503],
        [620, 630, 100, 5, 200],
        [640, 650, 100, 5, 200],
      ],
    }),
  );
  counter.add(
    trialRecord({
      calls: [
        [0, null, 100, 0, 500],
        [5, 9, 100, 5, 200],
      ],
    }),
  );
  expect(counter.counts()).toMatchObject({ retriedCalls: 3, retryWaitMs: { value: 300, n: 2 } });
});

test('a row that was never refused has no wait, and no zero in its place', () => {
  const counter = new RowCounter(planRow('alpha'));
  counter.add(trialRecord());
  expect(counter.counts()).not.toHaveProperty('retryWaitMs');
});
