// Turns samples into the values of a summary: a figure, how many stand behind it, and an interval where there are enough.
import { mean, meanInterval, median, medianInterval, sortSamples, standardDeviation } from './statistics.ts';
import type { SummaryValue } from './summary.ts';

/** Observations, and the block of the interleaved order that each was made in (method M6.4). */
export interface Samples {
  readonly values: readonly number[];
  /** Parallel to the values; absent where none is known. */
  readonly blocks?: readonly (number | undefined)[];
}

/** Median over all; the interval is over block medians where every sample has a block and there are six or more blocks, else over the samples. */
export function medianOf({ values, blocks = [] }: Samples): SummaryValue | undefined {
  const sorted = sortSamples(values);
  if (sorted === undefined) return undefined;
  const ofBlocks = sortSamples(blockMedians(values, blocks));
  const interval = medianInterval(ofBlocks !== undefined && ofBlocks.length >= 6 ? ofBlocks : sorted);
  return { value: median(sorted), n: sorted.length, ...interval };
}

/** None unless the block of every value is known. */
function blockMedians(values: readonly number[], blocks: readonly (number | undefined)[]): number[] {
  const byBlock = new Map<number, number[]>();
  for (const [index, value] of values.entries()) {
    const block = blocks[index];
    if (block === undefined) return [];
    const members = byBlock.get(block);
    if (members === undefined) byBlock.set(block, [value]);
    else members.push(value);
  }
  return [...byBlock.values()].flatMap((members) => {
    const sorted = sortSamples(members);
    return sorted === undefined ? [] : [median(sorted)];
  });
}

/** Added up in ascending order, so that the last digit does not tell in which order the records lay. */
export function meanOf(samples: readonly number[]): SummaryValue | undefined {
  const values = sortSamples(samples) ?? [];
  const value = mean(values);
  return value === undefined ? undefined : { value, n: values.length, ...meanInterval(values) };
}

/** A figure without an interval: a spread, a maximum, a quotient of sums. */
export function plain(value: number | undefined, n: number): SummaryValue | undefined {
  return value === undefined || n === 0 ? undefined : { value, n };
}

export function spreadOf(values: readonly number[]): SummaryValue | undefined {
  return plain(standardDeviation(sortSamples(values) ?? []), values.length);
}

/** Leaves out what is not known, so that an unknown is an absent key. */
export function known<T extends Readonly<Record<string, SummaryValue | undefined>>>(values: T): { readonly [K in keyof T]?: SummaryValue } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { readonly [K in keyof T]?: SummaryValue };
}
