// HTTP behind an allow list: whatever is not below one of the given addresses is never asked, also not by way of a redirect. GET is safe, others are sent once.

import type { Held } from '../connector.ts';
import { connectionFailure, RequestFailure, retryAfterMs } from '../openai-errors.ts';
import { show, WorkflowError } from '../workflow-error.ts';
import type { CallPolicy } from './call-policy.ts';
import { connector, type ManagedConnector } from './make-connector.ts';
import { tooLarge } from './managed-call.ts';

export interface HttpConnectorOptions extends CallPolicy {
  /** Addresses that may be asked, with all below them. Paths stand on the first. */
  readonly baseUrls: readonly [string, ...string[]];
  /** Sent to the first address and what is below it, such as a key. They are in no event and no prompt. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest body of an answer. @default 1 MiB */
  readonly maxBytes?: number;
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
}

export interface HttpReply {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
}

export interface HttpAsk {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Media types that are wanted. */
  readonly accept?: string;
}

export interface HttpClient {
  /** `path` may be a whole address. An answer other than 2xx is an error. */
  get(path: string, ask?: HttpAsk): Promise<Held<HttpReply>>;
  /** A request that may change something: neither cached nor tried again. A body that is no text is sent as JSON. */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, ask?: HttpAsk): Promise<Held<HttpReply>>;
}

const MOST_REDIRECTS = 5;

/** @throws WorkflowError `INVALID_OPTIONS` for an address that is none */
export function httpConnector(options: HttpConnectorOptions): ManagedConnector<HttpClient> {
  const bases = (options.baseUrls as readonly string[]).map((base) => baseOf(base));
  const first = bases[0];
  if (first === undefined) throw new WorkflowError('INVALID_OPTIONS', 'an HTTP connector needs `baseUrls`', { remedy: 'Pass baseUrls: ["https://…/"].' });
  const { headers = {}, maxBytes = 2 ** 20, fetch = (input, init) => globalThis.fetch(input, init) } = options;

  const requestOf = (method: string, path: string, { query = {}, accept }: HttpAsk = {}, body?: unknown): HttpRequest => {
    const url = allowed(path, first);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
    url.searchParams.sort();
    url.hash = '';
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const contentType = text === undefined ? undefined : text === body ? 'text/plain;charset=utf-8' : 'application/json';
    return {
      method,
      url: url.href,
      ...(accept === undefined ? {} : { accept }),
      ...(contentType === undefined || text === undefined ? {} : { contentType, body: text }),
    };
  };

  return connector<HttpRequest, HttpReply, HttpClient>(
    options,
    {
      answer: async (request, signal) => {
        for (let [at, hops] = [new URL(request.url), 0]; ; hops++) {
          const reply = await send(request, at, signal);
          const next = reply.status >= 300 && reply.status < 400 ? reply.headers.get('location') : null;
          if (next === null) return read(reply, at, signal);
          await reply.body?.cancel();
          if (request.method !== 'GET' || hops === MOST_REDIRECTS)
            throw new WorkflowError(
              'connector-refused',
              `${at.origin} redirects ${request.method} to ${show(next)}${hops === 0 ? '' : ` after ${hops} redirects`}`,
            );
          at = allowed(next, at);
        }
      },
      mayPass: (error) => error instanceof WorkflowError && (error.code === 'timeout' || (error instanceof RequestFailure && error.retryable)),
      textOf: ({ body }) => body,
    },
    (call) => ({
      get: async (path, ask) => call(requestOf('GET', path, ask), true),
      send: async (method, path, body, ask) => call(requestOf(method, path, ask, body), false),
    }),
  );

  async function send({ method, accept, contentType, body }: HttpRequest, at: URL, signal: AbortSignal): Promise<Response> {
    const sent = {
      ...(below(at, first as URL) ? headers : {}),
      ...(accept === undefined ? {} : { accept }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    };
    try {
      return await fetch(at.href, { method, headers: sent, signal, redirect: 'manual', ...(body === undefined ? {} : { body }) });
    } catch (thrown) {
      throw unreachable(at, thrown, signal);
    }
  }

  async function read(reply: Response, at: URL, signal: AbortSignal): Promise<{ value: HttpReply; bytes: number }> {
    if (!reply.ok) {
      await reply.body?.cancel();
      const retryable = reply.status >= 500 || reply.status === 408 || reply.status === 429;
      throw new RequestFailure('connector-failed', `${at.origin}${at.pathname} answered ${reply.status}`, {
        retryable,
        status: reply.status,
        retryAfterMs: retryAfterMs(reply.headers),
      });
    }
    const parts: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const part of reply.body ?? []) {
        bytes += part.length;
        if (bytes > maxBytes) throw tooLarge(`the answer of ${at.origin}${at.pathname}`, maxBytes);
        parts.push(part);
      }
    } catch (thrown) {
      throw thrown instanceof WorkflowError ? thrown : unreachable(at, thrown, signal);
    }
    const contentType = reply.headers.get('content-type') ?? '';
    const value = Object.freeze({ url: at.href, status: reply.status, contentType, body: decoderOf(contentType).decode(Buffer.concat(parts)) });
    return { value, bytes };
  }

  /** @throws WorkflowError `connector-refused` unless it is on the list */
  function allowed(path: string, from: URL): URL {
    const url = URL.canParse(path, from) ? new URL(path, from) : undefined;
    // Some servers take a slash that is written as %2f for one, so that dots behind it climb.
    const climbs = url === undefined || /(\.|%2e){2}(%2f|%5c)|(%2f|%5c)(\.|%2e){2}/i.test(url.pathname);
    if (url !== undefined && !climbs && url.username === '' && url.password === '' && bases.some((base) => below(url, base))) return url;
    throw new WorkflowError(
      'connector-refused',
      `${show(url?.origin === undefined ? path : url.origin + url.pathname)} is not below an address that connector "${options.name}" may ask`,
      {
        remedy: `It may ask ${bases.join(', ')}.`,
      },
    );
  }
}

function below(url: URL, base: URL): boolean {
  return url.origin === base.origin && url.pathname.startsWith(base.pathname);
}

/** An address with a closing slash, so that `/v1` does not allow `/v10`. */
function baseOf(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '' || url.password !== '') {
    throw new WorkflowError('INVALID_OPTIONS', `${show(base)} is no http address without query and user`, {
      remedy: 'Pass baseUrls: ["https://api.example.com/v1/"].',
    });
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  url.hash = '';
  return url;
}

function unreachable(at: URL, thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const { message, cause } = connectionFailure(at.origin, thrown);
  return new RequestFailure('connector-failed', message, { retryable: true, cause });
}

/** Of the character set that the answer names; UTF-8 for one that nobody knows. */
function decoderOf(contentType: string): TextDecoder {
  const [, label = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
