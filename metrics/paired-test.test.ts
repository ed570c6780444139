import { expect, test } from 'vitest';
import { holm, signFlipP, testsAgainstFloors } from './paired-test.ts';
import { tallyOf } from './run-tally.ts';
import { manifest, planRow, trialsBySigns } from './testing-records.ts';

test('M9.2: the chance of such a difference is counted over all ways to swap the rows; with one task a cluster it is McNemar’s exact test', () => {
  expect(signFlipP([1, 1, 1, 1, 1])).toBe(2 / 32);
  // Six against one: 2 × (1 + 7) of 2^7.
  expect(signFlipP([1, 1, 1, 1, 1, 1, -1])).toBe(16 / 128);
  expect(signFlipP([1, -1])).toBe(1);
  expect(signFlipP([])).toBe(1);
  // Ten tasks of one template are one coin, not ten.
  expect(signFlipP([10])).toBe(1);
  // Sums 3, 2 and 1: only all the same way reach 6.
  expect(signFlipP([3, 2, 1])).toBe(2 / 8);
});

test('M9.2: what is alike on both sides changes nothing, nor does which side is named first', () => {
  expect(signFlipP([1, 1, 0, 0, 1, 0])).toBe(signFlipP([1, 1, 1]));
  expect(signFlipP([2, -1, 3, 1])).toBe(signFlipP([-2, 1, -3, -1]));
});

test('M9.2: Holm’s correction steps down from the smallest, never falls, never passes 1, and keeps the order', () => {
  // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(12)))).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

const HARDENED = planRow('fetch', { floor: true, settings: 'hardened' });

function testsOf(rows: readonly ReturnType<typeof planRow>[], solved: Readonly<Record<string, string>>, clusterOf = (taskId: string) => taskId) {
  const run = manifest(rows, 8, { modelKind: 'upstream' });
  const trials = rows.flatMap((row) =>
    trialsBySigns({ [row.framework]: solved[`${row.framework}/${row.settings}`] ?? '' }).map((trial) => ({ ...trial, ...row })),
  );
  const tally = tallyOf(run, trials);
  return testsAgainstFloors(
    rows.map((row) => ({ row, columns: tally.row(row).columns })),
    clusterOf,
  );
}

test('M9.2: each row is tested against the hardened floor of its language in its shape, and floors stand in no test', () => {
  const rows = [HARDENED, planRow('fetch', { floor: true }), planRow('alpha'), planRow('beta', { language: 'python' }), planRow('gamma', { shape: 'dag' })];
  const solved = {
    'fetch/hardened': '10000000',
    'fetch/default': '00000000',
    'alpha/default': '11111110',
    'beta/default': '11111111',
    'gamma/default': '11111111',
  };
  const [only, ...others] = testsOf(rows, solved);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ row: { framework: 'alpha' }, floor: HARDENED, points: { value: 75, n: 8 }, clusters: 8, p: 2 / 64, adjustedP: 2 / 64 });
  expect(only?.points.low).toBeGreaterThan(0);
});

test('M9.2: a task that left no record is not right, and tasks of one cluster count once', () => {
  const rows = [HARDENED, planRow('alpha')];
  const solved = { 'fetch/hardened': '1111', 'alpha/default': '11' };
  expect(testsOf(rows, solved)[0]).toMatchObject({ points: { value: -25, n: 8 }, p: 0.5 });
  expect(testsOf(rows, solved, () => 'one template')[0]).toMatchObject({ clusters: 1, p: 1, points: { value: -25, n: 8 } });
});

test('rows that no task tells apart have no interval, which would have no width', () => {
  const same = { 'fetch/hardened': '11110000', 'alpha/default': '11110000' };
  expect(testsOf([HARDENED, planRow('alpha')], same)[0]).toMatchObject({ points: { value: 0, n: 8 }, p: 1 });
  expect(testsOf([HARDENED, planRow('alpha')], same)[0]?.points).not.toHaveProperty('low');
});
