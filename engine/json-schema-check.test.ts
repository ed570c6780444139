// The JSON Schema subset, keyword by keyword: what fits, what does not, and in which words.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema, type JsonSchema } from './json-schema-check.ts';

const issuesOf = (schema: JsonSchema, value: unknown) => {
  const checked = compileJsonSchema(schema).check(value);
  return checked.ok ? [] : checked.issues;
};

test.for([
  ['type', { type: 'string' }, ['x'], [7, null, {}]],
  ['several types', { type: ['string', 'null'] }, ['x', null], [7]],
  ['integer', { type: 'integer' }, [3, 3.0, -1], [3.5, '3', Number.NaN]],
  ['number', { type: 'number' }, [3.5], [Number.POSITIVE_INFINITY, '3.5']],
  ['object', { type: 'object' }, [{}], [[], null]],
  ['enum', { enum: ['a', 1, null] }, ['a', 1, null], ['b', '1', undefined]],
  ['const', { const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }]],
  ['required', { type: 'object', required: ['toString', 'a'] }, [{ toString: 1, a: 2 }], [{ a: 2 }, {}]],
  ['nested', { properties: { a: { properties: { b: { type: 'number' } } } } }, [{ a: { b: 1 } }, { a: {} }], [{ a: { b: 'x' } }]],
  ['closed', { properties: { a: {} }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }, { constructor: 1 }]],
  ['closed without properties', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]],
  ['typed extras', { properties: { a: {} }, additionalProperties: { type: 'number' } }, [{ a: 'x', b: 1 }], [{ b: 'x' }]],
  ['items', { items: { type: 'number' } }, [[1, 2], []], [[1, 'x']]],
  ['tuple', { prefixItems: [{ type: 'string' }, { type: 'number' }] }, [['a', 1], ['a']], [[1, 1]]],
  ['anyOf', { anyOf: [{ type: 'string' }, { type: 'number', minimum: 5 }] }, ['x', 5], [4, null]],
  ['oneOf', { oneOf: [{ minimum: 5 }, { maximum: 3 }] }, [6, 2], [4]],
  ['allOf', { allOf: [{ minimum: 2 }, { maximum: 3 }] }, [2, 3], [1, 4]],
  ['bounds', { exclusiveMinimum: 1, exclusiveMaximum: 3, multipleOf: 0.5 }, [1.5, 2.5], [1, 3, 1.2]],
  ['length in characters', { minLength: 2, maxLength: 2 }, ['🌍🌍', 'ab'], ['🌍', 'abc']],
  ['list length', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  ['pattern', { pattern: '^a+$' }, ['aa', 7], ['b']],
  ['reference', { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } }, [{ a: 1 }], [{ a: 'x' }]],
  ['tree', { type: 'object', properties: { next: { $ref: '#' }, n: { type: 'number' } }, required: ['n'] }, [{ n: 1, next: { n: 2 } }], [{ n: 1, next: {} }]],
] as const)('%s', ([, schema, good, bad]) => {
  for (const value of good) expect(issuesOf(schema, value)).toEqual([]);
  for (const value of bad) expect(issuesOf(schema, value)).not.toEqual([]);
});

test('an issue names place, expectation and what was found', () => {
  const schema = {
    type: 'object',
    properties: { rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false } } },
  };
  expect(issuesOf(schema, { rows: [{ n: 1 }, { m: 'x' }, { n: 'two' }] })).toMatchInlineSnapshot(`
    [
      ""rows[1]" has the unknown key "m" (known: n)",
      ""rows[1]" lacks the required key "n"",
      ""rows[2].n" must be integer, found string "two"",
    ]
  `);
});

test('null for an optional property that does not allow it counts as absent; where null is allowed, or the property required, it counts as null', () => {
  const check = (schema: JsonSchema) => compileJsonSchema(schema).check({ a: null });
  expect(check({ type: 'object', properties: { a: { type: 'string' } } })).toEqual({ ok: true, value: {} });
  expect(check({ type: 'object', properties: { a: { type: ['string', 'null'] } } })).toEqual({ ok: true, value: { a: null } });
  expect(check({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] })).toMatchObject({ ok: false });
});

test('what stands outside the subset is named and not guessed', () => {
  const { unchecked, check } = compileJsonSchema({
    type: 'object',
    title: 'x',
    properties: { a: { type: 'string', not: { const: 'b' } } },
    patternProperties: { '^x': {} },
    $ref: 'https://example.org/s',
  });
  expect(unchecked).toEqual(['a.not', 'patternProperties', '$ref https://example.org/s']);
  expect(check({ a: 'b' }).ok).toBe(true);
});

test('no value crashes a check or reaches a prototype', () => {
  const check = compileJsonSchema(
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object"},"a":{"enum":[1]}},"additionalProperties":{"type":"number"}}'),
  ).check;
  fc.assert(fc.property(fc.jsonValue(), (value) => typeof check(value).ok === 'boolean'));
  expect(check(JSON.parse('{"__proto__":{"polluted":1}}')).ok).toBe(true);
  expect(check(JSON.parse('{"__proto__":7}')).ok).toBe(false);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
