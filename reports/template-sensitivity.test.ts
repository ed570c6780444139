import { expect, test } from 'vitest';
import { manifest, planRow, trialsBySigns } from '../metrics/testing-records.ts';
import { buildSeedsReport } from './build-seeds-report.ts';
import { seedRunOf } from './seed-groups.ts';

const ROWS = [planRow('floor', { floor: true }), planRow('alpha')];

function run(seed: number, alpha: string, templateOf: (taskId: string) => string) {
  const trials = trialsBySigns({ floor: '1100', alpha }).map((trial) => ({ ...trial, template: templateOf(trial.taskId) }));
  return seedRunOf(`runs/${seed}`, { manifest: manifest(ROWS, 4, { seed }), trials, workers: [], wires: [], setAside: [] });
}
const without = (runs: Parameters<typeof buildSeedsReport>[0]) =>
  buildSeedsReport(runs, false).tables['differences']?.rows.find(({ key }) => key.configuration === 'accuracy over floor')?.cells['withoutTemplate']?.value;
const halves = (taskId: string) => (taskId < 't3' ? 'first' : 'last');

test('M9.1: a difference is told with what is left of it when one question template is taken out', () => {
  // 25 points over four tasks: none of them in the first two, 50 over the last two.
  expect(without([run(1, '1110', halves)])).toBe('0.0 (last) to 50.0 (first)');
  // Of the second seed it is 50 points: 0 and 100 without one half.
  expect(without([run(1, '1110', halves), run(2, '1111', halves)])).toBe('0.0 (last) to 75.0 (first)');
});

test('a template that a set of another seed lacks leaves that seed as it is', () => {
  expect(without([run(1, '1110', halves), run(2, '1110', () => 'other')])).toBe('12.5 (last) to 37.5 (first)');
});

test('where there is one template, nothing is left to compare', () => {
  expect(without([run(1, '1110', () => 'only')])).toBeUndefined();
});
