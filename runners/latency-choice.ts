// The word for a latency, as plans and options have it, in the gateway's terms.
import type { LatencyChoice } from '../models/control.ts';

/** @param latency `zero`, `model` or `fixed:MS`, as plan-spec.ts has checked it */
export function latencyChoice(latency: string): LatencyChoice {
  const ms = /^fixed:(\d+)$/.exec(latency)?.[1];
  if (ms !== undefined) return { kind: 'fixed', ms: Number(ms) };
  return { kind: latency === 'model' ? 'model' : 'zero' };
}
