import { expect, test } from 'vitest';
import type { ManifestPlan } from '../metrics/record.ts';
import { manifest, planRow, trialsBySigns } from '../metrics/testing-records.ts';
import { buildDialsReport, dialOf } from './build-dials-report.ts';
import type { RunContents } from './load-run.ts';

const ROWS = [planRow('floor', { floor: true }), planRow('alpha'), planRow('beta', { publishedAs: 'LangGraph' })];

function run(plan: Partial<ManifestPlan>, solved: Readonly<Record<string, string>>): RunContents {
  const trials = trialsBySigns(solved);
  return { manifest: manifest(ROWS, 4, plan), trials, workers: [], wires: [], setAside: [] };
}

const USUAL = run({}, { floor: '1100', alpha: '1110', beta: '1000' });
const LENIENT = run({ broker: 'lenient' }, { floor: '1110', alpha: '1100', beta: '1111' });
const CAP_ALONE = run({ capLiteral: 3, profile: 'clean' }, { floor: '1111', alpha: '1110', beta: '1000' });

test('M2.3: a dial is told with what it turns round: places among rows, and sides of the floor', () => {
  const { tables, headline } = buildDialsReport([USUAL, LENIENT]);
  const cells = (framework: string) => tables['dials']?.rows.find(({ key }) => key.framework === framework)?.cells;
  expect(tables['dials']?.rows.map(({ key }) => key.configuration)).toEqual(['broker lenient', 'broker lenient', 'broker lenient']);
  expect(cells('beta')).toMatchObject({
    usualAccuracyPercent: { value: 25, n: 4 },
    accuracyPercent: { value: 100, n: 4 },
    usualOverFloorPoints: { value: -25 },
    overFloorPoints: { value: 25 },
    flips: { value: 'above floor, alpha; other side of its floor' },
  });
  expect(cells('alpha')?.flips?.value).toBe('below floor, beta; other side of its floor');
  expect(headline[0]).toContain('turns round with broker lenient');
});

test('M3.3: the literal cap without any fault of the model stands in a table of its own, beside what the paper prints', () => {
  const { tables } = buildDialsReport([CAP_ALONE, USUAL]);
  expect(tables['dials']?.rows).toEqual([]);
  const beta = tables['literalCap']?.rows.find(({ key }) => key.framework === 'beta');
  expect(beta?.cells.notRepairedPercent).toEqual({ value: 75, n: 4, published: 47.1 });
  expect(tables['literalCap']?.caption).toContain('4 trials ended at the literal cap of 3, the cap of');
  expect(tables['literalCap']?.rows.find(({ key }) => key.framework === 'alpha')?.cells.notRepairedPercent).toEqual({ value: 25, n: 4 });
});

test('runs are told apart by their plans, and those that differ in more than a dial are refused', () => {
  expect(dialOf(USUAL.manifest.plan)).toBe('');
  expect(dialOf(run({ capLiteral: 3, instruction: 'user' }, {}).manifest.plan)).toBe('cap-literal 3, instruction user');
  expect(dialOf(run({ searchRecall: 0.8, searchNoise: 0.1 }, {}).manifest.plan)).toBe('search-recall 0.8, search-noise 0.1');
  expect(() => buildDialsReport([LENIENT])).toThrow('none of 1 runs has every dial in its usual place');
  expect(() => buildDialsReport([USUAL, run({ broker: 'lenient', seed: 2 }, {})])).toThrow('the run with broker lenient differs in more than a dial');
});
