import { expect, test } from 'vitest';
import type { Condition } from '../../base/forced-fault.ts';
import type { TrialRecord } from '../../metrics/record.ts';
import { manifest, planRow, trialRecord } from '../../metrics/testing-records.ts';
import { buildReport } from '../build-report.ts';
import { renderMarkdown } from '../render/markdown.ts';
import type { Report } from '../report.ts';

const CONDITIONS: readonly Condition[] = [
  { what: 'twin' },
  { what: 'forced', kind: 'empty-reply', place: 'last-reply', burst: 1 },
  { what: 'forced', kind: 'empty-reply', place: 'last-reply', burst: 'endless' },
  { what: 'forced', kind: 'malformed-arguments', form: 'cut', place: 'first-call', burst: 1 },
  { what: 'drawn' },
];

/** Four tasks; a sign a task and condition: `1` solved. */
function report(byCondition: readonly string[], options: { rates?: Record<string, number>; given?: Record<string, number> } = {}): Report {
  const trials = byCondition.flatMap((solved, trialIndex) =>
    [...solved].map(
      (sign, at): TrialRecord =>
        trialRecord({
          taskId: `t${at + 1}`,
          trialIndex,
          profile: 'clean',
          score: { rule: 'string', correct: sign === '1' },
          ...(sign === '1' ? {} : { code: 'silent-empty', handling: 'concealed' as const }),
          ...(CONDITIONS[trialIndex]?.what === 'forced' ? { forced: 1 } : {}),
          asks: { 'first-call': 1, 'last-reply': 1 },
        }),
    ),
  );
  const rates = options.rates ?? { 'empty-reply': 0.1, correction: 0.8 };
  const plan = { conditions: CONDITIONS, trials: CONDITIONS.length, profile: 'clean', rates };
  return buildReport(
    { manifest: manifest([planRow('alpha')], 4, plan), trials, workers: [], wires: [], setAside: [] },
    options.given === undefined ? {} : { rates: options.given },
  );
}

const SOLVED = ['1111', '0000', '0000', '1101', '1111'];
const cellsOf = ({ tables }: Report, table: string) => tables[table]?.rows[0]?.cells;

test('M7.1: own failures stand first, then the asks, then the estimate beside what the same rates drew', () => {
  const { tables } = report(SOLVED);
  expect(Object.keys(tables)).toEqual(['reliability', 'responses-first-call', 'responses-last-reply', 'responses', 'wireAudit']);
  expect(tables['reliability']?.columns.map(({ id }) => id)).toEqual([
    'ownFailuresPercent',
    'asks first-call',
    'asks last-reply',
    'faultsPerTrial',
    'estimatePercent',
    'drawnPercent',
    'interactionPoints',
    'stands',
  ]);
  expect(cellsOf(report(SOLVED), 'reliability')).toMatchObject({
    ownFailuresPercent: { value: 0, n: 4 },
    faultsPerTrial: { value: 0.1 },
    estimatePercent: { value: 10 },
    drawnPercent: { value: 0, n: 4 },
    interactionPoints: { value: -10 },
    stands: { value: 'greyed: interaction -10.0 points' },
  });
});

test('M7.2: an estimate stands up to two points and 0.3 expected faults a trial', () => {
  expect(cellsOf(report(SOLVED, { rates: { 'empty-reply': 0.01, correction: 0.8 } }), 'reliability')?.stands).toEqual({ value: 'yes', n: 4 });
  expect(cellsOf(report(SOLVED, { rates: { 'empty-reply': 0.31, correction: 0.8 } }), 'reliability')?.stands?.value).toBe('greyed: 0.31 faults a trial');
});

test("M7.2: the reader's own rates change the estimate alone, and no drawn trial is set beside them", () => {
  const cells = cellsOf(report(SOLVED, { given: { 'empty-reply': 0.02, correction: 0.5 } }), 'reliability');
  expect(cells).toMatchObject({ estimatePercent: { value: 2 }, stands: { value: 'yes' } });
  expect(cells).not.toHaveProperty('drawnPercent');
  expect(renderMarkdown(report(SOLVED, { given: { 'empty-reply': 0.02 } }))).toContain('Rates an ask: empty-reply 2 % (given); q 80 %.');
});

test('M7.1: a response is told by burst, a mixed one with the tasks that fail and their codes', () => {
  const { tables } = report(SOLVED);
  expect(tables['responses-last-reply']?.rows[0]?.cells).toEqual({ 'empty-reply': { value: '4 4', n: 4 } });
  expect(tables['responses-first-call']?.rows[0]?.cells).toEqual({ 'malformed-arguments, cut': { value: '1 -', n: 4 } });
  expect(tables['responses']?.rows.map(({ cells }) => cells.mixed?.value)).toEqual([undefined, '1: t3 silent-empty']);
});

test('M7.2: kinds that no framework can see are left out, and the report says so and ranks nobody', () => {
  const text = renderMarkdown(report(SOLVED));
  expect(text).toContain('Left out: what no framework can see');
  expect(text).toContain('nobody leads');
  expect(Object.values(report(SOLVED).tables).flatMap(({ rows }) => rows.filter(({ rank }) => rank !== undefined))).toEqual([]);
});
