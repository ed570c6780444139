// A model server for benchmarks, as a process of its own: it asks for `look_up` as often as the address or the model's name says (`/tools-5/v1`, `tools-5`), then answers.
// Chat Completions, whole and streamed, and Responses, whole. Prints its port on the first line and ends with its standard input.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER = 'The number is 48.';
const call = { name: 'look_up', arguments: '{"door":"seventh"}' };
const chat = { created: 0, model: 'scripted' };
const usage = { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 };

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role?: string }[];
  readonly input?: readonly { readonly type?: string }[];
}

/** Every reply and every call has an id of its own: LangGraph puts a second message of the same id in the place of the first. */
let replies = 0;

function wholeReply(id: string | undefined): string {
  const message =
    id === undefined ? { role: 'assistant', content: ANSWER } : { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: call }] };
  const finish = id === undefined ? 'stop' : 'tool_calls';
  return JSON.stringify({ id: `chatcmpl-${replies}`, ...chat, object: 'chat.completion', usage, choices: [{ index: 0, message, finish_reason: finish }] });
}

function streamedReply(id: string | undefined): string {
  const delta =
    id === undefined
      ? { role: 'assistant', content: ANSWER }
      : { role: 'assistant', content: null, tool_calls: [{ index: 0, id, type: 'function', function: call }] };
  const finish = id === undefined ? 'stop' : 'tool_calls';
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify({ id: `chatcmpl-${replies}`, ...chat, object: 'chat.completion.chunk', ...chunk })}\n\n`).join('')}data: [DONE]\n\n`;
}

function responsesReply(id: string | undefined): string {
  const text = { type: 'output_text', text: ANSWER, annotations: [] };
  const item =
    id === undefined
      ? { type: 'message', id: `msg_${replies}`, role: 'assistant', status: 'completed', content: [text] }
      : { type: 'function_call', id: `fc_${id}`, call_id: id, status: 'completed', ...call };
  const counts = { input_tokens: 50, output_tokens: 20, total_tokens: 70 };
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  return JSON.stringify({
    ...{ id: `resp_${replies}`, object: 'response', created_at: 0, status: 'completed', model: 'scripted', error: null, incomplete_details: null },
    output: [item],
    usage: { ...counts, ...details },
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { model, stream = false, messages = [], input = [] } = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    const { url = '' } = request;
    replies++;
    const wanted = Number(/tools-(\d+)/.exec(`${url} ${model}`)?.[1]);
    const given = messages.filter(({ role }) => role === 'tool').length + input.filter(({ type }) => type === 'function_call_output').length;
    const id = given < wanted ? `call_${given + 1}` : undefined;
    if (url.endsWith('/responses')) response.writeHead(200, { 'content-type': 'application/json' }).end(responsesReply(id));
    else if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamedReply(id));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(wholeReply(id));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
