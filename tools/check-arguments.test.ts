import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import type { ToolParameter, ToolSchema } from '../base/tool-schema.ts';
import { checkArguments, coerceArguments } from './check-arguments.ts';
import { TOOLS } from './registry.ts';
import { toolSchema } from './tool.ts';

const EVERY_TYPE = toolSchema(
  'every_type',
  'Takes one of each.',
  {
    name: { type: 'string', description: '' },
    ratio: { type: 'number', description: '' },
    count: { type: 'integer', description: '' },
    exact: { type: 'boolean', description: '' },
  },
  ['name'],
);

const check = (received: unknown) => checkArguments(EVERY_TYPE, received);
const given = (received: unknown) => ({ ok: true, given: received });

describe('the strict border', () => {
  it('takes null for an optional parameter as absent', () => {
    expect(check({ name: 'a', ratio: null, count: null, exact: null })).toEqual(given({ name: 'a' }));
  });

  it('ignores extra keys, also inherited-looking ones', () => {
    expect(check(JSON.parse('{"name":"a","more":{"deep":[1]},"__proto__":{"count":"x"},"toString":1}'))).toEqual(given({ name: 'a' }));
  });

  it('takes integral floats as integers', () => {
    expect(check(JSON.parse('{"name":"a","count":3.0}'))).toEqual(given({ name: 'a', count: 3 }));
    expect(check({ name: 'a', count: 1e3 })).toEqual(given({ name: 'a', count: 1000 }));
  });

  it('sets no bounds: an empty text, a negative and a huge number pass', () => {
    expect(check({ name: '', count: -9e15, ratio: -1e300 })).toMatchObject({ ok: true });
  });

  it.each([
    [{ name: 7 }, 'every_type: parameter "name" must be a string, found the number 7'],
    [{ name: 'a', count: '3' }, 'every_type: parameter "count" must be an integer, found the string "3"'],
    [{ name: 'a', count: 2.5 }, 'every_type: parameter "count" must be an integer, found the number 2.5'],
    [{ name: 'a', ratio: '2.5' }, 'every_type: parameter "ratio" must be a number, found the string "2.5"'],
    [{ name: 'a', exact: 'true' }, 'every_type: parameter "exact" must be a boolean, found the string "true"'],
    [{ name: ['a'] }, 'every_type: parameter "name" must be a string, found an array of 1'],
    [{}, 'every_type: parameter "name" is required (string) and missing'],
    [{ name: null }, 'every_type: parameter "name" is required (string), found null'],
    [{ count: 'x' }, 'every_type: parameter "name" is required (string) and missing; parameter "count" must be an integer, found the string "x"'],
    [['a'], 'every_type: the arguments must be a JSON object, found an array of 1'],
    ['{"name":', 'every_type: the arguments must be a JSON object, found the string "{\\"name\\":"'],
    [null, 'every_type: the arguments must be a JSON object, found null'],
  ])('refuses %j and names tool, parameter and what was found', (received, message) => {
    expect(check(received)).toEqual({ ok: false, message });
  });
});

describe('the lenient border', () => {
  it('runs with what it got, as a plain function would', () => {
    expect(coerceArguments(EVERY_TYPE, { name: 7, ratio: '2.5', count: 'x', exact: 'yes' }).given).toEqual({ name: '7', ratio: 2.5, exact: true });
    expect(coerceArguments(EVERY_TYPE, 'no object').given).toEqual({});
  });
});

describe('generated arguments (method M2.1)', () => {
  it('accepts fifty valid sets over all tools and refuses each again with one value broken', () => {
    for (let i = 0; i < 50; i++) {
      const random = seededRandom('arguments', i);
      const schema = random.pick(TOOLS).schema;
      const valid = validSet(schema, random);
      expect(checkArguments(schema, JSON.parse(JSON.stringify(valid))), `seed ${i}: ${JSON.stringify(valid)}`).toMatchObject({ ok: true });
      const broken = random.pick(Object.keys(schema.parameters.properties));
      const refused = checkArguments(schema, { ...valid, [broken]: { wrong: true } });
      expect(refused, `seed ${i}: ${broken}`).toMatchObject({ ok: false });
      expect(refused.ok ? '' : refused.message).toContain(`"${broken}"`);
    }
  });

  it('describes every tool with flat parameters, each with a description, and with a name for each required one', () => {
    for (const { schema } of TOOLS) {
      const { properties, required, additionalProperties } = schema.parameters;
      expect(additionalProperties).toBe(false);
      expect(required.every((name) => name in properties)).toBe(true);
      for (const parameter of Object.values(properties)) {
        expect(Object.keys(parameter).sort()).toEqual(['description', 'type']);
        expect(parameter.description).not.toBe('');
      }
    }
  });
});

function validSet(schema: ToolSchema, random: ReturnType<typeof seededRandom>): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(schema.parameters.properties)) {
    const optional = !schema.parameters.required.includes(name);
    if (optional && random.next() < 0.3) continue;
    set[name] = optional && random.next() < 0.3 ? null : drawValue(type, random);
  }
  if (random.next() < 0.5) set['extra'] = { ignored: true };
  return set;
}

function drawValue(type: ToolParameter['type'], random: ReturnType<typeof seededRandom>): unknown {
  if (type === 'string') return random.pick(['', 'attachment-1.pdf', 'ünïcode 東京 🎈', 'a "quoted" \\ text', '../..', '1+1', '7']);
  if (type === 'boolean') return random.next() < 0.5;
  const whole = random.integer(-3, 1_000_000);
  return type === 'integer' ? whole : whole + random.pick([0, 0.5]);
}
