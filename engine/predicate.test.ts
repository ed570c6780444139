// Predicates: text, tree, types and value. The rules on them stand in control-rules.test.ts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deny } from './exclusion.ts';
import { evaluatePredicate, type Predicate, parsePredicate, printPredicate, WorkflowError } from './index.ts';
import type { JsonSchema } from './json-schema-check.ts';
import type { Literal, Operand, Path } from './predicate.ts';
import { checkPredicate } from './predicate-check.ts';

const STATE: Readonly<Record<string, unknown>> = {
  n: 3,
  text: 'abc',
  yes: true,
  nothing: null,
  list: ['a', 'b', 2],
  record: { inner: { deep: [1, { x: 'y' }] }, 'odd name': 7 },
  and: 1,
};
const read = (key: string): unknown => (Object.hasOwn(STATE, key) ? STATE[key] : undefined);
const holds = (text: string) => evaluatePredicate(parsePredicate(text), read);

test.for([
  ['n > 2 and n <= 3 and n >= 3 and n < 4', true],
  ['n == 3 && !(n != 3)', true],
  ['text == \'abc\' and text < "abd"', true],
  ["'b' in list and 2 in list and 'c' not in list", true],
  ["n in [1, 2, 3] and text in ['abc'] and null in [null]", true],
  ["'bc' in text", true],
  ['length(list) == 3 and length(text) == 3', true],
  ['yes', true],
  ['not nothing == null', false],
  ['exists(nothing) and not exists(absent) and exists(record.inner)', true],
  ["record.inner.deep[1].x == 'y' and record.inner.deep[0] == 1", true],
  ['record.`odd name` == 7 and `and` == 1', true],
  ['false or n == 3', true],
  ['n == 3 or n == 4 and n == 5', true],
  ['(n == 3 or n == 4) and n == 5', false],
  // What is absent, or cannot be compared, compares as false.
  ['absent == 1 or absent == null or absent > 1 or absent in list', false],
  ['absent != 1 and absent not in list', true],
  ["n > 'a' or text > 1 or list == list or record == record", false],
  ['length(n) >= 0 or length(absent) == 0', false],
  // A place is one of a list, a name one of a record, and a text has neither.
  ['exists(list.length) or exists(list.`0`) or exists(text[0]) or exists(record[0]) or exists(list[3])', false],
  ['exists(record.constructor) or exists(record.__proto__) or exists(record.toString) or exists(__proto__)', false],
  ['-0 == 0 and 1e2 == 100 and -1.5 < 0', true],
] as const)('%s is %s', ([text, expected]) => {
  expect(holds(text)).toBe(expected);
});

test.for([
  ['', 'character 1: expected a state key, found the end'],
  ['n >', 'character 4: expected a state key, found the end'],
  ['n = 3', 'character 3: "=" means nothing here'],
  ['n == 3 n', 'character 8: expected the end, "and" or "or", found "n"'],
  ['(n == 3', 'character 8: expected ")", found the end'],
  ['n not 3', 'character 7: expected "in", found "3"'],
  ['n in [m]', 'character 8: a list in brackets holds texts, numbers, true, false and null only'],
  ['a[-1]', 'character 3: expected a place, which is a whole number from 0, found "-1"'],
  ['a[1.5] == 1', 'a place, which is a whole number from 0, found "1.5"'],
  ['length(3)', 'expected a state key, found "3"'],
  ["a == 'x", '"\'" means nothing here'],
  ["a == '\\q'", '\\q is no escape'],
  ['a == 1e999', '1e999 is too large a number'],
  ['a; process.exit()', 'character 2: ";" means nothing here'],
  ['a == 01', 'found "1"'],
] as const)('%s is refused with its place', ([text, message]) => {
  expect(() => parsePredicate(text)).toThrow(expect.objectContaining({ code: 'INVALID_PREDICATE', message: expect.stringContaining(message) }));
});

test('brackets a hundred deep are read, deeper ones and texts without end are refused, and neither overflows', () => {
  expect(holds(`${'('.repeat(99)}n == 3${')'.repeat(99)}`)).toBe(true);
  for (const text of [`${'('.repeat(4000)}n`, `${'not '.repeat(2400)}n`.repeat(2), 'n or '.repeat(3000)]) {
    expect(() => parsePredicate(text)).toThrow(expect.objectContaining({ code: 'INVALID_PREDICATE' }));
  }
  expect(holds(`${'not '.repeat(2000)}yes`)).toBe(true);
});

const names = fc.oneof(fc.constantFrom('n', 'text', 'list', 'record', 'and', 'in', '__proto__', 'constructor', 'a-b', 'odd `name\\'), fc.string());
const paths: fc.Arbitrary<Path> = fc.record({ kind: fc.constant('path' as const), key: names, steps: fc.array(fc.oneof(names, fc.nat(5)), { maxLength: 3 }) });
const literals: fc.Arbitrary<Literal> = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.constant(null),
);
const operands: fc.Arbitrary<Operand> = fc.oneof(
  paths,
  literals.map((value) => ({ kind: 'literal' as const, value })),
  paths.map((of) => ({ kind: 'length' as const, of })),
);
const { tree } = fc.letrec<{ tree: Predicate }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('compare' as const), operator: fc.constantFrom('==', '!=', '<', '<=', '>', '>='), left: operands, right: operands }),
    fc.record({
      kind: fc.constant('in' as const),
      denied: fc.boolean(),
      element: operands,
      list: fc.oneof(
        paths,
        fc.array(literals, { maxLength: 3 }).map((values) => ({ kind: 'list' as const, values })),
      ),
    }),
    fc.record({ kind: fc.constant('exists' as const), path: paths }),
    fc.record({ kind: fc.constant('truth' as const), operand: operands }),
    fc.record({ kind: fc.constant('not' as const), part: tie('tree').filter(({ kind }) => kind !== 'not') }),
    fc
      .record({ kind: fc.constantFrom('and' as const, 'or' as const), parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) })
      .filter(({ kind, parts }) => parts.every((part) => part.kind !== kind)),
  ),
}));

test('a printed predicate is read back as the same tree', () => {
  fc.assert(
    fc.property(tree, (predicate) => {
      expect(parsePredicate(printPredicate(predicate))).toEqual(predicate);
    }),
    { numRuns: 500 },
  );
});

test('any text is a predicate or an error with its code; any tree has a truth value and a type check, whatever the state, and leaves prototypes alone', () => {
  const pieces = fc.constantFrom(
    'n',
    ' and ',
    ' or ',
    'not ',
    '(',
    ')',
    '[',
    ']',
    '.',
    ',',
    '==',
    ' in ',
    '`',
    "'",
    '"',
    '\\',
    '0',
    '-1',
    'length(',
    'exists(',
    '__proto__',
    '\n',
    '\u{1F600}',
    '\ud800',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          parsePredicate(text);
        } catch (error) {
          expect(error).toBeInstanceOf(WorkflowError);
          expect((error as WorkflowError).code).toBe('INVALID_PREDICATE');
        }
      },
    ),
    { numRuns: 2000 },
  );
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  fc.assert(
    fc.property(tree, fc.dictionary(names, fc.jsonValue()), fc.jsonValue(), (predicate, state, schema) => {
      expect(typeof evaluatePredicate(predicate, (key) => (Object.hasOwn(state, key) ? state[key] : undefined))).toBe('boolean');
      const schemas = new Map(['n', 'text', 'list', 'record'].map((key) => [key, schema as JsonSchema]));
      expect(Array.isArray(checkPredicate(predicate, schemas).faults)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
});

test('two predicates that are said to deny each other never hold together', () => {
  const small = fc.letrec<{ tree: Predicate }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc
        .record({ key: fc.constantFrom('p', 'q'), value: fc.nat(2), operator: fc.constantFrom('==' as const, '<' as const) })
        .map(({ key, value, operator }) => ({
          kind: 'compare' as const,
          operator,
          left: { kind: 'path' as const, key, steps: [] },
          right: { kind: 'literal' as const, value },
        })),
      fc.record({ kind: fc.constant('not' as const), part: tie('tree') }),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), parts: fc.array(tie('tree'), { minLength: 2, maxLength: 2 }) }),
    ),
  })).tree;
  let denied = 0;
  fc.assert(
    fc.property(small, small, fc.nat(2), fc.nat(2), (a, b, p, q) => {
      if (!deny(a, b)) return;
      denied++;
      const state: Readonly<Record<string, unknown>> = { p, q };
      const value = (key: string) => state[key];
      expect(evaluatePredicate(a, value) && evaluatePredicate(b, value)).toBe(false);
    }),
    { numRuns: 3000 },
  );
  expect(denied).toBeGreaterThan(50);
});

test('the type check follows references, alternatives, records of any name and lists with places of their own, and leaves the rest to run time', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      node: { $ref: '#/$defs/node' },
      either: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }, { type: 'null' }] },
      counts: { type: 'object', additionalProperties: { type: 'number' } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      odd: { allOf: [{ type: 'string' }] },
    },
    additionalProperties: false,
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } }, additionalProperties: false } },
  };
  const check = (text: string) => checkPredicate(parsePredicate(text), new Map([['s', schema]]));
  const fine = { faults: [], unchecked: [] };
  expect(check("s.node.next.next.name == 'x'")).toEqual(fine);
  expect(check("s.either.a == 'x' and s.either == null")).toEqual(fine);
  expect(check('s.counts.anything > 3')).toEqual(fine);
  expect(check("s.pair[0] == 'x' and s.pair[1] == 1")).toEqual(fine);
  expect(check('s.odd == 3')).toEqual({ faults: [], unchecked: ['s.odd'] });
  for (const wrong of [
    's.node.next.nam == 1',
    's.node.name == 1',
    's.either.b == 1',
    "s.counts.x == 'a'",
    's.pair[2] == 1',
    's.pair[1] == null',
    's[0] == 1',
    's == 1',
    'length(s) == 1',
  ]) {
    expect(check(wrong).faults, wrong).toMatchObject([{ code: 'predicate-type' }]);
  }
});
