// The loopback model server: knows a worker by the token in its URL and a trial by what the host opened for it. Records every request, counts, caps, never retries.
// What is said comes from a ReplySource; the shapes come from encode-chat.ts and encode-responses.ts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { GaugeError, messageOf } from '../base/error.ts';
import { StrayCount, type StrayWork } from '../base/stray-count.ts';
import type { ModelCall, ModelTraffic } from '../base/traffic.ts';
import type { LatencyChoice, Replacement } from './control.ts';
import type { TokenCounter } from './count-tokens.ts';
import { embeddingsBody } from './embeddings.ts';
import { errorBody, errorType } from './error-body.ts';
import { Exchange, emptyDraft } from './exchange.ts';
import { fixedWords } from './fixed-words.ts';
import { OpenTrial, type TrialLimits } from './open-trial.ts';
import { type Endpoint, RequestError } from './read-request.ts';
import type { ReplySource } from './reply-source.ts';

export interface GatewayOptions {
  readonly clock: Clock;
  readonly onCapReached: (trialId: number) => void;
  /** @default 250 */
  readonly graceMs?: number;
  /** For a gateway without a host: the trial that begins with the first request under a token that nobody opened (no token: the empty one). */
  readonly openAlone?: (token: string) => TrialLimits;
  /** Told of every request that was answered or left. */
  readonly onCall?: (call: ModelCall) => void;
}

/** What the host decides after the gateway listens. */
export interface GatewaySettings {
  readonly source: ReplySource;
  readonly tokens: TokenCounter;
  readonly replacements: readonly Replacement[];
  /** @default zero */
  readonly latency?: LatencyChoice;
}

/** Without a host: so many trials are kept, then the oldest begins anew. */
const MOST_ALONE = 1_000;

interface Worker {
  trial: OpenTrial | undefined;
  readonly stray: StrayCount;
}

const ROUTE = /^(?:\/w\/([^/]+))?\/v1\/(chat\/completions|responses|models|embeddings)\/?(?:\?.*)?$/;
/** Each trial has a key of its own, so that what a framework sends after a trial's end is not taken for the next trial's. */
const KEY_OF_TRIAL = /^Bearer key-of-trial-(\d+)$/;

export class ModelGateway {
  readonly #options: GatewayOptions;
  readonly #server: Server;
  readonly #workers = new Map<string, Worker>();
  #settings: (GatewaySettings & { readonly normalize: (text: string) => string }) | undefined;

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

  configure(settings: GatewaySettings): void {
    this.#settings = { ...settings, normalize: fixedWords(settings.replacements) };
  }

  openWorker(token: string): void {
    if (!this.#workers.has(token)) this.#workers.set(token, { trial: undefined, stray: new StrayCount() });
  }

  closeWorker(token: string): void {
    this.#workers.delete(token);
  }

  /** @returns requests that came since, and no trial took. @throws GaugeError `UNKNOWN_WORKER`, `TRIAL_ALREADY_OPEN`, `GATEWAY_NOT_CONFIGURED` */
  openTrial(token: string, limits: TrialLimits): StrayWork {
    const worker = this.#worker(token);
    if (worker.trial)
      throw new GaugeError('TRIAL_ALREADY_OPEN', `Trial ${worker.trial.terms.trialId} of this worker is still open; trial ${limits.trialId} cannot begin.`);
    if (!this.#settings) throw new GaugeError('GATEWAY_NOT_CONFIGURED', `Trial ${limits.trialId} cannot begin: the gateway has not been told what answers.`);
    worker.trial = new OpenTrial(limits, this.#settings.source.open(limits));
    return worker.stray.open(limits.trialId);
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
    const [, token, asked] = route ?? [];
    const [, trialId] = KEY_OF_TRIAL.exec(request.headers.authorization ?? '') ?? [];
    const worker = route === null ? undefined : this.#workerOf(token);
    if (!route || (asked === 'embeddings' && this.#settings?.source.embeds !== true))
      return refuse(request, response, 404, `Unknown request URL: ${request.method} ${request.url}.`, 'unknown_url');
    if (!worker) return refuse(request, response, 401, 'Incorrect API key provided: the token in this address belongs to no worker.', 'invalid_api_key');
    if (asked === 'models') {
      if (request.method !== 'GET')
        return refuse(request, response, 405, `Not allowed to ${request.method} on /v1/models. (HINT: Perhaps you meant to use GET.)`, 'method_not_allowed');
      return sendJson(
        response,
        200,
        JSON.stringify({
          object: 'list',
          data: (this.#settings?.source.models ?? []).map((id) => ({ id, object: 'model', created: 0, owned_by: 'agentgauge' })),
        }),
      );
    }
    if (request.method !== 'POST')
      return refuse(request, response, 405, `Not allowed to ${request.method} on ${asked}. (HINT: Perhaps you meant to use POST.)`, 'method_not_allowed');
    const { trial } = worker;
    const isLate = trial === undefined || (trialId !== undefined && trialId !== String(trial.terms.trialId));
    if (asked === 'embeddings') return this.#embed(request, response, isLate ? undefined : trial);
    const endpoint: Endpoint = asked === 'responses' ? 'responses' : 'chat.completions';
    if (isLate || !this.#settings) {
      worker.stray.add(trialId);
      return refuse(request, response, 409, 'No trial is open for this worker: the request came after its end.', 'no_open_trial');
    }
    const draft = emptyDraft(startMs, endpoint);
    if (trialId === undefined && !this.#options.openAlone) draft.keyless = true;
    const { onCall, openAlone } = this.#options;
    const whenOver = (call: ModelCall) => {
      onCall?.(call);
      if (openAlone) trial.forget(draft);
    };
    new Exchange(response, trial, draft, { ...this.#options, ...this.#settings, onCall: whenOver }).serve(request);
  }

  /** A worker that the host opened; without a host one for each token, with a trial of its own. */
  #workerOf(token: string | undefined): Worker | undefined {
    const { openAlone } = this.#options;
    if (!openAlone) return token === undefined ? undefined : this.#workers.get(token);
    const name = token ?? '';
    if (!this.#workers.has(name) && this.#settings) {
      const [oldest] = this.#workers.keys();
      if (this.#workers.size >= MOST_ALONE && oldest !== undefined) this.closeWorker(oldest);
      this.openWorker(name);
      this.openTrial(name, openAlone(name));
    }
    return this.#workers.get(name);
  }

  /** No model call: it counts for no cap, and its trial says how many there were. */
  #embed(request: IncomingMessage, response: ServerResponse, trial: OpenTrial | undefined): void {
    const settings = this.#settings;
    if (!trial || !settings) return refuse(request, response, 409, 'No trial is open for this worker: the request came after its end.', 'no_open_trial');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        const { body, inputTokens } = embeddingsBody(JSON.parse(Buffer.concat(chunks).toString('utf8')), settings.tokens);
        trial.embeddings.requests++;
        trial.embeddings.inputTokens += inputTokens;
        sendJson(response, 200, JSON.stringify(body));
      } catch (thrown) {
        const param = thrown instanceof RequestError ? thrown.param : null;
        sendJson(response, 400, errorBody(messageOf(thrown), errorType(400), null, param));
      }
    });
  }
}

/** Answers without a trial. The body is read away first, so that a kept connection stays usable. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string, code: string): void {
  request.resume();
  request.once('end', () => sendJson(response, status, errorBody(message, errorType(status), code)));
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  // Our refusals are final: without this mark a client library would ask three times and count as three.
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(status === 200 ? {} : { 'x-should-retry': 'false' }),
  });
  response.end(body);
}
