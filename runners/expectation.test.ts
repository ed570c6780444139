// What is said of a plan before it starts, held against what it starts: a model that costs money is asked in warm-ups and fresh processes too.
import { expect, test } from 'vitest';
import { cacheDirectory } from './cache-directory.ts';
import { describePlan, expectedMs } from './expectation.ts';
import { parsePlanSpec } from './plan-spec.ts';
import { resolvePlan } from './resolved-plan.ts';

const planOf = (rest: object) =>
  resolvePlan(parsePlanSpec({ name: 'test', rows: [{ framework: 'fetch' }, { framework: 'openai' }], sample: 10, coldStarts: 0, ...rest }, 'test'), {
    baseDirectory: process.cwd(),
    cacheDirectory: cacheDirectory(),
  });
const paid = { model: 'upstream:some-model', baseUrl: 'http://127.0.0.1:9/v1' };

test('tokens count warm-ups of each worker and the trial of each fresh process', async () => {
  // 20 trials, two workers with three warm-ups each: 26 × 12,000; three fresh processes a row add six.
  expect(describePlan(await planOf(paid), 8)).toContain('Expect about 312 k input and 9 k output tokens');
  expect(describePlan(await planOf({ ...paid, coldStarts: 3 }), 8)).toContain('Expect about 384 k input');
});

test('a pool that holds one worker takes longer, since a row that comes back starts anew', async () => {
  const [roomy, narrow] = [8, 1].map(async (size) => expectedMs(await planOf({}), size));
  expect((await narrow) ?? 0).toBeGreaterThan((await roomy) ?? 0);
});

test('a fresh process for each trial runs no warm-up', async () => {
  expect(describePlan(await planOf({ ...paid, isolation: 'trial' }), 8)).toContain('Expect about 240 k input');
});
