import { describe, expect, it } from 'vitest';
import { Column } from './column.ts';

function filled(...values: readonly (number | undefined)[]): Column {
  const column = new Column(values.length);
  for (const [place, value] of values.entries()) column.put(place, value);
  return column;
}

const all = (column: Column, size: number) => Array.from({ length: size }, (_, place) => column.at(place));

describe('a column', () => {
  it.each([
    ['counts', [0, 1, undefined, 65_534]],
    ['a count that is too large for two bytes', [0, undefined, 65_535, 3]],
    ['a count beyond four bytes', [7, Number.MAX_SAFE_INTEGER, undefined]],
    ['fractions after counts', [0, undefined, 12, 0.1, 5]],
    ['what is below zero', [3, -1, undefined]],
    ['nothing', [undefined, undefined]],
  ])('gives back %s exactly, and what is not known as such', (_, values) => {
    expect(all(filled(...values), values.length)).toEqual(values);
  });

  it('keeps the last of two values of a place, whichever is the wider', () => {
    const column = filled(1, 0.5);
    column.put(0, 2);
    column.put(1, 4);
    expect(column.among([1, 0])).toEqual([4, 2]);
  });

  it('knows nothing of a place that it does not have', () => {
    expect(filled(1).at(9)).toBeUndefined();
    expect(filled(0.5).at(-1)).toBeUndefined();
  });
});
