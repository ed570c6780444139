import { expect, test } from 'vitest';
import { timeLeft } from './trial.ts';
import type { WorkerHost } from './worker-host.ts';

type Interval = readonly [startMs: number, endMs: number];

/** Of a trial that may take a second beside its model and tool calls. */
function left(elapsedMs: number, { model = [], tools = [] }: { readonly model?: readonly Interval[]; readonly tools?: readonly Interval[] }): Promise<number> {
  const asks = (intervals: readonly Interval[]) => ({ ask: async () => ({ intervals: intervals.map(([startMs, endMs]) => ({ startMs, endMs })) }) });
  const context = { plan: { timeoutMs: 1_000 }, services: { gateway: asks(model), broker: asks(tools) } };
  return timeLeft(context as unknown as Parameters<typeof timeLeft>[0], { address: { token: 't' } } as WorkerHost, 1, elapsedMs);
}

test('M3.5: the deadline counts what is neither model nor tool time, and time side by side once', async () => {
  expect(await left(1_000, {})).toBe(0);
  expect(await left(1_000, { model: [[0, 400]] })).toBe(400);
  expect(await left(2_000, { model: [[0, 800]], tools: [[500, 1_500]] })).toBe(500);
  expect(await left(2_700, { model: [[0, 800]], tools: [[500, 1_500]] })).toBe(0);
});

test('M3.5: 600 s are the end of all, whatever they went into', async () => {
  expect(await left(599_990, { model: [[0, 599_990]] })).toBe(10);
  expect(await left(600_000, { model: [[0, 600_000]] })).toBe(0);
});
