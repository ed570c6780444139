import { expect, test } from 'vitest';
import { RATES } from '../models/rates.ts';
import { parsePlanSpec } from '../runners/plan-spec.ts';
import { CHOICES } from './choices.ts';
import { ablate } from './commands/ablate.ts';

const spec = (plan: object) => parsePlanSpec({ name: 'usual', rows: [{ framework: 'fetch' }], ...plan }, 'test');

test('M9.1: every choice is a plan of its own that differs from the usual one, under a name that may stand in a path', () => {
  const plans = CHOICES.map(({ name, plan }) => JSON.stringify({ ...spec({ ...plan, name: `choice-${name}` }), name: '' }));
  expect(new Set([...plans, JSON.stringify({ ...spec({}), name: '' })]).size).toBe(CHOICES.length + 1);
  for (const { name } of CHOICES) expect(name).toMatch(/^[a-z0-9.-]+$/);
});

test('M9.1: all low and all high hold every figure without a source, and nothing that has one', () => {
  const unsourced = RATES.filter(({ source, of, per }) => source.startsWith('assumed') && (of['gpt-4o-mini'] > 0 || per !== 'ask')).map(({ name }) => name);
  for (const [end, sign] of [
    ['all-low', 1],
    ['all-high', -1],
  ] as const) {
    const rates = CHOICES.find(({ name }) => name === end)?.plan.rates ?? {};
    expect(Object.keys(rates).sort()).toEqual([...unsourced].sort());
    for (const { name, of } of RATES) if (name in rates) expect(sign * (of['gpt-4o-mini'] - (rates[name] ?? Number.NaN)), name).toBeGreaterThanOrEqual(0);
  }
});

test('ablate choices says what it would run, and refuses options that it sets itself or that belong to it alone', async () => {
  let out = '';
  const io = { stdin: process.stdin, out: (text: string) => (out += text), err: () => {}, terminal: false, columns: 80, signal: new AbortController().signal };
  const call = (what: string, values: Record<string, string | boolean>) => ablate.run({ values, positionals: [what] }, io);
  expect(await call('choices', { 'dry-run': true, quick: true, frameworks: 'fetch', seeds: '3', 'choice-seeds': '2' })).toBe(0);
  expect(out).toContain(`3 seeds, and 2 with each of ${CHOICES.length} choices turned: ${3 + 2 * CHOICES.length} runs`);
  await expect(call('choices', { seed: '4' })).rejects.toThrow('--seed: ablate choices has its own');
  await expect(call('dials', { seeds: '4' })).rejects.toThrow('--seeds: ablate dials has its own, or none');
  await expect(call('choices', { seeds: 'many' })).rejects.toThrow('--seeds is "many"');
});
