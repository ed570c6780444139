import { describe, expect, it } from 'vitest';
import type { ManifestPlan, TrialRecord } from '../metrics/record.ts';
import { jackknife } from './jackknife.ts';

const TASKS = Array.from({ length: 165 }, (_, i) => ({
  taskId: `t${i}`,
  taskType: i < 20 ? ('zero-tool' as const) : i < 58 ? ('document' as const) : ('web' as const),
  level: i % 6 === 0 ? (3 as const) : i % 2 === 0 ? (2 as const) : (1 as const),
}));

function plan(...frameworks: readonly string[]): ManifestPlan {
  return { tasks: TASKS, trials: 1, rows: frameworks.map((framework) => ({ framework, shape: 'single', settings: 'default' })) } as unknown as ManifestPlan;
}

function records(framework: string, isRight: (index: number) => boolean): TrialRecord[] {
  return TASKS.map(
    ({ taskId }, index) =>
      ({ framework, shape: 'single', settings: 'default', taskId, outcome: 'completed', score: { rule: 'string', correct: isRight(index) } }) as TrialRecord,
  );
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
    const [row] = jackknife(
      plan('none', 'unjudged'),
      [{ framework: 'unjudged', shape: 'single', settings: 'default', taskId: 't1', outcome: 'completed' } as TrialRecord],
      5,
    );
    expect(row).toMatchObject({ framework: 'none', overall: 0, over: [0, 0, 0, 0, 0] });
    expect(
      jackknife(plan('unjudged'), [{ framework: 'unjudged', shape: 'single', settings: 'default', taskId: 't1', outcome: 'completed' } as TrialRecord], 5),
    ).toEqual([]);
  });
});
