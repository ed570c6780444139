import { describe, expect, it } from 'vitest';
import type { TrialRecord } from './record.ts';
import { shapeEffectOf } from './shape-effect.ts';
import { trialRecord } from './testing-records.ts';

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

describe('what a shape changes', () => {
  const records = [trial('a', 1, true), trial('b', 2, true), trial('c', 2, false), trial('d', 4, true), trial('z', 1, false, { taskType: 'zero-tool' })];

  it('is told by the number of chains, without the tasks that have nothing to divide', () => {
    expect(shapeEffectOf(records, undefined, undefined).accuracyByWidth).toEqual({
      '1': { value: 100, n: 1 },
      '2': { value: 50, n: 2 },
      '3+': { value: 100, n: 1 },
    });
  });

  it('counts a plan and each report as a hand-over', () => {
    expect(shapeEffectOf(records, undefined, undefined).handOvers).toMatchObject({ value: (2 + 3 + 3 + 5) / 4, n: 4 });
  });

  it('is a paired difference to the floor in dag, and on two or more chains to the same framework in single', () => {
    const others = [trial('a', 1, false), trial('b', 2, false), trial('c', 2, false)];
    const effect = shapeEffectOf(records, others, others);
    expect(effect.overDagFloorPoints).toEqual({ value: expect.closeTo(200 / 3), n: 3 });
    expect(effect.overSinglePoints).toEqual({ value: 50, n: 2 });
    expect(shapeEffectOf(records, undefined, undefined)).not.toHaveProperty('overDagFloorPoints');
  });
});
