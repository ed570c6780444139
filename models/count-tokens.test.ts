import { expect, test } from 'vitest';
import { loadTokenCounter, tokenCounter } from './count-tokens.ts';

test('each distinct text is counted once, however often and wherever it comes', () => {
  const counted: string[] = [];
  const counter = tokenCounter((text) => {
    counted.push(text);
    return text.length;
  });
  const long = 'a word '.repeat(100);
  for (const text of ['short', long, 'short', long, '']) counter.count(text);
  expect(counted).toEqual(['short', long]);
  expect(counter.count(long)).toBe(700);
});

test('text that looks like a control token is counted as text', async () => {
  const { count } = await loadTokenCounter();
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
  expect(count('The quick brown fox.')).toBe(5);
});

test('a run without a break is counted in parts, so that its cost stays linear, and a huge text from its head', () => {
  const lengths: number[] = [];
  const counter = tokenCounter((text) => {
    lengths.push(text.length);
    return text.length;
  });
  expect(counter.count('x'.repeat(9_000))).toBe(9_000);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000);
  expect(counter.count(`start ${'\n'.repeat(5_000)}end`)).toBe(5_009);
  expect(counter.count('word '.repeat(600_000))).toBe(3_000_000);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_100_000);
});
