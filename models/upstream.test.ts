import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { chatBody, chatEvents } from './encode-chat.ts';
import { responsesBody, responsesEvents } from './encode-responses.ts';
import { ModelGateway } from './model-gateway.ts';
import { readRelayed } from './relay.ts';
import { scrubbed, upstreamSource } from './upstream.ts';

const KEY = 'sk-secret-0123456789';
const ENVELOPE = { id: 'x', model: 'm', inputTokens: 1, outputTokens: 1, includeUsage: true };
const MESSAGE = {
  text: 'Nine böats, I think.',
  calls: [{ id: 'c1', name: 'add', arguments: '{"a":1,"b":"zwölf Stück und mehr davon"}' }],
  finishReason: 'tool_calls',
} as const;

let upstream: Server;
let upstreamUrl: string;
let gateway: ModelGateway;
let tokens: TokenCounter;
let url: string;
let respond: (request: IncomingMessage, response: ServerResponse, body: string) => void;
let seen: { readonly request: IncomingMessage; readonly body: string }[] = [];
let trialId = 0;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ request, body });
      respond(request, response, body);
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  gateway = new ModelGateway({ clock: systemClock, onCapReached: () => {} });
  tokens = await loadTokenCounter();
  gateway.configure({ source: upstreamSource(upstreamUrl, KEY), tokens, replacements: [] });
  gateway.openWorker('tok');
  url = `http://127.0.0.1:${await gateway.listen()}/w/tok/v1`;
});
afterAll(async () => {
  await gateway.close();
  upstream.closeAllConnections();
  upstream.close();
});
afterEach(() => {
  seen = [];
});

const open = () => gateway.openTrial('tok', { trialId: ++trialId, seed: 1, trialIndex: 0, instruction: '', cap: 9, keepBodies: true });
const close = () => gateway.closeTrial('tok', trialId);
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
const chat = { model: 'm', messages: [{ role: 'user', content: 'How many?' }], temperature: 0.5 };

test('a stream that comes one byte at a time goes through unchanged, is read, and is counted by our own tokenizer', async () => {
  const stream = chatEvents(MESSAGE, ENVELOPE).join('');
  respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const byte of Buffer.from(stream)) response.write(Buffer.from([byte]));
    response.end();
  };
  open();
  const reply = await post('chat/completions', { ...chat, stream: true });
  expect(await reply.text()).toBe(stream);
  const [call] = (await close()).calls;
  expect(call?.reply).toEqual({ kind: 'calls', text: MESSAGE.text, calls: MESSAGE.calls });
  expect(call?.outputTokens).toBeGreaterThan(10);
  expect(call?.replyBytes).toBe(Buffer.byteLength(stream));
  expect(call?.firstByteMs).toBeLessThanOrEqual(call?.endMs ?? 0);
});

test('both endpoints are read back as they were said, whole and streamed, and with any line ends', () => {
  const whole = readRelayed('responses', JSON.stringify(responsesBody(MESSAGE, ENVELOPE)), 'application/json');
  const streamed = readRelayed('responses', responsesEvents(MESSAGE, ENVELOPE).join(''), 'text/event-stream');
  expect([whole.message, streamed.message]).toEqual([MESSAGE, MESSAGE]);
  const windows = chatEvents(MESSAGE, ENVELOPE).join('').replaceAll('\n', '\r\n');
  expect(readRelayed('chat.completions', windows, 'text/event-stream').message).toEqual(MESSAGE);
  expect(readRelayed('chat.completions', '<html>', 'text/html')).toEqual({});
  const thoughtful = { text: 'Five.', calls: [], finishReason: 'stop', reasoning: 'Let me count the boats once more.' } as const;
  expect(readRelayed('chat.completions', JSON.stringify(chatBody(thoughtful, ENVELOPE)), 'application/json').message).toEqual(thoughtful);
  expect(readRelayed('chat.completions', chatEvents(thoughtful, ENVELOPE).join(''), 'text/event-stream').message).toEqual(thoughtful);
  const item = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Counting.' }] };
  expect(readRelayed('responses', JSON.stringify({ status: 'completed', output: [item] }), 'application/json').message).toMatchObject({
    text: null,
    reasoning: 'Counting.',
  });
});

test('the body goes on as it was sent, with our key, and no header of the client beside it', async () => {
  respond = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-request-id': 'r1' }).end('{"choices":[{"message":{"content":"x"}}]}');
  open();
  const reply = await post('chat/completions', { ...chat, odd: { key: 1 } }, { authorization: 'Bearer theirs', 'x-odd': '1' });
  await reply.text();
  const [arrived] = seen;
  expect(JSON.parse(arrived?.body ?? '')).toEqual({ ...chat, odd: { key: 1 } });
  expect(arrived?.request.url).toBe('/v1/chat/completions');
  expect(arrived?.request.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  expect(arrived?.request.headers).not.toHaveProperty('x-odd');
  expect(reply.headers.get('x-request-id')).toBe('r1');
  expect(reply.headers.get('set-cookie')).toBeNull();
  expect(JSON.stringify(await close())).not.toContain(KEY);
});

test('a server that repeats the key is not repeated', async () => {
  respond = (_, response) =>
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `Incorrect key ${KEY}.`, code: 'invalid_api_key' } }));
  open();
  const reply = await post('chat/completions', chat);
  expect(reply.status).toBe(401);
  expect(await reply.json()).toEqual({ error: { message: 'Incorrect key ***.', code: 'invalid_api_key' } });
  const traffic = await close();
  expect(traffic.calls[0]).toMatchObject({ status: 401, reply: { kind: 'error', code: 'invalid_api_key' } });
  expect(JSON.stringify(traffic)).not.toContain(KEY);
});

test('the key is found wherever chunks cut it, and nothing else is held back or changed', async () => {
  const text = `ü ${KEY} sk-secret-01 ${KEY}${KEY}s`;
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 7, 20, 500]) {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const parts: Uint8Array[] = [];
    for await (const part of scrubbed(chunks(), KEY)) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('ü *** sk-secret-01 ******s');
  }
});

test('M3.6: a failing server is asked once: the gateway never retries, and follows no redirect', async () => {
  open();
  respond = (_, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"boom"}}');
  expect((await post('chat/completions', chat)).status).toBe(500);
  respond = (_, response) => response.writeHead(302, { location: `${upstreamUrl}/elsewhere` }).end();
  expect((await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(chat), redirect: 'manual' })).status).toBe(302);
  expect(seen).toHaveLength(2);
  expect((await close()).calls.map((call) => call.status)).toEqual([500, 302]);
});

test('a server that breaks off in the middle breaks the client off, and the record says so', async () => {
  respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[]}\n\n', () => response.destroy());
  };
  open();
  await expect(post('chat/completions', { ...chat, stream: true }).then((reply) => reply.text())).rejects.toThrow();
  expect((await close()).calls[0]?.reply).toMatchObject({ kind: 'error', code: 'broken-off' });
});

/** A client reads the first event of a stream, and leaves; the server hears of it. */
async function leaveStream(): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    respond = (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n');
      request.socket.once('close', () => resolve());
    };
  });
  open();
  const leave = new AbortController();
  const reply = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify({ ...chat, stream: true }), signal: leave.signal });
  leave.abort();
  await reply.text().catch(() => undefined);
  await ended;
  expect((await close()).calls[0]?.stray).toBeUndefined();
}

test('a client that leaves ends the request to the server', leaveStream);

/** What one server says when no key has to be kept out of it. */
describe('without a key', () => {
  beforeAll(() => gateway.configure({ source: upstreamSource(upstreamUrl, undefined), tokens, replacements: [] }));
  afterAll(() => gateway.configure({ source: upstreamSource(upstreamUrl, KEY), tokens, replacements: [] }));

  test('a whole reply keeps the length that its server gave it, and a stream goes on byte by byte', async () => {
    const whole = JSON.stringify(chatBody(MESSAGE, ENVELOPE));
    respond = (_, response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) }).end(whole);
    open();
    const reply = await post('chat/completions', chat);
    expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)));
    expect(await reply.text()).toBe(whole);
    const stream = chatEvents(MESSAGE, ENVELOPE).join('');
    respond = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(stream)) response.write(Buffer.from([byte]));
      response.end();
    };
    expect(await (await post('chat/completions', { ...chat, stream: true })).text()).toBe(stream);
    const said = { kind: 'calls', text: MESSAGE.text, calls: MESSAGE.calls };
    expect((await close()).calls).toMatchObject([
      { reply: said, replyBytes: Buffer.byteLength(whole), replyBody: whole },
      { reply: said, replyBytes: Buffer.byteLength(stream), replyBody: stream },
    ]);
  });

  test('a client that leaves ends the request to the server all the same', leaveStream);

  test('a reply of megabytes waits for a client that reads slowly', async () => {
    const large = JSON.stringify({ choices: [{ message: { content: 'x'.repeat(8_000_000) }, finish_reason: 'stop' }] });
    respond = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(large);
    open();
    const reply = await post('chat/completions', chat);
    let bytes = 0;
    for await (const piece of reply.body as ReadableStream<Uint8Array>) bytes += piece.length;
    expect(bytes).toBe(large.length);
    expect((await close()).calls).toMatchObject([{ status: 200, replyBytes: large.length, reply: { kind: 'text' } }]);
  });

  test('a server that breaks off in the middle breaks the client off, whether it had said a length or not', async () => {
    open();
    for (const headers of [{ 'content-type': 'text/event-stream' }, { 'content-type': 'application/json', 'content-length': '500' }]) {
      respond = (_, response) => {
        response.writeHead(200, headers);
        response.write('data: {"choices":[]}\n\n', () => response.destroy());
      };
      await expect(post('chat/completions', chat).then((reply) => reply.text())).rejects.toThrow();
    }
    const brokenOff = { reply: { kind: 'error', code: 'broken-off' } };
    expect((await close()).calls).toMatchObject([brokenOff, brokenOff]);
  });
});

test('a server that is not there is named with its cause, in the shape of the real service', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  gateway.configure({ source: upstreamSource(`http://127.0.0.1:${port}/v1`, KEY), tokens, replacements: [] });
  open();
  const reply = await post('chat/completions', chat);
  expect(reply.status).toBe(502);
  expect(await reply.json()).toEqual({
    error: {
      message: `The model server at http://127.0.0.1:${port}/v1 cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
      type: 'server_error',
      param: null,
      code: 'upstream_unreachable',
    },
  });
  expect((await close()).calls[0]?.reply).toMatchObject({ code: 'upstream_unreachable' });
  gateway.configure({ source: upstreamSource(upstreamUrl, KEY), tokens, replacements: [] });
});

test.each([
  ['api.example.com', 'The upstream address "api.example.com" is no URL.'],
  ['ftp://x/v1', 'The upstream address ftp://x/v1 has the scheme ftp: where http: or https: is expected.'],
  ['http://me:secret@x/v1', 'The upstream address of x holds a user name or a password.'],
])('the address %s is refused', (address, message) => {
  expect(() => upstreamSource(address, undefined)).toThrow(message);
});
