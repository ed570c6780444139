// HTTP over a real socket: what is tried again, what is told of failures, and that time-outs and aborts end the request on the wire.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { manualClock, settle } from '../fixtures/manual-clock.ts';
import { startWebServer, used, type WebServer } from '../fixtures/use-connector.ts';
import { type HttpConnectorOptions, httpConnector } from './http.ts';

let server: WebServer | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers in this order, the last one for ever. */
async function web(options: Partial<HttpConnectorOptions>, ...answers: readonly Answer[]) {
  const asked: string[] = [];
  server = await startWebServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    asked.push(`${request.method} ${request.url}${body === '' ? '' : ` ${request.headers['content-type']} ${body}`}`);
    answers[Math.min(asked.length, answers.length) - 1]?.(response, request);
  });
  return { connector: httpConnector({ name: 'web', baseUrls: [server.origin], ...options }), asked };
}

const text =
  (body: string | Uint8Array, type = 'text/plain'): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('no');
const hang: Answer = () => {};

test('an answer that may be another later is asked for again, after the wait that the server asks for', async () => {
  const clock = manualClock();
  const { connector, asked } = await web({ clock, random: () => 1 }, status(503, { 'retry-after': '7' }), status(429), text('here'));
  const value = used(connector, (client) => client.get('a', { query: { z: 1, a: 'x y' } }));
  const untilRetried = async (times: number) => {
    while (connector.counts().retries < times) await settle();
  };
  await untilRetried(1);
  await clock.advance(6_999);
  expect(asked.length).toBe(1);
  await clock.advance(1);
  await untilRetried(2);
  await clock.advance(400);
  expect(await value).toMatchObject({ status: 200, contentType: 'text/plain', body: 'here' });
  expect(asked).toEqual(Array(3).fill('GET /a?a=x+y&z=1'));
  expect(clock.waiting).toBe(0);
});

test('a refusal is final, names address and status, and says nothing of the body', async () => {
  const { connector, asked } = await web({}, status(404));
  let failure: unknown;
  await used(connector, (client) =>
    client.get('a?b=1').catch((error) => {
      failure = error;
      return { value: 1 };
    }),
  );
  expect(failure).toMatchObject({ code: 'connector-failed', status: 404, message: `${server?.origin}/a answered 404` });
  expect(asked.length).toBe(1);
});

test('what changes something is sent once, as text or as JSON, and follows no redirect', async () => {
  const { connector, asked } = await web({}, text('ok'), text('ok'), status(503), status(302, { location: '/elsewhere' }));
  expect(await used(connector, (client) => client.send('POST', 'a', { x: 1 }))).toMatchObject({ body: 'ok' });
  expect(await used(connector, (client) => client.send('PUT', 'a', 'plain'))).toMatchObject({ body: 'ok' });
  expect(await used(connector, (client) => client.send('DELETE', 'a'))).toBe('connector-failed');
  expect(await used(connector, (client) => client.send('POST', 'a', 'x'))).toBe('connector-refused');
  expect(asked).toEqual(['POST /a application/json {"x":1}', 'PUT /a text/plain;charset=utf-8 plain', 'DELETE /a', 'POST /a text/plain;charset=utf-8 x']);
});

test('a time-out and an abort end the request on the wire; a connection that breaks is tried again', async () => {
  const clock = manualClock();
  // Time passes once a request has come.
  const slow = await web({ clock, timeoutMs: 30, retry: { attempts: 2, backoffMs: 1 } }, () => void clock.advance(40));
  expect(await used(slow.connector, (client) => client.get('a'))).toBe('timeout');
  while (server?.dropped() !== 2) await settle();
  expect(slow.asked.length).toBe(2);
  server?.close();

  const half: Answer = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setImmediate(() => response.destroy());
  };
  const broken = await web({ retry: { backoffMs: 1 } }, half, text('whole'));
  expect(await used(broken.connector, (client) => client.get('a'))).toMatchObject({ body: 'whole' });
  server?.close();

  const hanging = await web({}, hang);
  const controller = new AbortController();
  const stopped = used(hanging.connector, (client) => client.get('a'), { signal: controller.signal });
  while (hanging.asked.length === 0) await settle();
  controller.abort();
  expect(await stopped).toBe('cancelled');
  while (server?.dropped() !== 1) await settle();
  expect(hanging.connector.counts()).toMatchObject({ atWork: 0, waiting: 0 });
});

test('a body is read by the character set that it names', async () => {
  const { connector } = await web(
    {},
    text(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), 'text/plain; charset=iso-8859-1'),
    text('café', 'text/plain; charset=nobody-knows'),
  );
  expect(await used(connector, (client) => client.get('a'))).toMatchObject({ body: 'café' });
  expect(await used(connector, (client) => client.get('b'))).toMatchObject({ body: 'café' });
});
