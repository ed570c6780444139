import { expect, test } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { canonicalText } from './canonical.ts';

test('a text has one spelling, however its blanks and its numbers are laid out', () => {
  expect(canonicalText('  The\tHarbour\u00a0holds\n\n 1,234,567 “crates”  ')).toBe('the harbour holds 1234567 "crates"');
  const random = seededRandom('canonical');
  for (let at = 0; at < 300; at++) {
    const words = Array.from({ length: random.integer(0, 6) }, () => random.pick(['a', 'B', '7', '.']));
    const text = words.map((word) => word + random.pick([' ', '  ', '\t', '\n', ' \n', '\u2009', '\r\n'])).join('');
    expect(canonicalText(text), JSON.stringify(text)).toBe(words.join(' ').toLowerCase());
  }
});
