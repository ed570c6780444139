// CPU use out of readings of a process's CPU time. Unit: one core is 100 %, so four busy cores are 400 %.

export interface CpuReading {
  /** Monotonic. */
  readonly atMs: number;
  /** User and system time since the process began. */
  readonly cpuMs: number;
}

export interface CpuUse {
  /** Absent when no interval was good. Never negative, never above `cores` × 100. */
  readonly percent?: number;
  /** Intervals between neighbouring readings that count, and those that were dropped: no time, time running backwards, falling ticks, more than the machine can give. */
  readonly intervals: number;
  readonly dropped: number;
}

/** The kernel counts in ticks of 10 ms: a short interval may show one tick too many. */
const TICK_MS = 10;

export function cpuUse(readings: readonly CpuReading[], cores: number): CpuUse {
  let elapsedMs = 0;
  let usedMs = 0;
  let intervals = 0;
  let dropped = 0;
  for (const [index, reading] of readings.entries()) {
    const before = readings[index - 1];
    if (before === undefined) continue;
    const elapsed = reading.atMs - before.atMs;
    const used = reading.cpuMs - before.cpuMs;
    if (!(elapsed > 0) || !(used >= 0) || used > elapsed * cores + TICK_MS) {
      dropped++;
      continue;
    }
    elapsedMs += elapsed;
    usedMs += Math.min(used, elapsed * cores);
    intervals++;
  }
  return { ...(intervals === 0 ? {} : { percent: (100 * usedMs) / elapsedMs }), intervals, dropped };
}
