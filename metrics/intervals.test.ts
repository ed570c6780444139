import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { clipTo, type Interval, longestChainMs, overlap, unionMs } from './intervals.ts';

const spans = (...pairs: readonly (readonly [number, number])[]): Interval[] => pairs.map(([startMs, endMs]) => ({ startMs, endMs }));

describe('intervals', () => {
  it('counts shared time once', () => {
    expect(unionMs(spans([0, 10], [5, 15], [20, 30], [22, 24]))).toBe(25);
    expect(unionMs([])).toBe(0);
    expect(unionMs(spans([3, 3]))).toBe(0);
  });

  it('finds the longest chain, not the one with most links', () => {
    expect(longestChainMs(spans([0, 10], [10, 20], [0, 25]))).toBe(25);
    expect(longestChainMs(spans([0, 10], [10, 20], [0, 15]))).toBe(20);
    expect(longestChainMs([])).toBe(0);
  });

  it('never finds a chain longer than the union, and finds the union where nothing overlaps', () => {
    const random = seededRandom('intervals', 1);
    for (let round = 0; round < 200; round++) {
      const some = Array.from({ length: random.integer(1, 12) }, () => {
        const startMs = random.integer(0, 100);
        return { startMs, endMs: startMs + random.integer(0, 30) };
      });
      expect(longestChainMs(some)).toBeLessThanOrEqual(unionMs(some));
      if (!overlap(some)) expect(longestChainMs(some)).toBe(unionMs(some));
    }
  });

  it('agrees with trying every subset', () => {
    const random = seededRandom('chains', 2);
    for (let round = 0; round < 100; round++) {
      const some = Array.from({ length: 7 }, () => {
        const startMs = random.integer(0, 20);
        return { startMs, endMs: startMs + random.integer(1, 10) };
      });
      let best = 0;
      for (let mask = 0; mask < 2 ** some.length; mask++) {
        const chosen = some.filter((_, index) => mask & (1 << index));
        if (!overlap(chosen)) best = Math.max(best, unionMs(chosen));
      }
      expect(longestChainMs(some)).toBe(best);
    }
  });

  it('clips to a frame and closes at its end what was still open', () => {
    expect(clipTo({ startMs: 10, endMs: 20 }, [{ startMs: 0, endMs: 12 }, { startMs: 18 }, { startMs: 25, endMs: 30 }, { startMs: 15, endMs: 14 }])).toEqual(
      spans([10, 12], [18, 20]),
    );
  });
});
