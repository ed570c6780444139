// What a run tells: events while it runs, one union that can be written as JSON with the stream that carries it, and counts at its end.
// No listener, no event: the shell asks first and makes the object after.

import type { ReplyFault } from './agent-node.ts';
import type { TokenUsage } from './model.ts';

export type NodeOutcome = 'completed' | 'failed' | 'skipped' | 'cancelled';

export type RunEvent = { readonly atMs: number } & (
  | { readonly type: 'run-start'; readonly workflow: string; readonly nodes: number }
  | { readonly type: 'node-start'; readonly node: string; readonly attempt: number }
  | { readonly type: 'node-retry'; readonly node: string; readonly attempt: number; readonly delayMs: number; readonly code: string; readonly message: string }
  | { readonly type: 'node-end'; readonly node: string; readonly outcome: NodeOutcome; readonly code?: string; readonly message?: string }
  | { readonly type: 'model-start'; readonly node: string; readonly iteration: number; readonly tools: boolean }
  | {
      readonly type: 'model-end';
      readonly node: string;
      readonly iteration: number;
      readonly calls: number;
      readonly truncated: boolean;
      readonly usage?: TokenUsage;
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
  | { readonly type: 'tool-end'; readonly node: string; readonly tool: string; readonly callId: string; readonly ok: boolean; readonly chars: number }
  | { readonly type: 'run-end'; readonly status: 'completed' | 'failed' | 'cancelled' }
);

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

export class Tally {
  modelCalls = 0;
  toolCalls = 0;
  requestRetries = 0;
  #faults: Map<string, number> | undefined;
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

  usage(): RunUsage {
    const { modelCalls, toolCalls, requestRetries } = this;
    return { modelCalls, toolCalls, requestRetries, ...(this.#known && modelCalls > 0 ? { inputTokens: this.#input, outputTokens: this.#output } : {}) };
  }

  faults(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#faults ?? []);
  }
}
