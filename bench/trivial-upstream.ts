// A model server for the bench `gateway`, as a process of its own: answers at once with one fixed body, or, asked to stream, holds every stream open
// until as many are open as the model's name says (`streams-1000`). Prints its port on the first line and ends with its standard input.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const head = { id: 'chatcmpl-1', created: 0, model: 'trivial' };
const usage = { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 };
const message = { role: 'assistant', content: 'The number is 48.' };
const answer = JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
const event = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const first = event({ role: 'assistant', content: 'The number' }, null);
const last = `${event({ content: ' is 48.' }, 'stop')}data: [DONE]\n\n`;
let held: ServerResponse[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const streams = /"model":"streams-(\d+)"/.exec(Buffer.concat(chunks).toString());
    if (streams === null) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }).end(answer);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    held.push(response);
    if (held.length < Number(streams[1])) return;
    const all = held;
    held = [];
    // Long enough for the client to see the first bytes of them all.
    setTimeout(() => {
      for (const open of all) open.end(last);
    }, 500);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 4_096, () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
