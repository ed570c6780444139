import { describe, expect, it } from 'vitest';
import { apportion, largestRemainders, type Slot } from './apportion.ts';

const many = (count: number, slot: Slot): Slot[] => Array.from({ length: count }, () => slot);
/** The table of open68: 7 / 19 / 42 by type, 29 / 36 / 3 by level. */
const SLOTS: readonly Slot[] = [
  ...many(6, { type: 'zero-tool', level: 1, width: 1 }),
  ...many(1, { type: 'zero-tool', level: 2, width: 1 }),
  ...many(11, { type: 'document', level: 1, width: 1 }),
  ...many(8, { type: 'document', level: 2, width: 2 }),
  ...many(12, { type: 'web', level: 1, width: 1 }),
  ...many(10, { type: 'web', level: 2, width: 1 }),
  ...many(17, { type: 'web', level: 2, width: 2 }),
  ...many(3, { type: 'web', level: 3, width: 3 }),
];

describe('largest remainders', () => {
  it('adds up, and gives the rest to who lost most, the earlier one of equals', () => {
    expect(largestRemainders([1, 1, 1], 4)).toEqual([2, 1, 1]);
    expect(largestRemainders([7, 19, 42], 100)).toEqual([10, 28, 62]);
    expect(largestRemainders([7, 19, 42], 0)).toEqual([0, 0, 0]);
  });
});

describe('the mix of a set', () => {
  it('is one task a slot for 68', () => {
    expect(apportion(SLOTS, 68)).toEqual(SLOTS.map(() => 1));
  });

  it('meets both margins at every size up to 300, and at 500 and 1,000', () => {
    for (const n of [...Array.from({ length: 300 }, (_, i) => i + 1), 500, 1_000]) {
      const counts = apportion(SLOTS, n);
      const sum = (of: (slot: Slot) => boolean) => counts.reduce((all, count, i) => all + (of(SLOTS[i] as Slot) ? count : 0), 0);
      expect([n, ...(['zero-tool', 'document', 'web'] as const).map((type) => sum((slot) => slot.type === type))]).toEqual([
        n,
        ...largestRemainders([7, 19, 42], n),
      ]);
      expect([n, ...([1, 2, 3] as const).map((level) => sum((slot) => slot.level === level))]).toEqual([n, ...largestRemainders([29, 36, 3], n)]);
      expect(sum(({ level, width }) => level === 2 && width > 1) * 2).toBeGreaterThanOrEqual(sum(({ level }) => level === 2));
    }
  });

  it('spreads the tasks of a cell evenly over its slots', () => {
    const counts = apportion(SLOTS, 500);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});
