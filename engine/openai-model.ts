// An OpenAI-compatible model on `fetch`: Chat Completions or Responses, whole or streamed. The history is serialised once and only grows.

import { pause } from './clock.ts';
import type { Conversation, ConversationBrief, ConversationScope, Model, ModelReply } from './model.ts';
import { chatWire } from './openai-chat.ts';
import { connectionFailure, RequestFailure, statusFailure } from './openai-errors.ts';
import { responsesWire } from './openai-responses.ts';
import type { EmptyText, Wire, WireSettings } from './openai-wire.ts';
import { type RetryPolicy, retryDelayMs } from './retry.ts';
import { readEventData } from './sse.ts';
import { WorkflowError } from './workflow-error.ts';

export interface OpenAiModelOptions {
  /** Address up to and including the version, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** @default 'chat' */
  readonly api?: 'chat' | 'responses';
  /** @default false */
  readonly stream?: boolean;
  readonly temperature?: number;
  /** Most tokens of one reply. */
  readonly maxTokens?: number;
  /** Newer OpenAI models want the second. @default 'max_tokens' */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly parallelToolCalls?: boolean;
  /** Longest time of one request, answer included. @default the limits of `fetch` itself (300 s in Node) */
  readonly timeoutMs?: number;
  /** For lost connections, 408, 409, 429, 5xx and streams that break off; `Retry-After` is honoured. @default 3 attempts, 250 ms doubling to 8 s */
  readonly retry?: Partial<Omit<RetryPolicy, 'when'>>;
  /** How a turn without text is spelled at first; on a 400 that speaks of it the other is tried once. @default 'echo' */
  readonly emptyText?: EmptyText;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of every request body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
}

/** How a text of server-sent events begins. */
const EVENTS = /^\s*(data|event|id|retry|):/;

/** What a 400 says when it is about the spelling of a turn without text; any other 400 is not asked again. */
const ABOUT_CONTENT = /content|null|empty/i;

const DEFAULT_RETRY: RetryPolicy = { attempts: 3, backoffMs: 250, maxBackoffMs: 8_000 };

/** @throws WorkflowError `INVALID_OPTIONS` when `baseUrl` is no http address or `model` is empty. */
export function openaiModel(options: OpenAiModelOptions): Model {
  const wire = options.api === 'responses' ? responsesWire : chatWire;
  const url = addressOf(options.baseUrl, wire.path);
  if (typeof options.model !== 'string' || options.model === '')
    throw new WorkflowError('INVALID_OPTIONS', 'openaiModel needs the name of a model', { remedy: 'Pass { model: "…" }.' });
  const settings: WireSettings = {
    model: options.model,
    temperature: options.temperature,
    maxTokens: options.maxTokens,
    maxTokensField: options.maxTokensField,
    stream: options.stream ?? false,
    extra: options.extra ?? {},
  };
  const headers = {
    'content-type': 'application/json',
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  };
  const endpoint: Endpoint = {
    url,
    origin: new URL(url).origin,
    wire,
    head: `${wire.head(settings)},${wire.historyKey}`,
    headers,
    maxTokens: options.maxTokens,
    timeoutMs: options.timeoutMs,
    streams: settings.stream,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    parallel: options.parallelToolCalls,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    briefTexts: new WeakMap(),
    emptyText: options.emptyText ?? 'echo',
  };
  return { name: options.model, open: (brief, scope) => openConversation(endpoint, brief, scope) };
}

interface Endpoint {
  readonly url: string;
  readonly origin: string;
  readonly wire: Wire;
  readonly head: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxTokens: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly streams: boolean;
  readonly retry: RetryPolicy;
  readonly parallel: boolean | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** System text, tools and output schema as JSON text, made once for each agent. */
  readonly briefTexts: WeakMap<ConversationBrief, BriefTexts>;
  /** What this server was found to take; learned once, kept for later conversations. */
  emptyText: EmptyText;
}

type Turn = string | ModelReply;

function openConversation(endpoint: Endpoint, brief: ConversationBrief, scope: ConversationScope): Conversation {
  const { wire } = endpoint;
  /** Turns as text, and replies as they were, should their spelling have to change. */
  const turns: Turn[] = [];
  let history = '';
  let spelling = endpoint.emptyText;
  let respelled = false;
  const add = (turn: Turn) => {
    turns.push(turn);
    history += `${history === '' ? '' : ','}${typeof turn === 'string' ? turn : wire.reply(turn, spelling)}`;
  };
  const texts = textsOf(endpoint, brief);
  if (texts.system !== '') add(texts.system);

  /** Spells empty turns the other way, if there are any; once a conversation. Gives what was changed. */
  const respell = (): string | undefined => {
    if (respelled) return undefined;
    respelled = true;
    const empty = turns.find((turn): turn is ModelReply => typeof turn !== 'string' && wire.emptyTextOf(turn) !== undefined);
    if (empty === undefined) return undefined;
    const before = spelling === 'echo' ? wire.emptyTextOf(empty) : spelling;
    spelling = before === 'empty' ? 'null' : 'empty';
    history = turns.map((turn) => (typeof turn === 'string' ? turn : wire.reply(turn, spelling))).join(',');
    return `empty text as ${spelling === 'null' ? 'null' : '""'}`;
  };

  const attemptSignal = newAttemptSignal(scope, endpoint.timeoutMs);
  return {
    addUser: (text) => add(wire.user(text)),
    addReply: (reply) => add(reply),
    addResults: (results) => {
      for (const result of results) add(wire.result(result));
    },
    close: attemptSignal.close,
    ask: async (withTools) => {
      let adapted = false;
      for (let attempt = 1; ; attempt++) {
        const body = `${endpoint.head}${history}]${withTools ? texts.tools : ''}${texts.output}}`;
        try {
          const reply = await send(endpoint, body, attemptSignal);
          if (adapted) endpoint.emptyText = spelling;
          return reply;
        } catch (thrown) {
          if (scope.signal.aborted) throw scope.signal.reason;
          const failure = thrown instanceof RequestFailure ? thrown : connectionFailure(endpoint.origin, thrown);
          if (failure.status === 400 && failure.code === 'bad-request' && ABOUT_CONTENT.test(failure.message) && !adapted) {
            const change = respell();
            if (change === undefined) throw failure;
            adapted = true;
            scope.notice({ type: 'request-adapted', change, message: failure.message });
            continue;
          }
          const delayMs = failure.retryable ? retryDelayMs(endpoint.retry, attempt, failure, scope.random) : undefined;
          if (delayMs === undefined) throw failure;
          scope.notice({ type: 'request-retry', attempt, delayMs, code: failure.code, message: failure.message });
          await pause(scope.clock, delayMs, scope.signal);
        }
      }
    },
  };
}

async function send(endpoint: Endpoint, body: string, attempt: AttemptSignal): Promise<ModelReply> {
  const signal = attempt.start();
  try {
    const response = await endpoint.fetch(endpoint.url, { method: 'POST', headers: endpoint.headers, body, signal });
    if (!response.ok) throw statusFailure(endpoint.origin, response.status, await response.text(), response.headers);
    // Whoever was asked to stream may answer whole, and the other way round; the head of a whole answer tells nothing that its first letters do not.
    if (endpoint.streams && response.body !== null && (response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
      return await endpoint.wire.readStream(readEventData(response.body), endpoint);
    const text = await response.text();
    if (text.charCodeAt(0) === 123 || !EVENTS.test(text)) return endpoint.wire.read(text, endpoint);
    return await endpoint.wire.readStream(readEventData(new Blob([text]).stream()), endpoint);
  } catch (thrown) {
    if (attempt.timedOut()) throw new RequestFailure('timeout', `no whole answer from ${endpoint.origin} within ${endpoint.timeoutMs} ms`, { retryable: true });
    throw thrown;
  } finally {
    attempt.stop();
  }
}

interface AttemptSignal {
  start(): AbortSignal;
  stop(): void;
  timedOut(): boolean;
  close(): void;
}

/** The node's own signal where no time-out is set; otherwise one controller for the conversation, replaced only after a time-out has used it up. */
function newAttemptSignal(scope: ConversationScope, timeoutMs: number | undefined): AttemptSignal {
  if (timeoutMs === undefined) return { start: () => scope.signal, stop: () => {}, timedOut: () => false, close: () => {} };
  let controller = new AbortController();
  let timedOut = false;
  let cancel = () => {};
  const leave = scope.onAbort((reason) => {
    cancel();
    controller.abort(reason);
  });
  return {
    start: () => {
      if (timedOut) controller = new AbortController();
      timedOut = false;
      cancel = scope.clock.after(timeoutMs, () => {
        timedOut = true;
        controller.abort();
      });
      return controller.signal;
    },
    stop: () => cancel(),
    timedOut: () => timedOut,
    close: () => {
      cancel();
      leave();
    },
  };
}

interface BriefTexts {
  readonly system: string;
  readonly tools: string;
  readonly output: string;
}

function textsOf(endpoint: Endpoint, brief: ConversationBrief): BriefTexts {
  const known = endpoint.briefTexts.get(brief);
  if (known !== undefined) return known;
  const { system, tools, output } = brief;
  const texts = {
    system: system === undefined || system === '' ? '' : endpoint.wire.system(system),
    tools: tools.length === 0 ? '' : endpoint.wire.tools(tools, endpoint.parallel),
    output: output === undefined ? '' : endpoint.wire.output(output),
  };
  endpoint.briefTexts.set(brief, texts);
  return texts;
}

function addressOf(baseUrl: string, path: string): string {
  let url: URL | undefined;
  try {
    url = new URL(baseUrl);
  } catch {
    // Told below with the value and what is expected.
  }
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new WorkflowError('INVALID_OPTIONS', `baseUrl must be an http or https address, found ${JSON.stringify(baseUrl)}`, {
      remedy: 'Pass something like "http://127.0.0.1:8080/v1".',
    });
  }
  return baseUrl.replace(/\/+$/, '') + path;
}
