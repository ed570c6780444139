import { describe, expect, expectTypeOf, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { bootstrapInterval } from './bootstrap.ts';
import {
  mean,
  meanInterval,
  median,
  medianInterval,
  pearson,
  quantile,
  type SortedSamples,
  sortSamples,
  standardDeviation,
  tQuantile,
  wilsonInterval,
} from './statistics.ts';

const sorted = (...values: number[]) => sortSamples(values) as SortedSamples;

describe('wilsonInterval', () => {
  // Worked out in Python from Wilson's formula; R: prop.test(k, n, correct = FALSE) prints the same.
  it.each([
    [46, 68, 0.558, 0.776],
    [36, 68, 0.4124, 0.6434],
    [2, 3, 0.2077, 0.9385],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [0, 1, 0, 0.7935],
  ])('%d of %d is [%d, %d]', (successes, n, low, high) => {
    expect(wilsonInterval(successes, n)?.low).toBeCloseTo(low, 3);
    expect(wilsonInterval(successes, n)?.high).toBeCloseTo(high, 3);
  });

  it('does not exist for none, and stays within 0 and 1', () => {
    expect(wilsonInterval(0, 0)).toBeUndefined();
    expect(wilsonInterval(0, 5)?.low).toBe(0);
    expect(wilsonInterval(5, 5)?.high).toBe(1);
  });
});

describe('quantile', () => {
  // By hand from type 7: rank 3q, as R's quantile(1:4, q) gives.
  it.each([
    [0, 1],
    [0.25, 1.75],
    [0.5, 2.5],
    [0.95, 3.85],
    [1, 4],
  ])('at %d of 1 to 4 is %d', (share, value) => {
    expect(quantile(sorted(4, 2, 3, 1), share)).toBeCloseTo(value, 12);
  });

  it('of one value is that value, of equal ones theirs', () => {
    expect([quantile(sorted(7), 0.95), median(sorted(3, 3, 3))]).toEqual([7, 3]);
  });

  it('takes sorted samples only', () => {
    expectTypeOf<number[]>().not.toExtend<SortedSamples>();
    expect(sortSamples([])).toBeUndefined();
    expect(() => sortSamples([1, Number.NaN])).toThrow('A sample must be finite, found NaN');
  });

  it('moves with a shift and scales with a factor', () => {
    const values = [5, 1, 9, 4];
    expect(quantile(sorted(...values.map((value) => 2 * value + 3)), 0.3)).toBeCloseTo(2 * quantile(sorted(...values), 0.3) + 3, 12);
  });
});

describe('mean and spread', () => {
  it('of none is unknown, of one has no spread, of equal ones has none at all', () => {
    expect([mean([]), standardDeviation([]), standardDeviation([5]), standardDeviation([5, 5, 5])]).toEqual([undefined, undefined, undefined, 0]);
  });

  it('divides by n − 1', () => {
    expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12);
  });

  it('has an interval from two values on', () => {
    // By hand: 3 ± 2.7764451052 · √2.5 / √5, the table's t for 4 degrees.
    expect(meanInterval([1, 2, 3, 4, 5])?.low).toBeCloseTo(1.0367568385, 8);
    expect(meanInterval([1])).toBeUndefined();
    expect(meanInterval([2, 2])).toEqual({ low: 2, high: 2 });
  });
});

describe('tQuantile', () => {
  // Published table of Student's t, two-sided 95 %, and 99.9 % for 7 degrees.
  it.each([
    [0.975, 1, 12.7062],
    [0.975, 2, 4.3027],
    [0.975, 19, 2.093],
    [0.975, 30, 2.0423],
    [0.975, 1000, 1.9623],
    [0.9995, 7, 5.4079],
    [0.05, 5, -2.015],
    [0.5, 3, 0],
  ])('at %d with %d degrees is %d', (probability, freedom, value) => {
    expect(tQuantile(probability, freedom)).toBeCloseTo(value, 3);
  });
});

describe('medianInterval', () => {
  it('takes the ranks of the sign test', () => {
    // Summed in Python over Binomial(n, 1/2): n = 10 → ranks 2 and 9, n = 20 → 6 and 15, n = 100 → 40 and 61.
    const upTo = (n: number) => sorted(...Array.from({ length: n }, (_, index) => index + 1));
    expect(medianInterval(upTo(10))).toEqual({ low: 2, high: 9 });
    expect(medianInterval(upTo(20))).toEqual({ low: 6, high: 15 });
    expect(medianInterval(upTo(100))).toEqual({ low: 40, high: 61 });
    expect(medianInterval(upTo(6))).toEqual({ low: 1, high: 6 });
  });

  it('does not exist below six values', () => {
    expect(medianInterval(sorted(1, 2, 3, 4, 5))).toBeUndefined();
    expect(medianInterval(sorted(4, 4, 4, 4, 4, 4))).toEqual({ low: 4, high: 4 });
  });

  it('covers the true median in at least 95 of 100 draws', () => {
    const random = seededRandom('coverage', 3);
    let covered = 0;
    for (let round = 0; round < 2000; round++) {
      const interval = medianInterval(sorted(...Array.from({ length: 25 }, () => random.next() ** 3)));
      if (interval && interval.low <= 0.125 && 0.125 <= interval.high) covered++;
    }
    expect(covered / 2000).toBeGreaterThan(0.94);
  });
});

describe('pearson', () => {
  it('is 1 on a rising line, −1 on a falling one, and what hand work gives between', () => {
    expect(
      pearson([
        [1, 2],
        [2, 4],
        [3, 6],
      ]),
    ).toBeCloseTo(1, 12);
    expect(
      pearson([
        [1, 1],
        [2, 0],
      ]),
    ).toBe(-1);
    expect(
      pearson([
        [1, 1],
        [2, 3],
        [3, 2],
      ]),
    ).toBeCloseTo(0.5, 12);
  });

  it('does not exist where a side is constant, or for none or one', () => {
    expect([
      pearson([]),
      pearson([[1, 1]]),
      pearson([
        [1, 5],
        [2, 5],
      ]),
    ]).toEqual([undefined, undefined, undefined]);
  });
});

describe('bootstrapInterval', () => {
  const middle = (values: readonly number[]) => mean(values);

  it('gives the same interval for the same seed', () => {
    const clusters = Array.from({ length: 12 }, (_, index) => [index ** 2.5]);
    expect(bootstrapInterval(clusters, middle, { seed: 1 })).toEqual(bootstrapInterval(clusters, middle, { seed: 1 }));
    expect(bootstrapInterval(clusters, middle, { seed: 1 })).not.toEqual(bootstrapInterval(clusters, middle, { seed: 2 }));
  });

  it('draws whole clusters: repeats of one task add nothing', () => {
    const once = bootstrapInterval([[1], [5], [9]], middle, { seed: 1 });
    expect(
      bootstrapInterval(
        [
          [1, 1, 1],
          [5, 5, 5],
          [9, 9, 9],
        ],
        middle,
        { seed: 1 },
      ),
    ).toEqual(once);
  });

  it('comes near the t interval for a well-behaved mean', () => {
    const random = seededRandom('normal', 4);
    const values = Array.from({ length: 200 }, () => random.next() + random.next() + random.next());
    const t = meanInterval(values);
    const boot = bootstrapInterval(
      values.map((value) => [value]),
      middle,
      { seed: 1 },
    );
    expect(boot?.low).toBeCloseTo(t?.low ?? 0, 1);
    expect(boot?.high).toBeCloseTo(t?.high ?? 0, 1);
  });

  it('does not exist below two clusters', () => {
    expect(bootstrapInterval([], middle, { seed: 1 })).toBeUndefined();
    expect(bootstrapInterval([[1, 2], []], middle, { seed: 1 })).toBeUndefined();
  });
});
