// When to try again, as data: used by nodes, tools and model requests alike. Decides only; whoever asks also waits.
import type { Random } from './clock.ts';

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Wait before the second attempt; doubles with each further one. @default 200 */
  readonly backoffMs?: number;
  /** Longest wait between two attempts. @default 10000 */
  readonly maxBackoffMs?: number;
  /** Which errors are worth another attempt. @default all */
  readonly when?: (error: unknown) => boolean;
}

/**
 * Wait before the attempt after `attempt` (from 1), or `undefined` when there is none.
 * Exponential with jitter between half and all of the step, so that siblings do not come back together.
 */
export function retryDelayMs(policy: RetryPolicy | undefined, attempt: number, error: unknown, random: Random, retryAfterMs?: number): number | undefined {
  if (policy === undefined || attempt >= policy.attempts) return undefined;
  if (policy.when !== undefined && !policy.when(error)) return undefined;
  const longest = policy.maxBackoffMs ?? 10_000;
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, longest);
  const step = Math.min((policy.backoffMs ?? 200) * 2 ** (attempt - 1), longest);
  return step * (0.5 + random() / 2);
}
