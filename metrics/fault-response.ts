// What a framework made of a fault of its model or the wire: exactly one of eight words, decided from gateway, broker, output and exit alone.
// Pure; knows neither scenario nor framework. What a failure is called and whose it is: classify.ts.
import { withoutThoughts } from '../base/thoughts.ts';
import type { ModelCall, RequestedCall, ToolCall } from '../base/traffic.ts';
import { type Answered, answeredCalls, isBlank, type TrialEvidence } from './evidence.ts';
import { standsInReply } from './stands-in-reply.ts';
import { breaksSchema, isMalformed, parseArguments } from './tool-arguments.ts';
import { causesOf } from './tool-border.ts';

/** From best to worst; `still-waiting` is no ending. */
export const FAULT_RESPONSES = ['recovered', 'fed-back', 'clear-error', 'silent-wrong', 'crash', 'hang', 'stray-work', 'still-waiting'] as const;
export type FaultResponse = (typeof FAULT_RESPONSES)[number];

/**
 * The first that applies: waiting or hung when the host's patience ran out; asking on beyond every limit (a hang too); the process died; work after the end;
 * an error; a success with something that is not the model's last word, or that rests on a call nobody made so; the model was told; else recovered.
 */
export function faultResponse(evidence: TrialEvidence): FaultResponse {
  const { hostReason, exit, workerError, output, traffic } = evidence;
  if (hostReason === 'deadline') return isWaiting(evidence) ? 'still-waiting' : 'hang';
  if (hostReason === 'cap' || traffic.calls.some((call) => call.capped)) return 'hang';
  if (exit !== undefined || hostReason === 'protocol' || hostReason === 'memory') return 'crash';
  if (hasStrayed(evidence)) return 'stray-work';
  if (workerError !== undefined) return 'clear-error';
  if (!isLastWord(output, evidence) || !isSound(evidence)) return 'silent-wrong';
  return wasTold(evidence) ? 'fed-back' : 'recovered';
}

/** A call in flight when patience ran out, or a failed request that may be made again: there is something to wait for. */
function isWaiting({ traffic, toolCalls }: TrialEvidence): boolean {
  const last = traffic.calls.at(-1);
  const isOpen = (call: ModelCall | ToolCall) => call.endMs === undefined || call.status === CLIENT_LEFT;
  return toolCalls.some(isOpen) || (last !== undefined && (isOpen(last) || last.reply.kind === 'error'));
}

const CLIENT_LEFT = 499;

function hasStrayed({ traffic, toolCalls, strayRequests = 0 }: TrialEvidence): boolean {
  return strayRequests > 0 || traffic.calls.some((call) => call.stray) || toolCalls.some((call) => call.stray);
}

/** Whole, more than thoughts, and said in the last reply (or given to a tool of the framework's own, through which it answers). */
function isLastWord(output: string | undefined, evidence: TrialEvidence): boolean {
  const last = answeredCalls(evidence).at(-1);
  if (last === undefined || output === undefined || last.call.truncated || isBlank(withoutThoughts(output))) return false;
  const { reply } = last;
  if (reply.kind === 'calls' && reply.calls.every(({ name }) => evidence.tools?.some((tool) => tool.name === name) || !last.call.offeredTools.includes(name)))
    return false;
  return standsInReply(output, { ...evidence, traffic: { ...evidence.traffic, calls: [last.call] } });
}

/** Every tool that ran was called so, with arguments that it takes, by a whole reply; and what was rightly called ran and came back, or was answered otherwise. */
function isSound(evidence: TrialEvidence): boolean {
  const { toolCalls, traffic, tools = [] } = evidence;
  const ran = causesOf(evidence).filter(({ tool }) => tool.status === 200 && !tool.stray);
  for (const { tool, askedBy } of ran) {
    const schema = tools.find(({ name }) => name === tool.name);
    if (askedBy === undefined || traffic.calls[askedBy]?.truncated) return false;
    if (schema !== undefined && breaksSchema(Object(tool.arguments), schema)) return false;
  }
  const underIds = traffic.calls.some(({ delivered }) => delivered.length > 0);
  return answeredCalls(evidence).every((answered) => {
    const ours = callsOf(answered).filter((call) => isGood(call, evidence));
    const ranHere = ran.filter(({ askedBy }) => askedBy === answered.at).length;
    if (answered.call.truncated || ours.length === 0) return true;
    if (underIds) return ours.every(({ id }) => answersTo(id, answered, traffic.calls) >= callsOf(answered).filter((call) => call.id === id).length);
    return ranHere >= ours.length && (toolCalls.length === 0 || bringsBack(ran, answered, traffic.calls));
  });
}

/** A history that is replayed as text holds results under no id: then their words must stand in a later request. */
function bringsBack(ran: ReturnType<typeof causesOf>, { at }: Answered, calls: readonly ModelCall[]): boolean {
  const later = calls.slice(at + 1).map(({ requestBody }) => JSON.stringify(requestBody ?? ''));
  const words = (text: string) => text.slice(0, 100).match(/[A-Za-z0-9]+/g) ?? [];
  return ran.every(({ tool, askedBy }) => askedBy !== at || later.some((body) => words(tool.result ?? '').every((word) => body.includes(word))));
}

function callsOf({ reply }: Answered): readonly RequestedCall[] {
  return reply.kind === 'calls' ? reply.calls : [];
}

/** Of a tool that there is, with arguments that it takes. */
function isGood({ name, arguments: text }: RequestedCall, { tools = [] }: TrialEvidence): boolean {
  const schema = tools.find((tool) => tool.name === name);
  const given = parseArguments(text);
  return schema !== undefined && given !== undefined && !isMalformed(text, schema) && !breaksSchema(given, schema);
}

/** Most results that one later request holds under this id. A call without an id may have been given one: any result counts for it. */
function answersTo(id: string, { at, call }: Answered, calls: readonly ModelCall[]): number {
  return Math.max(
    0,
    ...calls
      .slice(at + 1)
      .map(({ delivered }) => (id === '' ? delivered.length - call.delivered.length : delivered.filter(({ callId }) => callId === id).length)),
  );
}

/** A later request shows the model what was wrong: a result of a call that did not run well, or a word after a reply that was none. */
function wasTold(evidence: TrialEvidence): boolean {
  const { calls } = evidence.traffic;
  const wellDone = causesOf(evidence).filter(({ tool }) => tool.status === 200);
  return answeredCalls(evidence).some((answered) => {
    const next = calls.slice(answered.at + 1);
    if (next.length === 0) return false;
    const asked = callsOf(answered);
    if (asked.length === 0) return next.some((request) => hasWordAfter(answered, request));
    const failed = asked.length > wellDone.filter(({ askedBy }) => askedBy === answered.at).length;
    return failed && next.some((request) => hasWordAfter(answered, request));
  });
}

/** The conversation went on after this reply, and not with the reply alone. */
function hasWordAfter({ call }: Answered, later: ModelCall): boolean {
  const before = turnsOf(call);
  const after = turnsOf(later);
  return after.length > before.length && after.slice(before.length).some((turn) => turn !== 'assistant');
}

/** Whose turn each entry of a request is. */
function turnsOf({ requestBody }: ModelCall): readonly string[] {
  const { messages, input } = Object(requestBody) as { readonly messages?: unknown; readonly input?: unknown };
  const entries: unknown = messages ?? input;
  if (!Array.isArray(entries)) return ['user'];
  return entries.map((entry: { readonly role?: unknown; readonly type?: unknown }) =>
    entry.type === 'function_call' || entry.type === 'reasoning' || entry.role === 'assistant' ? 'assistant' : 'other',
  );
}
