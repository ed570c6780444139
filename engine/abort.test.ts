// What is left when a run is stopped from outside, over real sockets, timers and signals; and what many runs leave on a signal that they share.
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test as rule, test } from 'vitest';
import { hang, type ModelServer, startModelServer } from './fixtures/model-server.ts';
import { agent, execute, functionModel, jsonSchema, memoryCheckpoints, merge, openaiModel, systemClock, tool, workflow } from './index.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const LONGEST_STOP_MS = 50;

rule('One signal stops requests, tools, waits, maps and subgraphs within 50 ms, and leaves no request, timer, listener or write behind', async () => {
  server = await startModelServer(hang);
  const slow: { signal?: AbortSignal } = {};
  const sleeps = tool({
    name: 'sleeps',
    description: '',
    input: { type: 'object' },
    timeoutMs: 60_000,
    run: (_: unknown, { signal }) => {
      slow.signal = signal;
      return new Promise(() => {});
    },
  });
  const inner = workflow<string, string>('inner');
  const deep = inner.agent('deep', {});
  inner.connect(inner.start, deep).finish(deep);
  const flow = workflow('all', { input: jsonSchema<string>({ type: 'string' }), state: { total: merge.sum() } });
  const asks = flow.agent('asks', { prompt: () => 'x', retry: { attempts: 5 } });
  const calls = flow.agent('calls', { prompt: () => 'x', model: functionModel(() => ({ calls: [{ name: 'sleeps', arguments: {} }] })), tools: [sleeps] });
  const waits = flow.node('waits', { retry: { attempts: 9, backoffMs: 60_000 }, run: () => Promise.reject(new Error('again')) });
  const list = flow.node('list', { run: () => ['a', 'b', 'c'] });
  const many = flow.map('many', { node: agent<string, string>({}), concurrency: 2 });
  const nested = flow.subgraph('nested', inner.build());
  const finishLate: ((value: number) => void)[] = [];
  const late = flow.node('late', { timeoutMs: 60_000, writes: 'total', run: () => new Promise<number>((resolve) => finishLate.push(resolve)) });
  for (const node of [asks, calls, waits, list, late]) flow.after(flow.start, node);
  flow.connect(list, many).connect(flow.start, nested);
  const controller = new AbortController();
  const pending = new Set<object>();
  const clock = {
    nowMs: systemClock.nowMs,
    after: (delayMs: number, callback: () => void) => {
      const key = {};
      pending.add(key);
      const cancel = systemClock.after(delayMs, () => {
        pending.delete(key);
        callback();
      });
      return () => {
        pending.delete(key);
        cancel();
      };
    },
  };
  const model = openaiModel({ baseUrl: server.baseUrl, model: 'm', timeoutMs: 60_000 });
  const store = memoryCheckpoints();
  let appends = 0;
  const counted = {
    ...store,
    append: (...args: Parameters<typeof store.append>) => {
      appends++;
      return store.append(...args);
    },
  };
  const run = execute(flow.build(), 'go', { model, clock, signal: controller.signal, checkpoint: { store: counted, run: 'r' } });
  // Four requests are open: asks, two items of the map, and the subgraph's.
  for (const { bodies } = server; bodies.length < 4; ) await new Promise((resolve) => setTimeout(resolve, 5));
  const before = appends;
  const startMs = systemClock.nowMs();
  controller.abort('enough');
  const result = await run.result;
  const tookMs = systemClock.nowMs() - startMs;
  expect(result).toMatchObject({ status: 'cancelled', reason: 'enough', state: { total: 0 } });
  expect(tookMs).toBeLessThan(LONGEST_STOP_MS);
  expect({ timers: pending.size, listeners: getEventListeners(controller.signal, 'abort').length }).toEqual({ timers: 0, listeners: 0 });
  expect(slow.signal?.aborted).toBe(true);
  while (server.dropped < 4 && systemClock.nowMs() - startMs < 1000) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(systemClock.nowMs() - startMs).toBeLessThan(LONGEST_STOP_MS + 100);
  for (const finish of finishLate) finish(1);
  // What came late has had its turn, and a stray request its way.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(finishLate).toHaveLength(1);
  expect({ requests: server.bodies.length, dropped: server.dropped, appends, written: run.provenanceOf('total').length }).toEqual({
    requests: 4,
    dropped: 4,
    appends: before,
    written: 0,
  });
});

// Row 31 of what people reported
test('2,000 runs of a graph with 20 nodes side by side on one signal leave no listener and no memory behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  const controller = new AbortController();
  const flow = workflow('wide', { state: { total: merge.sum() } });
  const end = flow.node('end', { reads: ['total'], run: (_: unknown, { get }) => get('total') });
  for (let i = 0; i < 20; i++) {
    const node = flow.node(`n${i}`, {
      writes: 'total',
      timeoutMs: 10_000,
      // Whoever listens to the signal of its node stands on no other.
      run: async (_: unknown, { signal }) => {
        signal.addEventListener('abort', () => {});
        await Promise.resolve();
        return 1;
      },
    });
    flow.after(flow.start, node).after(node, end);
  }
  const checked = flow.finish(end).build();
  let [most, at500] = [0, 0];
  for (let i = 1; i <= 2000; i++) {
    const run = execute(checked, undefined, { signal: controller.signal });
    await Promise.resolve();
    most = Math.max(most, getEventListeners(controller.signal, 'abort').length);
    expect((await run.result).status).toBe('completed');
    if (i === 500) at500 = heap();
  }
  const grown = heap() - at500;
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect({ warnings, most, left: getEventListeners(controller.signal, 'abort').length }).toEqual({ warnings: [], most: 1, left: 0 });
  expect(grown).toBeLessThan(10e6);
});
