// What a framework itself cost in time (method M6.1): the wall time of `run` minus everything that model, tools and imposed waits took, counted once where they
// overlap. Exact on any monotonic clock; whether worker and host share one is for the caller to know.
import { clipTo, type Interval, longestChainMs, overlap, unionMs } from './intervals.ts';

/** Without an end it was still open when `run` ended. */
export interface Busy {
  readonly startMs: number;
  readonly endMs?: number | undefined;
}

export interface TrialTimes {
  readonly startMs: number;
  readonly endMs: number;
  readonly modelCalls: readonly Busy[];
  readonly toolCalls: readonly Busy[];
  /** Waits that host, gateway or broker imposed and stamped. */
  readonly waits: readonly Busy[];
}

export interface Overhead {
  readonly wallMs: number;
  /** Time in which at least one model call was open. */
  readonly modelMs: number;
  readonly toolMs: number;
  /** W − |L ∪ T ∪ Q|: a lower bound where branches overlap, since work hides behind another branch's wait. */
  readonly overheadMs: number;
  /** W minus the longest causal chain; only where branches overlapped. */
  readonly overheadUpperMs?: number;
}

export function overheadOf({ startMs, endMs, modelCalls, toolCalls, waits }: TrialTimes): Overhead {
  const frame: Interval = { startMs, endMs: Math.max(startMs, endMs) };
  const model = clipTo(frame, modelCalls);
  const tools = clipTo(frame, toolCalls);
  const busy = [...model, ...tools, ...clipTo(frame, waits)];
  const wallMs = frame.endMs - frame.startMs;
  const overheadMs = rest(wallMs, unionMs(busy));
  const times = { wallMs, modelMs: unionMs(model), toolMs: unionMs(tools), overheadMs };
  return haveBranches(model, tools) ? { ...times, overheadUpperMs: rest(wallMs, longestChainMs(busy)) } : times;
}

/** Two model calls or two tool calls side by side are branches, and so is a model call beside a tool. A model call that a tool makes is one chain with it. */
function haveBranches(model: readonly Interval[], tools: readonly Interval[]): boolean {
  if (overlap(model) || overlap(tools)) return true;
  return model.some((call) =>
    tools.some((tool) => call.startMs < tool.endMs && tool.startMs < call.endMs && !(tool.startMs <= call.startMs && call.endMs <= tool.endMs)),
  );
}

/** Sums of fractions may pass the wall time by a rounding error, and nothing takes less than no time. */
function rest(wallMs: number, busyMs: number): number {
  return Math.max(0, wallMs - busyMs);
}
