// What a trial that ran at zero latency would have taken with a model's published latency: each answered call takes the table's median time (first token plus a time
// for each output token) instead of its own, and what followed it moves. Spread comes from calls and tokens alone; no delay is drawn.
import type { CallRow, LatencyEntry, TrialRecord } from './record.ts';

export interface LaidOut {
  readonly endToEndSeconds: number;
  /** Sum over the calls that got tokens; absent when there were none. */
  readonly outputTokensPerSecond?: number;
}

/** @returns `undefined` when the wall time is not known */
export function layOut({ calls, wallMs }: Pick<TrialRecord, 'calls' | 'wallMs'>, latency: LatencyEntry): LaidOut | undefined {
  if (wallMs === undefined) return undefined;
  const closed = calls.filter(isClosed).sort((a, b) => a[1] - b[1]);
  const lastEnd = closed.at(-1)?.[1] ?? 0;
  /** Parallel to `closed`: when each call would have ended. */
  const ends: number[] = [];
  for (const call of closed) ends.push(laidStart(call, closed, ends) + latencyMs(call, latency));
  const endToEndMs = closed.length === 0 ? wallMs : Math.max(...ends) + Math.max(0, wallMs - lastEnd);
  const answered = closed.filter(([, , , , status]) => status < 400);
  const modelMs = answered.reduce((total, call) => total + latencyMs(call, latency), 0);
  const tokens = answered.reduce((total, [, , , outputTokens]) => total + outputTokens, 0);
  return { endToEndSeconds: endToEndMs / 1000, ...(modelMs === 0 ? {} : { outputTokensPerSecond: (1000 * tokens) / modelMs }) };
}

type ClosedCall = readonly [number, number, number, number, number];

function isClosed(call: CallRow): call is ClosedCall {
  return call[1] !== null;
}

/** As long after the call that ended last before it as it was recorded, and never before any other that had ended: a join waits for all. */
function laidStart([start]: ClosedCall, closed: readonly ClosedCall[], ends: readonly number[]): number {
  let latest = -1;
  let earliest = 0;
  for (const [index, [, end]] of closed.entries()) {
    const laid = ends[index];
    if (laid === undefined || end > start) break;
    latest = index;
    earliest = Math.max(earliest, laid);
  }
  const before = closed[latest];
  return before === undefined ? start : Math.max(earliest, (ends[latest] ?? 0) + (start - before[1]));
}

/** An error comes with no token: it takes as long as it took. */
function latencyMs([startMs, endMs, , outputTokens, status]: ClosedCall, { firstTokenMs, perOutputTokenMs }: LatencyEntry): number {
  return status >= 400 ? endMs - startMs : firstTokenMs + outputTokens * perOutputTokenMs;
}
