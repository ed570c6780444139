// Reads what another server answered, after it was handed on: a JSON body or a stream of events, of either endpoint. For the record only; the client got the bytes.

import { asRecord, type Endpoint } from './read-request.ts';
import type { AssistantMessage, SaidCall } from './reply-source.ts';

export interface Relayed {
  readonly message?: AssistantMessage;
  readonly error?: { readonly code: string; readonly message: string };
}

/** @returns neither field when the bytes are no reply of this endpoint */
export function readRelayed(endpoint: Endpoint, text: string, contentType: string): Relayed {
  if (contentType.includes('text/event-stream')) return endpoint === 'chat.completions' ? chatFromEvents(eventsOf(text)) : responsesFromEvents(eventsOf(text));
  const body = asRecord(parsed(text));
  if (!body) return {};
  const error = asRecord(body.error);
  if (error) return errorOf(error);
  return endpoint === 'chat.completions' ? chatFromBody(body) : responsesFromBody(body);
}

/** Payloads of a server-sent event stream, in order, without the end mark. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function eventsOf(text: string): unknown[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) =>
      block
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '' && data !== '[DONE]')
    .map(parsed);
}

function chatFromBody(body: Readonly<Record<string, unknown>>): Relayed {
  const choice = asRecord(list(body.choices)[0]);
  const message = asRecord(choice?.message);
  if (!choice || !message) return {};
  const text = typeof message.content === 'string' ? message.content : null;
  return { message: turn(text, list(message.tool_calls).map(chatCall), choice.finish_reason, thoughtOf(message)) };
}

function chatFromEvents(events: readonly unknown[]): Relayed {
  let text: string | null = null;
  let thought: string | undefined;
  let reason: unknown;
  const calls: { id: string | null; name: string; arguments: string }[] = [];
  for (const event of events) {
    const error = asRecord(asRecord(event)?.error);
    if (error) return errorOf(error);
    const choice = asRecord(list(asRecord(event)?.choices)[0]);
    const delta = asRecord(choice?.delta);
    reason = choice?.finish_reason ?? reason;
    if (typeof delta?.content === 'string') text = (text ?? '') + delta.content;
    const more = thoughtOf(delta);
    if (more !== undefined) thought = (thought ?? '') + more;
    for (const part of list(delta?.tool_calls)) {
      const at = Number(asRecord(part)?.index ?? calls.length);
      const piece = chatCall(part);
      const call = calls[at] ?? { id: null, name: '', arguments: '' };
      calls[at] = { id: call.id ?? piece.id, name: call.name + piece.name, arguments: call.arguments + piece.arguments };
    }
  }
  return events.length === 0 ? {} : { message: turn(text, calls.filter(Boolean), reason, thought) };
}

function responsesFromBody(body: Readonly<Record<string, unknown>>): Relayed {
  if (!Array.isArray(body.output)) return {};
  const items = body.output.map(asRecord);
  const texts = items.flatMap((item) => (item?.type === 'message' ? list(item.content) : [])).map((part) => asRecord(part)?.text);
  const calls = items
    .filter((item) => item?.type === 'function_call')
    .map((item): SaidCall => ({ id: textOr(item?.call_id, null), name: textOr(item?.name, ''), arguments: textOr(item?.arguments, '') }));
  const thoughts = items.filter((item) => item?.type === 'reasoning');
  const told = thoughts.flatMap((item) => [...list(item?.summary), ...list(item?.content)]).map((part) => textOr(asRecord(part)?.text, ''));
  const reason = body.status === 'incomplete' ? 'length' : undefined;
  return { message: turn(texts.length === 0 ? null : texts.join(''), calls, reason, thoughts.length === 0 ? undefined : told.join('')) };
}

function responsesFromEvents(events: readonly unknown[]): Relayed {
  for (const event of [...events].reverse()) {
    const whole = asRecord(asRecord(event)?.response);
    const error = asRecord(whole?.error) ?? (asRecord(event)?.type === 'error' ? asRecord(event) : undefined);
    if (error) return errorOf(error);
    if (whole && Array.isArray(whole.output) && whole.status !== 'in_progress') return responsesFromBody(whole);
  }
  return {};
}

function chatCall(entry: unknown): SaidCall {
  const call = asRecord(entry);
  const wanted = asRecord(call?.function);
  return { id: textOr(call?.id, null), name: textOr(wanted?.name, ''), arguments: textOr(wanted?.arguments, '') };
}

function turn(text: string | null, calls: readonly SaidCall[], reason: unknown, reasoning: string | undefined): AssistantMessage {
  const finishReason = reason === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return { text, calls, finishReason, ...(reasoning === undefined ? {} : { reasoning }) };
}

/** Servers name the field in two ways; an empty one says nothing. */
function thoughtOf(message: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return [message?.reasoning_content, message?.reasoning].find((thought): thought is string => typeof thought === 'string' && thought !== '');
}

function errorOf(error: Readonly<Record<string, unknown>>): Relayed {
  return { error: { code: textOr(error.code, textOr(error.type, 'error')), message: textOr(error.message, '') } };
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the caller reports an unreadable reply.
  }
}
