// A stand-in (`fallback`) of another class than its node, mostly an agent for a function, or a subgraph for an agent. It takes a unit of its own class, and gives
// its node's unit back while it is at work: the nodes of a subgraph may wait for just that. The scheduler, which takes and frees the units of nodes, need not know.
import type { Attempt } from './attempt.ts';
import type { ResourcePool } from './resource-pool.ts';

export interface OwnClass {
  readonly own: string | undefined;
  /** Class of the node that it stands in for. */
  readonly held: string | undefined;
}

/** @returns what `work` gives, later where it had to wait for a unit. Work of an attempt that ended meanwhile is never begun, and its promise stays open. */
export function inOwnClass(pool: ResourcePool, run: object, { own, held }: OwnClass, attempt: Attempt, work: () => unknown): unknown {
  let state: 'waiting' | 'at work' | 'over' = 'waiting';
  const end = () => {
    if (state === 'over') return;
    if (state === 'at work' && own !== undefined) pool.give(own);
    state = 'over';
    if (held !== undefined) pool.owe(held);
  };
  const begin = () => {
    state = 'at work';
    try {
      const output = work();
      if (output instanceof Promise) return output.finally(end);
      end();
      return output;
    } catch (error) {
      end();
      throw error;
    }
  };
  if (held !== undefined) pool.give(held);
  attempt.onAbort(end);
  if (own === undefined || pool.take(own)) return begin();
  return new Promise((resolve, reject) => {
    pool.want(own, run, () => {
      if (state === 'over') return pool.give(own);
      try {
        resolve(begin());
      } catch (error) {
        reject(error);
      }
    });
  });
}
