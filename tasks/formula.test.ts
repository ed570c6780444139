import { describe, expect, it } from 'vitest';
import { answerText, evaluate, fillArguments, fillTemplate, valuesNeeded } from './formula.ts';
import type { Formula, Values } from './plan.ts';

const v = (value: string): Formula => ({ value });
const c = (constant: string | number): Formula => ({ constant });
const values: Values = { 's1.a': 7, 's1.b': 2.5, 's2.day': '2024-02-28', 's2.late': '2024-03-01', 's3.name': 'Iron Tern', 's3.other': 'Amber Gannet' };
const given = (formula: Formula) => evaluate(formula, values);

describe('evaluate', () => {
  it.each<[string, Formula, string]>([
    ['adds', { op: 'add', of: [v('s1.a'), v('s1.b'), c(1)] }, '10.5'],
    ['subtracts from the first', { op: 'subtract', of: [v('s1.a'), v('s1.b'), c(1)] }, '3.5'],
    ['multiplies', { op: 'multiply', of: [v('s1.a'), v('s1.b')] }, '17.5'],
    ['divides the first', { op: 'divide', of: [v('s1.a'), c(2)] }, '3.5'],
    ['finds the smallest', { op: 'minimum', of: [v('s1.a'), v('s1.b')] }, '2.5'],
    ['finds the largest', { op: 'maximum', of: [v('s1.a'), v('s1.b')] }, '7'],
    ['takes the mean', { op: 'mean', of: [v('s1.a'), c(2)] }, '4.5'],
    ['joins texts', { op: 'concatenate', of: [v('s3.name'), c(' '), v('s1.a')] }, 'Iron Tern 7'],
    ['rounds halves away from zero', { op: 'round', digits: 0, of: v('s1.b') }, '3'],
    ['rounds to digits', { op: 'round', digits: 2, of: c(1.005) }, '1.01'],
    ['takes the year', { op: 'year', of: v('s2.day') }, '2024'],
    ['takes the month', { op: 'month', of: v('s2.day') }, 'February'],
    ['takes the weekday', { op: 'weekday', of: v('s2.day') }, 'Wednesday'],
    ['reverses', { op: 'reverse', of: v('s3.name') }, 'nreT norI'],
    ['counts characters', { op: 'length', of: v('s3.name') }, '9'],
    ['takes the last word', { op: 'last-word', of: v('s3.name') }, 'Tern'],
    ['counts days over a leap day', { op: 'days-between', from: v('s2.day'), to: v('s2.late') }, '2'],
    ['adds days', { op: 'add-days', of: v('s2.day'), days: c(2) }, '2024-03-01'],
    [
      'takes the entry with the largest key',
      { op: 'first-by', order: 'largest', of: [v('s3.name'), v('s3.other')], by: [v('s1.b'), v('s1.a')] },
      'Amber Gannet',
    ],
    ['counts what is above a bound', { op: 'where', of: [v('s1.a'), v('s1.b')], test: 'above', than: c(3), give: 'count' }, '1'],
    ['sums what belongs to a match', { op: 'where', of: [c('x'), c('y')], test: 'equal', than: c('y'), give: 'sum', pick: [c(4), c(9)] }, '9'],
    [
      'lists what matches',
      { op: 'where', of: [v('s1.a'), v('s1.b')], test: 'below', than: c(9), give: 'list', pick: [v('s3.name'), v('s3.other')] },
      'Iron Tern, Amber Gannet',
    ],
    ['lists by a key', { op: 'list', of: [v('s3.name'), v('s3.other')], order: 'ascending', by: [v('s1.a'), v('s1.b')] }, 'Amber Gannet, Iron Tern'],
    ['lists alphabetically', { op: 'list', of: [v('s3.name'), v('s3.other')], order: 'alphabetical' }, 'Amber Gannet, Iron Tern'],
  ])('%s', (_, formula, answer) => {
    expect(given(formula)).toBe(answer);
  });

  it('has no answer while a value is missing, however deep', () => {
    expect(given({ op: 'round', digits: 1, of: { op: 'add', of: [v('s1.a'), v('s9.none')] } })).toBeUndefined();
    expect(given({ op: 'where', of: [v('s9.none')], test: 'above', than: c(1), give: 'count' })).toBeUndefined();
  });

  it('refuses a word where a number is due', () => {
    expect(() => given({ op: 'add', of: [v('s3.name'), c(1)] })).toThrow(RangeError);
  });

  it('names every value that a formula needs, once', () => {
    expect(valuesNeeded({ op: 'where', of: [v('s1.a')], test: 'above', than: v('s1.b'), give: 'list', pick: [v('s1.a')] })).toEqual(['s1.a', 's1.b']);
  });
});

describe('texts with values', () => {
  it('writes sums of decimals as a person does', () => {
    expect(answerText(0.1 + 0.2)).toBe('0.3');
  });

  it('fills a template, or not at all', () => {
    expect(fillTemplate('{{s3.name}} - Lives', values)).toBe('Iron Tern - Lives');
    expect(fillTemplate('{{s9.none}} - Lives', values)).toBeUndefined();
  });

  it('hands a number on as a number when an argument is nothing else', () => {
    expect(fillArguments({ file: 'a.pdf', first_page: '{{s1.a}}', query: 'page {{s1.a}}' }, values)).toEqual({ file: 'a.pdf', first_page: 7, query: 'page 7' });
    expect(fillArguments({ url: '{{s9.url}}' }, values)).toBeUndefined();
  });
});
