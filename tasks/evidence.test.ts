import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { normalizeText, readValue } from './evidence.ts';
import type { Read } from './plan.ts';

const read = (text: string, after: readonly string[], kind: Read['kind'], more: Partial<Read> = {}) =>
  readValue(normalizeText(text), { name: 'x', label: 'x', after, kind, ...more }, { 's1.who': 'Odrin Lumerin' });

const PAGE = `Title: Odrin Lumerin - Lives
URL: https://www.lives.example/odrin

# Odrin Lumerin

| Entry | Detail |
| --- | --- |
| Born | 14 March 1961 |
| Place of birth | [Selkmoor](https://www.towns.example/selkmoor) |
| Visits | 48,210 |`;

describe('readValue', () => {
  it('takes the first value of its kind behind the anchors', () => {
    expect(read(PAGE, ['Title: {{s1.who}} - Lives', '| Born |'], 'date')).toBe('1961-03-14');
    expect(read(PAGE, ['| Visits |'], 'number')).toBe(48210);
    expect(read(PAGE, ['Title:'], 'url')).toBe('https://www.lives.example/odrin');
  });

  it('reads the words of a link, not its address', () => {
    expect(read(PAGE, ['| Place of birth |'], 'text', { until: [']', '|', '\n'] })).toBe('Selkmoor');
  });

  it('finds nothing when one anchor is missing or stands before another', () => {
    expect(read(PAGE, ['Title: {{s1.who}} - Annals', '| Born |'], 'date')).toBeUndefined();
    expect(read(PAGE, ['| Visits |', '| Born |'], 'date')).toBeUndefined();
    expect(read(PAGE, ['Title: {{s9.none}}', '| Born |'], 'date')).toBeUndefined();
  });

  it('does not read beyond two hundred characters', () => {
    expect(read(`Born: ${'x '.repeat(150)} 12`, ['Born:'], 'number')).toBeUndefined();
  });

  it('forgives letter case, runs of blanks and curly marks', () => {
    expect(read('|  BORN   |  1961–03–14 |', ['| born |'], 'date')).toBe('1961-03-14');
  });

  it('passes over numbers that stand before the wanted column', () => {
    const line = 'Iron Tern  2026-02-09  31  4,810';
    expect(read(line, ['Iron Tern'], 'number', { skip: 3 })).toBe(31);
    expect(read(line, ['Iron Tern'], 'number', { skip: 4 })).toBe(4810);
    expect(read(line, ['Iron Tern'], 'number', { skip: 5 })).toBeUndefined();
  });

  it.each([
    ['the berth is Quay B. It lies south.', 'Quay B'],
    ['the berth is Quay B; closed', 'Quay B'],
    ['the berth is Quay B | 12', 'Quay B'],
    ['the berth is **Quay B**\nnext', 'Quay B'],
  ])('ends a text at its mark: %s', (text, value) => {
    expect(read(text, ['berth is'], 'text')).toBe(value);
  });

  it('reads dates in the spellings of documents, the first one', () => {
    expect(read('due March 4, 2027 or 2027-03-05', ['due'], 'date')).toBe('2027-03-04');
  });
});

describe('normalizeText', () => {
  it('makes one blank of every run of blanks, whatever they are, and leaves line breaks', () => {
    const random = seededRandom('blanks');
    for (let at = 0; at < 500; at++) {
      const text = Array.from({ length: random.integer(0, 12) }, () => random.pick([' ', '\t', '\u00a0', '\u2009', '\r', '\f', '\n', 'a', '–', '’'])).join('');
      const plainly = text.normalize('NFKC').replaceAll('–', '-').replaceAll('’', "'");
      expect(normalizeText(text), JSON.stringify(text)).toBe(plainly.replace(/[^\S\n]+/g, ' '));
    }
  });
});
