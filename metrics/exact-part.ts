// What of a record must be equal in two runs of one seed. Times, memory and shares of time are not; nor is the order in which parallel calls arrived.
import { canonicalJson } from '../base/canonical-json.ts';
import type { TrialRecord } from './record.ts';

/** Names of what is measured rather than decided. */
const MEASURED = /(?:Ms|Bytes|Percent|At)$/;
/** What a trial that ended while other branches were at work (`cut`) cannot promise. */
const CUT = new Set(['usage', 'code', 'calls', 'toolCalls', 'events', 'parts', 'readings']);

/**
 * The record without measured fields at any depth, its calls as [input tokens, output tokens, status] and its tool calls as [name, status], both sorted.
 * Of a `cut` record usage, code, calls and events go too: what the other branches had done by then depends on the instant.
 */
export function exactPart(record: TrialRecord): Readonly<Record<string, unknown>> {
  const calls = record.calls.map(([, , inputTokens, outputTokens, status]) => [inputTokens, outputTokens, status]);
  const toolCalls = record.toolCalls.map(([name, , , status]) => [name, status]);
  const steady = withoutMeasured({ ...record, calls: sorted(calls), toolCalls: sorted(toolCalls) }) as Record<string, unknown>;
  return record.cut ? Object.fromEntries(Object.entries(steady).filter(([name]) => !CUT.has(name))) : steady;
}

function withoutMeasured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMeasured);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !MEASURED.test(name))
      .map(([name, member]) => [name, withoutMeasured(member)]),
  );
}

function sorted<T>(rows: readonly T[]): T[] {
  const spelt = new Map(rows.map((row) => [row, canonicalJson(row)]));
  return [...rows].sort((a, b) => ((spelt.get(a) ?? '') < (spelt.get(b) ?? '') ? -1 : 1));
}
