// What went wrong in a model request, told apart by what the caller can do about it: try again, change the request, or give up.
import { messageOf, WorkflowError } from './workflow-error.ts';

/** A failed request. `retryable`: the same request may well succeed; `retryAfterMs`: what the server asked for. */
export class RequestFailure extends WorkflowError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    message: string,
    facts: { retryable: boolean; retryAfterMs?: number | undefined; status?: number; cause?: unknown; remedy?: string },
  ) {
    super(code, message, {
      cause: facts.cause,
      ...(facts.status === undefined ? {} : { status: facts.status }),
      ...(facts.remedy === undefined ? {} : { remedy: facts.remedy }),
    });
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const CONTEXT = /context.{0,12}(length|window|size)|maximum context|prompt is too long|too many tokens/i;

/** An answer with another status than 2xx. `text` may be JSON or a proxy's HTML page. */
export function statusFailure(origin: string, status: number, text: string, headers: Headers): RequestFailure {
  const body = parsed(text);
  const told =
    field(body?.error, 'message') ?? field(body, 'message') ?? (typeof body?.error === 'string' ? body.error : undefined) ?? text.slice(0, 200).trim();
  const code = field(body?.error, 'code') ?? '';
  const message = `${origin} answered ${status}: ${told}`;
  const facts = { status, retryAfterMs: retryAfterMs(headers) };
  if (status === 413 || code === 'context_length_exceeded' || (status === 400 && CONTEXT.test(told))) {
    return new RequestFailure('context-overflow', message, { ...facts, retryable: false, remedy: 'Lower the tools’ resultLimit, or read less at a time.' });
  }
  if (status === 401 || status === 403)
    return new RequestFailure('unauthorized', message, { ...facts, retryable: false, remedy: 'Check the key and what it may do.' });
  if (status === 429) return new RequestFailure('rate-limit', message, { ...facts, retryable: code !== 'insufficient_quota' });
  if (status >= 500 || status === 408 || status === 409) return new RequestFailure('provider-error', message, { ...facts, retryable: true });
  return new RequestFailure('bad-request', message, { ...facts, retryable: false });
}

/** `fetch` itself failed: no connection, or it broke before the answer was whole. */
export function connectionFailure(origin: string, thrown: unknown): RequestFailure {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const code = field(cause, 'code');
  return new RequestFailure('model-unreachable', `no answer from ${origin}: ${code === undefined ? '' : `${code} `}${messageOf(cause)}`.trim(), {
    retryable: true,
    cause: thrown,
    remedy: 'Check that the model server runs and that the address is right.',
  });
}

export function notJson(origin: string, text: string): RequestFailure {
  return new RequestFailure('not-json', `${origin} answered 200 with something that is not a JSON object: ${text.slice(0, 200)}`, {
    retryable: false,
    remedy: 'The address may be a web page or a proxy; baseUrl should end in /v1.',
  });
}

export function incomplete(origin: string, what: string): RequestFailure {
  return new RequestFailure('incomplete-reply', `the stream of ${origin} ended before the reply was whole (${what})`, { retryable: true });
}

/** An error object inside a 200 answer or stream. */
export function errorInside(origin: string, error: unknown): RequestFailure {
  const told = typeof error === 'string' ? error : (field(error, 'message') ?? JSON.stringify(error));
  if (field(error, 'code') === 'context_length_exceeded') return new RequestFailure('context-overflow', `${origin} broke off: ${told}`, { retryable: false });
  return new RequestFailure('provider-error', `${origin} broke off: ${told}`, { retryable: true });
}

export function retryAfterMs(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const told = headers.get('retry-after') ?? '';
  const seconds = Number(told === '' ? Number.NaN : told);
  if (seconds >= 0) return seconds * 1000;
  // The other form is a point in time (RFC 9110, 10.2.3); by the server's own clock, which it sends along, so that ours does not matter.
  const waitMs = Date.parse(told) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Not JSON: the text itself is what there is to tell.
    return undefined;
  }
}

function field(value: unknown, key: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const member = (value as Record<string, unknown>)[key];
  return typeof member === 'string' ? member : undefined;
}
