// A back end that says what a script says, in order of requests: conformance cases and faults as data.
// Of the request it sees what the script asks for alone: whether tools are offered, how long it is, whether calls and results pair; and whether an answer
// counts through a tool alone, through which a text then goes.
import type { ModelScript, ScriptedReply } from '../base/script.ts';
import { answerArguments } from './fill-schema.ts';
import { answerTool } from './offered-tools.ts';
import type { ModelRequest } from './read-request.ts';
import type { ReplySource, SourceAnswer, SourceTrial, TrialTerms } from './reply-source.ts';
import { routesOf } from './routes.ts';

/** A reply that needs no look at the request any more. */
type Spoken = Exclude<ScriptedReply, { kind: 'hand-over' }>;

export function scriptedSource(): ReplySource {
  return { models: ['scripted'], open: (terms) => scriptedTrial(terms) };
}

function scriptedTrial(terms: TrialTerms): SourceTrial {
  const script = terms.script;
  let asked = 0;
  let offered = false;
  return {
    reply: (request) => {
      offered ||= request.tools.length > 0;
      if (!offered && script?.opening !== undefined) return answerOf(asCall(script.opening, request), -1);
      const at = asked++;
      if (!script) return { kind: 'error', status: 500, message: 'This trial brought no script.', type: 'server_error', code: 'no_script' };
      const reply = replyTo(request, script, at);
      const answer = answerOf(throughTool(asCall(reply, request), request), at);
      const isLost = reply.kind === 'hand-over' && reply.to === 'nobody' && routesOf(request.tools, () => false).length > 0;
      return isLost && answer.kind === 'message' ? { ...answer, facts: { slip: 'unknown-route' } } : answer;
    },
    facts: () => ({ harnessErrors: script ? [] : ['no-script'] }),
  };
}

function replyTo(request: ModelRequest, script: ModelScript, at: number): ScriptedReply {
  if (script.windowChars !== undefined && request.messages.reduce((total, { text }) => total + text.length, 0) > script.windowChars)
    return { kind: 'error', status: 400, message: 'The messages are over the maximum context length of this model.' };
  const odd = script.pairs ? unpaired(request) : undefined;
  if (odd !== undefined) return { kind: 'error', status: 400, message: `Invalid messages: ${odd}.` };
  if (script.refuses !== undefined && holdsTurn(request, script.refuses))
    return {
      kind: 'error',
      status: 400,
      message: `Invalid messages: the content of a turn of calls may not be ${script.refuses === 'null-text' ? 'null' : 'empty'}.`,
    };
  return (request.tools.length === 0 ? script.withoutTools : undefined) ?? replyAt(script, at);
}

/** Whoever is offered no such tool gets the call of one that nobody has. */
function asCall(reply: ScriptedReply, { tools }: ModelRequest): Spoken {
  if (reply.kind !== 'hand-over') return reply;
  const [route] = routesOf(tools, () => false);
  if (route === undefined) return { kind: 'calls', calls: [{ name: 'transfer_to_nobody', arguments: '{}' }] };
  const { tool, taskIn, targetIn, targets } = route;
  const lost = reply.to === 'nobody';
  const given = Object.fromEntries(
    (tool.schema.required ?? []).map((name) => [name, name === targetIn ? (lost ? NOBODY : (targets[0] ?? NOBODY)) : 'Go on with this.']),
  );
  const name = lost && targetIn === undefined ? `${/^.*?to_/i.exec(tool.name)?.[0] ?? 'transfer_to_'}${NOBODY}` : tool.name;
  return { kind: 'calls', calls: [{ name, arguments: JSON.stringify(taskIn === undefined ? given : { ...given, [taskIn]: 'Go on with this.' }) }] };
}

const NOBODY = 'nobody';

/** Empty and cut texts stay what they are: faults. */
function throughTool(reply: Spoken, request: ModelRequest): Spoken {
  if (reply.kind !== 'text' || !reply.text || reply.finishReason === 'length') return reply;
  const tool = answerTool(request);
  if (tool === undefined) return reply;
  const words = { reply: reply.text, answer: reply.text, thought: '' };
  return { kind: 'calls', calls: [{ name: tool.name, arguments: JSON.stringify(answerArguments(tool.schema, words)) }], ...onItsWay(reply) };
}

function unpaired({ messages }: ModelRequest): string | undefined {
  const open = new Set<string>();
  for (const { role, calls, callId = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(callId)) return `the result ${JSON.stringify(callId)} has no call before it`;
      continue;
    }
    if (open.size > 0) return `the call ${JSON.stringify([...open][0])} has no result`;
    for (const { id } of calls) {
      if (id === '' || open.has(id)) return `two calls have the id ${JSON.stringify(id)}, or one has none`;
      open.add(id);
    }
  }
  return open.size > 0 ? `the call ${JSON.stringify([...open][0])} has no result` : undefined;
}

/** Of the Responses API no body can hold one: calls are items of their own. */
function holdsTurn({ body }: ModelRequest, refused: NonNullable<ModelScript['refuses']>): boolean {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages.some(
    (message: { readonly tool_calls?: unknown; readonly content?: unknown }) =>
      Array.isArray(message.tool_calls) && message.content === (refused === 'null-text' ? null : ''),
  );
}

/** Past the end the last reply is given again, unless the script says what comes `then`. */
function replyAt(script: ModelScript, at: number): ScriptedReply {
  return script.replies[at] ?? script.then ?? script.replies.at(-1) ?? { kind: 'error', status: 500, message: 'The script is empty.' };
}

function answerOf(reply: Spoken, at: number): SourceAnswer {
  switch (reply.kind) {
    case 'text':
      return {
        kind: 'message',
        id: `scripted-${at}`,
        ...onItsWay(reply),
        message: {
          text: reply.text,
          calls: [],
          finishReason: reply.finishReason ?? 'stop',
          ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
        },
      };
    case 'calls':
      return {
        kind: 'message',
        id: `scripted-${at}`,
        ...onItsWay(reply),
        message: {
          text: reply.text ?? '',
          calls: reply.calls.map((call, place) => ({
            ...call,
            id: call.id === undefined ? `call_${at}_${place}` : call.id,
          })),
          finishReason: reply.finishReason ?? 'tool_calls',
        },
      };
    case 'nothing':
      return { kind: 'message', id: `scripted-${at}`, message: { text: null, calls: [], finishReason: 'stop', absent: true } };
    case 'error':
      return {
        kind: 'error',
        status: reply.status,
        message: reply.message,
        ...(reply.code === undefined ? {} : { code: reply.code }),
        ...(reply.headers ? { headers: reply.headers } : {}),
      };
    case 'raw':
    case 'hang':
    case 'reset':
      return reply;
    default:
      return reply satisfies never;
  }
}

function onItsWay({
  broken,
  bytewise,
}: Extract<ScriptedReply, { kind: 'text' | 'calls' }>): Pick<Extract<SourceAnswer, { kind: 'message' }>, 'broken' | 'bytewise'> {
  return { ...(broken === undefined ? {} : { broken }), ...(bytewise === undefined ? {} : { bytewise }) };
}
