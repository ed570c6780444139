import { expect, test } from 'vitest';
import { remembering } from './remembering.ts';

test('makes the same of a text as ever, once while it is remembered, and forgets all when it is full', () => {
  const made: string[] = [];
  const upper = remembering((text) => {
    made.push(text);
    return text.toUpperCase();
  }, 2);
  expect(['a', 'b', 'a', 'b', 'c', 'a'].map(upper)).toEqual(['A', 'B', 'A', 'B', 'C', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

test('remembers what came to nothing, and keeps no runaway text', () => {
  let made = 0;
  const length = remembering((text) => {
    made += 1;
    return text.length === 0 ? 0 : text.length;
  }, 9);
  for (const text of ['', '', 'x'.repeat(20_001), 'x'.repeat(20_001)]) expect(length(text)).toBe(text.length);
  expect(made).toBe(3);
});
