// When to try again, as data: used by nodes, tools and model requests alike. Decides only; whoever asks also waits.
import type { Random } from './clock.ts';
import { WorkflowError } from './workflow-error.ts';

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Wait before the second attempt; doubles with each further one. @default 200 */
  readonly backoffMs?: number;
  /** Longest wait of our own between two attempts. @default 10000 */
  readonly maxBackoffMs?: number;
  /** Longest wait that a server may ask for (`Retry-After`); one that asks for more gets no further attempt, since it would refuse an earlier one. @default 60000 */
  readonly maxRetryAfterMs?: number;
  /** Which errors are worth another attempt: their codes, or a test. @default all */
  readonly when?: readonly string[] | ((error: unknown) => boolean);
}

/**
 * Wait before the attempt after `attempt` (from 1), or `undefined` when there is none.
 * Exponential with jitter between half and all of the step, so that siblings do not come back together; never shorter than what a server asked for.
 */
export function retryDelayMs(policy: RetryPolicy | undefined, attempt: number, error: unknown, random: Random): number | undefined {
  if (policy === undefined || attempt >= policy.attempts || !isWorthIt(policy.when, error)) return undefined;
  const { retryAfterMs } = (error ?? {}) as { readonly retryAfterMs?: unknown };
  if (typeof retryAfterMs === 'number' && retryAfterMs >= 0) return retryAfterMs <= (policy.maxRetryAfterMs ?? 60_000) ? retryAfterMs : undefined;
  const step = Math.min((policy.backoffMs ?? 200) * 2 ** (attempt - 1), policy.maxBackoffMs ?? 10_000);
  return step * (0.5 + random() / 2);
}

function isWorthIt(when: RetryPolicy['when'], error: unknown): boolean {
  if (when === undefined) return true;
  if (typeof when === 'function') return when(error);
  const code = error !== null && typeof error === 'object' ? (error as { readonly code?: unknown }).code : undefined;
  return (typeof code === 'string' && when.includes(code)) || (!(error instanceof WorkflowError) && when.includes('node-error'));
}
