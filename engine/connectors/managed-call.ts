// What every connector does with every request, once: pool, retry, time-out, cache, counters, events. What a request is and how it is answered is the port's.
// A request that is safe (repeating it changes nothing) may be tried again, cached, and shared by all who ask for the same at the same time; others are sent once.
import { createHash } from 'node:crypto';
import { encodeValue, unpack } from '../checkpoint-value.ts';
import { type Clock, pause, type Random, seededRandom, systemClock } from '../clock.ts';
import type { CallCounts, ConnectorLink, Held, RecordedCall } from '../connector.ts';
import { newCallCounts } from '../events.ts';
import { ResourcePool } from '../resource-pool.ts';
import { type RetryPolicy, retryDelayMs } from '../retry.ts';
import { within } from '../tool-calls.ts';
import { messageOf, WorkflowError } from '../workflow-error.ts';
import { type CallPolicy, checkPolicy } from './call-policy.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { HeldResult } from './held-result.ts';

/** How one kind of connector answers. Requests are plain data whose members stand in a fixed order, so that equal ones are equal as text. */
export interface CallPort<Request, Value> {
  answer(request: Request, signal: AbortSignal): Promise<{ readonly value: Value; readonly bytes: number }>;
  /** Whether the same request may well succeed a little later. */
  mayPass(error: unknown): boolean;
  /** The value as a model would read it. */
  textOf(value: Value): string;
}

/** A call under way, for one or more who wait for it. Nobody left: it is aborted. */
interface Flight<Value> {
  readonly controller: AbortController;
  readonly answer: Promise<Answer<Value>>;
  waiting: number;
  attempts: number;
}

interface Answer<Value> {
  readonly held: HeldResult<Value>;
  readonly bytes: number;
}

/** What one who waits for a flight does in the end. */
interface Visit {
  leave(): void;
}

type Ended<Value> = Answer<Value> & Pick<RecordedCall, 'from' | 'attempts'>;

const PLACE = 'place';
const DEFAULT_RETRY: RetryPolicy = { attempts: 3 };

export class ManagedCalls<Request, Value> {
  readonly #name: string;
  readonly #port: CallPort<Request, Value>;
  readonly #timeoutMs: number;
  readonly #retry: RetryPolicy;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #pool: ResourcePool;
  readonly #cache: ExpiringCache<Answer<Value>> | undefined;
  readonly #flights = new Map<string, Flight<Value>>();
  readonly #counts = newCallCounts();
  #waiting = 0;
  #atWork = 0;

  constructor(policy: CallPolicy, port: CallPort<Request, Value>) {
    const { name, concurrency = 8, timeoutMs = 30_000, retry, cache, clock = systemClock, random = seededRandom(1) } = policy;
    checkPolicy(policy);
    this.#name = name;
    this.#port = port;
    this.#timeoutMs = timeoutMs;
    this.#retry = { when: (error) => port.mayPass(error), ...DEFAULT_RETRY, ...retry };
    this.#clock = clock;
    this.#random = random;
    this.#pool = new ResourcePool({ [PLACE]: concurrency });
    this.#cache = cache === undefined ? undefined : new ExpiringCache(cache);
  }

  counts(): Readonly<CallCounts> & { readonly waiting: number; readonly atWork: number } {
    return { ...this.#counts, waiting: this.#waiting, atWork: this.#atWork };
  }

  clearCache(): void {
    this.#cache?.clear();
  }

  async call(request: Request, safe: boolean, link: ConnectorLink): Promise<Held<Value>> {
    const { signal } = link;
    signal.throwIfAborted();
    const text = encodeValue(request, `a request to connector "${this.#name}"`);
    const facts = { connector: this.#name, request: text };
    const failed = { type: 'connector-end', ...facts, ok: false, from: 'call', attempts: 0, bytes: 0 } as const;
    this.#count(link, 'requests');
    if (link.listening) link.emit({ type: 'connector-start', ...facts });
    const visit: Visit = { leave: () => {} };
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        // At once, while the node's own end has not been told yet.
        if (link.listening) link.emit({ ...failed, code: 'cancelled', message: messageOf(signal.reason) });
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      const { held, from, attempts, bytes } = await Promise.race([this.#answer(request, text, safe, link, visit), aborted]);
      this.#count(link, from === 'cache' ? 'hits' : from === 'shared' ? 'shared' : 'misses');
      if (from !== 'cache' && from !== 'shared') this.#count(link, 'bytes', bytes);
      if (link.listening) link.emit({ type: 'connector-end', ...facts, ok: true, from, attempts, bytes, ...resultFacts(held.value) });
      return held;
    } catch (error) {
      // An abort is the end of the node, not of the request.
      if (signal.aborted) throw signal.reason;
      const failure = failureOf(error, this.#name);
      this.#count(link, 'errors');
      if (link.listening) link.emit({ ...failed, code: failure.code, message: failure.message });
      throw failure;
    } finally {
      signal.removeEventListener('abort', onAbort);
      visit.leave();
    }
  }

  async #answer(request: Request, text: string, safe: boolean, link: ConnectorLink, visit: Visit): Promise<Ended<Value>> {
    if (link.standIn !== undefined) return this.#standIn(text, link);
    const cached = safe ? this.#cache?.get(text, this.#clock.nowMs()) : undefined;
    if (cached !== undefined) return { ...cached, from: 'cache', attempts: 0 };
    const known = safe ? this.#flights.get(text) : undefined;
    // One that nobody waits for any more is being given up.
    const under = known?.controller.signal.aborted === true ? undefined : known;
    const flight = under ?? this.#depart(request, text, safe, link);
    flight.waiting++;
    visit.leave = () => {
      if (--flight.waiting === 0) flight.controller.abort(link.signal.reason);
    };
    const answer = await flight.answer;
    return { ...answer, from: under === undefined ? 'call' : 'shared', attempts: flight.attempts };
  }

  #depart(request: Request, text: string, safe: boolean, link: ConnectorLink): Flight<Value> {
    const controller = new AbortController();
    const flight: Flight<Value> = { controller, waiting: 0, attempts: 0, answer: Promise.resolve().then(() => this.#fly(flight, request, text, safe, link)) };
    // Whoever waits is told; whoever has left is not to be told again.
    flight.answer.catch(() => {});
    if (safe) this.#flights.set(text, flight);
    return flight;
  }

  async #fly(flight: Flight<Value>, request: Request, text: string, safe: boolean, link: ConnectorLink): Promise<Answer<Value>> {
    const { signal } = flight.controller;
    try {
      for (;;) {
        const attempt = ++flight.attempts;
        try {
          const { value, bytes } = await this.#attempt(request, signal, link);
          const answer = { held: new HeldResult(this.#name, text, value, this.#port.textOf), bytes };
          if (safe) this.#cache?.set(text, answer, bytes, this.#clock.nowMs());
          return answer;
        } catch (error) {
          signal.throwIfAborted();
          if ((error as { readonly code?: unknown } | null)?.code === 'timeout') this.#count(link, 'timeouts');
          const delayMs = safe ? retryDelayMs(this.#retry, attempt, error, this.#random) : undefined;
          if (delayMs === undefined) throw error;
          this.#count(link, 'retries');
          const { code, message } = failureOf(error, this.#name);
          if (link.listening && !link.signal.aborted)
            link.emit({ type: 'connector-retry', connector: this.#name, request: text, attempt, delayMs, code, message });
          await pause(this.#clock, delayMs, signal);
        }
      }
    } finally {
      this.#forget(text, flight);
    }
  }

  async #attempt(request: Request, signal: AbortSignal, link: ConnectorLink): Promise<{ readonly value: Value; readonly bytes: number }> {
    await this.#takePlace(signal, link);
    this.#atWork++;
    try {
      signal.throwIfAborted();
      return await within(this.#timeoutMs, { signal, clock: this.#clock }, (own) => this.#port.answer(request, own));
    } finally {
      this.#atWork--;
      this.#pool.give(PLACE);
    }
  }

  async #takePlace(signal: AbortSignal, link: ConnectorLink): Promise<void> {
    if (this.#pool.take(PLACE)) return;
    this.#count(link, 'waited');
    this.#waiting++;
    try {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#pool.want(PLACE, link.run, () => {
          signal.removeEventListener('abort', onAbort);
          // Whoever has left does not keep it.
          if (signal.aborted) this.#pool.give(PLACE);
          else resolve();
        });
      });
    } finally {
      this.#waiting--;
    }
  }

  async #standIn(text: string, link: ConnectorLink): Promise<Ended<Value>> {
    const { standIn, node, signal } = link;
    let call: RecordedCall | undefined;
    let value: unknown;
    if (typeof standIn === 'function') value = await standIn(unpack(JSON.parse(text)) as never, { node, signal });
    else call = await standIn?.play(this.#name, text, { node, signal });
    if (call?.ok === false) throw new WorkflowError(call.code ?? 'connector-failed', call.message ?? '');
    if (call?.result !== undefined) value = unpack(JSON.parse(call.result));
    const held = new HeldResult(this.#name, text, value as Value, this.#port.textOf);
    const { from = 'stand-in', attempts = 1, bytes = 0 } = call ?? {};
    return { held, from, attempts, bytes };
  }

  #forget(text: string, flight: Flight<Value>): void {
    if (this.#flights.get(text) === flight) this.#flights.delete(text);
  }

  #count(link: ConnectorLink, what: keyof CallCounts, by = 1): void {
    this.#counts[what] += by;
    link.counts[what] += by;
  }
}

export function tooLarge(what: string, maxBytes: number): WorkflowError {
  return new WorkflowError('too-large', `${what} is longer than ${maxBytes} bytes`, { remedy: 'Raise `maxBytes` of the connector, or ask for less.' });
}

/** A value without a form as text (of a driver's own class, say) is in no recording. */
function resultFacts(value: unknown): { readonly result?: string; readonly digest?: string } {
  try {
    const result = encodeValue(value, 'a result');
    return { result, digest: createHash('sha256').update(result).digest('hex').slice(0, 32) };
  } catch {
    return {};
  }
}

/** Errors of the engine keep their code; those of drivers and systems are told with theirs. */
function failureOf(thrown: unknown, name: string): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown.code === 'timeout' ? new WorkflowError('timeout', `connector "${name}": ${thrown.message}`) : thrown;
  return new WorkflowError('connector-failed', `connector "${name}" failed: ${messageOf(thrown)}`, { cause: thrown });
}
