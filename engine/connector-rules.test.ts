// The rules of README.md on connectors, one test each. What is particular to HTTP, files and SQL is tested beside them, in connectors/.

import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test as rule, test } from 'vitest';
import { type CallPolicy, connector, fileConnector, httpConnector, inPrompt, type ManagedConnector, readHeld, sqlConnector } from './connectors.ts';
import { manualClock, settle } from './fixtures/manual-clock.ts';
import { startWebServer, used, type WebServer } from './fixtures/use-connector.ts';
import {
  agent,
  execute,
  type FunctionModelReply,
  type FunctionModelRequest,
  functionModel,
  jsonSchema,
  type MemoryOptions,
  memoryCheckpoints,
  type RunEvent,
  replay,
  resume,
  tool,
  WorkflowError,
  workflow,
  workflowFromJson,
} from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'connectors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let server: WebServer | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

async function serve(answer: Parameters<typeof startWebServer>[0]): Promise<string> {
  server = await startWebServer(answer);
  return server.origin;
}

interface Ask {
  readonly what: string;
  /** Ends the call with a value or an error. */
  end(value: unknown): void;
  readonly signal: AbortSignal;
}

interface ProbeClient {
  ask(what: string): Promise<{ readonly value: string; readonly handle: string }>;
  send(what: string): Promise<{ readonly value: string }>;
}

/** A connector whose calls a test ends by hand; `ends` ends each by itself. */
function probe(policy: Partial<CallPolicy> = {}, ends?: (what: string, times: number) => unknown) {
  const asks: Ask[] = [];
  const made = connector<{ readonly ask: string }, string, ProbeClient>(
    { name: 'probe', ...policy },
    {
      answer: ({ ask }, signal) =>
        new Promise((resolve, reject) => {
          const end = (value: unknown) => (typeof value === 'string' ? resolve({ value, bytes: value.length }) : reject(value));
          asks.push({ what: ask, end, signal });
          if (ends !== undefined) end(ends(ask, asks.filter(({ what }) => what === ask).length));
        }),
      mayPass: (error) => (error as { code?: unknown }).code === 'timeout' || (error as Error).message === 'busy',
      textOf: (value) => value,
    },
    (call) => ({ ask: (what) => call({ ask: what }, true), send: (what) => call({ ask: what }, false) }),
  );
  return { probe: made, asks };
}

/** One node that uses the connector. */
function oneUser(made: ManagedConnector<ProbeClient>, use: (client: ProbeClient, input: string) => unknown, policy: object = {}) {
  const flow = workflow<string, unknown>('one');
  const node = flow.node('n', { connectors: [made], ...policy, run: (input: string, context) => use(context.use(made), input) });
  return flow.connect(flow.start, node).finish(node).build();
}

async function collect(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

rule('A node uses only the connectors that it declares; any other use fails, with node and connector named', async () => {
  const { probe: docs, asks } = probe({ name: 'docs' });
  const other = probe({ name: 'docs' });
  const flow = workflow<string, unknown>('one');
  for (const [id, connectors] of [
    ['none', undefined],
    ['namesake', [other.probe]],
  ] as const) {
    const node = flow.node(id, {
      ...(connectors === undefined ? {} : { connectors }),
      onFailure: 'continue',
      retry: { attempts: 3 },
      run: (_: string, { use }) => use(docs).ask('a'),
    });
    flow.connect(flow.start, node);
  }
  const sly = tool({ name: 'sly', description: '', input: { type: 'object' }, run: (_: unknown, { use }) => use(docs).ask('a') });
  const asker = flow.agent('asker', { tools: [sly], model: functionModel(() => ({ calls: [{ name: 'sly', arguments: {} }] })), onFailure: 'continue' });
  const toolNode = flow.tool('tool-node', sly, { onFailure: 'continue' });
  flow.connect(flow.start, asker).connect(flow.start, toolNode, { transform: () => ({}) });
  const { failures } = await execute(flow.build(), 'go').result;
  expect(failures.map(({ code, message }) => `${code}: ${message}`).sort()).toEqual(
    ['asker', 'namesake', 'none', 'tool-node'].map(
      (node) => `UNDECLARED_CONNECTOR: node "${node}" uses the connector "docs", which its \`connectors\` does not declare`,
    ),
  );
  expect([...asks, ...other.asks]).toEqual([]);
});

test('`build()` refuses what is no connector, and two of one name', () => {
  const flow = workflow('bad');
  flow.after(flow.start, flow.node('a', { connectors: ['docs'] as never, run: () => 1 }));
  flow.after(flow.start, flow.node('b', { connectors: [probe().probe, probe().probe], run: () => 1 }));
  expect(() => flow.build()).toThrow(/node "a" has `connectors` that are none(.|\n)*node "b" declares two connectors with the name "probe"/);
});

const PAGE = `Harbours\n${'It was a long page. '.repeat(40)}\nBerths: 47`;

/** An agent that calls a tool whose result is a connector's, and one behind it that is given what a function got from the connector. */
async function prompts(options: { readonly memory?: MemoryOptions; readonly asks?: boolean } = {}) {
  const { probe: docs } = probe({ name: 'docs' }, () => PAGE);
  const declared = [options.asks === true ? inPrompt(docs) : docs];
  const seen: Record<string, string[]> = { reader: [], writer: [] };
  const model = functionModel(({ system, messages }) => {
    seen[system as string]?.push(messages.at(-1)?.text ?? '');
    return system === 'reader' && messages.length === 1 ? { calls: [{ name: 'page', arguments: {} }] } : 'done';
  });
  const page = tool({ name: 'page', description: '', input: { type: 'object' }, resultLimit: 1000, run: (_: unknown, { use }) => use(docs).ask('harbours') });
  const flow = workflow<string, unknown>('prompts');
  const reader = flow.agent('reader', { system: 'reader', tools: [page], connectors: declared });
  const load = flow.node('load', { connectors: declared, run: async (_: string, { use }) => [await use(docs).ask('piers')] });
  const writer = flow.agent<unknown>('writer', { system: 'writer', connectors: declared });
  flow.connect(flow.start, reader).connect(flow.start, load).connect(load, writer).after(reader, writer).finish(writer);
  const { memory } = options;
  const result = await execute(flow.build(), 'go', { model, ...(memory === undefined ? {} : { memory }) }).result;
  if (result.status !== 'completed') throw new Error(JSON.stringify(result));
  return { fromTool: seen.reader?.[1] ?? '', fromInput: seen.writer?.[0] ?? '', result };
}

rule('What a connector gave stands in a prompt as a summary with a handle; a node that wants it whole says `inPrompt`', async () => {
  const { fromTool, fromInput, result } = await prompts({ memory: {} });
  const summary = JSON.parse(fromTool);
  expect(summary).toEqual({
    handle: expect.stringMatching(/^docs:[0-9a-f]{12}$/),
    request: { ask: 'harbours' },
    characters: PAGE.length,
    begins: PAGE.slice(0, 280),
  });
  expect(JSON.parse(fromInput)).toEqual([{ ...summary, handle: expect.stringMatching(/^docs:/), request: { ask: 'piers' } }]);
  // What stands behind handles that were shown is still there, and counted.
  expect(result.memory).toMatchObject({ connectorsKept: 2 * PAGE.length });
  const whole = await prompts({ asks: true, memory: {} });
  expect(whole.fromTool).toBe(PAGE);
  expect(JSON.parse(whole.fromInput)).toEqual([PAGE]);
  expect(whole.result.memory).toMatchObject({ connectorsKept: 0 });
});

rule('Without the connector tier, and with a single one, what connectors gave stands whole in every prompt', async () => {
  for (const memory of ['single-tier', { connectors: false }] as const) {
    const { fromTool, fromInput, result } = await prompts({ memory });
    expect(fromTool).toBe(PAGE);
    expect(fromInput).toContain(JSON.stringify([PAGE]));
    if (memory !== 'single-tier') expect(fromInput).toContain(`results of reader:\nResult of page:\n${PAGE}`);
    expect(result.memory?.[memory === 'single-tier' ? 'transcriptKept' : 'connectorsKept']).toBeGreaterThanOrEqual(PAGE.length);
  }
});

rule('An agent reads on behind a handle with the tool `read_held`, and in results of its own connectors only', async () => {
  const { probe: docs } = probe({ name: 'docs' }, () => PAGE);
  const page = tool({ name: 'page', description: '', input: { type: 'object' }, run: (_: unknown, { use }) => use(docs).ask('harbours') });
  const seen: string[] = [];
  const looksIn = (handle: () => string) =>
    functionModel(({ messages, turn }: FunctionModelRequest): FunctionModelReply => {
      if (turn > 0) seen.push(messages.at(-1)?.text ?? '');
      if (turn === 0) return { calls: [{ name: 'page', arguments: {} }] };
      return turn === 1 ? { calls: [{ name: 'read_held', arguments: { handle: handle(), from: PAGE.length - 10, length: 6 } }] } : 'done';
    });
  const flow = workflow<string, string>('look');
  const reader = flow.agent('reader', { tools: [page, readHeld], connectors: [docs], model: looksIn(() => JSON.parse(seen[0] ?? '{}').handle) });
  const { probe: mine } = probe({ name: 'mine' }, () => PAGE);
  const own = tool({ name: 'page', description: '', input: { type: 'object' }, run: (_: unknown, { use }) => use(mine).ask('x') });
  const stranger = flow.agent('stranger', { tools: [own, readHeld], connectors: [mine], model: looksIn(() => JSON.parse(seen[0] ?? '{}').handle) });
  flow.connect(flow.start, reader).connect(reader, stranger).finish(stranger);
  const result = await execute(flow.build(), 'go').result;
  expect(seen[1]).toBe(`Berths\n[goes on at ${PAGE.length - 4} of ${PAGE.length} characters]`.replace('Berths', PAGE.slice(-10, -4)));
  expect(result).toMatchObject({ status: 'failed', error: { code: 'UNDECLARED_CONNECTOR', node: 'stranger' } });
});

rule('No more calls of a connector are at work than its `concurrency`, over all runs, which take turns', async () => {
  const { probe: made, asks } = probe({ concurrency: 2 });
  const greedy = oneUser(made, (client) => Promise.all([1, 2, 3, 4, 5].map((n) => client.ask(`greedy ${n}`))));
  const modest = oneUser(made, (client) => client.ask('modest'));
  const runs = [execute(greedy, 'go'), execute(modest, 'go')];
  for (let ended = 0; ended < 6; ended++) {
    await settle();
    expect(asks.length).toBe(Math.min(ended + 2, 6));
    expect(made.counts()).toMatchObject({ atWork: Math.min(2, 6 - ended), waiting: 6 - asks.length });
    asks[ended]?.end('x');
  }
  expect(asks.map(({ what }) => what)).toEqual(['greedy 1', 'greedy 2', 'greedy 3', 'modest', 'greedy 4', 'greedy 5']);
  const [first, second] = await Promise.all(runs.map((run) => run.result));
  expect([first?.connectors?.probe?.waited, second?.connectors?.probe?.waited]).toEqual([3, 1]);
});

rule('A call that failed for what may pass is made again after a wait that doubles, with jitter from the given random numbers', async () => {
  const clock = manualClock();
  const { probe: made, asks } = probe({ clock, random: () => 1, retry: { attempts: 3, backoffMs: 100 } }, (_, times) => (times < 3 ? new Error('busy') : 'ok'));
  const run = execute(
    oneUser(made, async (client) => (await client.ask('a')).value),
    'go',
  );
  const events = collect(run);
  for (const [ms, calls] of [
    [99, 1],
    [1, 2],
    [199, 2],
    [1, 3],
  ] as const) {
    await clock.advance(ms);
    expect(asks.length).toBe(calls);
  }
  expect(await run.result).toMatchObject({ output: 'ok', connectors: { probe: { requests: 1, misses: 1, retries: 2, errors: 0 } } });
  expect((await events).filter(({ type }) => type === 'connector-retry')).toMatchObject([
    { node: 'n', attempt: 1, delayMs: 100, code: 'connector-failed' },
    { attempt: 2, delayMs: 200 },
  ]);
  const hopeless = probe({ clock }, () => new Error('gone'));
  expect(
    await execute(
      oneUser(hopeless.probe, (client) => client.ask('a')),
      'go',
    ).result,
  ).toMatchObject({
    status: 'failed',
    error: { code: 'connector-failed', message: 'connector "probe" failed: gone', node: 'n' },
    connectors: { probe: { errors: 1, retries: 0 } },
  });
  expect(hopeless.asks.length).toBe(1);
});

rule('A time-out aborts the call that is under way, and its place is free again', async () => {
  const clock = manualClock();
  const { probe: made, asks } = probe({ clock, timeoutMs: 50, concurrency: 1, retry: { attempts: 1 } });
  const run = execute(
    oneUser(made, (client) => Promise.allSettled([client.ask('slow'), client.ask('next')])),
    'go',
  );
  await clock.advance(50);
  expect(asks[0]?.signal.aborted).toBe(true);
  expect(asks[1]?.what).toBe('next');
  asks[1]?.end('x');
  expect(await run.result).toMatchObject({
    output: [{ reason: { code: 'timeout', message: 'connector "probe": no result within 50 ms' } }, { value: { value: 'x' } }],
    connectors: { probe: { timeouts: 1, errors: 1, misses: 1 } },
  });
  expect(clock.waiting).toBe(0);
});

rule('An answer is cached until it expires, within bounds of entries and bytes; an error never is', async () => {
  const clock = manualClock();
  const answers = (what: string, times: number) => (what === 'bad' ? new Error('no') : what === 'big' ? 'x'.repeat(30) : `${what}${times}`);
  const { probe: made, asks } = probe({ clock, cache: { ttlMs: 100, maxEntries: 2, maxBytes: 20 } }, answers);
  const ask = async (...whats: string[]) => {
    const texts: string[] = [];
    await execute(
      oneUser(made, async (client) => {
        for (const what of whats)
          texts.push(
            await client.ask(what).then(
              ({ value }) => value,
              () => 'failed',
            ),
          );
      }),
      'go',
    ).result;
    return texts;
  };
  expect(await ask('a', 'a')).toEqual(['a1', 'a1']);
  await clock.advance(99);
  expect(await ask('a')).toEqual(['a1']);
  await clock.advance(1);
  expect(await ask('a')).toEqual(['a2']);
  // Of three the one that was used longest ago has gone.
  expect(await ask('b', 'a', 'c', 'a', 'b')).toEqual(['b1', 'a2', 'c1', 'a2', 'b2']);
  const before = asks.length;
  await ask('big', 'big', 'bad', 'bad');
  expect(asks.length - before).toBe(4);
  // What is too large to keep drives nothing out.
  expect(await ask('b')).toEqual(['b2']);
  expect(made.counts()).toMatchObject({ requests: 14, hits: 5, misses: 7, errors: 2 });
  made.clearCache();
  expect(await ask('b')).toEqual(['b3']);
});

rule('Equal requests under way are one call, which is aborted once the last who waits for it has left', async () => {
  const { probe: made, asks } = probe();
  const flow = oneUser(made, async (client) => (await client.ask('same')).value);
  const controllers = [new AbortController(), new AbortController()];
  const start = () => controllers.map(({ signal }) => execute(flow, 'go', { signal }));
  const runs = start();
  await settle();
  controllers[0]?.abort();
  await settle();
  expect([asks.length, asks[0]?.signal.aborted]).toEqual([1, false]);
  asks[0]?.end('one answer');
  const results = await Promise.all(runs.map((run) => run.result));
  expect(results).toMatchObject([{ status: 'cancelled' }, { status: 'completed', output: 'one answer', connectors: { probe: { shared: 1, misses: 0 } } }]);

  controllers.splice(0, 2, new AbortController(), new AbortController());
  const again = start();
  await settle();
  for (const controller of controllers) controller.abort();
  await Promise.all(again.map((run) => run.result));
  await settle();
  expect([asks.length, asks[1]?.signal.aborted]).toEqual([2, true]);
  // Nobody joins a call that was given up, at whatever moment of its end.
  for (let moments = 0; moments < 15; moments++) {
    const given = new AbortController();
    const before = execute(flow, 'go', { signal: given.signal });
    await settle();
    given.abort();
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    const late = execute(flow, 'go');
    await settle();
    asks.at(-1)?.end('new');
    expect([moments, await late.result]).toMatchObject([moments, { output: 'new' }]);
    expect(await before.result).toMatchObject({ status: 'cancelled' });
  }
});

rule('Only what changes nothing is made again, cached or shared; anything else is sent once', async () => {
  const { probe: made, asks } = probe({ cache: { ttlMs: 1000 }, retry: { attempts: 5, backoffMs: 1 } }, (what) => (what === 'busy' ? new Error('busy') : 'ok'));
  const flow = oneUser(made, async (client) => {
    await Promise.all([client.send('a'), client.send('a')]);
    await client.send('a');
    return client.send('busy');
  });
  expect(await execute(flow, 'go').result).toMatchObject({ status: 'failed', error: { code: 'connector-failed' } });
  expect(asks.map(({ what }) => what)).toEqual(['a', 'a', 'a', 'busy']);
  // Nor does it answer for what may be cached and shared, or the other way round.
  const mixed = oneUser(made, async (client) => {
    await client.send('b');
    await client.ask('b');
    await client.send('b');
    await Promise.all([client.ask('c'), client.send('c')]);
  });
  await execute(mixed, 'go').result;
  expect(asks.slice(4).map(({ what }) => what)).toEqual(['b', 'b', 'b', 'c', 'c']);
});

rule('Calls are counted for each run and each connector, and told as events that can be written as JSON', async () => {
  const { probe: made } = probe({ cache: { ttlMs: 1000 } }, (what) => (what === 'bad' ? new Error('no') : what));
  const flow = workflow<string, unknown>('outer');
  const inner = oneUser(made, async (client) => {
    await client.ask('a');
    await client.ask('a');
    return client.ask('bad').catch(() => 'caught');
  });
  const node = flow.subgraph('deep', inner);
  const run = execute(flow.connect(flow.start, node).finish(node).build(), 'go');
  const events = await collect(run);
  const ended = {
    node: 'deep/n',
    connector: 'probe',
    request: '{"ask":"a"}',
    ok: true,
    bytes: 1,
    result: '"a"',
    digest: expect.stringMatching(/^[0-9a-f]{32}$/),
  };
  expect(JSON.parse(JSON.stringify(events.filter(({ type }) => type.startsWith('connector'))))).toMatchObject([
    { type: 'connector-start', node: 'deep/n', connector: 'probe', request: '{"ask":"a"}' },
    { type: 'connector-end', ...ended, from: 'call', attempts: 1 },
    { type: 'connector-start' },
    { type: 'connector-end', ...ended, from: 'cache', attempts: 0 },
    { type: 'connector-start' },
    { type: 'connector-end', ok: false, code: 'connector-failed', message: 'connector "probe" failed: no' },
  ]);
  const counts = { requests: 3, hits: 1, misses: 1, shared: 0, retries: 0, timeouts: 0, errors: 1, waited: 0, bytes: 1 };
  expect((await run.result).connectors).toEqual({ probe: counts });
  expect(made.counts()).toEqual({ ...counts, waiting: 0, atWork: 0 });
});

/** Two agents that read at the same time, and a function behind them. */
function readers(made: ManagedConnector<ProbeClient>) {
  const page = tool({
    name: 'page',
    description: '',
    input: jsonSchema<{ of: string }>({ type: 'object' }),
    run: async ({ of }, { use }) => (await use(made).ask(of)).value,
  });
  const flow = workflow<string[], unknown>('readers');
  const each = flow.map('each', { node: agent({ tools: [page] }), connectors: [made] });
  const last = flow.node('last', {
    connectors: [made],
    run: async (texts: readonly string[], { use }) => {
      const told = await use(made)
        .ask('bad')
        .then(
          ({ value }) => value,
          (error: Error) => error.message,
        );
      return `${texts.join()} ${told}`;
    },
  });
  return flow.connect(flow.start, each).connect(each, last).finish(last).build();
}

const asksForPages = functionModel(({ messages, turn }) =>
  turn > 0
    ? `${messages.at(-2)?.text}+${messages.at(-1)?.text}`
    : { calls: ['a', 'b'].map((of) => ({ name: 'page', arguments: { of: messages[0]?.text + of } })) },
);

/** Ends whatever is asked, in the order that the seed says. */
async function endAll(asks: Ask[], seed: number, answer: (what: string) => unknown, over: Promise<unknown>): Promise<void> {
  let state = seed;
  const open = new Set<Ask>();
  for (let done = false, seen = 0; !done; ) {
    for (const ask of asks.slice(seen)) open.add(ask);
    seen = asks.length;
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const one = [...open][state % Math.max(1, open.size)];
    if (one !== undefined) {
      open.delete(one);
      one.end(answer(one.what));
    }
    done = await Promise.race([over.then(() => true), settle().then(() => false)]);
  }
}

const answerFor = (what: string) => (what === 'bad' ? new Error('no') : `page ${what}`);

rule('A call counts in the trace hash by its request and its result, whatever the timing and whether it came from the cache', async () => {
  const hashOf = async (seed: number, policy: Partial<CallPolicy>, answer: (what: string) => unknown = answerFor) => {
    const { probe: made, asks } = probe(policy);
    const run = execute(readers(made), ['x', 'y', 'x'], { model: asksForPages, traceHash: true });
    await endAll(asks, seed, answer, run.result);
    const { trace } = await run.result;
    return trace !== undefined && 'hash' in trace ? trace.hash : trace;
  };
  const hash = await hashOf(1, {});
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const seed of [2, 3, 4]) expect(await hashOf(seed, seed === 2 ? { cache: { ttlMs: 10_000 } } : { concurrency: 1 })).toBe(hash);
  expect(await hashOf(1, {}, (what) => (what === 'ya' ? 'other' : answerFor(what)))).not.toBe(hash);
  // A node that puts out nothing of what it was told.
  const silent = async (what: string, answer: string) =>
    (
      await execute(
        oneUser(probe({}, () => answer).probe, (client) => client.ask(what).then(() => 'heard')),
        'go',
        { traceHash: true },
      ).result
    ).trace;
  expect(await silent('a', 'x')).toEqual(await silent('a', 'x'));
  for (const [what, answer] of [
    ['a', 'y'],
    ['b', 'x'],
  ] as const)
    expect(await silent(what, answer)).not.toEqual(await silent('a', 'x'));
  const timedOut = probe({ timeoutMs: 1, retry: { attempts: 1 } });
  const flow = oneUser(timedOut.probe, (client) => client.ask('slow').catch(() => 'late'));
  expect((await execute(flow, 'go', { traceHash: true }).result).trace).toEqual({ cutShort: 'connector "probe" of node "n" ran out of time' });
});

rule('A run is played back with what its connectors gave then, and a test may answer in their place', async () => {
  const { probe: made, asks } = probe({ cache: { ttlMs: 10_000 } });
  const recording = execute(readers(made), ['x', 'y', 'x'], { model: asksForPages });
  const collected = collect(recording);
  await endAll(asks, 5, answerFor, recording.result);
  const recorded = JSON.parse(JSON.stringify(await collected)) as RunEvent[];
  const untimed = ({ atMs: _, ...event }: RunEvent) => event;

  const silent = probe();
  const played = await collect(execute(readers(silent.probe), ['x', 'y', 'x'], replay(recorded)));
  expect(played.map(untimed)).toEqual(recorded.map(untimed));
  expect(silent.asks).toEqual([]);
  // What was not recorded is not asked of the real one.
  const modelOnly = recorded.filter(({ type }) => type !== 'connector-end');
  const unknown = await collect(execute(readers(silent.probe), ['x', 'y', 'x'], replay(modelOnly)));
  expect(unknown).toContainEqual(expect.objectContaining({ type: 'connector-end', code: 'not-recorded' }));
  expect(silent.asks).toEqual([]);

  // A call that ended with its node's time-out ends so again.
  const slow = probe();
  const twice = (made: ManagedConnector<ProbeClient>) =>
    oneUser(made, async (client) => (await client.ask('x')).value, { timeoutMs: 500, retry: { attempts: 2, backoffMs: 1 } });
  const clock = manualClock();
  const late = collect(execute(twice(slow.probe), 'go', { clock }));
  await clock.advance(600);
  slow.asks[1]?.end('there');
  const ofLate = await late;
  expect(ofLate.filter(({ type }) => type === 'connector-end')).toMatchObject([{ code: 'cancelled' }, { ok: true }]);
  expect((await collect(execute(twice(silent.probe), 'go', replay(ofLate)))).map(untimed)).toEqual(ofLate.map(untimed));

  const standIn = ({ ask }: { readonly ask: string }) => `told ${ask}`;
  const told = await execute(readers(silent.probe), ['x'], { model: asksForPages, connectors: { probe: standIn } }).result;
  expect(told).toMatchObject({ output: 'told xa+told xb told bad', connectors: { probe: { requests: 3 } } });
  expect(silent.asks).toEqual([]);
  expect(() => execute(readers(silent.probe), [], { connectors: { prob: standIn } })).toThrow('no node of workflow "readers" declares');
});

rule('An abort, and the end of a node, leaves no call, wait, place or listener of a connector behind', async () => {
  const clock = manualClock();
  const hanging = probe({ clock, concurrency: 2, timeoutMs: 1000 });
  const signals: AbortSignal[] = [];
  let own: AbortSignal | undefined;
  const standing = () => (own === undefined ? -1 : getEventListeners(own, 'abort').length);
  const start = workflow<string, unknown>('one');
  const asker = start.node('n', {
    connectors: [hanging.probe],
    run: (_: string, { use, signal }) => {
      own = signal;
      return Promise.all(['a', 'b', 'c'].map((what) => use(hanging.probe).ask(what)));
    },
  });
  const flow = start.connect(start.start, asker).finish(asker).build();
  const controller = new AbortController();
  const run = execute(flow, 'go', { signal: controller.signal });
  await settle();
  signals.push(...hanging.asks.map(({ signal }) => signal));
  expect([clock.waiting, hanging.probe.counts().waiting, standing()]).toEqual([2, 1, 3]);
  controller.abort('enough');
  expect(await run.result).toMatchObject({ status: 'cancelled' });
  await settle();
  const left = { timers: clock.waiting, listeners: standing(), ...pick(hanging.probe) };
  expect({ ...left, aborted: signals.every(({ aborted }) => aborted), asked: hanging.asks.length }).toEqual({
    timers: 0,
    listeners: 0,
    waiting: 0,
    atWork: 0,
    aborted: true,
    asked: 2,
  });
  // A wait between two attempts is a timer too.
  const waits = new AbortController();
  const busy = probe({ clock, retry: { attempts: 3, backoffMs: 60_000 } }, () => new Error('busy'));
  const waiting = execute(
    oneUser(busy.probe, (client) => client.ask('x')),
    'go',
    { signal: waits.signal },
  );
  await settle();
  expect(clock.waiting).toBe(1);
  waits.abort();
  await waiting.result;
  await settle();
  expect(clock.waiting).toBe(0);
  expect(hanging.probe.counts()).toMatchObject({ requests: 3, errors: 0, misses: 0 });
  // Whoever left while it waited for a place keeps none.
  const next = execute(
    oneUser(hanging.probe, (client) => Promise.all([client.ask('d'), client.ask('e')])),
    'go',
  );
  await settle();
  for (const { what, end } of hanging.asks.slice(2)) end(what);
  expect(await next.result).toMatchObject({ output: [{ value: 'd' }, { value: 'e' }] });
  // A call that has ended stands on no signal.
  const ended = workflow<string, unknown>('ended');
  const one = ended.node('n', {
    connectors: [busy.probe],
    run: async (_: string, { use, signal }) => {
      await use(busy.probe)
        .send('x')
        .catch(() => {});
      return getEventListeners(signal, 'abort').length;
    },
  });
  expect(await execute(ended.connect(ended.start, one).finish(one).build(), 'go').result).toMatchObject({ output: 0 });
  // A node that does not wait for its call.
  const careless = oneUser(hanging.probe, (client) => {
    client.ask('forgotten').catch(() => {});
    return settle().then(() => 'done');
  });
  const forgetful = execute(careless, 'go', { traceHash: true });
  const events = await collect(forgetful);
  expect(await forgetful.result).toMatchObject({ output: 'done', trace: { cutShort: expect.stringContaining('gave up a call') } });
  expect(events.filter(({ type }) => type === 'connector-end')).toMatchObject([{ ok: false, code: 'cancelled' }]);
  const replayed = execute(careless, 'go', replay(events));
  expect((await collect(replayed)).map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  await settle();
  expect({ timers: clock.waiting, ...pick(hanging.probe), aborted: hanging.asks.at(-1)?.signal.aborted }).toEqual({
    timers: 0,
    waiting: 0,
    atWork: 0,
    aborted: true,
  });
});

function pick(made: ManagedConnector<ProbeClient>) {
  const { waiting, atWork } = made.counts();
  return { waiting, atWork };
}

rule('HTTP asks only what is below the addresses that it was given, also where it is redirected, and no key of its headers is told', async () => {
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
    if (to !== null) response.writeHead(302, { location: to }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('here');
  });
  const web = httpConnector({ name: 'web', baseUrls: [`${origin}/v1`, `${origin}/open/`], headers: { authorization: 'Bearer secret' } });
  const get = (path: string) => used(web, async (client) => ({ value: (await client.get(path)).value.body }));
  expect(await get('a')).toBe('here');
  expect(await get(`${origin}/open/b`)).toBe('here');
  expect(await get('?to=/open/c')).toBe('here');
  expect(asked).toEqual([
    'GET /v1/a Bearer secret',
    // Keys belong to the first address.
    'GET /open/b -',
    'GET /v1/?to=%2Fopen%2Fc Bearer secret',
    'GET /open/c -',
  ]);
  const sent = asked.length;
  for (const path of [
    '/v2/a',
    '/v10/',
    '../admin',
    'http://example.test/v1/',
    'x/..%2f..%2fadmin',
    'file:///etc/passwd',
    `http://u:p@${origin.slice(7)}/v1/`,
    '//',
  ])
    expect([path, await get(path)]).toEqual([path, 'connector-refused']);
  expect(asked.length).toBe(sent);
  for (const to of ['/v2/a', 'http://example.test/', '?to=?to=?to=?to=?to=?to=x']) expect(await get(`?to=${to}`)).toBe('connector-refused');
  const flow = workflow<string, unknown>('told');
  const node = flow.node('n', { connectors: [web], run: (_: string, { use }) => use(web).get('a') });
  expect(JSON.stringify(await collect(execute(flow.connect(flow.start, node).finish(node).build(), 'go')))).not.toContain('secret');
});

rule('Files are read below one folder only: neither a path nor a link leads out of it', async () => {
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  const root = mkdtempSync(join(folder, 'root-'));
  writeFileSync(join(root, 'a.txt'), 'here');
  symlinkSync(join(root, 'a.txt'), join(root, 'inside'));
  symlinkSync(join(folder, 'secret.txt'), join(root, 'outside'));
  symlinkSync(folder, join(root, 'up'));
  const docs = fileConnector({ name: 'docs', root });
  for (const path of ['a.txt', './x/../a.txt', 'inside', join(root, 'a.txt')])
    expect([path, await used(docs, (client) => client.read(path))]).toEqual([path, 'here']);
  for (const path of ['../secret.txt', join(folder, 'secret.txt'), 'outside', 'up/secret.txt', 'a.txt\0', '.', '..', '../missing'])
    expect([path, await used(docs, (client) => client.read(path))]).toEqual([path, 'connector-refused']);
  for (const path of ['..', 'up']) expect(await used(docs, (client) => client.list(path))).toBe('connector-refused');
  expect(await used(docs, (client) => client.list())).toEqual([
    { name: 'a.txt', kind: 'file' },
    ...['inside', 'outside', 'up'].map((name) => ({ name, kind: 'other' })),
  ]);
});

rule('SQL takes statements as templates, so values travel as parameters and never become part of the text', async () => {
  const sent: unknown[] = [];
  const db = sqlConnector({
    name: 'db',
    query: (sql, params) => {
      sent.push([sql, params]);
      return [];
    },
  });
  const evil = "x'; drop table rain; --";
  expect(await used(db, (client) => client.query`select * from rain where town = ${evil} and year in (${[2025, 2026]})`)).toEqual([]);
  expect(sent).toEqual([['select * from rain where town = ? and year in (?, ?)', [evil, 2025, 2026]]]);
  for (const text of [`select '${evil}'`, [`select '${evil}'`], Object.assign([`select '${evil}'`], { raw: ['x'] })])
    expect(await used(db, (client) => client.query(text as never))).toBe('connector-refused');
  expect(sent.length).toBe(1);
});

rule('An answer that is longer than the limit of its connector is cut off and refused, never half there', async () => {
  const hose = 'x'.repeat(1000);
  let [written, closed] = [0, false];
  const origin = await serve((_, response) => {
    response.on('close', () => {
      closed = true;
    });
    const pour = () => {
      while (!closed && written < 1e9 && response.write(hose)) written += hose.length;
    };
    response.on('drain', pour);
    pour();
  });
  const web = httpConnector({ name: 'web', baseUrls: [origin], maxBytes: 5000 });
  expect(await used(web, (client) => client.get('/'))).toBe('too-large');
  while (!closed) await settle();
  expect(written).toBeLessThan(1e8);
  const root = mkdtempSync(join(folder, 'large-'));
  writeFileSync(join(root, 'large.txt'), hose);
  expect(await used(fileConnector({ name: 'docs', root, maxBytes: 999 }), (client) => client.read('large.txt'))).toBe('too-large');
  expect(await used(fileConnector({ name: 'docs', root, maxBytes: 1000 }), (client) => client.read('large.txt'))).toBe(hose);
  const db = sqlConnector({ name: 'db', maxBytes: 999, query: () => [{ hose }] });
  expect(await used(db, (client) => client.query`select 1`)).toBe('too-large');
});

test('a workflow as JSON names its connectors and comes back with them', async () => {
  const { probe: docs } = probe({ name: 'docs' }, () => 'here');
  const run = async (_: string, { use }: { use: (one: typeof docs) => ProbeClient }) => (await use(docs).ask('x')).value;
  const flow = workflow<string, unknown>('named');
  const node = flow.node('n', { connectors: [inPrompt(docs)], run: run as never });
  const json = JSON.parse(JSON.stringify(flow.connect(flow.start, node).finish(node).build()));
  expect(json.nodes[0].connectors).toEqual([{ inPrompt: 'docs' }]);
  const again = workflowFromJson<string>(json, { functions: { n: run as never, run: run as never }, connectors: [docs] });
  expect(await execute(again, 'go').result).toMatchObject({ output: 'here' });
  expect(() => workflowFromJson(json, { functions: { n: run as never, run: run as never } })).toThrow('names the connector "docs"');
});

test('a run that is gone on with counts its calls on, and makes those of finished nodes no more', async () => {
  const { probe: docs, asks } = probe({ name: 'probe' }, (what, times) => (what === 'b' && times === 1 ? new Error('no') : what));
  const flow = workflow<string, unknown>('two');
  const a = flow.node('a', { connectors: [docs], run: async (_: string, { use }) => (await use(docs).ask('a')).value });
  const b = flow.node('b', { connectors: [docs], run: async (_: string, { use }) => (await use(docs).ask('b')).value });
  const checked = flow.connect(flow.start, a).connect(a, b).finish(b).build();
  const checkpoint = { store: memoryCheckpoints(), run: 'r' };
  expect(await execute(checked, 'go', { checkpoint }).result).toMatchObject({ status: 'failed' });
  expect(await resume(checked, { checkpoint }).result).toMatchObject({ output: 'b', connectors: { probe: { requests: 2, misses: 2, errors: 0 } } });
  expect(asks.map(({ what }) => what)).toEqual(['a', 'b', 'b']);
});

test('options that make no sense are refused with what was found', () => {
  const code = (make: () => unknown) => {
    try {
      make();
    } catch (error) {
      return error instanceof WorkflowError ? `${error.code}: ${error.message}` : error;
    }
    return 'made';
  };
  expect(code(() => probe({ name: 'a b' }))).toContain('INVALID_OPTIONS: 1 to 64 letters');
  expect(code(() => probe({ concurrency: 0 }))).toContain('expected as `concurrency` of connector "probe", found 0');
  for (const timeoutMs of [Number.NaN, 0, Number.POSITIVE_INFINITY]) expect(code(() => probe({ timeoutMs }))).toContain('`timeoutMs`');
  expect(code(() => probe({ retry: { attempts: 1.5 } }))).toContain('`retry.attempts`');
  expect(code(() => probe({ cache: { ttlMs: -1 } }))).toContain('`cache.ttlMs`');
  expect(code(() => httpConnector({ name: 'web', baseUrls: [] as never }))).toContain('needs `baseUrls`');
  expect(code(() => httpConnector({ name: 'web', baseUrls: ['ftp://x/'] }))).toContain('is no http address');
  expect(code(() => fileConnector({ name: 'docs', root: '' }))).toContain('needs a folder');
  expect(code(() => sqlConnector({ name: 'db' } as never))).toContain('needs a driver');
});
