// Trials per minute as they passed, not as their times add up: five at once that take a second each are five a second. Set-up before the first start is left out.

export interface TimedTrial {
  /** Monotonic. */
  readonly startMs: number;
  readonly endMs: number;
  readonly succeeded: boolean;
}

export interface Throughput {
  readonly attemptedPerMinute: number;
  readonly succeededPerMinute: number;
  readonly meanLatencyMs: number;
  readonly elapsedMs: number;
  readonly n: number;
}

/** @returns `undefined` when no time passed between first start and last end */
export function throughputOf(trials: readonly TimedTrial[]): Throughput | undefined {
  const elapsedMs =
    trials.reduce((last, { endMs }) => Math.max(last, endMs), 0) - trials.reduce((first, { startMs }) => Math.min(first, startMs), Number.POSITIVE_INFINITY);
  if (!(elapsedMs > 0)) return undefined;
  const perMinute = (count: number) => (60_000 * count) / elapsedMs;
  return {
    attemptedPerMinute: perMinute(trials.length),
    succeededPerMinute: perMinute(trials.filter(({ succeeded }) => succeeded).length),
    meanLatencyMs: trials.reduce((total, { startMs, endMs }) => total + Math.max(0, endMs - startMs), 0) / trials.length,
    elapsedMs,
    n: trials.length,
  };
}
