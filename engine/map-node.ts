// The map node: one body for each item of a list, so many at once, each item with attempts of its own. Results stand in the order of the list.
// An item that returns no promise costs none. A body's class (agents: `model`) is taken item by item, so a map never holds a unit that it does not use.
import type { Attempt } from './attempt.ts';
import { type NodeHost, OpenGates, runNode } from './node-kinds.ts';
import type { MapPlan, ReadyNode } from './ready-node.ts';
import { retryDelayMs } from './retry.ts';
import type { Checked } from './schema.ts';
import { asFailure, WorkflowError } from './workflow-error.ts';

const ITEMS_BETWEEN_LOOKS = 512;
const LONGEST_SLICE_MS = 8;

export function runMap(host: NodeHost, ready: ReadyNode, plan: MapPlan, input: unknown, attempt: Attempt): unknown {
  if (!Array.isArray(input))
    throw new WorkflowError('invalid-input', `map "${ready.id}" takes a list, found ${input === null ? 'null' : typeof input}`, { node: ready.id });
  if (input.length > plan.maxItems) {
    throw new WorkflowError('too-many-items', `map "${ready.id}" was given ${input.length} items and may have ${plan.maxItems}`, {
      node: ready.id,
      remedy: 'Shorten the list, or raise `maxItems`.',
    });
  }
  return new MapRun(host, ready, plan, input, attempt).start();
}

interface Live {
  close(reason?: unknown): void;
}

class MapRun {
  readonly #host: NodeHost;
  readonly #ready: ReadyNode;
  readonly #plan: MapPlan;
  readonly #items: readonly unknown[];
  readonly #attempt: Attempt;
  readonly #results: unknown[];
  readonly #kept: Uint8Array;
  readonly #live = new Map<number, Live>();
  readonly #gates: OpenGates['gates'][number][] = [];
  #next = 0;
  #atWork = 0;
  #done = 0;
  #filling = false;
  #wishing = false;
  #over = false;
  #error: WorkflowError | undefined;
  #settle: { resolve(value: unknown): void; reject(error: unknown): void } | undefined;

  constructor(host: NodeHost, ready: ReadyNode, plan: MapPlan, items: readonly unknown[], attempt: Attempt) {
    this.#host = host;
    this.#ready = ready;
    this.#plan = plan;
    this.#items = items;
    this.#attempt = attempt;
    this.#results = new Array(items.length);
    this.#kept = new Uint8Array(items.length);
  }

  start(): unknown {
    this.#attempt.onAbort((reason) => this.#stop(reason));
    this.#fill();
    if (!this.#over) {
      return new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
    }
    if (this.#error !== undefined) throw this.#error;
    return this.#outcome();
  }

  /** Begins items while there is room. Calls from within leave the rest to the call that is at work, so nothing recurses. */
  #fill(): void {
    if (this.#filling) return;
    this.#filling = true;
    const { pool } = this.#host;
    const { resource } = this.#plan.body;
    let begun = 0;
    let sliceStartMs = -1;
    while (!this.#over && this.#atWork < this.#plan.concurrency && this.#next < this.#items.length) {
      if (++begun % ITEMS_BETWEEN_LOOKS === 0) {
        const nowMs = this.#host.clock.nowMs();
        if (sliceStartMs < 0) sliceStartMs = nowMs;
        else if (nowMs - sliceStartMs > LONGEST_SLICE_MS) {
          setImmediate(() => this.#fill());
          break;
        }
      }
      if (pool !== undefined && resource !== undefined && !pool.take(resource)) {
        if (!this.#wishing) {
          this.#wishing = true;
          pool.want(resource, this.#host.root, () => this.#granted(resource));
        }
        break;
      }
      this.#begin(this.#next++);
    }
    this.#filling = false;
    if (this.#done === this.#items.length) this.#finish();
  }

  #granted(resource: string): void {
    this.#wishing = false;
    if (this.#over || this.#next === this.#items.length) this.#host.pool?.give(resource);
    else {
      this.#begin(this.#next++);
      this.#fill();
    }
  }

  #begin(item: number): void {
    this.#atWork++;
    const kept = this.#host.keeper?.kept(this.#idOf(item));
    if (kept === undefined) return this.#try(item, 1);
    this.#results[item] = kept.output;
    this.#kept[item] = 1;
    if (this.#host.listening) this.#host.emit({ type: 'node-end', node: this.#idOf(item), outcome: 'completed', restored: true });
    this.#ended(item);
  }

  #try(item: number, number: number): void {
    const { body, timeoutMs } = this.#plan;
    const id = this.#idOf(item);
    const attempt = this.#attempt.nested({ ...body, id }, number);
    if (this.#host.listening) this.#host.emit({ type: 'node-start', node: id, attempt: number });
    let output: unknown;
    try {
      output = runNode(this.#host, attempt.ready, this.#items[item], attempt);
      if (!(output instanceof Promise)) output = this.#checked(output);
    } catch (error) {
      return this.#failed(item, attempt, error);
    }
    if (!(output instanceof Promise)) return this.#completed(item, attempt, output);
    this.#live.set(item, attempt);
    if (timeoutMs !== undefined) {
      attempt.disarm = this.#host.clock.after(timeoutMs, () => {
        this.#failed(item, attempt, new WorkflowError('timeout', `item ${item} of map "${this.#ready.id}" did not end within ${timeoutMs} ms`, { node: id }));
      });
    }
    output
      .then((value) => this.#checked(value))
      .then(
        (value) => this.#completed(item, attempt, value),
        (error) => this.#failed(item, attempt, error),
      );
  }

  #checked(output: unknown): unknown {
    const { outputCheck } = this.#plan.body;
    if (outputCheck === undefined || output instanceof OpenGates) return output;
    const settled = outputCheck(output);
    return settled instanceof Promise ? settled.then(valid) : valid(settled);
  }

  #completed(item: number, attempt: Attempt, output: unknown): void {
    if (attempt.over) return;
    const { keeper } = this.#host;
    if (keeper === undefined || output instanceof OpenGates) return this.#took(item, attempt, output);
    attempt.disarm?.();
    attempt.disarm = undefined;
    this.#live.set(item, attempt);
    try {
      keeper.keep(attempt, output, () => {
        if (!attempt.over) this.#took(item, attempt, output);
      });
    } catch (error) {
      this.#failed(item, attempt, error);
    }
  }

  #took(item: number, attempt: Attempt, output: unknown): void {
    attempt.close();
    if (output instanceof OpenGates) this.#gates.push(...output.gates);
    else {
      this.#results[item] = output;
      this.#kept[item] = 1;
      if (this.#host.listening) this.#host.emit({ type: 'node-end', node: this.#idOf(item), outcome: 'completed' });
    }
    this.#ended(item);
  }

  #failed(item: number, attempt: Attempt, thrown: unknown): void {
    if (attempt.over) return;
    const id = this.#idOf(item);
    const error = asFailure(thrown, id);
    attempt.close(error);
    const delayMs = retryDelayMs(this.#plan.retry, attempt.attempt, thrown, this.#host.random);
    if (delayMs !== undefined) {
      if (this.#host.listening) this.#host.emit({ type: 'node-retry', node: id, attempt: attempt.attempt, delayMs, code: error.code, message: error.message });
      this.#live.set(item, { close: this.#host.clock.after(delayMs, () => this.#try(item, attempt.attempt + 1)) });
      return;
    }
    if (this.#host.listening) this.#host.emit({ type: 'node-end', node: id, outcome: 'failed', code: error.code, message: error.message });
    if (this.#plan.dropFailed) {
      this.#host.failures.push(error);
      this.#ended(item);
      return;
    }
    this.#error = error;
    this.#live.delete(item);
    this.#release();
    this.#stop(error);
    this.#settle?.reject(error);
  }

  #ended(item: number): void {
    this.#live.delete(item);
    this.#release();
    this.#done++;
    if (this.#done === this.#items.length) this.#finish();
    else this.#fill();
  }

  /** One item is no longer at work. */
  #release(): void {
    this.#atWork--;
    const { resource } = this.#plan.body;
    if (resource !== undefined) this.#host.pool?.give(resource);
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#settle?.resolve(this.#outcome());
  }

  #outcome(): unknown {
    if (this.#gates.length > 0) return new OpenGates(this.#gates);
    const { writeItems } = this.#plan;
    const results = this.#plan.dropFailed ? this.#results.filter((_, item) => this.#kept[item] === 1) : this.#results;
    if (writeItems >= 0) {
      this.#attempt.noted ??= [];
      for (const value of results) this.#attempt.noted.push({ key: writeItems, value });
    }
    return results;
  }

  /** Lets go of all items that are at work. */
  #stop(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    for (const live of this.#live.values()) {
      live.close(reason);
      this.#release();
    }
    this.#live.clear();
  }

  #idOf(item: number): string {
    return `${this.#ready.id}[${item}]`;
  }
}

function valid(checked: Checked): unknown {
  if (checked.ok) return checked.value;
  throw new WorkflowError('invalid-output', `a result breaks its schema: ${checked.issues.join('; ')}`);
}
