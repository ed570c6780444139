import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeValue, unpack } from './checkpoint-value.ts';

const throughText = (value: unknown) => unpack(JSON.parse(encodeValue(value, 'the value')));

test('any value of plain objects, lists, text, numbers, dates, maps, sets and bytes comes back as it was', () => {
  const values = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: false, withObjectString: false });
  const bytes = fc.uint8Array().map((given) => ({ bytes: new Uint8Array(given) }));
  const tagged = fc.dictionary(fc.constantFrom('$', 'of', '__proto__', 'constructor', 'a'), fc.anything(), { noNullPrototype: true });
  fc.assert(
    fc.property(fc.oneof(values, bytes, tagged), (value) => {
      expect(isDeepStrictEqual(throughText(value), value)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  for (const value of [undefined, Number.NaN, -0, [undefined], { a: undefined }, new Date(Number.NaN), '\ud800'])
    expect(throughText(value)).toStrictEqual(value);
});

test('a key `__proto__` stays a key and changes no prototype', () => {
  const back = throughText(JSON.parse('{"__proto__":{"polluted":null},"a":{"$":"x","__proto__":[1]}}')) as Record<string, unknown>;
  expect(Object.keys(back)).toEqual(['__proto__', 'a']);
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('what has no form of its own is refused with its place: functions, symbols, class instances, cycles', () => {
  class Finding {}
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(() => encodeValue({ list: [1, { found: new Finding() }] }, 'the output of node "n"')).toThrow(
    'the output of node "n" holds an instance of Finding at list.1.found, which a checkpoint cannot keep',
  );
  expect(() => encodeValue({ run: () => 0 }, 'x')).toThrow('x holds a function at run');
  expect(() => encodeValue([Symbol('s')], 'x')).toThrow('x holds a symbol at 0');
  expect(() => encodeValue(cycle, 'x')).toThrow('a cycle, or nesting too deep');
});

test('a value that needs no tag is written as plain JSON', () => {
  expect(encodeValue({ a: [1, 'two', null, { b: true }] }, 'x')).toBe('{"a":[1,"two",null,{"b":true}]}');
  expect(encodeValue({ a: 1, b: [undefined, 2] }, 'x')).toBe('{"a":1,"b":[{"$":"undefined"},2]}');
});
