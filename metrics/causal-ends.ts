// Ends of calls as causes allow them: what the system does not take at once is stamped when gateway or broker get to it, which on a busy machine is after the worker went on.
// A model call had ended when a tool began that its reply asked for, a tool when a request began that held its result. Late stamps would hide overhead.
import type { TrialEvidence } from './evidence.ts';
import type { Busy } from './overhead.ts';
import { causesOf } from './tool-border.ts';

/** The trial's calls for `overheadOf`; an end is moved forward in time never, and back only to what it must have preceded. */
export function causalEnds(evidence: Pick<TrialEvidence, 'traffic' | 'toolCalls' | 'tools'>): { readonly modelCalls: Busy[]; readonly toolCalls: Busy[] } {
  const { calls } = evidence.traffic;
  const causes = causesOf(evidence);
  const firstToolOf = new Map<number, number>();
  for (const { tool, askedBy } of causes) {
    if (askedBy !== undefined) firstToolOf.set(askedBy, Math.min(firstToolOf.get(askedBy) ?? Number.POSITIVE_INFINITY, tool.startMs));
  }
  return {
    modelCalls: calls.map((call, at) => endingBy(call, firstToolOf.get(at))),
    toolCalls: causes.map(({ tool, broughtBy }) => endingBy(tool, broughtBy === undefined ? undefined : calls[broughtBy]?.startMs)),
  };
}

function endingBy({ startMs, endMs }: Busy, latest: number | undefined): Busy {
  if (endMs === undefined || latest === undefined) return endMs === undefined ? { startMs } : { startMs, endMs };
  return { startMs, endMs: Math.max(startMs, Math.min(endMs, latest)) };
}
