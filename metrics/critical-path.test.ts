import { describe, expect, it } from 'vitest';
import { layOut } from './critical-path.ts';
import type { CallRow, LatencyEntry } from './record.ts';

const latency: LatencyEntry = { model: 'm', firstTokenMs: 600, perOutputTokenMs: 10, sigma: 0.4, source: 's', dated: '2026-01-01' };
const call = (startMs: number, endMs: number | null, outputTokens: number, status = 200): CallRow => [startMs, endMs, 100, outputTokens, status];

describe('layOut', () => {
  it('puts the table’s time in the place of each call of a chain, and keeps all else', () => {
    // Own work 5 + 20 + 5 around calls of 2 and 3 ms: 600 + 100 and 600 + 200 in their place.
    expect(layOut({ wallMs: 35, calls: [call(5, 7, 10), call(27, 30, 20)] }, latency)).toEqual({ endToEndSeconds: 1.53, outputTokensPerSecond: 20 });
  });

  it('lets parallel calls run side by side, and a join wait for the longest', () => {
    // The one that ended first as recorded takes longest as laid out.
    const calls = [call(0, 2, 100), call(0, 3, 10), call(4, 5, 0)];
    expect(layOut({ wallMs: 6, calls }, latency)?.endToEndSeconds).toBeCloseTo((1600 + 600 + 1) / 1000, 9);
  });

  it('keeps errors as long as they were and leaves out what never ended', () => {
    expect(layOut({ wallMs: 40, calls: [call(0, 10, 0, 500), call(15, 16, 0), call(20, null, 0)] }, latency)).toEqual({
      endToEndSeconds: 0.639,
      outputTokensPerSecond: 0,
    });
  });

  it('is the wall time without calls, and unknown without a wall time', () => {
    expect(layOut({ wallMs: 40, calls: [] }, latency)).toEqual({ endToEndSeconds: 0.04 });
    expect(layOut({ calls: [call(0, 1, 1)] }, latency)).toBeUndefined();
  });
});
