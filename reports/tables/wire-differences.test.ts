// The comparing half of the wire audit, case by case.
import { describe, expect, it } from 'vitest';
import { compareFact, describeFact, readWire } from './wire-differences.ts';

const tool = (name: string, change: object = {}) => ({
  type: 'function',
  function: { name, description: 'D', parameters: { type: 'object', additionalProperties: false }, ...change },
});

describe('M1.1: what a row sends otherwise than its floor', () => {
  it.each([
    ['equal sampling in another key order', 'sampling', { a: 1, b: 2 }, { b: 2, a: 1 }, 'same'],
    ['another temperature', 'sampling', { temperature: 0.1 }, { temperature: 1 }, 'temperature 0.1 (floor: 1)'],
    ['a key that the row does not send', 'sampling', {}, { max_tokens: 2000 }, 'max_tokens absent (floor: 2000)'],
    ['a key that only the row sends', 'sampling', { n: 1 }, {}, 'n 1 (floor: absent)'],
    ['streaming', 'streamed', true, false, 'true (floor: false)'],
    ['no added text, however it is said', 'addedSystemText', undefined, '', 'same'],
    ['added text', 'addedSystemText', 'You are helpful.', undefined, '16 characters: "You are helpful."'],
    ['a tool left out', 'tools', [tool('a')], [tool('a'), tool('b')], 'b: not offered'],
    ['a tool added', 'tools', [tool('a'), tool('final_answer')], [tool('a')], 'final_answer: added'],
    ['the tools in another order', 'tools', [tool('b'), tool('a')], [tool('a'), tool('b')], 'other order'],
    [
      'Responses, which does not nest a tool',
      'tools',
      [{ type: 'function', name: 'a', description: 'D', parameters: { type: 'object', additionalProperties: false } }],
      [tool('a')],
      'other order',
    ],
    [
      'one difference in every tool, said once',
      'tools',
      [tool('a', { strict: true }), tool('b', { strict: true })],
      [tool('a'), tool('b')],
      'each tool: strict true (floor: absent)',
    ],
  ])('reads %s', (_, name, mine, floor, expected) => {
    expect(compareFact(name, { [name]: mine }, { [name]: floor })).toBe(expected);
  });

  it('stops after four differences and counts the rest', () => {
    const mine = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, 1]));
    expect(compareFact('sampling', { sampling: mine }, { sampling: {} })).toMatch(/and 2 more$/);
  });
});

describe('what a row does with tools', () => {
  const described = (description: string) => tool('a', { parameters: { type: 'object', properties: { file: { type: 'string', description } } } });
  it.each([
    ['offers them as its floor does', [tool('a')], [tool('a')], { toolCalls: 'same', schemas: 'lossless' }],
    ['has none, as its floor', [], [], { toolCalls: 'same', schemas: 'lossless' }],
    ['writes calls into the text', [], [tool('a')], { toolCalls: 'in the text' }],
    ['offers one of its own alone', [tool('final_answer')], [], { toolCalls: 'native', schemas: 'lossless' }],
    ['loses a description', [described('')], [described('Its name.')], { toolCalls: 'same', schemas: 'lossy: a: description of file' }],
  ])('is told where it %s', (_, mine, floor, expected) => {
    expect(readWire({ tools: mine }, { tools: floor })).toEqual(expected);
  });

  it('is told without a floor too', () => {
    expect([readWire({ tools: [tool('a')] }, undefined), readWire({}, undefined)]).toEqual([{ toolCalls: 'native' }, { toolCalls: 'none' }]);
  });
});

describe('describeFact', () => {
  it('says what the floor sends, and none or absent where it sends nothing', () => {
    expect(describeFact('sampling', { sampling: { temperature: 1, max_tokens: 2000 } })).toBe('{"max_tokens":2000,"temperature":1}');
    expect(describeFact('tools', { tools: [tool('b'), tool('a')] })).toBe('a, b');
    expect(describeFact('tools', {})).toBe('none');
    expect(describeFact('toolChoice', {})).toBe('absent');
  });
});
