// Chat Completions on the wire: how turns are written, and how replies are read, whole or streamed. Knows nothing of connections.

import type { JsonSchema } from './json-schema-check.ts';
import type { ModelReply, RawCall, TokenUsage, ToolResult, ToolSpec } from './model.ts';
import { errorInside, incomplete, notJson } from './openai-errors.ts';
import type { Wire } from './openai-wire.ts';
import { argumentText, closedThroughout, FILTERED, finished, objectsIn, record, textOf, usageOf, withIds } from './openai-wire.ts';

/** How the turn spelled its content. */
interface ChatTurn {
  readonly content: unknown;
}

interface ChatCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

export const chatWire: Wire = {
  path: '/chat/completions',
  system: (text) => JSON.stringify({ role: 'system', content: text }),
  user: (text) => JSON.stringify({ role: 'user', content: text }),
  result: (result: ToolResult) => JSON.stringify({ role: 'tool', tool_call_id: result.callId, content: result.text }),
  reply: (reply: ModelReply, emptyText) => {
    // The server's own spelling of "no text" goes back as it came, unless it was refused once.
    const echoed = (reply.wire as ChatTurn | undefined)?.content;
    const content =
      reply.text !== '' ? reply.text : emptyText === 'echo' ? (echoed === '' || echoed === null ? echoed : null) : emptyText === 'null' ? null : '';
    if (reply.calls.length === 0) return JSON.stringify({ role: 'assistant', content });
    const calls = reply.calls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: argumentText(given) } }));
    return JSON.stringify({ role: 'assistant', content, tool_calls: calls });
  },
  emptyTextOf: (reply) => (reply.text === '' ? ((reply.wire as ChatTurn | undefined)?.content === '' ? 'empty' : 'null') : undefined),
  head: ({ model, temperature, maxTokens, maxTokensField, stream, extra }) =>
    JSON.stringify({
      ...extra,
      model,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { [maxTokensField ?? 'max_tokens']: maxTokens }),
      ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    }).slice(0, -1),
  historyKey: '"messages":[',
  tools: (tools: readonly ToolSpec[], parallel) =>
    `,"tools":${JSON.stringify(tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })))}${parallel === undefined ? '' : `,"parallel_tool_calls":${parallel}`}`,
  output: (schema: JsonSchema) =>
    `,"response_format":${JSON.stringify({ type: 'json_schema', json_schema: { name: 'answer', strict: closedThroughout(schema), schema } })}`,
  read: (text, context) => {
    const body = record(text);
    if (body === undefined) throw notJson(context.origin, text);
    if (body.error !== undefined && body.error !== null) throw errorInside(context.origin, body.error);
    const [choice] = objectsIn(body.choices);
    const [message] = objectsIn([choice?.message]);
    if (choice === undefined || message === undefined) throw notJson(context.origin, text);
    const given: readonly ChatCall[] = objectsIn(message.tool_calls);
    const calls = given.map(({ id, function: called }) => ({
      id: typeof id === 'string' ? id : '',
      name: typeof called?.name === 'string' ? called.name : '',
      arguments: called?.arguments,
    }));
    return chatReply(
      message.content,
      message.reasoning_content ?? message.reasoning,
      message.refusal,
      calls,
      choice.finish_reason,
      usageOf(body.usage),
      context.maxTokens,
    );
  },
  readStream: async (events, context) => {
    let content = '';
    let sawContent = false;
    let reasoning = '';
    let refusal = '';
    let finish: unknown;
    let usage: TokenUsage | undefined;
    let done = false;
    const calls: { id?: string; name: string; arguments: unknown }[] = [];
    for await (const data of events) {
      if (data === '[DONE]') {
        done = true;
        break;
      }
      const chunk = record(data);
      if (chunk === undefined) throw notJson(context.origin, data);
      if (chunk.error !== undefined && chunk.error !== null) throw errorInside(context.origin, chunk.error);
      usage = usageOf(chunk.usage) ?? usage;
      const [choice] = objectsIn(chunk.choices);
      if (choice === undefined) continue;
      if (choice.finish_reason !== undefined && choice.finish_reason !== null) finish = choice.finish_reason;
      const [delta = {}] = objectsIn([choice.delta]);
      if (typeof delta.content === 'string') {
        content += delta.content;
        sawContent = true;
      }
      const thought = delta.reasoning_content ?? delta.reasoning;
      if (typeof thought === 'string') reasoning += thought;
      if (typeof delta.refusal === 'string') refusal += delta.refusal;
      for (const part of objectsIn(delta.tool_calls)) addPart(calls, part);
    }
    // A server that sends a finish reason and then closes has said all it had to say; one without either has not.
    if (!done && finish === undefined) throw incomplete(context.origin, 'neither a finish reason nor [DONE]');
    return chatReply(sawContent ? content : null, reasoning, refusal, calls, finish, usage, context.maxTokens);
  },
};

const MOST_CALLS = 10_000;

function addPart(calls: { id?: string; name: string; arguments: unknown }[], part: ChatCall & { readonly index?: unknown }): void {
  const at = part.index ?? (part.id === undefined || part.id === calls.at(-1)?.id ? Math.max(calls.length - 1, 0) : calls.length);
  // Only a place in the list: `calls["__proto__"]` would be the list's prototype.
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > MOST_CALLS) return;
  while (calls.length <= at) calls.push({ name: '', arguments: undefined });
  const call = calls[at] as { id?: string; name: string; arguments: unknown };
  if (typeof part.id === 'string' && part.id !== '') call.id = part.id;
  if (typeof part.function?.name === 'string') call.name += part.function.name;
  const more = part.function?.arguments;
  if (typeof more === 'string') call.arguments = typeof call.arguments === 'string' ? call.arguments + more : more;
  else if (more !== undefined && more !== null) call.arguments = more;
}

function chatReply(
  content: unknown,
  reasoning: unknown,
  refusal: unknown,
  calls: readonly Partial<RawCall>[],
  finish: unknown,
  usage: TokenUsage | undefined,
  maxTokens: number | undefined,
): ModelReply {
  const wire: ChatTurn = { content };
  const truncated = finish === 'length' || finish === 'max_tokens';
  // Members are set one by one: spreads would be most of what reading a reply costs.
  const reply: { -readonly [Key in keyof ModelReply]: ModelReply[Key] } = { text: textOf(content), calls: withIds(calls), truncated, wire };
  if (typeof refusal === 'string' && refusal !== '') reply.refusal = refusal;
  else if (finish === 'content_filter') reply.refusal = FILTERED;
  if (typeof reasoning === 'string' && reasoning !== '') reply.reasoning = reasoning;
  if (usage !== undefined) reply.usage = usage;
  return finished(reply, maxTokens);
}
