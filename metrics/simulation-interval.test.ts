import { expect, test } from 'vitest';
import { type BySeed, pairedDifference, simulationInterval, standingOf } from './simulation-interval.ts';

/** Small numbers that anyone can draw again: a linear congruential generator. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** R: qt(0.975, df) */
const T975: Readonly<Record<number, number>> = { 1: 12.706205, 2: 4.302653, 4: 2.776445, 9: 2.262157, 19: 2.093024 };

function bySeed(values: readonly number[], first = 1): BySeed {
  return new Map(values.map((value, index) => [String(first + index), value]));
}

test('M9.1: the interval is the mean over seeds and t(S − 1) of its standard error, as the plain formula has it', () => {
  for (let draw = 1; draw <= 200; draw++) {
    const next = numbers(draw);
    const size = [2, 3, 5, 10, 20][draw % 5] as number;
    const one = Array.from({ length: size }, () => 100 * next());
    const other = Array.from({ length: size }, () => 100 * next());
    const differences = one.map((value, index) => value - (other[index] as number));
    const mean = differences.reduce((sum, value) => sum + value, 0) / size;
    let squares = 0;
    for (const value of differences) squares += (value - mean) * (value - mean);
    const half = (T975[size - 1] as number) * Math.sqrt(squares / (size - 1) / size);
    const found = simulationInterval(pairedDifference(bySeed(one), bySeed(other)));
    const message = `draw ${draw}`;
    expect(found?.n, message).toBe(size);
    expect(found?.value, message).toBeCloseTo(mean, 9);
    expect(found?.low, message).toBeCloseTo(mean - half, 3);
    expect(found?.high, message).toBeCloseTo(mean + half, 3);
  }
});

test('what both sides of a seed share leaves the difference: a shift of every seed moves neither mean nor interval', () => {
  for (let draw = 1; draw <= 50; draw++) {
    const next = numbers(draw);
    const one = Array.from({ length: 8 }, () => Math.round(100 * next()));
    const other = Array.from({ length: 8 }, () => Math.round(100 * next()));
    const shifts = one.map(() => Math.round(50 * next()));
    const shifted = (values: readonly number[]) => bySeed(values.map((value, index) => value + (shifts[index] as number)));
    expect(simulationInterval(pairedDifference(shifted(one), shifted(other))), `draw ${draw}`).toEqual(
      simulationInterval(pairedDifference(bySeed(one), bySeed(other))),
    );
  }
});

test('only seeds that both sides have are paired; one seed has no interval, none has no value', () => {
  expect([...pairedDifference(bySeed([5, 6, 7]), bySeed([1, 1], 2))]).toEqual([
    ['2', 5],
    ['3', 6],
  ]);
  expect(simulationInterval(bySeed([4]))).toEqual({ value: 4, n: 1 });
  expect(simulationInterval(bySeed([]))).toBeUndefined();
});

test('M9.1: a sentence stands on twenty seeds, an interval without 0, and a sign that every choice leaves alone', () => {
  const usual = { value: 8, n: 20, low: 5, high: 11 };
  const turned = (choice: string, value: number) => ({ choice, difference: { value, n: 5 } });
  expect(standingOf(usual, [turned('q 0.5', 3), turned('policy impatient', 12)])).toEqual({ stands: true, turnedBy: [] });
  expect(standingOf(usual, [turned('q 0.5', -1), turned('policy impatient', 0)])).toEqual({
    stands: false,
    open: 'turned',
    turnedBy: ['q 0.5', 'policy impatient'],
  });
  expect(standingOf(usual, [])).toMatchObject({ stands: false, open: 'no-choices' });
  expect(standingOf({ ...usual, low: -1 }, [turned('q 0.5', 3)])).toMatchObject({ stands: false, open: 'interval' });
  expect(standingOf({ ...usual, n: 19 }, [turned('q 0.5', 3)])).toMatchObject({ stands: false, open: 'seeds' });
  expect(standingOf({ value: -8, n: 20, low: -11, high: -5 }, [turned('q 0.5', -3)])).toMatchObject({ stands: true });
});
