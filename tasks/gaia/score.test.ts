import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePythonFloat } from './python-float.ts';
import { scoreAnswer } from './score.ts';

interface Vector {
  readonly id: number;
  readonly answer: string | null;
  readonly truth: string;
  readonly correct: boolean;
  readonly lengthMismatchWarning: boolean;
  readonly reason: string;
}
const { vectors } = JSON.parse(readFileSync(new URL('scorer-vectors.json', import.meta.url), 'utf8')) as { vectors: Vector[] };

describe('the official scorer', () => {
  it('has its 127 vectors', () => {
    expect(vectors.map((vector) => vector.id)).toEqual(Array.from({ length: 127 }, (_, index) => index + 1));
  });

  it.each(vectors)('vector $id: $reason', ({ answer, truth, correct, lengthMismatchWarning }) => {
    const score = scoreAnswer(answer, truth);
    expect({ correct: score.correct, warned: score.lengthMismatch ?? false }).toEqual({ correct, warned: lengthMismatchWarning });
  });

  it.each([
    ['20', '20%', true],
    ['100', '20% of 100', false],
    ['20', 'about 20', false],
    ['1500', '$1,500', true],
    ['1500', '€1,500', false],
    ['0', '', false],
    ['0', '  ', false],
    ['0', null, false],
    ['0', '$', false],
    ['0', '%', false],
    ['16', '0x10', false],
    ['1000', '1_000', true],
    ['1000', '1e3', true],
    ['12', '12 km', false],
    ['12', '١٢', true],
    ["O'Neill", 'O’Neill', false],
    ['finch', 'ﬁnch', false],
    ['café', 'cafe\u0301', false],
    ['New York', 'New\u00a0York', true],
    ['lynx', '\ufefflynx', false],
    ['lynx', 'lynx\u0085', true],
  ])('never fishes, guesses or folds: truth %j, answer %j is %j', (truth, answer, correct) => {
    expect(scoreAnswer(answer, truth).correct).toBe(correct);
  });

  it('names the rule that the truth selects, whatever the answer is', () => {
    expect([scoreAnswer('a,b', '5').rule, scoreAnswer('5', 'a;b').rule, scoreAnswer('1,2', 'red').rule]).toEqual(['number', 'list', 'string']);
  });
});

describe('numbers as Python reads them', () => {
  it.each([
    ['1_0.5_0e1_0', 1.05e11 - 0.5e11 + 0.5e11],
    ['\u20035\u3000', 5],
    ['𝟗𝟘', 90],
    ['१२', 12],
    ['.5', 0.5],
    ['5.', 5],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['+nAn', Number.NaN],
  ])('%j is %d', (text, value) => {
    expect(parsePythonFloat(text)).toBe(value);
  });

  it.each(['', ' ', '.', '_1', '1_', '1__0', '1_.5', '1._5', '1e', '1e_5', '0b1', '0x1', '1 0', '1,0', 'in', 'infi', '\ufeff1', '−1', '1\u0000', '½', '²'])(
    '%j is none',
    (text) => {
      expect(parsePythonFloat(text)).toBeUndefined();
    },
  );
});
