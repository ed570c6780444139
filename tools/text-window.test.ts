import { describe, expect, it } from 'vitest';
import { findPassages } from './find-passages.ts';
import { PART_CHARACTERS, windowText } from './text-window.ts';

/** All parts of a text without their last lines. */
function parts(text: string): string[] {
  const all: string[] = [];
  for (let part = 1; ; part++) {
    const shown = windowText(text, 'part', part);
    const note = shown.lastIndexOf('\n[part ');
    if (note < 0) return all;
    all.push(shown.slice(0, note));
  }
}

describe('windowText', () => {
  it('gives a text that fits as it stands', () => {
    expect(windowText('short', 'part')).toBe('short');
    expect(windowText('x'.repeat(PART_CHARACTERS), 'part')).toHaveLength(PART_CHARACTERS);
  });

  it('says how much there is and how to get the next part', () => {
    const text = 'a'.repeat(9_000);
    expect(windowText(text, 'page').slice(-80)).toContain('\n[page 1 of 2: characters 1-8000 of 9000. For the next one: page: 2.]');
    expect(windowText(text, 'page', 2)).toBe(`${'a'.repeat(1_000)}\n[page 2 of 2: characters 8001-9000 of 9000.]`);
  });

  it('cuts at a line break where one is near', () => {
    const lines = Array.from({ length: 600 }, (_, i) => `line ${i} of a long text`).join('\n');
    for (const part of parts(lines)) expect(part).toMatch(/^line \d+ of a long text.*line \d+ of a long text$/s);
    expect(parts(lines).join('\n')).toBe(lines);
  });

  it('never cuts inside a character, be it a pair, joined or accented', () => {
    for (const character of ['😀', '👨‍👩‍👧‍👦', 'e\u0301', '🇫🇷']) {
      const text = `a${character.repeat(5_000)}`;
      expect(parts(text).join('')).toBe(text);
      for (const part of parts(text)) expect(part.replaceAll(character, '')).toMatch(/^a?$/);
    }
  });

  it('ends even where a single character has no end', () => {
    const text = `e${'\u0301'.repeat(20_000)}`;
    expect(parts(text).join('')).toBe(text);
  });

  it('says so when there is no such part', () => {
    expect(windowText('short', 'part', 2)).toBe('There is no part 2: the text has one part, 5 characters in all.');
    expect(windowText('short', 'part', 0)).toBe('There is no part 0: the text has one part, 5 characters in all.');
    expect(windowText('', 'part', 3)).toBe('There is no part 3: the text is empty.');
  });
});

describe('findPassages', () => {
  it('gives the lines around each place, whatever the case and width of blanks', () => {
    const text = `${'first line\n'.repeat(50)}| Harlow  House | 1987 |\n${'last line\n'.repeat(50)}`;
    const found = findPassages(text, 'harlow house');
    expect(found).toContain('"harlow house" occurs once.');
    expect(found).toContain('\n| Harlow  House | 1987 |\n');
    expect(found.length).toBeLessThan(800);
  });

  it('takes what is looked for literally', () => {
    expect(findPassages('costs (1.5) euro', '(1.5)')).toContain('occurs once');
    expect(findPassages('costs 1x5 euro', '1.5')).toContain('does not occur');
  });

  it('stays below the limit however often the words occur', () => {
    expect(findPassages('word '.repeat(20_000), 'word').length).toBeLessThan(PART_CHARACTERS);
    expect(findPassages('word\n'.repeat(20_000), 'word').length).toBeLessThan(PART_CHARACTERS);
  });
});
