// What a framework made of a fault of its model or the wire: exactly one of eight words, decided from gateway, broker, output and exit alone.
// Pure; knows neither scenario nor framework. What a failure is called and whose it is: classify.ts.
import { withoutThoughts } from '../base/thoughts.ts';
import { CLIENT_LEFT, type ModelCall, type RequestedCall, type ToolCall } from '../base/traffic.ts';
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

function hasStrayed({ traffic, toolCalls, strayRequests = 0 }: TrialEvidence): boolean {
  return strayRequests > 0 || traffic.calls.some((call) => call.stray) || toolCalls.some((call) => call.stray);
}

/** Whole, more than thoughts, and said in the last reply (or given to a tool of the framework's own, through which it answers). */
function isLastWord(output: string | undefined, evidence: TrialEvidence): boolean {
  const last = answeredCalls(evidence).at(-1);
  if (last === undefined || output === undefined || last.call.truncated || isBlank(withoutThoughts(output))) return false;
  const { reply } = last;
  // Whoever takes the mark of a thought away makes no answer of it.
  if (reply.kind === 'text' && !isWholeText(last.call)) return false;
  if (reply.kind === 'calls' && reply.calls.every(({ name }) => evidence.tools?.some((tool) => tool.name === name) || !last.call.offeredTools.includes(name)))
    return false;
  return standsInReply(output, { ...evidence, traffic: { ...evidence.traffic, calls: [last.call] } });
}

/**
 * Every tool that ran was called so, by a whole reply, with arguments that it takes, and its result stands in a later request; and to what was rightly called,
 * or called beside it, and did not run there was a word, unless the whole turn was asked for afresh.
 */
function isSound(evidence: TrialEvidence): boolean {
  const { traffic, tools = [] } = evidence;
  const ran = causesOf(evidence).filter(({ tool }) => tool.status === 200 && !tool.stray);
  for (const { tool, askedBy } of ran) {
    const schema = tools.find(({ name }) => name === tool.name);
    if (askedBy === undefined || traffic.calls[askedBy]?.truncated) return false;
    if (schema !== undefined && breaksSchema(Object(tool.arguments), schema)) return false;
    if (!standsLater(tool.result ?? '', askedBy, traffic.calls)) return false;
  }
  return answeredCalls(evidence).every((answered) => {
    if (answered.call.truncated) return true;
    const asked = callsOf(answered).filter((call) => !isForeign(call, answered.call, evidence));
    const good = asked.filter((call) => isGood(call, evidence)).length;
    const ranHere = ran.filter(({ askedBy }) => askedBy === answered.at).length;
    const isHalved = ranHere > 0 && asked.length > ranHere;
    return (good <= ranHere && !isHalved) || isToldAfter(evidence, answered.at) || isAskedAfresh(evidence, answered.at);
  });
}

/** A tool of the framework's own: it hands on, or takes the answer. */
function isForeign({ name }: RequestedCall, { offeredTools }: ModelCall, { tools = [] }: TrialEvidence): boolean {
  return offeredTools.includes(name) && !tools.some((tool) => tool.name === name);
}

/** The first words of a result outlive wrapping, escaping and a limit on the text. */
function standsLater(result: string, askedBy: number, calls: readonly ModelCall[]): boolean {
  const words = result.slice(0, 100).match(/[A-Za-z0-9]+/g) ?? [];
  return calls.slice(askedBy + 1).some(({ requestBody }) => {
    const body = JSON.stringify(requestBody ?? '');
    return words.every((word) => body.includes(word));
  });
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

/** The next request shows the model what was wrong: a word after a turn with a call that did not run well, or after a reply that was none. */
function wasTold(evidence: TrialEvidence): boolean {
  return evidence.traffic.calls.some((call, at) => {
    if (call.stray || call.capped || isWholeText(call)) return false;
    const asked = call.reply.kind === 'calls' ? call.reply.calls.length : 0;
    return (asked === 0 || asked > wellDone(evidence, at).length) && isToldAfter(evidence, at);
  });
}

/** Places of the calls of a reply that ran well. */
function wellDone(evidence: TrialEvidence, at: number): number[] {
  return causesOf(evidence).flatMap(({ tool, askedBy, place }) => (tool.status === 200 && askedBy === at && place !== undefined ? [place] : []));
}

/** The next request holds more than the results of what ran: one entry more, or one that bears the id of a call that did not run. What comes later may be of something else. */
function isToldAfter(evidence: TrialEvidence, at: number): boolean {
  const [call, next] = evidence.traffic.calls.slice(at);
  if (call === undefined || next === undefined) return false;
  const ran = wellDone(evidence, at);
  const said = entriesAfter(call, next);
  const idsOf = (isRan: boolean) =>
    (call.reply.kind === 'calls' ? call.reply.calls : []).flatMap(({ id }, place) => (ran.includes(place) === isRan ? [id] : []));
  const open = idsOf(false).filter((id) => id !== '' && !idsOf(true).includes(id));
  return said.length > ran.length || said.some((entry) => open.some((id) => JSON.stringify(entry).includes(id)));
}

/** The reply left no trace in the next request. */
function isAskedAfresh({ traffic }: TrialEvidence, at: number): boolean {
  const [call, next] = traffic.calls.slice(at);
  return call !== undefined && next !== undefined && entriesOf(next).length <= entriesOf(call).length;
}

/** Nothing was wrong with it, whatever is asked next. */
function isWholeText({ reply, truncated }: ModelCall): boolean {
  return reply.kind === 'text' && !truncated && !isBlank(withoutThoughts(reply.text));
}

interface Entry {
  readonly role?: unknown;
  readonly type?: unknown;
}

/** What a later request has beyond this one that is not the model's own: results and words to it. */
function entriesAfter(call: ModelCall, later: ModelCall): Entry[] {
  return entriesOf(later)
    .slice(entriesOf(call).length)
    .filter(({ type, role }) => type !== 'function_call' && type !== 'reasoning' && role !== 'assistant');
}

function entriesOf({ requestBody }: ModelCall): readonly Entry[] {
  const { messages, input } = Object(requestBody) as { readonly messages?: unknown; readonly input?: unknown };
  const entries: unknown = messages ?? input;
  return Array.isArray(entries) ? entries : [{ role: 'user' }];
}
