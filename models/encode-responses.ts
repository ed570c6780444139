// A reply in the shapes of the Responses API: one body, or the events of a stream. https://platform.openai.com/docs/api-reference/responses
import { argumentsOf, CREATED, type Envelope, pieces } from './encode-chat.ts';
import type { AssistantMessage } from './reply-source.ts';

export function responsesBody(message: AssistantMessage, envelope: Envelope): unknown {
  return { ...shell(message, envelope, status(message)), output: outputItems(message, envelope), usage: usage(envelope) };
}

/** Server-sent events, one string each, numbered from zero. */
export function responsesEvents(message: AssistantMessage, envelope: Envelope): string[] {
  const events: string[] = [];
  const send = (type: string, payload: Readonly<Record<string, unknown>>) => {
    events.push(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: events.length, ...payload })}\n\n`);
  };
  const open = { ...shell(message, envelope, 'in_progress'), output: [], usage: null };
  send('response.created', { response: open });
  send('response.in_progress', { response: open });
  outputItems(message, envelope).forEach((item, at) => {
    const place = { item_id: item.id, output_index: at };
    if (item.type === 'message') {
      send('response.output_item.added', { output_index: at, item: { ...item, status: 'in_progress', content: [] } });
      for (const [index, part] of item.content.entries()) {
        send('response.content_part.added', { ...place, content_index: index, part: { ...part, text: '' } });
        for (const delta of pieces(part.text)) send('response.output_text.delta', { ...place, content_index: index, delta, logprobs: [] });
        send('response.output_text.done', { ...place, content_index: index, text: part.text, logprobs: [] });
        send('response.content_part.done', { ...place, content_index: index, part });
      }
    } else {
      send('response.output_item.added', { output_index: at, item: { ...item, status: 'in_progress', arguments: '' } });
      for (const delta of pieces(String(item.arguments))) send('response.function_call_arguments.delta', { ...place, delta });
      send('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments });
    }
    send('response.output_item.done', { output_index: at, item });
  });
  send(message.finishReason === 'length' ? 'response.incomplete' : 'response.completed', { response: responsesBody(message, envelope) });
  return events;
}

type OutputItem =
  | {
      readonly type: 'message';
      readonly id: string;
      readonly role: 'assistant';
      readonly status: string;
      readonly content: readonly { readonly type: 'output_text'; readonly text: string; readonly annotations: readonly [] }[];
    }
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly call_id?: string;
      readonly name: string;
      readonly arguments: string;
      readonly status: string;
    };

/** A message without text has no parts; a turn of calls alone has no message. */
function outputItems(message: AssistantMessage, envelope: Envelope): OutputItem[] {
  if (message.absent) return [];
  const items: OutputItem[] = [];
  if (message.calls.length === 0 || (message.text ?? '') !== '') {
    const content = message.text === null ? [] : [{ type: 'output_text' as const, text: message.text, annotations: [] as const }];
    items.push({ type: 'message', id: `msg_${envelope.id}`, role: 'assistant', status: status(message), content });
  }
  message.calls.forEach((call, at) => {
    items.push({
      type: 'function_call',
      id: `fc_${envelope.id}_${at}`,
      ...(call.id === null ? {} : { call_id: call.id }),
      name: call.name,
      arguments: argumentsOf(call) as string,
      status: 'completed',
    });
  });
  return items;
}

function status(message: AssistantMessage): 'completed' | 'incomplete' {
  return message.finishReason === 'length' ? 'incomplete' : 'completed';
}

function shell(message: AssistantMessage, envelope: Envelope, state: string): Readonly<Record<string, unknown>> {
  return {
    id: `resp_${envelope.id}`,
    object: 'response',
    created_at: CREATED,
    status: state,
    error: null,
    incomplete_details: state === 'incomplete' && message.finishReason === 'length' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: envelope.model,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    user: null,
  };
}

function usage(envelope: Envelope): unknown {
  return {
    input_tokens: envelope.inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: envelope.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: envelope.inputTokens + envelope.outputTokens,
  };
}
