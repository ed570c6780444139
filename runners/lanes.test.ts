import { describe, expect, test } from 'vitest';
import { Lanes } from './lanes.ts';
import type { Block } from './plan.ts';

const block = (row: number, number: number): Block => ({ row, trials: [{ row, block: number, taskId: 't', trialIndex: 0 }] });
const numberOf = (taken: Block | undefined) => taken?.trials[0]?.block;

describe('blocks side by side', () => {
  test('run in the order of the plan while each row has one at work', () => {
    const lanes = new Lanes([block(0, 0), block(0, 1), block(1, 2), block(1, 3)], 8);
    expect([numberOf(lanes.take()), numberOf(lanes.take())]).toEqual([0, 2]);
  });

  test('share a row when every row that waits is at work, the least busy one first', () => {
    const lanes = new Lanes([block(0, 0), block(0, 1), block(0, 2), block(1, 3), block(1, 4)], 8);
    expect([1, 2, 3, 4, 5, 6].map(() => numberOf(lanes.take()))).toEqual([0, 3, 1, 4, 2, undefined]);
  });

  test('share a row only up to the size of the pool, and a row that nobody works on may always begin', () => {
    const shared = new Lanes([block(0, 0), block(0, 1), block(0, 2)], 2);
    expect([1, 2, 3].map(() => numberOf(shared.take()))).toEqual([0, 1, undefined]);
    const apart = new Lanes([block(0, 0), block(1, 1), block(2, 2)], 2);
    expect([1, 2, 3].map(() => numberOf(apart.take()))).toEqual([0, 1, 2]);
  });

  test('leave their place to the next when they are done', () => {
    const lanes = new Lanes([block(0, 0), block(0, 1)], 1);
    const first = lanes.take() as Block;
    expect(lanes.take()).toBeUndefined();
    lanes.done(first);
    expect(numberOf(lanes.take())).toBe(1);
  });
});
