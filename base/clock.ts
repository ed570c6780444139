// The only place that reads a clock (a lint rule bars others). Durations are monotonic milliseconds; points in time are ISO 8601 UTC strings.

export interface Clock {
  /**
   * Monotonic milliseconds, with a fraction. On Linux this is the kernel's CLOCK_MONOTONIC, which all processes
   * of one host share, so times from gateway, broker, worker and host can be laid over each other (method M6.1).
   */
  nowMs(): number;
  /** Wall-clock time for labels only; never subtracted. */
  nowIso(): string;
}

export const systemClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  nowIso: () => new Date().toISOString(),
};

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** A clock that a test drives by hand. */
export function manualClock(startMs = 0, iso = '2026-01-01T00:00:00.000Z'): ManualClock {
  let now = startMs;
  return {
    nowMs: () => now,
    nowIso: () => iso,
    advance: (ms) => {
      now += ms;
    },
  };
}
