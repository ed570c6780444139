import { describe, expect, it } from 'vitest';
import type { ManifestPlan, TrialRecord } from '../metrics/record.ts';
import { manifest, trialRecord } from '../metrics/testing-records.ts';
import { jackknife } from './jackknife.ts';

const TASKS = Array.from({ length: 165 }, (_, i) => ({
  taskId: `t${i}`,
  taskType: i < 20 ? ('zero-tool' as const) : i < 58 ? ('document' as const) : ('web' as const),
  level: i % 6 === 0 ? (3 as const) : i % 2 === 0 ? (2 as const) : (1 as const),
}));

function plan(...frameworks: readonly string[]): ManifestPlan {
  return manifest(frameworks, TASKS).plan;
}

function records(framework: string, isRight: (index: number) => boolean): TrialRecord[] {
  return TASKS.map(({ taskId }, index) => trialRecord({ framework, taskId, score: { rule: 'string', correct: isRight(index) } }));
}

describe('the jackknife over selections', () => {
  it('leaves a row that is always right at 100 %, always ahead, and spreads one that is right on some', () => {
    const [all, half] = jackknife(plan('all', 'half'), [...records('all', () => true), ...records('half', (i) => i % 4 < 2)], 50);
    expect(all).toMatchObject({ overall: 100, over: [100, 100, 100, 100, 100], leads: 100 });
    expect(half?.leads).toBe(0);
    expect(half?.over[0]).toBeLessThan(half?.over[4] ?? 0);
  });

  it('is the same for the same records', () => {
    const once = () =>
      jackknife(
        plan('half'),
        records('half', (i) => i % 3 === 0),
        20,
      );
    expect(once()).toEqual(once());
  });

  it('counts a trial without a record as not right, and leaves out rows that nobody could judge', () => {
    const [row] = jackknife(plan('none', 'unjudged'), [trialRecord({ framework: 'unjudged' })], 5);
    expect(row).toMatchObject({ framework: 'none', overall: 0, over: [0, 0, 0, 0, 0] });
    expect(jackknife(plan('unjudged'), [trialRecord({ framework: 'unjudged' })], 5)).toEqual([]);
  });
});
