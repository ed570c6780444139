import { expect, test } from 'vitest';
import { manifest, planRow, trialsBySigns } from '../../metrics/testing-records.ts';
import { buildReport } from '../build-report.ts';

const FLOOR = planRow('fetch', { floor: true, settings: 'hardened' });
const ROWS = [FLOOR, planRow('alpha'), planRow('beta')];

function reportOf(modelKind: string, signs: { readonly fetch: string; readonly alpha: string; readonly beta: string }, exact = false) {
  const trials = ROWS.flatMap((row) =>
    trialsBySigns({ [row.framework]: signs[row.framework as keyof typeof signs] }).map((trial) => ({
      ...trial,
      settings: row.settings,
      template: trial.taskId,
    })),
  );
  return buildReport({ manifest: manifest(ROWS, 8, { modelKind }), trials, workers: [], wires: [], setAside: [] }, { exact });
}

const SIGNS = { fetch: '10000000', alpha: '11111111', beta: '11110000' };
const cellsOf = (report: ReturnType<typeof reportOf>, framework: string) =>
  report.tables['verdicts']?.rows.find(({ key }) => key.framework === framework)?.cells;

test('M9.2: of a real model each row has a verdict against the hardened floor of its language, with both chances; floors have none', () => {
  const report = reportOf('local', SIGNS);
  expect(report.tables['verdicts']?.rows.map(({ key }) => key.framework)).toEqual(['alpha', 'beta']);
  expect(cellsOf(report, 'alpha')).toMatchObject({
    heldAgainst: { value: 'fetch/single/hardened', n: 8 },
    differencePoints: { value: 87.5, n: 8 },
    p: { value: '0.016' },
    adjustedP: { value: '0.031' },
    verdict: { value: 'above' },
  });
  expect(cellsOf(report, 'beta')).toMatchObject({ p: { value: '0.25' }, adjustedP: { value: '0.25' }, verdict: { value: 'open' } });
  expect(reportOf('local', { fetch: '11111111', alpha: '00000000', beta: '11111111' }).tables['verdicts']?.rows[0]?.cells['verdict']?.value).toBe('below');
});

test('M9.2: verdicts hang on no time, and stand in the exact part as well', () => {
  expect(reportOf('local', SIGNS, true).tables['verdicts']).toEqual(reportOf('local', SIGNS).tables['verdicts']);
});

test('M9.1: on a simulated model no p-value is printed', () => {
  const report = reportOf('simulated', SIGNS);
  expect(report.tables).not.toHaveProperty('verdicts');
  const columns = Object.values(report.tables).flatMap((table) => table.columns.map(({ title }) => title));
  expect(columns.filter((title) => /^p\b|verdict/.test(title))).toEqual([]);
});

test('rows that nobody could judge stand in no test', () => {
  const trials = trialsBySigns({ fetch: '1', alpha: '1' }).map(({ score: _, ...trial }) => ({
    ...trial,
    settings: trial.framework === 'fetch' ? 'hardened' : 'default',
  }));
  const report = buildReport({ manifest: manifest(ROWS, 1, { modelKind: 'upstream' }), trials, workers: [], wires: [], setAside: [] });
  expect(report.tables).not.toHaveProperty('verdicts');
});
