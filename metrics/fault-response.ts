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
  // Whoever takes the mark of a thought away makes no answer of it.
  if (reply.kind === 'text' && !isWholeText(last.call)) return false;
  if (reply.kind === 'calls' && reply.calls.every(({ name }) => evidence.tools?.some((tool) => tool.name === name) || !last.call.offeredTools.includes(name)))
    return false;
  return standsInReply(output, { ...evidence, traffic: { ...evidence.traffic, calls: [last.call] } });
}

/**
 * Every tool that ran was called so, by a whole reply, with arguments that it takes, and its result stands in a later request; and to what was rightly called
 * and did not run there was a word.
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
    const good = callsOf(answered).filter((call) => isGood(call, evidence)).length;
    const ranHere = ran.filter(({ askedBy }) => askedBy === answered.at).length;
    const [next] = traffic.calls.slice(answered.at + 1);
    return answered.call.truncated || good <= ranHere || (next !== undefined && wordsAfter(answered.call, next) > ranHere);
  });
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
  const { calls } = evidence.traffic;
  const wellDone = causesOf(evidence).filter(({ tool }) => tool.status === 200);
  return calls.some((call, at) => {
    if (call.stray || call.capped || isWholeText(call)) return false;
    const asked = call.reply.kind === 'calls' ? call.reply.calls.length : 0;
    const allRan = asked > 0 && asked <= wellDone.filter(({ askedBy }) => askedBy === at).length;
    // What comes after the next request may be the result of something else.
    const next = calls[at + 1];
    return !allRan && next !== undefined && wordsAfter(call, next) > 0;
  });
}

/** Nothing was wrong with it, whatever is asked next. */
function isWholeText({ reply, truncated }: ModelCall): boolean {
  return reply.kind === 'text' && !truncated && !isBlank(withoutThoughts(reply.text));
}

/** How many entries a later request has beyond this one that are not the model's own: results and words to it. */
function wordsAfter(call: ModelCall, later: ModelCall): number {
  return turnsOf(later)
    .slice(turnsOf(call).length)
    .filter((turn) => turn === 'other').length;
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
