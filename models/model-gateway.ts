// The loopback model server: knows a worker by the token in its URL and a trial by what the host opened for it. Records every request, counts, caps, never retries.
// What is said comes from a ReplySource; the shapes come from encode-chat.ts and encode-responses.ts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { GaugeError, messageOf } from '../base/error.ts';
import type { ModelTraffic, Reply } from '../base/traffic.ts';
import type { Replacement } from './control.ts';
import type { TokenCounter } from './count-tokens.ts';
import { chatBody, chatEvents, type Envelope } from './encode-chat.ts';
import { responsesBody, responsesEvents } from './encode-responses.ts';
import { errorBody, errorType } from './error-body.ts';
import { fixedWords } from './fixed-words.ts';
import { type CallDraft, OpenTrial, type TrialLimits } from './open-trial.ts';
import { type Endpoint, type ModelRequest, RequestError, readRequest } from './read-request.ts';
import { readRelayed } from './relay.ts';
import type { AssistantMessage, ReplySource, SourceAnswer } from './reply-source.ts';
import { holdsInstruction, wireFacts } from './wire-facts.ts';

export interface GatewayOptions {
  readonly clock: Clock;
  readonly tokens: TokenCounter;
  readonly onCapReached: (trialId: number) => void;
  /** @default 250 */
  readonly graceMs?: number;
}

interface Worker {
  trial: OpenTrial | undefined;
  strayBefore: number;
}

/** A larger body is refused with 413: no row sends one, and a runaway history must not take the gateway with it. */
const LARGEST_BODY_BYTES = 64 * 2 ** 20;
const ROUTE = /^\/w\/([^/]+)\/v1\/(chat\/completions|responses|models)\/?(?:\?.*)?$/;

export class ModelGateway {
  readonly #options: GatewayOptions;
  readonly #server: Server;
  readonly #workers = new Map<string, Worker>();
  #normalize: (text: string) => string = fixedWords([]);
  #source: ReplySource | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#accept(request, response));
    // A client that reuses a kept connection must not meet one that is just being closed, and a stream may stay silent as long as the trial lasts.
    this.#server.keepAliveTimeout = 0;
    this.#server.requestTimeout = 0;
    this.#server.headersTimeout = 0;
  }

  /** @returns the port. @throws GaugeError `GATEWAY_CANNOT_LISTEN` */
  listen(port = 0): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => {
        reject(
          new GaugeError('GATEWAY_CANNOT_LISTEN', `The model gateway cannot listen on 127.0.0.1:${port}: ${messageOf(cause)}`, {
            remedy: 'Free the port, or leave it to the system to choose one.',
            cause,
          }),
        );
      });
      this.#server.listen(port, '127.0.0.1', 1024, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  configure(source: ReplySource, replacements: readonly Replacement[]): void {
    this.#source = source;
    this.#normalize = fixedWords(replacements);
  }

  openWorker(token: string): void {
    if (!this.#workers.has(token)) this.#workers.set(token, { trial: undefined, strayBefore: 0 });
  }

  closeWorker(token: string): void {
    this.#workers.delete(token);
  }

  /** @returns requests that came since the last trial of this worker was closed. @throws GaugeError `UNKNOWN_WORKER`, `TRIAL_ALREADY_OPEN`, `GATEWAY_NOT_CONFIGURED` */
  openTrial(token: string, limits: TrialLimits): number {
    const worker = this.#worker(token);
    if (worker.trial)
      throw new GaugeError('TRIAL_ALREADY_OPEN', `Trial ${worker.trial.terms.trialId} of this worker is still open; trial ${limits.trialId} cannot begin.`);
    if (!this.#source) throw new GaugeError('GATEWAY_NOT_CONFIGURED', `Trial ${limits.trialId} cannot begin: the gateway has not been told what answers.`);
    worker.trial = new OpenTrial(limits, this.#source.open(limits));
    const { strayBefore } = worker;
    worker.strayBefore = 0;
    return strayBefore;
  }

  /** @throws GaugeError `UNKNOWN_WORKER`, `NO_SUCH_TRIAL` */
  async closeTrial(token: string, trialId: number): Promise<ModelTraffic> {
    const worker = this.#worker(token);
    const trial = this.#trial(worker, trialId);
    const traffic = await trial.close(() => this.#grace());
    worker.trial = undefined;
    return traffic;
  }

  /** @throws GaugeError `UNKNOWN_WORKER`, `NO_SUCH_TRIAL` */
  intervals(token: string, trialId: number): { readonly startMs: number; readonly endMs?: number }[] {
    return this.#trial(this.#worker(token), trialId).intervals();
  }

  #worker(token: string): Worker {
    const worker = this.#workers.get(token);
    if (!worker) throw new GaugeError('UNKNOWN_WORKER', 'No worker with this token is open at the model gateway.');
    return worker;
  }

  #trial(worker: Worker, trialId: number): OpenTrial {
    if (worker.trial?.terms.trialId !== trialId) throw new GaugeError('NO_SUCH_TRIAL', `Trial ${trialId} is not open for this worker at the model gateway.`);
    return worker.trial;
  }

  #grace(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, this.#options.graceMs ?? 250).unref();
    });
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const startMs = this.#options.clock.nowMs();
    const route = ROUTE.exec(request.url ?? '');
    const worker = route?.[1] === undefined ? undefined : this.#workers.get(route[1]);
    if (!route) return refuse(request, response, 404, `Unknown request URL: ${request.method} ${request.url}.`, 'unknown_url');
    if (!worker) return refuse(request, response, 401, 'Incorrect API key provided: the token in this address belongs to no worker.', 'invalid_api_key');
    if (route[2] === 'models') {
      if (request.method !== 'GET')
        return refuse(request, response, 405, `Not allowed to ${request.method} on /v1/models. (HINT: Perhaps you meant to use GET.)`, 'method_not_allowed');
      return sendJson(
        response,
        200,
        JSON.stringify({ object: 'list', data: (this.#source?.models ?? []).map((id) => ({ id, object: 'model', created: 0, owned_by: 'agentgauge' })) }),
      );
    }
    if (request.method !== 'POST')
      return refuse(request, response, 405, `Not allowed to ${request.method} on ${route[2]}. (HINT: Perhaps you meant to use POST.)`, 'method_not_allowed');
    const endpoint: Endpoint = route[2] === 'responses' ? 'responses' : 'chat.completions';
    const { trial } = worker;
    if (!trial) {
      worker.strayBefore++;
      return refuse(request, response, 409, 'No trial is open for this worker: the request came after its end.', 'no_open_trial');
    }
    this.#serve(request, response, trial, emptyDraft(startMs, endpoint));
  }

  #serve(request: IncomingMessage, response: ServerResponse, trial: OpenTrial, draft: CallDraft): void {
    const { capped } = trial.begin(draft, () => response.destroy());
    if (capped) this.#options.onCapReached(trial.terms.trialId);
    const left = new AbortController();
    const settlements: ((accepted: boolean) => void)[] = [];
    let settled = false;
    const settle = (accepted: boolean) => {
      if (settled) return;
      settled = true;
      // A call that its trial's end cut off keeps no end: it was open then.
      if (!draft.stray && !(draft.capped && trial.closing)) draft.endMs = this.#options.clock.nowMs();
      if (!accepted && draft.status === 0) draft.status = CLIENT_LEFT;
      for (const tell of settlements) tell(accepted);
      left.abort();
      trial.finish(draft);
    };
    response.once('finish', () => settle(true));
    response.once('close', () => settle(false));

    const chunks: Buffer[] = [];
    request.on('error', () => settle(false));
    request.on('data', (chunk: Buffer) => {
      draft.requestBytes += chunk.length;
      if (draft.requestBytes <= LARGEST_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      this.#answer(Buffer.concat(chunks), response, trial, draft, left.signal, (tell) => settlements.push(tell)).catch((thrown: unknown) => {
        if (response.headersSent || response.destroyed) return response.destroy();
        this.#sendError(response, draft, 500, `The model gateway failed: ${messageOf(thrown)}`, 'server_error', 'harness_error');
      });
    });
  }

  async #answer(
    bytes: Buffer,
    response: ServerResponse,
    trial: OpenTrial,
    draft: CallDraft,
    signal: AbortSignal,
    onSettled: (tell: (accepted: boolean) => void) => void,
  ): Promise<void> {
    if (draft.requestBytes > LARGEST_BODY_BYTES)
      return this.#sendError(response, draft, 413, `Request body of ${draft.requestBytes} bytes is too large.`, 'invalid_request_error', null);
    const request = this.#read(bytes, response, trial, draft);
    if (!request || draft.capped) return;
    if (draft.stray) return this.#sendError(response, draft, 409, 'The trial of this worker has ended.', 'invalid_request_error', 'no_open_trial');
    const answer = await trial.source.reply(request, signal);
    if (signal.aborted) return;
    if (answer.kind === 'message' && answer.settled) onSettled(answer.settled);
    await this.#send(answer, request, response, trial, draft);
  }

  /** Fills what the request alone tells. @returns `undefined` after answering a body that is no request */
  #read(bytes: Buffer, response: ServerResponse, trial: OpenTrial, draft: CallDraft): ModelRequest | undefined {
    let request: ModelRequest;
    try {
      const parsed: unknown = JSON.parse(bytes.toString('utf8'));
      if (trial.terms.keepBodies) draft.requestBody = parsed;
      request = readRequest(draft.endpoint, parsed, this.#normalize);
    } catch (thrown) {
      const known = thrown instanceof RequestError ? thrown : new RequestError(`We could not parse the JSON body of your request. (${messageOf(thrown)})`);
      if (!draft.capped) this.#sendError(response, draft, 400, known.message, 'invalid_request_error', null, known.param);
      return undefined;
    }
    draft.streamed = request.streamed;
    draft.offeredTools = request.tools.map((tool) => tool.name);
    draft.delivered = request.messages.flatMap((message) => (message.role === 'tool' ? [{ callId: message.callId ?? '', text: message.text }] : []));
    draft.instructionSeen = holdsInstruction(request, trial.terms.instruction);
    draft.inputTokens = this.#options.tokens.request(request);
    if (trial.wire.endpoint === undefined) trial.wire = wireFacts(request, trial.terms.instruction);
    return request;
  }

  async #send(answer: SourceAnswer, request: ModelRequest, response: ServerResponse, trial: OpenTrial, draft: CallDraft): Promise<void> {
    switch (answer.kind) {
      case 'message': {
        Object.assign(draft, answer.facts ?? {});
        draft.outputTokens = this.#options.tokens.reply(answer.message);
        draft.truncated = answer.message.finishReason === 'length';
        draft.reply = replyOf(answer.message);
        const envelope = {
          id: answer.id,
          model: request.model,
          inputTokens: draft.inputTokens,
          outputTokens: draft.outputTokens,
          includeUsage: request.includeUsage,
        };
        return this.#sendMessage(answer.message, envelope, request, response, trial, draft);
      }
      case 'error':
        return this.#sendError(
          response,
          draft,
          answer.status,
          answer.message,
          answer.type ?? errorType(answer.status),
          answer.code ?? null,
          null,
          answer.headers,
        );
      case 'raw':
        draft.reply = { kind: 'error', code: 'raw', message: answer.body.slice(0, 500) };
        return this.#sendText(response, draft, answer.status, { 'content-type': answer.contentType }, answer.body);
      case 'relay':
        return this.#relay(answer, request, response, trial, draft);
      case 'hang':
        return undefined;
      case 'reset':
        response.destroy();
        return undefined;
      default:
        return answer satisfies never;
    }
  }

  #sendMessage(message: AssistantMessage, envelope: Envelope, request: ModelRequest, response: ServerResponse, trial: OpenTrial, draft: CallDraft): void {
    const chat = request.endpoint === 'chat.completions';
    if (request.streamed) {
      const events = (chat ? chatEvents(message, envelope) : responsesEvents(message, envelope)).join('');
      if (trial.terms.keepBodies) draft.replyBody = events;
      return this.#sendText(response, draft, 200, EVENT_STREAM, events);
    }
    const body = chat ? chatBody(message, envelope) : responsesBody(message, envelope);
    if (trial.terms.keepBodies) draft.replyBody = body;
    this.#sendText(response, draft, 200, JSON_TYPE, JSON.stringify(body));
  }

  async #relay(
    answer: Extract<SourceAnswer, { kind: 'relay' }>,
    request: ModelRequest,
    response: ServerResponse,
    trial: OpenTrial,
    draft: CallDraft,
  ): Promise<void> {
    draft.status = answer.status;
    response.writeHead(answer.status, answer.headers);
    const received: Uint8Array[] = [];
    for await (const chunk of answer.body) {
      draft.firstByteMs ??= this.#options.clock.nowMs();
      received.push(chunk);
      draft.replyBytes += chunk.length;
      if (!response.write(chunk)) await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve));
      if (response.destroyed) break;
    }
    const text = Buffer.concat(received).toString('utf8');
    const { message, error } = readRelayed(request.endpoint, text, answer.headers['content-type'] ?? '');
    if (message) {
      draft.outputTokens = this.#options.tokens.reply(message);
      draft.truncated = message.finishReason === 'length';
      draft.reply = replyOf(message);
    } else draft.reply = { kind: 'error', code: error?.code ?? 'unreadable-reply', message: error?.message ?? text.slice(0, 500) };
    if (trial.terms.keepBodies) draft.replyBody = text;
    response.end();
  }

  #sendError(
    response: ServerResponse,
    draft: CallDraft,
    status: number,
    message: string,
    type: string,
    code: string | null,
    param: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    draft.reply = { kind: 'error', code: code ?? type, message };
    this.#sendText(response, draft, status, { ...JSON_TYPE, ...headers }, errorBody(message, type, code, param));
  }

  #sendText(response: ServerResponse, draft: CallDraft, status: number, headers: Readonly<Record<string, string>>, text: string): void {
    draft.status = status;
    draft.replyBytes = Buffer.byteLength(text);
    draft.firstByteMs = this.#options.clock.nowMs();
    response.writeHead(status, { ...headers, 'content-length': draft.replyBytes });
    response.end(text);
  }
}

/** As web servers log it: the client went away before there was a status. */
const CLIENT_LEFT = 499;
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

function emptyDraft(startMs: number, endpoint: Endpoint): CallDraft {
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
  return { kind: 'calls', text, calls: message.calls.map((call) => ({ ...call, id: call.id ?? '' })) };
}

/** Answers without a trial. The body is read away first, so that a kept connection stays usable. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string, code: string): void {
  request.resume();
  request.once('end', () => sendJson(response, status, errorBody(message, errorType(status), code)));
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  // Our refusals are final: without this mark a client library would ask three times and count as three.
  response.writeHead(status, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body), ...(status === 200 ? {} : { 'x-should-retry': 'false' }) });
  response.end(body);
}
