// The Responses API on the wire, without server-side state: the whole history goes with every request, output items go back as they came.
import type { ModelReply, RawCall } from './model.ts';
import { errorInside, incomplete, notJson } from './openai-errors.ts';
import { argumentText, closedThroughout, FILTERED, finished, objectsIn, type ReadContext, record, textOf, usageOf, type Wire, withIds } from './openai-wire.ts';

type Item = Record<string, unknown>;

export const responsesWire: Wire = {
  path: '/responses',
  system: (text) => JSON.stringify({ role: 'system', content: text }),
  user: (text) => JSON.stringify({ role: 'user', content: text }),
  result: (result) => JSON.stringify({ type: 'function_call_output', call_id: result.callId, output: result.text }),
  reply: (reply) => {
    const items = reply.wire as readonly Item[] | undefined;
    if (items !== undefined && items.length > 0) return items.map((item) => JSON.stringify(item)).join(',');
    // Written anew where the text had thoughts taken out; its calls must stand in it all the same.
    const calls = reply.calls.map(({ id, name, arguments: given }) =>
      JSON.stringify({ type: 'function_call', call_id: id, name, arguments: argumentText(given) }),
    );
    return [...(reply.text === '' && calls.length > 0 ? [] : [JSON.stringify({ role: 'assistant', content: reply.text })]), ...calls].join(',');
  },
  emptyTextOf: () => undefined,
  head: ({ model, temperature, maxTokens, stream, extra }) =>
    JSON.stringify({
      ...extra,
      model,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
      ...(stream ? { stream: true } : {}),
    }).slice(0, -1),
  historyKey: '"input":[',
  // `strict` is on by default here and would refuse open schemas.
  tools: (tools, parallel) =>
    `,"tools":${JSON.stringify(tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters, strict: false })))}${parallel === undefined ? '' : `,"parallel_tool_calls":${parallel}`}`,
  output: (schema) => `,"text":${JSON.stringify({ format: { type: 'json_schema', name: 'answer', strict: closedThroughout(schema), schema } })}`,
  read: (text, context) => {
    const body = record(text);
    if (body === undefined) throw notJson(context.origin, text);
    return readResponse(body, text, context);
  },
  readStream: async (events, context) => {
    for await (const data of events) {
      if (data === '[DONE]') break;
      const event = record(data);
      if (event === undefined) throw notJson(context.origin, data);
      if (event.type === 'error' || (event.error !== undefined && event.error !== null && event.type === undefined))
        throw errorInside(context.origin, event.error ?? event);
      if (event.type === 'response.completed' || event.type === 'response.incomplete' || event.type === 'response.failed') {
        const [response = {}] = objectsIn([event.response]);
        return readResponse(response, data, context);
      }
    }
    throw incomplete(context.origin, 'no response.completed');
  },
};

function readResponse(body: Item, text: string, context: ReadContext): ModelReply {
  if (body.error !== undefined && body.error !== null) throw errorInside(context.origin, body.error);
  if (body.status === 'failed') throw errorInside(context.origin, 'the response failed without a reason');
  if (!Array.isArray(body.output)) throw notJson(context.origin, text);
  const items: readonly Item[] = objectsIn(body.output);
  const calls: Partial<RawCall>[] = [];
  let said = '';
  let refusal = '';
  let reasoning = '';
  for (const item of items) {
    if (item.type === 'function_call') {
      calls.push({
        ...(typeof item.call_id === 'string' ? { id: item.call_id } : {}),
        name: typeof item.name === 'string' ? item.name : '',
        arguments: item.arguments,
      });
    } else if (item.type === 'message') {
      said += textOf(item.content);
      for (const part of objectsIn(item.content)) if (typeof part.refusal === 'string') refusal += part.refusal;
    } else if (item.type === 'reasoning') reasoning += textOf(item.summary) + textOf(item.content);
  }
  const { reason } = (body.incomplete_details ?? {}) as { readonly reason?: unknown };
  if (refusal === '' && reason === 'content_filter') refusal = FILTERED;
  const whole = withIds(calls);
  const usage = usageOf(body.usage);
  return finished(
    {
      text: said,
      calls: whole,
      truncated: body.status === 'incomplete',
      ...(refusal === '' ? {} : { refusal }),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(usage === undefined ? {} : { usage }),
      wire: echoable(items, whole),
    },
    context.maxTokens,
  );
}

/** Items as the next request may carry them: each call with the id that its result will name, and arguments as text. */
function echoable(items: readonly Item[], calls: readonly RawCall[]): Item[] {
  let next = 0;
  return items.map((item) => {
    if (item.type !== 'function_call') return item;
    const call = calls[next++] as RawCall;
    return { ...item, call_id: call.id, arguments: argumentText(item.arguments) };
  });
}
