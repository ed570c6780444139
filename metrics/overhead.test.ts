import { describe, expect, it } from 'vitest';
import { manualClock } from '../base/clock.ts';
import { type Busy, overheadOf } from './overhead.ts';

const during = (...pairs: readonly (readonly [number, number?])[]): Busy[] =>
  pairs.map(([startMs, endMs]) => (endMs === undefined ? { startMs } : { startMs, endMs }));
const trial = (endMs: number, modelCalls: Busy[], toolCalls: Busy[] = [], waits: Busy[] = []) =>
  overheadOf({ startMs: 0, endMs, modelCalls, toolCalls, waits });

describe('M6.1: overhead', () => {
  it('is the wall time where nothing was waited for', () => {
    expect(trial(7, [])).toEqual({ wallMs: 7, modelMs: 0, toolMs: 0, overheadMs: 7 });
  });

  it('is exact on a hand-driven clock: own work of 3 + 2 + 1 around a model call and a tool', () => {
    const clock = manualClock(1_000);
    const work = (ms: number) => clock.advance(ms);
    const timed = (ms: number): Busy => {
      const startMs = clock.nowMs();
      clock.advance(ms);
      return { startMs, endMs: clock.nowMs() };
    };
    const startMs = clock.nowMs();
    work(3);
    const model = timed(500);
    work(2);
    const tool = timed(70);
    work(1);
    expect(overheadOf({ startMs, endMs: clock.nowMs(), modelCalls: [model], toolCalls: [tool], waits: [] })).toEqual({
      wallMs: 576,
      modelMs: 500,
      toolMs: 70,
      overheadMs: 6,
    });
  });

  it('counts the time of parallel calls once, and bounds from above what hid behind them', () => {
    expect(trial(100, during([10, 60], [20, 90]))).toEqual({ wallMs: 100, modelMs: 80, toolMs: 0, overheadMs: 20, overheadUpperMs: 30 });
  });

  it('takes a call inside another of its kind for a branch', () => {
    expect(trial(100, during([0, 80], [20, 40])).overheadUpperMs).toBe(20);
  });

  it('counts a model call inside a tool once, and as one chain', () => {
    expect(trial(100, during([30, 50]), during([20, 90]))).toEqual({ wallMs: 100, modelMs: 20, toolMs: 70, overheadMs: 30 });
  });

  it('takes out imposed waits, nested in a call or on their own', () => {
    expect(trial(100, during([10, 50]), [], during([20, 40], [60, 75]))).toEqual({ wallMs: 100, modelMs: 40, toolMs: 0, overheadMs: 45 });
  });

  it('takes the longest causal chain over branches of model calls and tools', () => {
    // Branch one: model 0–40, tool 45–55. Branch two: model 5–30, tool 32–90.
    const times = trial(100, during([0, 40], [5, 30]), during([45, 55], [32, 90]));
    expect(times).toMatchObject({ overheadMs: 10, overheadUpperMs: 100 - (25 + 58) });
  });

  it('clips to the wall time: what began before, ended after or never ended', () => {
    expect(overheadOf({ startMs: 100, endMs: 200, modelCalls: during([50, 110], [190, 250]), toolCalls: during([150]), waits: [] })).toMatchObject({
      modelMs: 20,
      toolMs: 50,
      overheadMs: 40,
    });
  });

  it('is never negative: not for a reversed clock, nor for rounding', () => {
    expect(overheadOf({ startMs: 10, endMs: 5, modelCalls: during([0, 20]), toolCalls: [], waits: [] })).toEqual({
      wallMs: 0,
      modelMs: 0,
      toolMs: 0,
      overheadMs: 0,
    });
    const tenths = Array.from({ length: 10 }, (_, index): Busy => ({ startMs: index * 0.1, endMs: (index + 1) * 0.1 }));
    expect(trial(1, tenths).overheadMs).toBeCloseTo(0, 9);
    expect(trial(1, tenths).overheadMs).toBeGreaterThanOrEqual(0);
  });
});
