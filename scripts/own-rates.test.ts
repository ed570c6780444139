import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownRates } from './own-rates.ts';

const folder = mkdtempSync(join(tmpdir(), 'agentgauge-rates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLAN = {
  name: 'faults',
  conditions: [{ what: 'twin' }, { what: 'forced', kind: 'empty-reply', place: 'last-reply', burst: 1 }],
} as const;

test('rates are percent, typed or from a JSON file', () => {
  expect(ownRates('empty-reply=0.4, correction=70', PLAN)).toEqual({ 'empty-reply': 0.004, correction: 0.7 });
  const file = join(folder, 'mine.json');
  writeFileSync(file, '{"empty-reply": 12.5}');
  expect(ownRates(file, PLAN)).toEqual({ 'empty-reply': 0.125 });
});

test('what cannot be read is told by its place, with what there is instead', () => {
  expect(() => ownRates('empty-reply=1', { name: 'reproduce' })).toThrow('--rates speaks of responses to faults, and the run reproduce has none');
  expect(() => ownRates('wrong-value=1', PLAN)).toThrow('--rates: wrong-value is no kind of this run');
  expect(() => ownRates('empty-reply=', PLAN)).toThrow('--rates: empty-reply is "", not a number of percent from 0 to 100');
  expect(() => ownRates('empty-reply=101', PLAN)).toThrow('from 0 to 100');
  expect(() => ownRates('nowhere.json', PLAN)).toThrow('--rates: "nowhere.json" is neither kind=percent nor a file that is there');
  const file = join(folder, 'list.json');
  writeFileSync(file, '[]');
  expect(() => ownRates(file, PLAN)).toThrow('holds no object');
});
