import { describe, expect, test } from 'vitest';
import type { Level, Task, TaskType } from '../tasks/task.ts';
import { type Block, interleave, type Order, stratifiedSample, trialKey } from './plan.ts';

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

const order = (rest: Partial<Order> = {}) => interleave({ rows: 5, tasks: many(68), trials: 1, seed: 7, timed: true, ...rest });
const ofRow = (blocks: readonly Block[], row: number) => blocks.filter((block) => block.row === row);

describe('interleave', () => {
  test('plans every task of every row once a trial index', () => {
    const keys = order({ trials: 2 }).flatMap((block) => block.trials.map((trial) => `${trial.row} ${trial.taskId} ${trial.trialIndex}`));
    expect(keys.length).toBe(5 * 68 * 2);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each([4, 12, 68, 500])('gives each row of %i tasks at least four blocks of at most 17 tasks', (count) => {
    const blocks = order({ tasks: many(count), timed: false });
    for (let row = 0; row < 5; row++) expect(ofRow(blocks, row).length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...blocks.map((block) => block.trials.length))).toBeLessThanOrEqual(17);
  });

  test.each([1, 2, 3])('M6.4: gives each row at least eight blocks of equal size where times are compared, with %i trials a task', (trials) => {
    const blocks = order({ trials });
    for (let row = 0; row < 5; row++) expect(ofRow(blocks, row).length).toBeGreaterThanOrEqual(8);
    const sizes = blocks.map((block) => block.trials.length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  test('never plans a block without a task', () => {
    expect(order({ tasks: many(3) }).map((block) => block.trials.length)).toEqual(Array(15).fill(1));
    expect(order({ tasks: [] })).toEqual([]);
  });

  test('M6.4: lets all rows, the floor too, run two parts of the tasks before any goes on to the next two', () => {
    const blocks = order({ rows: 20 });
    for (let from = 0; from < blocks.length; from += 40) {
      const round = blocks.slice(from, from + 40);
      expect(Map.groupBy(round, ({ row }) => row).size).toBe(20);
      expect(new Set(round.map(({ trials }) => trials.map(({ taskId }) => taskId).join())).size).toBe(2);
    }
  });

  test('turns the order of each group round for its second part, so that no row is always late and every worker serves twice', () => {
    const rows = order({ rows: 20 }).map((block) => block.row);
    for (let round = 0; round < rows.length; round += 40) {
      for (const [from, size] of [
        [0, 8],
        [16, 8],
        [32, 4],
      ] as const)
        expect(rows.slice(round + from + size, round + from + 2 * size)).toEqual(rows.slice(round + from, round + from + size).toReversed());
    }
    expect(rows.slice(0, 8)).not.toEqual(rows.slice(40, 48));
  });

  test('makes no block of one or two tasks only to have more of them', () => {
    expect(ofRow(order({ tasks: many(12) }), 0).map((block) => block.trials.length)).toEqual([3, 3, 3, 3]);
  });

  test('has another order for another seed and the same for the same', () => {
    expect(order()).toEqual(order());
    expect(order()).not.toEqual(order({ seed: 8 }));
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
