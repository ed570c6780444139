import { describe, expect, it } from 'vitest';
import { type TimedTrial, throughputOf } from './throughput.ts';

describe('throughputOf', () => {
  it('counts 10 trials of 1 s at concurrency 5, 2 of them failed, as 300 (240) a minute, whatever set-up came before', () => {
    const setUpMs = 3_000;
    const trials = Array.from({ length: 10 }, (_, index): TimedTrial => {
      const startMs = setUpMs + (index < 5 ? 0 : 1_000);
      return { startMs, endMs: startMs + 1_000, succeeded: index % 5 !== 0 };
    });
    expect(throughputOf(trials)).toEqual({ attemptedPerMinute: 300, succeededPerMinute: 240, meanLatencyMs: 1_000, elapsedMs: 2_000, n: 10 });
  });

  it('has no figure where no time passed', () => {
    expect(throughputOf([])).toBeUndefined();
    expect(throughputOf([{ startMs: 5, endMs: 5, succeeded: true }])).toBeUndefined();
  });
});
