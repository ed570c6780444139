import { expect, test } from 'vitest';
import { trialRecord } from '../metrics/testing-records.ts';
import { timeInTrials } from './time-in-trials.ts';

test('the time of trials is told by whose it was, over those that know theirs', () => {
  const timed = trialRecord({ wallMs: 2_000, overheadMs: 500, modelMs: 1_200, toolMs: 300 });
  expect(timeInTrials([timed, timed, trialRecord({ wallMs: 9_000 })])).toMatch(/^Inside of trials 4.0 s: frameworks 1.0 s, model 2.4 s, tools 0.6 s; /);
  expect(timeInTrials([trialRecord()])).toBeUndefined();
});
