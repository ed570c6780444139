import { describe, expect, it } from 'vitest';
import { CURVE_SETS, shareKept } from '../base/reading-curve.ts';
import { impliedShare, MemoryTally, type MemoryTiers } from './memory-tiers.ts';
import type { ReadingRow, TrialRecord } from './record.ts';
import { trialRecord } from './testing-records.ts';

const [own, other] = CURVE_SETS;

function tiersOf(...records: readonly TrialRecord[]): MemoryTiers | undefined {
  const tally = new MemoryTally();
  for (const record of records) tally.add(record);
  return tally.tiers();
}

describe('what curves imply', () => {
  it('is the product of what each reading keeps, by the curve of its kind, at the length it was read at', () => {
    const readings: ReadingRow[] = [
      ['s1', 8_000, 'lexical'],
      ['s2', 2_000, 'associative'],
      ['s1', 500, 'handed-over'],
    ];
    expect(impliedShare(readings, own, 1, 0)).toBeCloseTo((93.8 / 95.5) * (58.2 / 67.7));
    expect(impliedShare(readings, other, 1, 0)).toBeCloseTo((96.3 / 96.6) * (98.0 / 98.1));
    expect(impliedShare(readings, own, 2, 0)).toBeCloseTo((91.6 / 95.5) * (44.1 / 67.7));
    expect(impliedShare(readings, own, 1, 0.1)).toBeCloseTo(0.9 * (93.8 / 95.5) * (58.2 / 67.7));
    expect(impliedShare([], own, 4, 0.1)).toBe(1);
  });

  it('only falls with longer pages and more loss', () => {
    const readings: ReadingRow[] = [
      ['s1', 3_000, 'associative'],
      ['s1', 9_000, 'handed-over'],
    ];
    for (let factor = 0.25; factor < 20; factor *= 1.3)
      expect(impliedShare(readings, own, factor * 1.3, 0)).toBeLessThanOrEqual(impliedShare(readings, own, factor, 0));
    expect(shareKept(own.lexical, 9_000)).toBeGreaterThan(impliedShare(readings, own, 1, 0.02));
  });
});

describe('tiers of a configuration', () => {
  const full = {
    configuration: 'full',
    parts: { planner: { modelCalls: 1, inputTokens: 90, largestInputTokens: 90, answers: 1 } },
    tierBytes: { scratchKept: 0, stateKept: 30 },
  } as const;

  it('are means over its trials, and a trial that was not divided reads nothing long', () => {
    const tiers = tiersOf(
      trialRecord({ ...full, taskId: 'a', taskType: 'web', readings: [['s1', 8_000, 'lexical']] }),
      trialRecord({ ...full, taskId: 'b', taskType: 'web', tierBytes: { scratchKept: 0, stateKept: 50 }, readings: [] }),
      trialRecord({ configuration: 'full', taskId: 'c', taskType: 'zero-tool' }),
    );
    expect(tiers?.contextTokens['planner']).toMatchObject({ value: 90, n: 2 });
    expect(tiers?.tierBytes['stateKept']).toMatchObject({ value: 40, n: 2 });
    expect(tiers?.impliedPercent['gpt-4o-mini']).toEqual({ value: expect.closeTo((100 / 3) * (2 + 93.8 / 95.5)), n: 3 });
  });

  it('are absent for a row that is no configuration', () => {
    expect(tiersOf(trialRecord({ taskId: 'a' }))).toBeUndefined();
    expect(tiersOf()).toBeUndefined();
  });

  it('leave a cut trial out, since what its other branches had read depends on the instant', () => {
    expect(tiersOf(trialRecord({ ...full, cut: true }))).toBeUndefined();
  });
});
