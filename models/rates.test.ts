import { expect, test } from 'vitest';
import { ASSOCIATIVE, LEXICAL, shareKept } from './context-rot.ts';
import { LATENCIES, latencyOf } from './latency.ts';
import { profileOf, RATES } from './rates.ts';

test('each rate is a share, is dated, lies in its sweep, and has a source or says that it is assumed', () => {
  for (const rate of RATES) {
    expect(rate.value).toBeGreaterThan(0);
    expect(rate.value).toBeLessThan(1);
    expect(rate.dated).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(rate.sweep).toContain(rate.value);
    expect(rate.source).toMatch(/^assumed|tau-bench|BFCL/);
  }
  expect(new Set(RATES.map((rate) => rate.name)).size).toBe(RATES.length);
});

test('clean errs in nothing, and gpt-4o-mini by the table', () => {
  expect(profileOf('clean')).toEqual({ name: 'clean', slips: [], askedWrongly: 0, readWrongly: 0, thought: 0, correction: 1, rot: false });
  const mini = profileOf('gpt-4o-mini');
  expect(mini.askedWrongly + mini.readWrongly).toBeCloseTo(73 / 1164, 3);
  expect(mini.slips.map(([kind]) => kind)).toEqual([
    'unknown-tool',
    'malformed-arguments',
    'schema-violation',
    'repeated-call',
    'empty-reply',
    'early-answer',
    'malformed-plan',
    'missing-subtask',
    'missing-value',
  ]);
  expect(mini.correction).toBe(0.8);
});

test('a curve is 1 up to its shortest length, goes through its published points, and never rises', () => {
  expect(shareKept(ASSOCIATIVE, 0)).toBe(1);
  expect(shareKept(ASSOCIATIVE, 1_000)).toBe(1);
  expect(shareKept(ASSOCIATIVE, 8_000)).toBeCloseTo(32.6 / 67.7);
  expect(shareKept(LEXICAL, 4_000)).toBe(1);
  expect(shareKept(LEXICAL, 32_000)).toBeCloseTo(87.4 / 95.5);
  expect(shareKept(LEXICAL, 10_000_000)).toBeCloseTo(77 / 95.5);
  for (const curve of [ASSOCIATIVE, LEXICAL]) {
    for (let tokens = 500; tokens < 300_000; tokens *= 1.1) expect(shareKept(curve, tokens * 1.1)).toBeLessThanOrEqual(shareKept(curve, tokens));
  }
});

test('a model without a latency of its own gets the assumed one under its name', () => {
  expect(LATENCIES.map((row) => row.source).every((source) => source !== '')).toBe(true);
  expect(latencyOf('nobody')).toMatchObject({ model: 'nobody', firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed' });
});
