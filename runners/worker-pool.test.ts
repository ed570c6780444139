import { expect, test } from 'vitest';
import { largestPool } from './worker-pool.ts';

const GIB = 2 ** 30;

test.each([
  [64 * GIB, 8],
  [4 * GIB, 8],
  [3 * GIB, 6],
  [2 * GIB, 4],
  [600 * 2 ** 20, 1],
  [100 * 2 ** 20, 1],
])('of %i bytes six tenths are for workers of 300 MiB: never more than eight, never less than one', (limit, workers) => {
  expect(largestPool(limit)).toBe(workers);
});
