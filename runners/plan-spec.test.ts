import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsePlanSpec, planJsonSchema } from './plan-spec.ts';

describe('a plan', () => {
  test('needs only a name and rows; the rest has defaults', () => {
    const spec = parsePlanSpec({ name: 'mine', rows: [{ framework: 'fetch' }] }, 'plan.json');
    expect(spec).toMatchObject({ tasks: 'open68', seed: 1, trials: 1, profile: 'gpt-4o-mini', isolation: 'worker', concurrency: 1, coldStarts: 7 });
    expect(spec.rows[0]).toMatchObject({ shape: 'single', settings: 'default' });
  });

  test('names every wrong place at once, and what stands there', () => {
    expect(() =>
      parsePlanSpec({ name: '', rows: [{ framework: 'fetch', shape: 'star' }], trails: 3, seed: -1 }, 'plan.json'),
    ).toThrowErrorMatchingInlineSnapshot(`
      [UsageError: plan.json is not a plan:
        name: Too small: expected string to have >=1 characters, found ""
        name: expected letters, digits, blanks and . _ @ -, found ""
        rows.0.shape: Invalid option: expected one of "single"|"idiomatic"|"dag", found "star"
        seed: Too small: expected number to be >=0, found -1
        (top): Unrecognized key: "trails"]
    `);
  });

  test.each([
    [{ model: 'upstream:gpt-4o' }, 'baseUrl: model upstream:gpt-4o needs a server'],
    [
      { model: 'upstream:', baseUrl: 'http://127.0.0.1:1/v1' },
      'model: expected `simulated`, `upstream:NAME`, `local:NAME` or `local:FILE.gguf`, found "upstream:"',
    ],
    [{ model: 'gpt-4o' }, 'model: expected `simulated`, `upstream:NAME`, `local:NAME` or `local:FILE.gguf`, found "gpt-4o"'],
    [{ model: 'upstream:x', baseUrl: 'localhost:8080/v1' }, 'found "localhost:8080/v1"'],
    [{ model: 'upstream:x', baseUrl: 'http://me:secret@127.0.0.1/v1' }, 'holds a user or password'],
    [{ baseUrl: 'http://127.0.0.1:1/v1' }, 'stands beside the simulated model'],
    [{ name: '../elsewhere' }, 'name: expected letters'],
    [{ rows: [{ framework: 'a/b', module: './x.ts' }] }, 'rows.0.framework: expected letters'],
    [{ timeoutMs: 1e12 }, 'timeoutMs: Too big'],
  ])('with %j is refused by name', (wrong, message) => {
    expect(() => parsePlanSpec({ name: 'x', rows: [{ framework: 'fetch' }], ...wrong }, 'plan.json')).toThrow(message);
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
