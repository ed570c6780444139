// What a run tells: events while it runs, one union that can be written as JSON with the stream that carries it, and counts at its end.
// No listener, no event: the shell asks first and makes the object after.

import type { ReplyFault } from './agent-node.ts';
import type { CallCounts } from './connector.ts';
import type { ModelReply, TokenUsage } from './model.ts';

/** How a node ended. Skipped by a branch (no way led to it) and skipped after a failure are two different things. */
export type NodeOutcome = 'completed' | 'failed' | 'skipped-by-branch' | 'skipped-after-failure' | 'cancelled';

export type RunEvent = { readonly atMs: number } & (
  | { readonly type: 'run-start'; readonly workflow: string; readonly nodes: number }
  | { readonly type: 'node-start'; readonly node: string; readonly attempt: number }
  | { readonly type: 'node-retry'; readonly node: string; readonly attempt: number; readonly delayMs: number; readonly code: string; readonly message: string }
  /** Its attempts are used up; what takes its place begins, as one attempt more. */
  | { readonly type: 'node-fallback'; readonly node: string; readonly attempt: number; readonly code: string; readonly message: string }
  | {
      readonly type: 'node-end';
      readonly node: string;
      readonly outcome: NodeOutcome;
      readonly code?: string;
      readonly message?: string;
      /** Told by the checkpoint; the node did not run now. */
      readonly restored?: boolean;
    }
  | { readonly type: 'node-waiting'; readonly node: string; readonly question?: string }
  | { readonly type: 'model-start'; readonly node: string; readonly iteration: number; readonly tools: boolean }
  | {
      readonly type: 'model-end';
      readonly node: string;
      readonly iteration: number;
      readonly calls: number;
      readonly truncated: boolean;
      readonly usage?: TokenUsage;
      /** What the model gave: a stored trace is also the recording that `replay` plays. */
      readonly reply: Pick<ModelReply, 'text' | 'calls' | 'refusal' | 'reasoning'>;
    }
  | {
      readonly type: 'request-retry';
      readonly node: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: 'request-adapted'; readonly node: string; readonly change: string; readonly message: string }
  | { readonly type: 'reply-fault'; readonly node: string; readonly code: ReplyFault; readonly message: string; readonly tool?: string }
  | { readonly type: 'tool-start'; readonly node: string; readonly tool: string; readonly callId: string }
  | {
      readonly type: 'tool-end';
      readonly node: string;
      readonly tool: string;
      readonly callId: string;
      readonly ok: boolean;
      readonly chars: number /** What the model is shown. */;
      readonly text: string;
      readonly code?: string;
    }
  | { readonly type: 'connector-start'; readonly node: string; readonly connector: string; readonly request: string }
  | {
      readonly type: 'connector-retry';
      readonly node: string;
      readonly connector: string;
      readonly request: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: 'connector-end';
      readonly node: string;
      readonly connector: string;
      /** As JSON text, without what the connector was made with (such as keys in its headers). */
      readonly request: string;
      readonly ok: boolean;
      /** `call`: by a call of its own; `shared`: by that of an equal request; `stand-in`: by what `execute` was given in its place. */
      readonly from: 'call' | 'shared' | 'cache' | 'stand-in';
      readonly attempts: number;
      readonly bytes: number;
      /** The value as text that `replay` reads, and its digest; a value without such a form has neither. */
      readonly result?: string;
      readonly digest?: string;
      readonly code?: string;
      readonly message?: string;
    }
  | { readonly type: 'run-end'; readonly status: 'completed' | 'failed' | 'cancelled' | 'waiting'; readonly trace?: TraceEnd }
);

/** The digest of a trace, or what made timing matter. */
export type TraceEnd = { readonly hash: string } | { readonly cutShort: string };

/** Events that may wait for a slow listener before the run starts no further node. */
const MOST_WAITING = 1024;

export class EventStream implements AsyncIterableIterator<RunEvent> {
  #waiting: RunEvent[] = [];
  #head = 0;
  #asked: ((step: IteratorResult<RunEvent, undefined>) => void)[] = [];
  #ended = false;
  readonly #drained: () => void;
  readonly #left: (stream: EventStream) => void;

  /** `drained` is called when a full stream has room again, `left` when the listener goes. */
  constructor(drained: () => void, left: (stream: EventStream) => void) {
    this.#drained = drained;
    this.#left = left;
  }

  get full(): boolean {
    return this.#waiting.length - this.#head >= MOST_WAITING;
  }

  push(event: RunEvent): void {
    const asked = this.#asked.shift();
    if (asked !== undefined) asked({ done: false, value: event });
    else this.#waiting.push(event);
  }

  end(): void {
    this.#ended = true;
    for (const asked of this.#asked.splice(0)) asked({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<RunEvent, undefined>> {
    if (this.#head < this.#waiting.length) {
      const wasFull = this.full;
      const value = this.#waiting[this.#head++] as RunEvent;
      if (this.#head === this.#waiting.length || this.#head > MOST_WAITING) {
        this.#waiting.splice(0, this.#head);
        this.#head = 0;
      }
      if (wasFull && !this.full) this.#drained();
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#asked.push(resolve));
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.#waiting = [];
    this.#head = 0;
    this.end();
    this.#left(this);
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export interface RunUsage extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Model requests sent again after a lost connection, a 5xx or their like. */
  readonly requestRetries: number;
}

/** Counts as a checkpoint keeps them. */
export interface Counts {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly requestRetries: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly known: boolean;
  readonly faults: readonly (readonly [string, number])[];
  readonly connectors?: readonly (readonly [string, CallCounts])[];
}

export function newCallCounts(): CallCounts {
  return { requests: 0, hits: 0, misses: 0, shared: 0, retries: 0, timeouts: 0, errors: 0, waited: 0, bytes: 0 };
}

export class Tally {
  modelCalls = 0;
  toolCalls = 0;
  requestRetries = 0;
  #faults: Map<string, number> | undefined;
  #connectors: Map<string, CallCounts> | undefined;
  #input = 0;
  #output = 0;
  #known = true;

  /** One reply that came. One without counts makes the sums unknown. */
  reply(usage: TokenUsage | undefined): void {
    this.modelCalls++;
    if (usage?.inputTokens === undefined || usage.outputTokens === undefined) this.#known = false;
    else {
      this.#input += usage.inputTokens;
      this.#output += usage.outputTokens;
    }
  }

  fault(code: string): void {
    this.#faults ??= new Map();
    this.#faults.set(code, (this.#faults.get(code) ?? 0) + 1);
  }

  /** `undefined` while there is nothing to count. */
  counts(): Counts | undefined {
    const { modelCalls, toolCalls, requestRetries } = this;
    if (modelCalls === 0 && toolCalls === 0 && requestRetries === 0 && this.#connectors === undefined) return undefined;
    const connectors = this.#connectors === undefined ? {} : { connectors: [...this.#connectors] };
    const tokens = { inputTokens: this.#input, outputTokens: this.#output, known: this.#known };
    return { modelCalls, toolCalls, requestRetries, ...tokens, faults: [...(this.#faults ?? [])], ...connectors };
  }

  /** Goes on from what an earlier execution of the run had counted. */
  restore(counts: Counts | undefined): void {
    if (counts === undefined) return;
    this.modelCalls = counts.modelCalls;
    this.toolCalls = counts.toolCalls;
    this.requestRetries = counts.requestRetries;
    this.#input = counts.inputTokens;
    this.#output = counts.outputTokens;
    this.#known = counts.known;
    this.#faults = new Map(counts.faults);
    for (const [name, counted] of counts.connectors ?? []) Object.assign(this.connector(name), counted);
  }

  /** To be counted up by the connector. */
  connector(name: string): CallCounts {
    this.#connectors ??= new Map();
    let counts = this.#connectors.get(name);
    if (counts === undefined) {
      counts = newCallCounts();
      this.#connectors.set(name, counts);
    }
    return counts;
  }

  /** By name, a copy each; `undefined` when none was used. */
  connectors(): Readonly<Record<string, Readonly<CallCounts>>> | undefined {
    return this.#connectors && Object.fromEntries([...this.#connectors].map(([name, counts]) => [name, { ...counts }]));
  }

  usage(): RunUsage {
    const { modelCalls, toolCalls, requestRetries } = this;
    return { modelCalls, toolCalls, requestRetries, ...(this.#known && modelCalls > 0 ? { inputTokens: this.#input, outputTokens: this.#output } : {}) };
  }

  faults(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#faults ?? []);
  }
}
