import { expect, test } from 'vitest';
import type { ManifestPlan } from '../metrics/record.ts';
import { manifest, planRow, trialsBySigns } from '../metrics/testing-records.ts';
import { buildSeedsReport } from './build-seeds-report.ts';
import { plotRange } from './plot-range.ts';
import { renderTerminal } from './render/terminal.ts';
import { type SeedRun, seedRunOf } from './seed-groups.ts';
import { reportFiles } from './write-report.ts';

const ROWS = [planRow('floor', { floor: true }), planRow('alpha'), planRow('beta', { publishedAs: 'LangGraph' })];

function run(plan: Partial<ManifestPlan>, solved: Readonly<Record<string, string>>, rows = ROWS): SeedRun {
  const trials = trialsBySigns(solved);
  const present = rows.filter(({ framework }) => framework in solved);
  return seedRunOf(`runs/${plan.name ?? 'usual'}-${plan.seed}`, { manifest: manifest(present, 4, plan), trials, workers: [], wires: [], setAside: [] });
}

/** Alpha solves one task more than its floor with every seed, beta one more or two less. */
const usual = (seed: number) => run({ seed }, { floor: '1100', alpha: '1110', beta: seed % 2 === 0 ? '1110' : '0000' });
const TWENTY = Array.from({ length: 20 }, (_, index) => usual(index + 1));
const cells = (report: ReturnType<typeof buildSeedsReport>, table: string, framework: string, configuration?: string) =>
  report.tables[table]?.rows.find(({ key }) => key.framework === framework && key.configuration === configuration)?.cells;

test('M9.1: a row has the mean over seeds with its interval, n counting seeds, and beside it what the paper prints', () => {
  const report = buildSeedsReport([usual(1), usual(2)], false);
  expect(cells(report, 'seeds', 'alpha')?.accuracyPercent).toEqual({ value: 75, n: 2, low: 75, high: 75 });
  expect(cells(report, 'seeds', 'beta')?.notRepairedPercent).toMatchObject({ value: 62.5, n: 2, published: 47.1 });
  expect(cells(report, 'seedsEndings', 'beta')).toMatchObject({ atCapPercent: { value: 62.5 }, codes: { value: 'iteration-cap 5' } });
  expect(cells(report, 'differences', 'alpha', 'accuracy over floor')).toMatchObject({
    differencePoints: { value: 25, n: 2 },
    standing: { value: 'open: 2 of 20 seeds' },
  });
});

test('M9.1: with enough seeds a difference stands only where every choice leaves its sign alone; the range names the choices at its ends', () => {
  const turned = [
    run({ seed: 1, name: 'choice-q-0.5', rates: { correction: 0.5 } }, { floor: '1000', alpha: '1111', beta: '1000' }),
    run({ seed: 1, policy: 'impatient' }, { floor: '1000', alpha: '1100', beta: '1100' }),
  ];
  const report = buildSeedsReport([...turned, ...TWENTY], true);
  expect(cells(report, 'differences', 'alpha', 'accuracy over floor')).toMatchObject({
    differencePoints: { value: 25, n: 20 },
    leastPoints: { value: 25 },
    mostPoints: { value: 75 },
    mostBy: { value: 'q-0.5' },
    standing: { value: 'stands over 2 choices: above' },
  });
  // A tie under a choice is no sign: beta's floor is reached with q-0.5.
  expect(cells(report, 'differences', 'beta', 'accuracy over floor')?.standing?.value).toBe('open: the interval holds 0');
  expect(cells(report, 'pairs', 'alpha', 'accuracy over beta')?.standing?.value).toBe('open: no longer so with policy impatient');
  expect(cells(report, 'choices', 'alpha', 'accuracy over floor; q-0.5')?.differencePoints).toEqual({ value: 75, n: 1 });
  expect(report.headline[1]).toMatch(/^Of \d+ differences 3 stand and \d+ are open\.$/);
  expect(buildSeedsReport(TWENTY, true).tables['differences']?.rows[0]?.cells.standing?.value).toBe('open: no choice was turned');
});

test('a choice has the mean of its own seeds and their number: no sign appears that no run had', () => {
  const same = run({ seed: 1, policy: 'impatient' }, { floor: '1100', alpha: '1110', beta: '0000' });
  const found = cells(buildSeedsReport([...TWENTY, same], true), 'choices', 'beta', 'accuracy over floor; policy impatient');
  expect(found?.differencePoints).toEqual({ value: -50, n: 1 });
});

test('a picture draws the interval, the range and whether the sign stands; every renderer says that it is simulated', () => {
  const report = buildSeedsReport([...TWENTY, run({ seed: 1, policy: 'impatient' }, { floor: '1000', alpha: '1111', beta: '1000' })], true);
  const picture = reportFiles(report)['range-accuracy.svg'] ?? '';
  expect(picture).toContain('alpha − floor');
  expect(picture.match(/<circle[^>]*fill="#0b5fa5"/g)).toHaveLength(1);
  expect(picture.match(/<circle[^>]*fill="#ffffff"/g)).toHaveLength(1);
  expect(reportFiles(report)['report.md']).toContain('(range-accuracy.svg)');
  expect(plotRange(report.tables['differences'] as never, { title: 'x', measure: 'nothing' })).toBeUndefined();
  expect(renderTerminal(report, { columns: 120, colour: false })).toContain('nothing here is a measurement of a real model');
});

test('rows of one seed may come from several runs; a row that stands in two is refused', () => {
  const apart = [run({ seed: 1 }, { floor: '1100', alpha: '1110' }), run({ seed: 1 }, { beta: '0000' })];
  expect(cells(buildSeedsReport(apart, false), 'differences', 'beta', 'accuracy over floor')?.differencePoints).toEqual({ value: -50, n: 1 });
  expect(() => buildSeedsReport([...apart, usual(1)], false)).toThrow('floor/single/default stands with seed 1 in two runs, the second being runs/usual-1');
});

test('runs that differ in more than the seed are refused by the name of what differs', () => {
  const lenient = run({ seed: 2, broker: 'lenient' }, { floor: '1100' });
  expect(() => buildSeedsReport([usual(1), lenient], false)).toThrow(
    'runs/usual-2 differs from runs/usual-1 in more than its seed: broker, "lenient" against "strict"',
  );
  expect(() => buildSeedsReport([usual(1), run({ seed: 2, cap: 24 }, { floor: '1100' })], true)).toThrow('cap, 24 against 20');
  expect(() => buildSeedsReport([lenient, run({ seed: 1, policy: 'impatient' }, { floor: '1100' })], true)).toThrow(
    'none of 2 runs has every choice in its usual place',
  );
  expect(() => buildSeedsReport([run({ seed: 1, modelKind: 'upstream' }, { floor: '1100' })], false)).toThrow('whose seed draws no other world');
  expect(() => run({ seed: 3 }, { floor: '110' })).toThrow('has 3 of 4 planned trials');
});
