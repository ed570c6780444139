import { expect, test } from 'vitest';
import type { FaultCell } from './fault-cells.ts';
import { firstOrderEstimate, responseTo } from './first-order.ts';

/** Shares of six tasks that fail, by burst. */
function cell(kind: string, shares: Readonly<Record<string, number>>, rest: Partial<FaultCell> = {}): FaultCell {
  const responses = Object.fromEntries(Object.entries(shares).map(([burst, share]) => [burst, { failed: share * 6, of: 6, failures: [] }]));
  return { kind, place: 'later-call', responses, ...rest };
}

const own = { failed: 0, of: 6 };

test('M7.2: bursts are weighted by (1 − q)^(m − 1) q, and what is left goes to the longest', () => {
  expect(responseTo(cell('x', { 1: 1, 2: 0, 3: 0, endless: 0 }), 0.8)).toBeCloseTo(0.8);
  expect(responseTo(cell('x', { 1: 0, 2: 1, 3: 0, endless: 0 }), 0.8)).toBeCloseTo(0.16);
  expect(responseTo(cell('x', { 1: 0, 2: 0, 3: 0, endless: 1 }), 0.8)).toBeCloseTo(0.008);
  expect(responseTo(cell('x', { 1: 1, 2: 1, 3: 1, endless: 1 }), 0.3)).toBeCloseTo(1);
});

test('M7.2: a burst that was not run has the response of the next longer one', () => {
  expect(responseTo(cell('x', { 1: 0, endless: 1 }), 0.8)).toBeCloseTo(0.2);
  expect(responseTo(cell('x', {}), 0.8)).toBeUndefined();
});

test('M7.2: P(fail) = 1 − (1 − r0) · Π (1 − rate · response)^exposure', () => {
  const always = { 1: 1, 2: 1, 3: 1, endless: 1 };
  const cells = [cell('a', always), cell('b', always, { place: 'last-reply' })];
  const { failing, faultsPerTrial } = firstOrderEstimate(
    { own: { failed: 1, of: 6 }, cells, exposures: { 'later-call': 3, 'last-reply': 1 } },
    { a: 0.02, b: 0.1 },
    0.8,
  );
  expect(failing).toBeCloseTo(1 - (5 / 6) * 0.98 ** 3 * 0.9);
  expect(faultsPerTrial).toBeCloseTo(0.02 * 3 + 0.1);
});

test('M7.2: forms of a kind are as likely as each other, a kind without a rate and a place without asks add nothing', () => {
  const [never, always] = [
    { 1: 0, endless: 0 },
    { 1: 1, endless: 1 },
  ];
  const forms = [cell('a', never, { form: 'cut' }), cell('a', always, { form: 'null' })];
  expect(firstOrderEstimate({ own, cells: forms, exposures: { 'later-call': 1 } }, { a: 0.1 }, 0.8).failing).toBeCloseTo(0.05);
  expect(firstOrderEstimate({ own, cells: forms, exposures: {} }, { a: 0.1 }, 0.8)).toEqual({ failing: 0, faultsPerTrial: 0 });
  expect(firstOrderEstimate({ own, cells: forms, exposures: { 'later-call': 1 } }, {}, 0.8).failing).toBe(0);
  expect(firstOrderEstimate({ own: { failed: 0, of: 0 }, cells: forms, exposures: {} }, {}, 0.8)).toEqual({ faultsPerTrial: 0 });
});
