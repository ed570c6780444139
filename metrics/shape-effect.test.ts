import { describe, expect, it } from 'vitest';
import type { TrialRecord } from './record.ts';
import type { RowColumns } from './row-columns.ts';
import { tallyOf } from './run-tally.ts';
import { type ShapeEffect, shapeEffectOf } from './shape-effect.ts';
import { manifest, planRow, trialRecord } from './testing-records.ts';

const part = (answers: number) => ({ modelCalls: answers, inputTokens: 1, largestInputTokens: 1, answers });
const trial = (taskId: string, width: number, correct: boolean, change: Partial<TrialRecord> = {}): TrialRecord =>
  trialRecord({
    taskId,
    taskType: 'web',
    width,
    outcome: 'completed',
    score: { rule: 'number', correct },
    parts: { planner: part(1), 'subtask-worker': part(width) },
    ...change,
  });

const TASKS = ['a', 'b', 'c', 'd', 'z'].map((taskId) => ({ taskId, taskType: taskId === 'z' ? ('zero-tool' as const) : ('web' as const), level: 1 as const }));

function columnsOf(trials: readonly TrialRecord[]): RowColumns {
  return tallyOf(manifest(['alpha'], TASKS), trials).row(planRow('alpha')).columns;
}

function effectOf(trials: readonly TrialRecord[], others?: readonly TrialRecord[]): ShapeEffect {
  const columns = columnsOf(trials);
  const other = others && columnsOf(others);
  return shapeEffectOf(columns, columns.where(), { dagFloor: other, single: other });
}

describe('what a shape changes', () => {
  const records = [trial('a', 1, true), trial('b', 2, true), trial('c', 2, false), trial('d', 4, true), trial('z', 1, false, { taskType: 'zero-tool' })];

  it('is told by the number of chains, without the tasks that have nothing to divide', () => {
    expect(effectOf(records).accuracyByWidth).toEqual({
      '1': { value: 100, n: 1 },
      '2': { value: 50, n: 2 },
      '3+': { value: 100, n: 1 },
    });
  });

  it('counts a plan and each report as a hand-over', () => {
    expect(effectOf(records).handOvers).toMatchObject({ value: (2 + 3 + 3 + 5) / 4, n: 4 });
  });

  it('is a paired difference to the floor in dag, and on two or more chains to the same framework in single', () => {
    const others = [trial('a', 1, false), trial('b', 2, false), trial('c', 2, false)];
    const effect = effectOf(records, others);
    expect(effect.overDagFloorPoints).toEqual({ value: expect.closeTo(200 / 3), n: 3 });
    expect(effect.overSinglePoints).toEqual({ value: 50, n: 2 });
    expect(effectOf(records)).not.toHaveProperty('overDagFloorPoints');
  });
});
