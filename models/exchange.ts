// One request of an open trial, from its first byte to its last: read, counted, capped, answered and entered in the ledger. Never retried.
// What is said comes from the trial's source; the shapes come from encode-chat.ts and encode-responses.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import { endResponse } from '../base/last-byte.ts';
import type { Breakage } from '../base/script.ts';
import { CLIENT_LEFT, type ModelCall, type Reply } from '../base/traffic.ts';
import type { LatencyChoice } from './control.ts';
import type { TokenCounter } from './count-tokens.ts';
import { chatBody, chatEvents } from './encode-chat.ts';
import { responsesBody, responsesEvents } from './encode-responses.ts';
import { errorBody, errorType } from './error-body.ts';
import { handOn, lengthOf } from './hand-on.ts';
import { deliveredResults } from './history-text.ts';
import { type Wait, waitFor } from './latency.ts';
import type { CallDraft, OpenTrial } from './open-trial.ts';
import { type Endpoint, type ModelRequest, RequestError, readRequest } from './read-request.ts';
import { readRelayed } from './relay.ts';
import type { AssistantMessage, SaidCall, SourceAnswer } from './reply-source.ts';
import { holdsInstruction, wireFacts } from './wire-facts.ts';

export interface ExchangeTools {
  readonly clock: Clock;
  readonly tokens: TokenCounter;
  /** Puts fixed words in place of what differs from machine to machine. */
  readonly normalize: (text: string) => string;
  readonly onCapReached: (trialId: number) => void;
  readonly onCall?: (call: ModelCall) => void;
  /** @default zero */
  readonly latency?: LatencyChoice;
}

/** A larger body is refused with 413: no row sends one, and a runaway history must not take the gateway with it. */
const LARGEST_BODY_BYTES = 64 * 2 ** 20;

export class Exchange {
  readonly #response: ServerResponse;
  readonly #trial: OpenTrial;
  readonly #draft: CallDraft;
  readonly #tools: ExchangeTools;
  readonly #left = new AbortController();
  #onSettled: ((accepted: boolean) => void) | undefined;
  #settled = false;

  constructor(response: ServerResponse, trial: OpenTrial, draft: CallDraft, tools: ExchangeTools) {
    this.#response = response;
    this.#trial = trial;
    this.#draft = draft;
    this.#tools = tools;
  }

  serve(request: IncomingMessage): void {
    const { capped } = this.#trial.begin(this.#draft, () => this.#response.destroy());
    if (capped) this.#tools.onCapReached(this.#trial.terms.trialId);
    this.#response.once('finish', () => this.#settle(true));
    this.#response.once('close', () => this.#settle(false));
    const chunks: Buffer[] = [];
    request.on('error', () => this.#settle(false));
    request.on('data', (chunk: Buffer) => {
      this.#draft.requestBytes += chunk.length;
      if (this.#draft.requestBytes <= LARGEST_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      this.#answer(Buffer.concat(chunks)).catch((thrown: unknown) => this.#fail(thrown));
    });
  }

  /** The client has the last byte, or went away before it. */
  #settle(accepted: boolean, atMs = this.#tools.clock.nowMs()): void {
    if (this.#settled) return;
    this.#settled = true;
    const draft = this.#draft;
    // A call that its trial's end cut off keeps no end: it was open then.
    if (!draft.stray && !(draft.capped && this.#trial.closing)) draft.endMs = atMs;
    if (!accepted && draft.status === 0) draft.status = CLIENT_LEFT;
    this.#onSettled?.(accepted);
    if (!accepted) this.#left.abort();
    this.#trial.finish(draft);
    this.#tools.onCall?.(draft);
  }

  async #answer(bytes: Buffer): Promise<void> {
    if (this.#draft.requestBytes > LARGEST_BODY_BYTES) {
      return this.#sendError({ status: 413, message: `Request body of ${this.#draft.requestBytes} bytes is too large.`, code: 'request_too_large' });
    }
    const request = this.#read(bytes);
    if (!request) return;
    if (this.#draft.capped || this.#draft.stray) this.#examine(request);
    if (this.#draft.capped) return;
    if (this.#draft.stray) return this.#sendError({ status: 409, message: 'The trial of this worker has ended.', code: 'no_open_trial' });
    // The source first: while a model server is at work, there is time to count.
    const [answer] = await Promise.all([this.#trial.source.reply(request, this.#left.signal), afterSending(() => this.#examine(request))]);
    if (this.#settled) {
      if (answer.kind === 'message') answer.settled?.(false);
      return;
    }
    await this.#send(answer, request);
  }

  /** @returns `undefined` after answering a body that is no request */
  #read(bytes: Buffer): ModelRequest | undefined {
    const draft = this.#draft;
    const { terms } = this.#trial;
    let request: ModelRequest;
    try {
      const parsed: unknown = JSON.parse(bytes.toString('utf8'));
      if (terms.keepBodies) draft.requestBody = parsed;
      request = readRequest(draft.endpoint, parsed, this.#tools.normalize);
    } catch (thrown) {
      const known = thrown instanceof RequestError ? thrown : new RequestError(`We could not parse the JSON body of your request. (${messageOf(thrown)})`);
      if (!draft.capped) this.#sendError({ status: 400, message: known.message, code: null, param: known.param });
      return undefined;
    }
    draft.streamed = request.streamed;
    return request;
  }

  #examine(request: ModelRequest): void {
    const draft = this.#draft;
    const { terms } = this.#trial;
    draft.offeredTools = request.tools.map((tool) => tool.name);
    draft.delivered = deliveredResults(request.messages);
    draft.instructionSeen = holdsInstruction(request, terms.instruction);
    draft.inputTokens = this.#tools.tokens.request(request);
    if (this.#trial.wire.endpoint === undefined) this.#trial.wire = wireFacts(request, terms.instruction, [terms.systemText ?? '', terms.instruction]);
  }

  async #send(answer: SourceAnswer, request: ModelRequest): Promise<void> {
    switch (answer.kind) {
      case 'message':
        this.#onSettled = answer.settled;
        return this.#sendMessage(answer, request);
      case 'error':
        return this.#sendError({ ...answer, code: answer.code ?? null });
      case 'raw': {
        const { contentType, body } = (request.streamed ? answer.streamed : undefined) ?? answer;
        this.#draft.reply = { kind: 'error', code: 'raw', message: body.slice(0, 500) };
        return this.#sendText(answer.status, { 'content-type': contentType }, body);
      }
      case 'relay':
        return this.#relay(answer, request);
      case 'hang':
        return undefined;
      case 'reset':
        this.#response.destroy();
        return undefined;
      default:
        return answer satisfies never;
    }
  }

  async #sendMessage(answer: Extract<SourceAnswer, { kind: 'message' }>, request: ModelRequest): Promise<void> {
    const { message, id, facts, usage } = answer;
    const draft = this.#draft;
    Object.assign(draft, facts ?? {});
    if (message.absent) draft.reply = { kind: 'error', code: 'no-message', message: 'The reply held no message.' };
    else this.#note(message);
    const envelope = {
      id,
      model: request.model,
      ...(usage ?? { inputTokens: draft.inputTokens, outputTokens: draft.outputTokens }),
      includeUsage: request.includeUsage,
    };
    const chat = request.endpoint === 'chat.completions';
    const { latency } = this.#tools;
    const wait = latency === undefined || latency.kind === 'zero' ? undefined : waitFor(latency, request.model, id, draft.outputTokens);
    if (answer.broken !== undefined) {
      const whole = request.streamed
        ? (chat ? chatEvents(message, envelope) : responsesEvents(message, envelope)).join('')
        : JSON.stringify(chat ? chatBody(message, envelope) : responsesBody(message, envelope));
      return this.#sendBroken(Buffer.from(whole), answer.broken, request.streamed ? EVENT_STREAM : JSON_TYPE);
    }
    if (request.streamed)
      return this.#sendEvents(chat ? chatEvents(message, envelope) : responsesEvents(message, envelope), wait, answer.bytewise ? 1 : STREAM_PART);
    if (wait) await this.#rest(wait.firstTokenMs + wait.restMs);
    if (this.#settled) return;
    const body = chat ? chatBody(message, envelope) : responsesBody(message, envelope);
    if (this.#trial.terms.keepBodies) draft.replyBody = body;
    this.#sendText(200, JSON_TYPE, JSON.stringify(body));
  }

  /** As a stream comes: in pieces that end anywhere, also inside an event or a character; with a latency over its time. */
  async #sendEvents(events: readonly string[], wait: Wait | undefined, partBytes: number): Promise<void> {
    const draft = this.#draft;
    const response = this.#response;
    const bytes = Buffer.from(events.join(''));
    if (wait) await this.#rest(wait.firstTokenMs);
    if (this.#settled) return;
    draft.status = 200;
    draft.replyBytes = bytes.length;
    if (this.#trial.terms.keepBodies) draft.replyBody ??= bytes.toString('utf8');
    draft.firstByteMs = this.#tools.clock.nowMs();
    response.writeHead(200, EVENT_STREAM);
    const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
    for (let at = 0; at < parts; at++) {
      if (at > 0 && wait) await this.#rest(wait.restMs / (parts - 1));
      if (response.destroyed) return;
      const part = bytes.subarray(at * partBytes, (at + 1) * partBytes);
      if (at < parts - 1) response.write(part);
      else this.#end(part);
    }
  }

  /** Half of a reply: nobody can have read it, so it is none. */
  #sendBroken(whole: Buffer, how: Breakage, headers: Readonly<Record<string, string>>): void {
    const response = this.#response;
    const half = whole.subarray(0, Math.floor(whole.length / 2));
    this.#draft.reply = { kind: 'error', code: `broken-${how}`, message: 'The reply broke off half-way.' };
    this.#draft.status = 200;
    this.#draft.replyBytes = half.length;
    response.writeHead(200, headers);
    if (how === 'stops') {
      response.write(half, () => setImmediate(() => response.destroy()));
      return;
    }
    this.#end(half);
  }

  /** Waits so long, or until the client has left. */
  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#left;
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
    });
  }

  /** Hands bytes on as they come; reads them for the record only when the client has them all. */
  async #relay(answer: Extract<SourceAnswer, { kind: 'relay' }>, request: ModelRequest): Promise<void> {
    const draft = this.#draft;
    const response = this.#response;
    draft.status = answer.status;
    response.writeHead(answer.status, { ...answer.headers, ...lengthOf(answer.body) });
    // A stream may be silent for long before its first byte; a whole reply comes with its headers in one piece.
    const type = answer.headers['content-type'] ?? '';
    if (type.includes('text/event-stream')) response.flushHeaders();
    const received: Uint8Array[] = [];
    const last = await handOn(answer.body, response, (piece) => {
      draft.firstByteMs ??= this.#tools.clock.nowMs();
      received.push(piece);
      draft.replyBytes += piece.length;
    });
    // The client need not wait while we read: the record is filled in this same turn, before anyone can ask for it.
    this.#end(last);
    const text = Buffer.concat(received).toString('utf8');
    const { message, error } = readRelayed(request.endpoint, text, type);
    if (message) this.#note(message);
    else draft.reply = { kind: 'error', code: error?.code ?? 'unreadable-reply', message: error?.message ?? text.slice(0, 500) };
    if (this.#trial.terms.keepBodies) draft.replyBody = text;
  }

  #note(message: AssistantMessage): void {
    this.#draft.outputTokens = this.#tools.tokens.reply(message);
    this.#draft.truncated = message.finishReason === 'length';
    if (message.reasoning !== undefined) this.#draft.reasoning = true;
    this.#draft.reply = replyOf(message);
  }

  #fail(thrown: unknown): void {
    if (!this.#response.headersSent && !this.#response.destroyed) {
      return this.#sendError({ status: 500, message: `The model gateway failed: ${messageOf(thrown)}`, code: 'harness_error' });
    }
    this.#draft.reply = { kind: 'error', code: 'broken-off', message: messageOf(thrown) };
    this.#response.destroy();
  }

  #sendError(error: {
    readonly status: number;
    readonly message: string;
    readonly code: string | null;
    readonly type?: string;
    readonly param?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
  }): void {
    const type = error.type ?? errorType(error.status);
    this.#draft.reply = { kind: 'error', code: error.code ?? type, message: error.message };
    this.#sendText(error.status, { ...JSON_TYPE, ...error.headers }, errorBody(error.message, type, error.code, error.param ?? null));
  }

  #sendText(status: number, headers: Readonly<Record<string, string>>, text: string): void {
    this.#draft.status = status;
    if (this.#trial.terms.keepBodies) this.#draft.replyBody ??= text;
    this.#draft.replyBytes = Buffer.byteLength(text);
    this.#draft.firstByteMs = this.#tools.clock.nowMs();
    this.#response.writeHead(status, { ...headers, 'content-length': this.#draft.replyBytes });
    this.#end(text);
  }

  #end(last?: string | Uint8Array): void {
    endResponse(this.#response, last, this.#tools.clock, (accepted, atMs) => this.#settle(accepted, atMs));
  }
}

/** A request that was just made is written in the next tick; what comes after it waits for that. */
function afterSending(work: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    process.nextTick(() => {
      try {
        resolve(work());
      } catch (thrown) {
        reject(thrown);
      }
    });
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** Bytes of one write of a stream: a prime, so that its ends fall anywhere. */
const STREAM_PART = 1_021;
const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

export function emptyDraft(startMs: number, endpoint: Endpoint): CallDraft {
  return {
    startMs,
    status: 0,
    inputTokens: 0,
    outputTokens: 0,
    requestBytes: 0,
    replyBytes: 0,
    endpoint,
    streamed: false,
    offeredTools: [],
    truncated: false,
    reply: { kind: 'error', code: 'unanswered', message: 'This request was never answered.' },
    delivered: [],
    instructionSeen: false,
  };
}

function replyOf(message: AssistantMessage): Reply {
  const text = message.text ?? '';
  if (message.calls.length === 0) return { kind: 'text', text };
  return { kind: 'calls', text, calls: message.calls.map((call) => ({ id: call.id ?? '', name: call.name, arguments: argumentsText(call) })) };
}

/** What came in the place of a text, spelt as one. */
function argumentsText({ arguments: text, argumentsAs }: SaidCall): string {
  return argumentsAs === undefined ? text : (JSON.stringify(argumentsAs.value) ?? '');
}
