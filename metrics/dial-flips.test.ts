import { expect, test } from 'vitest';
import { type DialPoint, flipsOf } from './dial-flips.ts';

const point = (row: string, usual: number, turned: number, rest: Partial<DialPoint> = {}): DialPoint => ({
  row,
  group: 'single default',
  usual,
  turned,
  ...rest,
});

test('a dial flips two rows when the one above stands below afterwards, and each is told of the other', () => {
  const flips = flipsOf([point('a', 50, 40), point('b', 45, 48), point('c', 10, 5)]);
  expect(flips.get('b')).toMatchObject({ overtakes: ['a'], fallsBehind: [] });
  expect(flips.get('a')).toMatchObject({ overtakes: [], fallsBehind: ['b'] });
  expect(flips.get('c')).toEqual({ overtakes: [], fallsBehind: [], changesSign: false });
});

test('a tie on either side is no flip, and rows of another shape or other settings are not compared', () => {
  expect(flipsOf([point('a', 50, 40), point('b', 50, 48)]).get('b')?.overtakes).toEqual([]);
  expect(flipsOf([point('a', 50, 40), point('b', 45, 40)]).get('b')?.overtakes).toEqual([]);
  expect(flipsOf([point('a', 50, 40), point('b', 45, 48, { group: 'dag default' })]).get('b')?.overtakes).toEqual([]);
});

test('a row changes sign when it stands on the other side of its floor', () => {
  const flips = flipsOf([point('floor', 40, 60), point('a', 50, 55, { floor: 'floor' }), point('b', 40, 55, { floor: 'floor' })]);
  expect(flips.get('a')).toMatchObject({ changesSign: true, overFloor: { usual: 10, turned: -5 } });
  expect(flips.get('b')?.changesSign).toBe(false);
  expect(flips.get('floor')).not.toHaveProperty('overFloor');
});
