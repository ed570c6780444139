import { expect, test } from 'vitest';
import { flat } from './conformance-checks.ts';

const MIB = 2 ** 20;
/** Peaks of `runs` runs that keep half a megabyte each until `settles`. */
const peaks = (runs: number, settles: number) => Array.from({ length: runs }, (_, run) => (100 + Math.min(run, settles) / 2) * MIB);

test('memory is flat when the last hundred runs keep no more, whatever lay about before', () => {
  expect(flat(peaks(200, 190))).toBe('peak memory grew by 45 MiB over the last 100 of 200 runs');
  expect(flat(peaks(300, 190))).toBeUndefined();
  expect(flat(peaks(600, 600))).toBe('peak memory grew by 48 MiB over the last 100 of 600 runs');
  expect(flat([])).toBe('no peaks were reported');
});
