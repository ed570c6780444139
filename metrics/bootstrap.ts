// Percentile bootstrap over clusters (Efron and Tibshirani 1993, section 13.3), seeded: the same samples and seed give the same interval on every machine.
import { seededRandom } from '../base/random.ts';
import { type Interval95, quantile, sortSamples } from './statistics.ts';

export interface BootstrapOptions {
  readonly seed: string | number;
  /** @default 2000 */
  readonly resamples?: number;
}

/**
 * @param clusters values that belong together (trials of a task, of a block) are drawn together
 * @param statistic of all drawn values; a resample for which it is undefined is left out
 * @returns the 2.5 % and 97.5 % points; `undefined` below two clusters or when no resample has a value
 */
export function bootstrapInterval(
  clusters: readonly (readonly number[])[],
  statistic: (values: readonly number[]) => number | undefined,
  { seed, resamples = 2000 }: BootstrapOptions,
): Interval95 | undefined {
  const filled = clusters.filter((cluster) => cluster.length > 0);
  if (filled.length < 2) return undefined;
  const random = seededRandom('bootstrap', seed);
  const drawn: number[] = [];
  for (let round = 0; round < resamples; round++) {
    const value = statistic(filled.flatMap(() => random.pick(filled)));
    if (value !== undefined) drawn.push(value);
  }
  const sorted = sortSamples(drawn);
  return sorted && { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}
