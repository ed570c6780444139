import { expect, test } from 'vitest';
import { comparisonsOf } from './comparisons.ts';
import { planRow } from './testing-records.ts';

const words = (rows: readonly ReturnType<typeof planRow>[]) =>
  comparisonsOf(rows.map((row) => ({ row }))).map(
    ({ kind, one, other }) => `${kind}: ${one.row.framework} ${one.row.settings} − ${other.row.framework} ${other.row.settings}`,
  );

const HARDENED = { settings: 'hardened' };

test('M1.6: a row is set against the first floor of its language, shape and settings, and another floor too', () => {
  const rows = [planRow('fetch', { floor: true }), planRow('openai', { floor: true }), planRow('alpha'), planRow('gamma', { language: 'python' })];
  expect(words(rows)).toEqual(['floor: openai default − fetch default', 'floor: alpha default − fetch default']);
});

test('M1.5: hardened settings are set against the row’s own default, and against a hardened floor alone', () => {
  const rows = [planRow('fetch', { floor: true }), planRow('fetch', { floor: true, ...HARDENED }), planRow('alpha'), planRow('alpha', HARDENED)];
  expect(words(rows)).toEqual([
    'default: fetch hardened − fetch default',
    'floor: alpha default − fetch default',
    'floor: alpha hardened − fetch hardened',
    'default: alpha hardened − alpha default',
  ]);
});

test('M1.4: only rows of shape single are set against each other, each pair once', () => {
  const rows = [planRow('alpha'), planRow('beta'), planRow('alpha', { shape: 'dag' }), planRow('beta', { shape: 'dag' })];
  expect(words(rows)).toEqual(['pair: alpha default − beta default']);
});

test('M1.5: our own engine’s default is set against another row only where that row’s hardened settings and a hardened floor are there', () => {
  const bare = [planRow('alpha'), planRow('engine', { publishedIsClaim: true })];
  expect(words(bare)).toEqual([]);
  const whole = [...bare, planRow('alpha', HARDENED), planRow('fetch', { floor: true, ...HARDENED })];
  expect(words(whole)).toContain('pair: alpha default − engine default');
});
