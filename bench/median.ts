// Order statistics for benchmarks: the median, and how far the middle half spreads.

/** The middle value; the mean of the two middle ones. @throws RangeError for an empty list. */
export function medianOf(samples: readonly number[]): number {
  return quantileOf(samples, 0.5);
}

/** Linear between neighbours. @throws RangeError for an empty list. */
export function quantileOf(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError('no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - Math.floor(at));
}

/** A 95 % interval of the median from order statistics (binomial, normal approximation); absent below six samples. */
export function medianInterval(samples: readonly number[]): { readonly low: number; readonly high: number } | undefined {
  if (samples.length < 6) return undefined;
  const sorted = [...samples].sort((a, b) => a - b);
  const half = 0.98 * Math.sqrt(sorted.length);
  const at = (rank: number) => sorted[Math.min(Math.max(Math.round(rank), 0), sorted.length - 1)] as number;
  return { low: at(sorted.length / 2 - half - 0.5), high: at(sorted.length / 2 + half - 0.5) };
}
