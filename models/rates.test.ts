import { expect, test } from 'vitest';
import { CURVE_SETS, shareKept } from '../base/reading-curve.ts';
import { LATENCIES, latencyOf } from './latency.ts';
import { profileOf, profileWith, RATES, SLIP_KINDS } from './rates.ts';

const [{ lexical: LEXICAL, associative: ASSOCIATIVE }] = CURVE_SETS;

test('each rate is a share, is dated, lies in its sweep, and has a source or says that it is assumed', () => {
  for (const rate of RATES) {
    expect(rate.dated).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    for (const value of Object.values(rate.of)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(rate.sweep).toContain(value);
    }
    expect(rate.source).toMatch(/^assumed|tau-bench|BFCL|MGSM/);
  }
  expect(new Set(RATES.map((rate) => rate.name)).size).toBe(RATES.length);
});

test('clean errs in nothing, and gpt-4o-mini by the table', () => {
  expect(profileOf('clean')).toMatchObject({
    name: 'clean',
    slips: [],
    askedWrongly: 0,
    readWrongly: 0,
    thought: 0,
    correction: 1,
    ability: [1, 1, 1],
    rot: false,
  });
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
    'unknown-route',
    'prose',
    'cut-reply',
    'no-marker',
  ]);
  expect(mini.correction).toBe(0.8);
});

test('M4.9: a kind of slip without a source stands at the assumed 2 %; a refusal and thoughts alone are none of them and stand at none', () => {
  for (const name of ['gpt-4o-mini', 'gpt-4o'] as const) {
    expect(new Set(profileOf(name).slips.map(([, rate]) => rate))).toEqual(new Set([0.02]));
    expect(profileOf(name).slips.map(([kind]) => kind)).toEqual(SLIP_KINDS.filter((kind) => kind !== 'refusal' && kind !== 'reasoning-only'));
  }
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

test('gpt-4o reads by curves of its own and thinks better, by what was published of both', () => {
  const [mini, strong] = [profileOf('gpt-4o-mini'), profileOf('gpt-4o')];
  expect([mini.curves.model, strong.curves.model]).toEqual(['gpt-4o-mini', 'gpt-4o']);
  expect(strong.thought / mini.thought).toBeCloseTo((100 - 90.3) / (100 - 87.0), 1);
  expect(strong.slips).toEqual(mini.slips);
});

test('every kind of slip stands in the table once, in the order in which it counts, and can be set for a sweep', () => {
  expect(RATES.map(({ name }) => name).filter((name) => SLIP_KINDS.some((kind) => kind === name))).toEqual(SLIP_KINDS);
  for (const kind of SLIP_KINDS) expect(profileWith('clean', { [kind]: 0.5 }).slips).toEqual([[kind, 0.5]]);
  expect(profileWith('gpt-4o-mini', { refusal: 0.02 }).slips).toEqual([...profileOf('gpt-4o-mini').slips, ['refusal', 0.02]]);
  expect(profileWith('clean', { 'wrong-value': 0.1, 'asked-wrongly-share': 1 })).toMatchObject({ askedWrongly: 0.1, readWrongly: 0, correction: 1 });
});
