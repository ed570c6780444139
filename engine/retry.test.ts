import { expect, test as rule, test } from 'vitest';
import { seededRandom } from './clock.ts';
import { statusFailure } from './openai-errors.ts';
import { retryDelayMs } from './retry.ts';
import { WorkflowError } from './workflow-error.ts';

const most = () => 1;
const delays = (policy: Parameters<typeof retryDelayMs>[0], random = most) =>
  [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(policy, attempt, new Error('x'), random));

test('waits double up to the longest, and end with the last attempt', () => {
  expect(delays({ attempts: 5, backoffMs: 100, maxBackoffMs: 300 })).toEqual([100, 200, 300, 300, undefined]);
  expect(delays(undefined)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test('jitter lies between half and all of a step, and one seed gives one row of waits', () => {
  const row = () => delays({ attempts: 6, backoffMs: 100 }, seededRandom(7));
  expect(row()).toEqual(row());
  for (const [i, delay] of row().entries()) {
    expect(delay).toBeGreaterThanOrEqual(50 * 2 ** i);
    expect(delay).toBeLessThanOrEqual(100 * 2 ** i);
  }
});

rule('A server that asks for a wait (`Retry-After`) gets just that, and one that asks for longer than `maxRetryAfterMs` gets no further attempt', () => {
  const wait = (headers: Record<string, string>, policy = {}) =>
    retryDelayMs({ attempts: 2, backoffMs: 1, maxBackoffMs: 2, ...policy }, 1, statusFailure('http://m', 429, '', new Headers(headers)), most);
  expect(wait({ 'retry-after': '20' })).toBe(20_000);
  expect(wait({ 'retry-after-ms': '7', 'retry-after': '20' })).toBe(7);
  expect(wait({ 'retry-after': '0' })).toBe(0);
  expect(wait({ 'retry-after': 'Mon, 30 Nov 2026 12:00:09 GMT', date: 'Mon, 30 Nov 2026 12:00:00 GMT' })).toBe(9000);
  expect(wait({ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT', date: 'Mon, 30 Nov 2026 12:00:00 GMT' })).toBe(0);
  expect(wait({ 'retry-after': 'soon' })).toBe(1);
  expect(wait({ 'retry-after': '' })).toBe(1);
  expect(wait({ 'retry-after': '61' })).toBeUndefined();
  expect(wait({ 'retry-after': '61' }, { maxRetryAfterMs: 100_000 })).toBe(61_000);
});

rule('Only the errors that `when` names are tried again: by code, or by a test', () => {
  const tried = (when: readonly string[] | ((error: unknown) => boolean), error: unknown) => retryDelayMs({ attempts: 2, when }, 1, error, most) !== undefined;
  expect(tried(['timeout'], new WorkflowError('timeout', 'x'))).toBe(true);
  expect(tried(['timeout'], new WorkflowError('refusal', 'x'))).toBe(false);
  expect(tried(['node-error'], new Error('x'))).toBe(true);
  expect(tried(['node-error'], new WorkflowError('timeout', 'x'))).toBe(false);
  expect(tried(['ECONNRESET'], Object.assign(new Error('x'), { code: 'ECONNRESET' }))).toBe(true);
  expect(tried(['ECONNRESET'], undefined)).toBe(false);
  expect(tried((error) => (error as Error).message === 'x', new Error('x'))).toBe(true);
});
