// How many nodes of a class (say `model`) may be at work, over all runs that share the pool. Whoever finds none free waits;
// a unit that comes free goes to the waiting runs in turn, so that a run with a thousand wishes does not keep out one with a single wish.
import { show, WorkflowError } from './workflow-error.ts';

/** @throws WorkflowError `INVALID_OPTIONS` for a limit that is no whole number from 1. */
export class ResourcePool {
  readonly #free = new Map<string, number>();
  readonly #wishes = new Map<string, Map<object, (() => void)[]>>();

  constructor(limits: Readonly<Record<string, number>>) {
    for (const [resource, limit] of Object.entries(limits)) {
      if (!Number.isInteger(limit) || limit < 1) {
        throw new WorkflowError('INVALID_OPTIONS', `the limit of "${resource}" must be a whole number from 1, found ${show(limit)}`, {
          remedy: 'Leave the class out for no limit.',
        });
      }
      this.#free.set(resource, limit);
    }
  }

  /** Takes a unit if one is free; a class without limit always has one. */
  take(resource: string): boolean {
    const free = this.#free.get(resource);
    if (free === undefined) return true;
    if (free <= 0) return false;
    this.#free.set(resource, free - 1);
    return true;
  }

  /** Calls back once, later than now, with a unit taken. */
  want(resource: string, run: object, granted: () => void): void {
    // One may have come free since the taking failed.
    if (this.take(resource)) return queueMicrotask(granted);
    let wishes = this.#wishes.get(resource);
    if (wishes === undefined) {
      wishes = new Map();
      this.#wishes.set(resource, wishes);
    }
    const own = wishes.get(run);
    if (own === undefined) wishes.set(run, [granted]);
    else own.push(granted);
  }

  give(resource: string): void {
    const free = this.#free.get(resource);
    if (free === undefined) return;
    const wishes = this.#wishes.get(resource);
    const next = wishes?.entries().next();
    // What is owed comes before what is wished for.
    if (free < 0 || wishes === undefined || next === undefined || next.done === true) {
      this.#free.set(resource, free + 1);
      return;
    }
    const [run, own] = next.value;
    const granted = own.shift();
    // Behind the others for the next one.
    wishes.delete(run);
    if (own.length > 0) wishes.set(run, own);
    // Not from within the run that gives: two runs that hand units to each other would nest without end.
    if (granted !== undefined) queueMicrotask(granted);
  }

  /** Takes a unit that was lent out, whether one is free or not: whoever holds it is about to give it. */
  owe(resource: string): void {
    const free = this.#free.get(resource);
    if (free !== undefined) this.#free.set(resource, free - 1);
  }

  /** A run has ended: its wishes are void. */
  forget(run: object): void {
    for (const wishes of this.#wishes.values()) wishes.delete(run);
  }
}

/** Limits that several runs share: pass the result as `limits` to each `execute`. Units go to the runs in turn. */
export function sharedLimits(limits: Readonly<Record<string, number>>): ResourcePool {
  return new ResourcePool(limits);
}
