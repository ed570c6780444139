import { describe, expect, it } from 'vitest';
import { cpuUse } from './cpu-percent.ts';

const readings = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([atMs, cpuMs]) => ({ atMs, cpuMs }));

describe('cpuUse', () => {
  it('counts one busy core as 100 %', () => {
    expect(cpuUse(readings([0, 0], [100, 100], [200, 150]), 2)).toEqual({ percent: 75, intervals: 2, dropped: 0 });
    expect(cpuUse(readings([0, 0], [100, 400]), 4).percent).toBe(400);
  });

  it('drops and counts falling ticks, empty and reversed intervals', () => {
    expect(cpuUse(readings([0, 50], [100, 20], [100, 30], [50, 40], [150, 90]), 1)).toEqual({ percent: 50, intervals: 1, dropped: 3 });
  });

  it('never shows more than the machine can give', () => {
    expect(cpuUse(readings([0, 0], [100, 300]), 1)).toEqual({ intervals: 0, dropped: 1 });
    expect(cpuUse(readings([0, 0], [15, 20]), 1).percent).toBe(100);
  });

  it('has no figure without a good interval', () => {
    expect(cpuUse([], 1)).toEqual({ intervals: 0, dropped: 0 });
    expect(cpuUse(readings([0, 0]), 1)).toEqual({ intervals: 0, dropped: 0 });
    expect(cpuUse(readings([0, 0], [Number.NaN, 1]), 1)).toEqual({ intervals: 0, dropped: 1 });
  });
});
