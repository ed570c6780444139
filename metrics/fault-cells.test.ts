import { expect, test } from 'vitest';
import type { Condition } from '../base/forced-fault.ts';
import { reliabilityOf } from './fault-cells.ts';
import type { TrialRecord } from './record.ts';
import { manifest, planRow, trialRecord } from './testing-records.ts';

const CONDITIONS: readonly Condition[] = [
  { what: 'twin' },
  { what: 'twin', policy: 'impatient' },
  { what: 'forced', kind: 'malformed-arguments', form: 'cut', place: 'first-call', burst: 1 },
  { what: 'forced', kind: 'malformed-arguments', form: 'cut', place: 'first-call', burst: 'endless' },
  { what: 'forced', kind: 'unknown-tool', place: 'parallel-call', burst: 1 },
  { what: 'drawn' },
];
const { plan } = manifest([planRow('floor', { floor: true }), 'alpha'], 3, { conditions: CONDITIONS, trials: CONDITIONS.length });

/** `111` is three tasks solved, `101` two of them; a trial that met its fault says so. */
function trials(framework: string, byCondition: readonly string[], rest: Partial<TrialRecord> = {}): TrialRecord[] {
  return byCondition.flatMap((solved, trialIndex) =>
    [...solved].map((sign, at) =>
      trialRecord({
        framework,
        taskId: `t${at + 1}`,
        trialIndex,
        score: { rule: 'string', correct: sign === '1' },
        ...(sign === '1' ? {} : { code: 'malformed-arguments' }),
        ...(CONDITIONS[trialIndex]?.what === 'forced' ? { forced: 1 } : {}),
        asks: { 'first-call': 1, 'later-call': at + 1, 'last-reply': 1 },
        ...rest,
      }),
    ),
  );
}

const both = (alpha: readonly string[], floor: readonly string[] = ['111', '111', '111', '111', '111', '111']) =>
  reliabilityOf({ plan }, [...trials('floor', floor), ...trials('alpha', alpha)]).find(({ row }) => row.framework === 'alpha');

test('M7.1: a trial fails where its twin solves the task and it does not, and the failed tasks are named', () => {
  const alpha = both(['111', '111', '101', '000', '111', '111']);
  expect(alpha?.cells[0]).toEqual({
    kind: 'malformed-arguments',
    form: 'cut',
    place: 'first-call',
    responses: {
      1: { failed: 1, of: 3, failures: [{ taskId: 't2', code: 'malformed-arguments' }] },
      endless: { failed: 3, of: 3, failures: ['t1', 't2', 't3'].map((taskId) => ({ taskId, code: 'malformed-arguments' })) },
    },
  });
});

test('M7.1: a task that the twin does not solve stands in no cell; of parallel calls it is the twin in the same haste that counts', () => {
  const alpha = both(['011', '110', '101', '000', '000', '111']);
  expect(alpha?.cells.map(({ place, responses }) => [place, responses['1']?.failed, responses['1']?.of])).toEqual([
    ['first-call', 1, 2],
    ['parallel-call', 2, 2],
  ]);
});

test('M7.1: own failures are what the row fails without a fault and the floor of its shape solves', () => {
  expect(both(['001', '111', '111', '111', '111', '111'])?.own).toEqual({ failed: 2, of: 3 });
  expect(both(['001', '111', '111', '111', '111', '111'], ['011', '111', '111', '111', '111', '111'])?.own).toEqual({ failed: 1, of: 2 });
});

test('M7.1: a fault that was never said is no response', () => {
  const unmet = reliabilityOf({ plan }, trials('alpha', ['111', '111', '000', '000', '000', '111'], { forced: 0 })).find(
    ({ row }) => row.framework === 'alpha',
  );
  expect(unmet?.cells.map(({ responses }) => responses)).toEqual([{}, {}]);
});

test('M7.1: exposures are asks of the twins, and the draws are counted on the tasks that the floor solves', () => {
  const alpha = both(['111', '111', '111', '111', '111', '010'], ['110', '111', '111', '111', '111', '111']);
  expect(alpha?.exposures).toEqual({ 'first-call': 1, 'later-call': 1.5, 'last-reply': 1 });
  expect(alpha?.drawn).toEqual({ failed: 1, of: 2 });
});
