// A back end that hands requests to an OpenAI-compatible server and its bytes back, streamed as they come. No retry, no redirect, no header beyond the lists.
// The key lives in this process alone: it is in no message, record or log, and a server that repeats it is not repeated.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { GaugeError, messageOf } from '../base/error.ts';
import type { ModelRequest } from './read-request.ts';
import type { ReplySource, SourceAnswer } from './reply-source.ts';

/** What comes back to the client besides the body. */
const PASSED_HEADERS = ['content-type', 'retry-after', 'retry-after-ms', 'x-request-id', 'x-should-retry'];

/** @param key absent for servers that ask for none. @throws GaugeError `BAD_UPSTREAM_URL` */
export function upstreamSource(baseUrl: string, key: string | undefined): ReplySource {
  const base = checkedUrl(baseUrl);
  const secure = base.protocol === 'https:';
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const at = (path: string) => {
    const url = new URL(base);
    url.pathname = `${base.pathname.replace(/\/$/, '')}/${path}`;
    return urlToHttpOptions(url);
  };
  const [chat, responses] = [at('chat/completions'), at('responses')];
  const send = (request: ModelRequest, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(request.body);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: request.streamed ? 'text/event-stream' : 'application/json',
        // The bytes are read for the record and searched for the key.
        'accept-encoding': 'identity',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      };
      const outgoing = (secure ? httpsRequest : httpRequest)(
        { ...(request.endpoint === 'responses' ? responses : chat), method: 'POST', agent, headers, signal },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const reply = async (request: ModelRequest, signal: AbortSignal): Promise<SourceAnswer> => {
    let incoming: IncomingMessage;
    try {
      incoming = await send(request, signal);
    } catch (thrown) {
      return {
        kind: 'error',
        status: 502,
        message: `The model server at ${base.href} cannot be reached: ${causeOf(thrown)}`,
        type: 'server_error',
        code: 'upstream_unreachable',
      };
    }
    const headers = PASSED_HEADERS.flatMap((name) => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? [[name, withoutSecret(value, key)] as const] : [];
    });
    return { kind: 'relay', status: incoming.statusCode ?? 502, headers: Object.fromEntries(headers), body: key ? scrubbed(incoming, key) : incoming };
  };
  return { models: [], open: () => ({ reply, facts: () => ({ harnessErrors: [] }) }) };
}

function checkedUrl(text: string): URL {
  const remedy = 'Give the address up to and with its version, such as https://api.example.com/v1; the key comes from an environment variable.';
  if (!URL.canParse(text)) throw new GaugeError('BAD_UPSTREAM_URL', `The upstream address ${JSON.stringify(text)} is no URL.`, { remedy });
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new GaugeError('BAD_UPSTREAM_URL', `The upstream address of ${url.host} holds a user name or a password.`, { remedy });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new GaugeError('BAD_UPSTREAM_URL', `The upstream address ${url.href} has the scheme ${url.protocol} where http: or https: is expected.`, { remedy });
  }
  return url;
}

function causeOf(thrown: unknown): string {
  // Trying IPv6 and IPv4 fails as one error without words of its own.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return thrown.errors.map(messageOf).join('; ');
  return messageOf(thrown);
}

const HIDDEN = '***';

function withoutSecret(text: string, secret: string | undefined): string {
  return secret ? text.replaceAll(secret, HIDDEN) : text;
}

/** Bytes without the secret, wherever chunks are cut: only a tail that could be its beginning is held back. */
export async function* scrubbed(body: AsyncIterable<Uint8Array>, secret: string): AsyncGenerator<Uint8Array> {
  // latin1 keeps each byte one character, so that a cut inside a UTF-8 character does no harm.
  const wanted = Buffer.from(secret, 'utf8').toString('latin1');
  let held = '';
  for await (const chunk of body) {
    const text = (held + Buffer.from(chunk).toString('latin1')).replaceAll(wanted, HIDDEN);
    let keep = Math.min(wanted.length - 1, text.length);
    while (keep > 0 && !wanted.startsWith(text.slice(text.length - keep))) keep--;
    held = text.slice(text.length - keep);
    if (keep < text.length) yield Buffer.from(text.slice(0, text.length - keep), 'latin1');
  }
  if (held !== '') yield Buffer.from(held, 'latin1');
}
