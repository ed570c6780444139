import { describe, expect, test } from 'vitest';
import type { Level, Task, TaskType } from '../tasks/task.ts';
import { interleave, stratifiedSample, trialKey } from './plan.ts';

const task = (id: string, type: TaskType = 'web', level: Level = 1): Task => ({
  id,
  type,
  level,
  question: id,
  attachments: [],
  template: 't',
  width: 1,
  steps: 1,
});
const many = (count: number, type: TaskType = 'web') => Array.from({ length: count }, (_, i) => task(`${type}-${i}`, type, ((i % 3) + 1) as Level));

describe('interleave', () => {
  test('plans every task of every row once a trial index', () => {
    const tasks = many(68);
    const keys = interleave(3, tasks, 2, 1).flatMap((block) => block.trials.map((trial) => `${trial.row} ${trial.taskId} ${trial.trialIndex}`));
    expect(keys.length).toBe(3 * 68 * 2);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('gives each row at least four blocks of at most 17 tasks', () => {
    for (const count of [4, 12, 68]) {
      const blocks = interleave(5, many(count), 1, 7);
      for (let row = 0; row < 5; row++) expect(blocks.filter((block) => block.row === row).length).toBeGreaterThanOrEqual(4);
      expect(Math.max(...blocks.map((block) => block.trials.length))).toBeLessThanOrEqual(17);
    }
  });

  test('lets all rows run a part of the tasks before any goes on to the next part', () => {
    const blocks = interleave(4, many(68), 1, 3);
    for (let from = 0; from < blocks.length; from += 4) {
      const turn = blocks.slice(from, from + 4);
      expect(new Set(turn.map((block) => block.row)).size).toBe(4);
      expect(new Set(turn.map((block) => block.trials.map((trial) => trial.taskId).join())).size).toBe(1);
    }
  });

  test('has another order for another seed and the same for the same', () => {
    expect(interleave(3, many(20), 1, 1)).toEqual(interleave(3, many(20), 1, 1));
    expect(interleave(3, many(20), 1, 1)).not.toEqual(interleave(3, many(20), 1, 2));
  });
});

describe('stratifiedSample', () => {
  const set = [...many(7, 'zero-tool'), ...many(19, 'document'), ...many(42, 'web')];

  test('keeps the shares of the task types by largest remainders', () => {
    const sample = stratifiedSample(set, 12, 1);
    const count = (type: TaskType) => sample.filter((one) => one.type === type).length;
    expect([count('zero-tool'), count('document'), count('web')]).toEqual([1, 3, 8]);
  });

  test('takes levels in turn within a type', () => {
    const levels = stratifiedSample(set, 12, 1).filter((one) => one.type === 'document');
    expect(new Set(levels.map((one) => one.level)).size).toBe(3);
  });

  test('is the whole set when as many are asked for', () => {
    expect(stratifiedSample(set, 68, 1)).toEqual(set);
    expect(stratifiedSample(set, 100, 1)).toEqual(set);
  });
});

test('two trials share a key only if row, task and index are the same', () => {
  const row = { framework: 'a', shape: 'single', settings: 'default' };
  expect(trialKey(row, 'x', 0)).not.toBe(trialKey(row, 'x', 1));
  expect(trialKey(row, 'x', 0)).not.toBe(trialKey({ ...row, settings: 'hardened' }, 'x', 0));
});
