// Arithmetic of time intervals: how much time is covered, and how long the longest chain of intervals is in which each began after the one before had ended.

export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** The part of each interval that lies inside `frame`. Empty and reversed intervals vanish. */
export function clipTo(frame: Interval, intervals: readonly { readonly startMs: number; readonly endMs?: number | undefined }[]): Interval[] {
  return intervals
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, frame.startMs), endMs: Math.min(endMs ?? frame.endMs, frame.endMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** Length of the union: time that at least one interval covers. O(n log n). */
export function unionMs(intervals: readonly Interval[]): number {
  let covered = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of byStart(intervals)) {
    if (endMs <= reached) continue;
    covered += endMs - Math.max(startMs, reached);
    reached = endMs;
  }
  return covered;
}

/**
 * Greatest sum of lengths over intervals of which each begins when or after the one before has ended (weighted interval scheduling, O(n log n)).
 * What one caused the other cannot be seen from outside; that it could have is all that the order shows.
 */
export function longestChainMs(intervals: readonly Interval[]): number {
  const byEnd = intervals.filter(({ startMs, endMs }) => endMs > startMs).sort((a, b) => a.endMs - b.endMs);
  /** `best[i]`: the longest chain among the first i intervals. */
  const best = [0];
  for (const [index, { startMs, endMs }] of byEnd.entries()) {
    const before = countEndedBy(byEnd, startMs, index);
    best.push(Math.max(best[index] ?? 0, (best[before] ?? 0) + (endMs - startMs)));
  }
  return best.at(-1) ?? 0;
}

/** Whether any two intervals share time. */
export function overlap(intervals: readonly Interval[]): boolean {
  let reached = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of byStart(intervals)) {
    if (startMs < reached) return true;
    reached = Math.max(reached, endMs);
  }
  return false;
}

function byStart(intervals: readonly Interval[]): Interval[] {
  return [...intervals].sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs);
}

/** How many of the first `limit` intervals, sorted by end, have ended by `startMs`. */
function countEndedBy(byEnd: readonly Interval[], startMs: number, limit: number): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byEnd[middle]?.endMs ?? 0) <= startMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
