import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsePlanSpec, planJsonSchema } from './plan-spec.ts';

describe('a plan', () => {
  test('needs only a name and rows; the rest has defaults', () => {
    const spec = parsePlanSpec({ name: 'mine', rows: [{ framework: 'fetch' }] }, 'plan.json');
    expect(spec).toMatchObject({ tasks: 'open68', seed: 1, trials: 1, profile: 'gpt-4o-mini', isolation: 'worker', concurrency: 1, coldStarts: 7 });
    expect(spec.rows[0]).toMatchObject({ shape: 'single', settings: 'default' });
  });

  test('names every wrong place at once', () => {
    expect(() => parsePlanSpec({ name: '', rows: [{ framework: 'fetch', shape: 'star' }], trails: 3 }, 'plan.json')).toThrowErrorMatchingInlineSnapshot(`
      [UsageError: plan.json is not a plan:
        name: Too small: expected string to have >=1 characters
        rows.0.shape: Invalid option: expected one of "single"|"idiomatic"|"dag"
        (top): Unrecognized key: "trails"]
    `);
  });

  test('with an upstream model needs its address', () => {
    expect(() => parsePlanSpec({ name: 'x', rows: [{ framework: 'fetch' }], model: 'upstream:gpt-4o' }, 'plan.json')).toThrow('has no base URL');
    expect(() => parsePlanSpec({ name: 'x', rows: [{ framework: 'fetch' }], model: 'gpt-4o' }, 'plan.json')).toThrow('model is "gpt-4o"');
  });

  test('is described by the schema that is published beside the examples', () => {
    const published = JSON.parse(readFileSync(new URL('../examples/plans/plan.schema.json', import.meta.url), 'utf8'));
    expect(published).toEqual(planJsonSchema());
  });

  test('of the examples parses', () => {
    const example = JSON.parse(readFileSync(new URL('../examples/plans/two-rows.json', import.meta.url), 'utf8'));
    expect(parsePlanSpec(example, 'two-rows.json').rows.map((row) => row.framework)).toEqual(['fetch', 'langgraph']);
  });
});
