// A reply in the shapes of Chat Completions: one body, or the events of a stream. https://platform.openai.com/docs/api-reference/chat
import type { AssistantMessage, SaidCall } from './reply-source.ts';

/** What stands around a message on the wire. */
export interface Envelope {
  readonly id: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly includeUsage: boolean;
}

/** A fixed time: a reply must not differ from run to run. */
export const CREATED = 1_767_225_600;

export function chatBody(message: AssistantMessage, envelope: Envelope): unknown {
  return {
    id: `chatcmpl-${envelope.id}`,
    object: 'chat.completion',
    created: CREATED,
    model: envelope.model,
    choices: message.absent
      ? []
      : [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: message.text,
              ...(message.reasoning === undefined ? {} : { reasoning_content: message.reasoning }),
              refusal: null,
              ...(message.calls.length === 0
                ? {}
                : { tool_calls: message.calls.map((call) => ({ ...callHead(call), function: { name: call.name, arguments: argumentsOf(call) } })) }),
            },
            logprobs: null,
            finish_reason: message.finishReason,
          },
        ],
    usage: usage(envelope),
    system_fingerprint: null,
  };
}

/** Server-sent events, one string each: role, text in pieces, each call's name and then its arguments in pieces, the reason, usage when asked, the end mark. */
export function chatEvents(message: AssistantMessage, envelope: Envelope): string[] {
  const base = { id: `chatcmpl-${envelope.id}`, object: 'chat.completion.chunk', created: CREATED, model: envelope.model, system_fingerprint: null };
  const events: string[] = [];
  const send = (delta: unknown, finishReason: string | null = null) =>
    events.push(
      event({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], ...(envelope.includeUsage ? { usage: null } : {}) }),
    );
  if (message.absent) {
    events.push(event({ ...base, choices: [] }), 'data: [DONE]\n\n');
    return events;
  }
  send({ role: 'assistant', content: message.text === null || message.calls.length > 0 ? (message.text === '' ? '' : null) : '', refusal: null });
  if (message.reasoning !== undefined) for (const piece of pieces(message.reasoning)) send({ reasoning_content: piece });
  for (const piece of pieces(message.text ?? '')) send({ content: piece });
  message.calls.forEach((call, index) => {
    const odd = call.argumentsAs !== undefined;
    send({ tool_calls: [{ index, ...callHead(call), function: { name: call.name, arguments: odd ? argumentsOf(call) : '' } }] });
    for (const piece of odd ? [] : pieces(call.arguments)) send({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  send({}, message.finishReason);
  if (envelope.includeUsage) events.push(event({ ...base, choices: [], usage: usage(envelope) }));
  events.push('data: [DONE]\n\n');
  return events;
}

/** About a token each, as providers send them: a short run of letters with the blank before it, a few digits, or signs. No character is cut. */
export function pieces(text: string): string[] {
  return text.match(/\s*(?:[\p{L}\p{M}]{1,6}|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]{1,3})|\s+$/gu) ?? [];
}

function usage(envelope: Envelope): unknown {
  return {
    prompt_tokens: envelope.inputTokens,
    completion_tokens: envelope.outputTokens,
    total_tokens: envelope.inputTokens + envelope.outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  };
}

function callHead({ id, untyped }: SaidCall): { readonly id?: string; readonly type?: 'function' } {
  return { ...(id === null ? {} : { id }), ...(untyped ? {} : { type: 'function' }) };
}

/** As text, as the interface wants it, or as whatever a faulty server sends. */
export function argumentsOf(call: SaidCall): unknown {
  return call.argumentsAs === undefined ? call.arguments : call.argumentsAs.value;
}

function event(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}
