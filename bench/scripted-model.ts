// A model server for benchmarks, as a process of its own: it asks for `look_up` as often as the model's name says (`tools-5`), then answers.
// Prints its port on the first line and ends with its standard input.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const usage = { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 };
const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'scripted', usage };
const calls = JSON.stringify({
  ...head,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"door":"seventh"}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
});
const answer = JSON.stringify({ ...head, choices: [{ index: 0, message: { role: 'assistant', content: 'The number is 48.' }, finish_reason: 'stop' }] });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; messages: readonly { role: string }[] };
    const wanted = Number(body.model.slice('tools-'.length));
    const given = body.messages.filter(({ role }) => role === 'tool').length;
    response.writeHead(200, { 'content-type': 'application/json' }).end(given < wanted ? calls : answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
