// What a connector is told of its calls besides what they are: bounds, patience, memory. Options only; managed-call.ts acts on them.
import type { Clock, Random } from '../clock.ts';
import type { RetryPolicy } from '../retry.ts';
import { show, WorkflowError } from '../workflow-error.ts';
import type { CacheOptions } from './expiring-cache.ts';

export interface CallPolicy {
  /** Letters, digits, `_` and `-`: what nodes declare, and the beginning of handles. */
  readonly name: string;
  /** Calls at work at once, over all runs; runs take turns. @default 8 */
  readonly concurrency?: number;
  /** Longest time of one attempt; work in flight is aborted. @default 30000 */
  readonly timeoutMs?: number;
  /** Of safe requests. @default 3 attempts, 200 ms doubling to 10 s, for what may pass by itself */
  readonly retry?: Partial<RetryPolicy>;
  /** Keeps answers to safe requests, never errors. @default none */
  readonly cache?: CacheOptions;
  /** @default the host's monotonic clock */
  readonly clock?: Clock;
  /** Spreads the waits between attempts. @default a generator with a fixed seed */
  readonly random?: Random;
}

/** @throws WorkflowError `INVALID_OPTIONS` for a name or number that makes no sense */
export function checkPolicy({ name, concurrency, timeoutMs, cache, retry }: CallPolicy): void {
  const refuse = (what: string, found: unknown) => {
    throw new WorkflowError('INVALID_OPTIONS', `${what} of connector ${show(name)}, found ${show(found)}`, {
      remedy: 'Mend it, or leave it out for the default.',
    });
  };
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) refuse('1 to 64 letters, digits, "_" or "-" are expected as the name', name);
  for (const [what, given] of [
    ['concurrency', concurrency],
    ['retry.attempts', retry?.attempts],
    ['cache.maxEntries', cache?.maxEntries],
  ] as const)
    if (given !== undefined && !(Number.isInteger(given) && given >= 1)) refuse(`a whole number from 1 is expected as \`${what}\``, given);
  for (const [what, given] of [
    ['timeoutMs', timeoutMs],
    ['cache.ttlMs', cache?.ttlMs],
    ['cache.maxBytes', cache?.maxBytes],
  ] as const)
    if (given !== undefined && !(typeof given === 'number' && given > 0)) refuse(`a number above 0 is expected as \`${what}\``, given);
  // A timer takes no longer ones and would fire at once.
  if (timeoutMs !== undefined && timeoutMs > 2 ** 31 - 1) refuse('at most 2147483647 is expected as `timeoutMs`', timeoutMs);
}
