// What can be asked of a trial that was seen from outside: each function says what is wrong, or nothing. The words of conformance.ts.
import type { ModelTraffic, ToolCall } from '../base/traffic.ts';
import type { TrialEndMessage, TrialStartMessage } from './protocol.ts';

/** One trial as it was seen from outside. */
export interface Seen {
  readonly start: TrialStartMessage;
  /** Absent when the process died or had to be ended. */
  readonly end?: TrialEndMessage;
  /** How the process ended, in words, when it did. */
  readonly died?: string;
  /** Why the host stopped it, when it did. */
  readonly stoppedFor?: string;
  readonly traffic: ModelTraffic;
  readonly toolCalls: readonly ToolCall[];
  /** Model requests after the trial was closed. */
  readonly strayRequests: number;
  /** From the cancel message to the trial's end. */
  readonly cancelMs?: number;
  /** A secret of the host that nobody else may ever see. */
  readonly canary: string;
}

/** Growth over the last hundred runs that is still flat: a run that keeps a third of a megabyte is seen. */
const FLAT_BYTES = 32 * 2 ** 20;

export function each(fault: (seen: Seen) => string | undefined): (seen: readonly Seen[]) => string | undefined {
  return (seen) => first(...seen.map(fault));
}

export function first(...faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}

export function told({ end, died }: Seen): string {
  if (end?.error !== undefined) return `${end.error.name}: ${end.error.message}`;
  return end === undefined ? `no end (${died ?? 'stopped by the host'})` : `output ${shown(end.output)}`;
}

export function outputIs(seen: Seen, wanted: string): string | undefined {
  return seen.end?.output === wanted ? undefined : `wanted output ${shown(wanted)}, got ${told(seen)}`;
}

export function requestsAre({ traffic }: Seen, wanted: number): string | undefined {
  return traffic.calls.length === wanted ? undefined : `${traffic.calls.length} model requests instead of ${wanted}`;
}

export function offers({ traffic }: Seen, wanted: readonly string[]): string | undefined {
  const offered = traffic.calls[0]?.offeredTools ?? [];
  return same([...offered].sort(), wanted) ? undefined : `offered ${shown(offered)} instead of ${shown(wanted)}`;
}

/** null for an optional parameter counts as absent, as it does for the broker. */
export function toolsRan({ toolCalls }: Seen, wanted: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const ran = toolCalls.map((call) => Object.fromEntries(Object.entries(Object(call.arguments)).filter(([, value]) => value !== null)));
  if (!same(ran, wanted)) return `tools ran with ${shown(ran)} instead of ${shown(wanted)}`;
  const refused = toolCalls.find((call) => call.status !== 200);
  return refused === undefined ? undefined : `the broker answered ${refused.status}`;
}

/** Results in the order of their calls in request `index`. Each text may stand in quotes of the framework's own, but unchanged. */
export function delivers({ traffic }: Seen, index: number, wanted: readonly string[]): string | undefined {
  const delivered = (traffic.calls[index]?.delivered ?? []).map((one) => one.text);
  return same(delivered, wanted) ? undefined : `request ${index + 1} brought back ${shown(delivered)} instead of ${shown(wanted)}`;
}

export function pairs({ traffic }: Seen, wanted: readonly string[]): string | undefined {
  const [asked, next] = traffic.calls;
  const ids = asked?.reply.kind === 'calls' ? asked.reply.calls.map((call) => call.id) : [];
  const texts = ids.map((id) => next?.delivered.find((one) => one.callId === id)?.text);
  return same(texts, wanted) ? undefined : `the calls got ${shown(texts)} instead of ${shown(wanted)}`;
}

export function growing({ traffic }: Seen): string | undefined {
  const tokens = traffic.calls.map((call) => call.inputTokens);
  const grows = tokens.every((count, index) => count > (tokens[index - 1] ?? 0)) && traffic.calls.every((call) => call.outputTokens > 0);
  return grows ? undefined : `input tokens were ${shown(tokens)}`;
}

export function textsIn({ traffic, start }: Seen): string | undefined {
  const last = traffic.calls.at(-1);
  const body = JSON.stringify(last?.requestBody ?? '');
  const missing = [start.systemText, start.userText].filter((text) => !body.includes(JSON.stringify(text).slice(1, -1)));
  if (missing.length > 0) return `the last request lacks ${shown(missing)}`;
  if (last?.instructionSeen !== true) return 'the gateway saw no instruction in the last request';
  return same(traffic.wire.instructionIn, ['system', 'user']) ? undefined : `the instruction stood in ${shown(traffic.wire.instructionIn)}`;
}

export function samplingIs({ traffic, start }: Seen): string | undefined {
  const { temperature, top_p, max_tokens, max_completion_tokens, max_output_tokens, ...others } = { ...traffic.wire.sampling };
  const limits = [max_tokens, max_completion_tokens, max_output_tokens].filter((limit) => limit !== undefined);
  const model = Object(traffic.calls[0]?.requestBody).model;
  if (traffic.calls.some(({ keyless }) => keyless)) return 'sent a request without the API key of its trial, by which late ones are told';
  if (model !== start.model.name) return `asked for model ${shown(model)} instead of ${start.model.name}`;
  if (temperature !== start.model.temperature) return `sent temperature ${shown(temperature)} instead of ${start.model.temperature}`;
  if (!same(limits, [start.model.maxTokens])) return `sent max tokens ${shown(limits)} instead of ${start.model.maxTokens}`;
  // top_p 1 is every server's default: said or not, it is the same request.
  if (top_p !== undefined && top_p !== 1) return `sent top_p ${shown(top_p)}`;
  const changing = Object.entries(others).filter(([, value]) => value !== null && value !== 0 && !(value === 1));
  return changing.length === 0 ? undefined : `sent ${shown(Object.fromEntries(changing))}`;
}

/**
 * V8 and CPython let garbage lie: CPython 3.11 until a quarter of all objects wait, which takes pydantic-ai in dag two hundred runs of half a megabyte each, and
 * then no more in five hundred. So what grows is asked again, until it settles or this many runs are over.
 */
export const MOST_RUNS = 600;
const LAST_RUNS = 100;

/** @param peaks bytes of each run, 200 at least. @returns what is wrong with the last hundred */
export function flat(peaks: readonly number[]): string | undefined {
  const before = peaks.length - LAST_RUNS;
  const settled = median(peaks.slice(before - 5, before + 5));
  const late = median(peaks.slice(-10));
  if (settled === undefined || late === undefined) return 'no peaks were reported';
  return late - settled <= FLAT_BYTES
    ? undefined
    : `peak memory grew by ${Math.round((late - settled) / 2 ** 20)} MiB over the last ${LAST_RUNS} of ${peaks.length} runs`;
}

function median(of: readonly number[]): number | undefined {
  return [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
