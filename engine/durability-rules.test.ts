// The rules of README.md on failures and their remedies, checkpoints, traces and what is drawn from them, one test each.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test as rule, test, vi } from 'vitest';
import { killAndResume } from './fixtures/kill-resume.ts';
import { manualClock, settle } from './fixtures/manual-clock.ts';
import {
  agent,
  type CheckpointStore,
  type Clock,
  execute,
  fileCheckpoints,
  functionModel,
  jsonSchema,
  memoryCheckpoints,
  merge,
  type NodeHandle,
  type RunEvent,
  type RunResult,
  replay,
  resume,
  seededRandom,
  tool,
  WorkflowError,
  workflow,
} from './index.ts';

const text = jsonSchema<string>({ type: 'string' });

/** Lines of a run as they stand in a store, without their digests. */
async function linesOf(store: CheckpointStore, run: string): Promise<Record<string, unknown>[]> {
  return (await store.load(run)).map((line) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as Record<string, unknown>);
}

/** S → A, B, C → J; whatever is named in `broken` throws. Counts how often each ran. */
function fanOut(policy: object, broken: Set<string>) {
  const ran: Record<string, number> = {};
  const flow = workflow('row-30', { state: { seen: merge.append(text) } });
  const node = (id: string) =>
    flow.node(id, {
      ...policy,
      writes: 'seen',
      run: () => {
        ran[id] = (ran[id] ?? 0) + 1;
        if (broken.has(id)) throw new Error(`${id} breaks`);
        return id;
      },
    });
  const [s, a, b, c, j] = ['S', 'A', 'B', 'C', 'J'].map(node) as [NodeHandle<unknown, string>, ...NodeHandle<unknown, string>[]];
  flow.after(flow.start, s);
  for (const one of [a, b, c] as NodeHandle<unknown, string>[]) flow.after(s, one).after(one, j as NodeHandle<unknown, string>);
  return { checked: flow.finish(j as NodeHandle<unknown, string>).build(), ran };
}

// Row 30 of what people reported
test.for([{ onFailure: 'stop' }, { onFailure: 'continue' }])(
  'a node that failed is named, and resume runs it and what waited for it, and nothing else (%o)',
  async (policy) => {
    const store = memoryCheckpoints();
    const broken = new Set(['B']);
    const { checked, ran } = fanOut(policy, broken);
    const first = await execute(checked, undefined, { checkpoint: { store, run: 'r' } }).result;
    expect(first).toMatchObject({ status: 'failed', error: { code: 'node-error', node: 'B', message: 'node "B" failed: B breaks' } });
    broken.clear();
    const second = await resume(checked, { checkpoint: { store, run: 'r' } }).result;
    expect(second).toMatchObject({ status: 'completed', output: 'J', failures: [], state: { seen: ['S', 'A', 'B', 'C', 'J'] } });
    expect(ran).toEqual({ S: 1, A: 1, B: 2, C: 1, J: 1 });
  },
);

rule('A node that has failed for good completes with its `fallback`: a value, or another body that is given the same input', async () => {
  const flow = workflow('f', { input: text, state: { seen: merge.append(text) } });
  const refuses = (): string => {
    throw new WorkflowError('refusal', 'no');
  };
  const value = flow.node('value', { run: refuses, fallback: { value: 'spare' }, writes: 'seen', retry: { attempts: 2, backoffMs: 1 } });
  const body = flow.node('body', { run: refuses, fallback: { node: (input: string) => `${input}!` }, writes: 'seen' });
  const asks = flow.node('asks', { run: refuses, fallback: { node: agent<string, string>({ system: 'Help.' }) } });
  const both = flow.node('both', { run: refuses, fallback: { node: refuses }, onFailure: 'continue' });
  for (const node of [value, body, asks, both]) flow.connect(flow.start, node);
  const end = flow.node('end', { join: 'settled', run: (input: Record<string, string>) => ({ ...input }) });
  for (const [id, node] of Object.entries({ value, body, asks, both })) flow.connect(node, end, { port: id });
  const run = execute(flow.finish(end).build(), 'go', { model: functionModel(({ messages }) => `${messages[0]?.text} on`) });
  const events = await collect(run);
  expect(await run.result).toMatchObject({
    status: 'completed',
    output: { value: 'spare', body: 'go!', asks: 'go on' },
    failures: [{ node: 'both', code: 'refusal' }],
    state: { seen: ['spare', 'go!'] },
  });
  expect(events.filter(({ type }) => type === 'node-fallback')).toMatchObject(
    [
      ['body', 1],
      ['asks', 1],
      ['both', 1],
      ['value', 2],
    ].map(([node, attempt]) => ({ node, attempt, code: 'refusal' })),
  );
});

rule('A node counts as finished, and its successors start, only once its checkpoint is durable', async () => {
  const held: (() => void)[] = [];
  const inner = memoryCheckpoints();
  const store = {
    ...inner,
    append: (...args: Parameters<typeof inner.append>) => new Promise<void>((resolve) => held.push(resolve)).then(() => inner.append(...args)),
  };
  const ran: string[] = [];
  const flow = workflow('f', { state: { total: merge.sum() } });
  const one = flow.node('one', { run: () => ran.push('one'), writes: 'total' });
  const two = flow.node('two', { run: () => ran.push('two') });
  flow.after(flow.start, one).after(one, two);
  const run = execute(flow.build(), undefined, { checkpoint: { store, run: 'r' } });
  const release = async () => {
    held.shift()?.();
    await settle();
  };
  await until(() => held.length === 1);
  await release();
  expect([ran, run.outcomeOf('one'), run.provenanceOf('total').length]).toEqual([['one'], undefined, 0]);
  await release();
  expect([ran, run.outcomeOf('one'), run.provenanceOf('total').length]).toEqual([['one', 'two'], 'completed', 1]);
  await release();
  await release();
  expect((await run.result).status).toBe('completed');
});

rule('Resume runs no finished node again and ends as if nothing had happened: state, outputs, provenance, counts and trace hash are the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 6 }), async (stopAfter, concurrency) => {
      const ran = new Map<string, number>();
      const { checked, model } = busyFlow((id) => void ran.set(id, (ran.get(id) ?? 0) + 1));
      const whole = execute(checked, 'go', { model, traceHash: true });
      const expected = await whole.result;
      ran.clear();
      const store = memoryCheckpoints();
      const controller = new AbortController();
      let ended = 0;
      const first = execute(checked, 'go', { model, concurrency, traceHash: true, signal: controller.signal, checkpoint: { store, run: 'r' } });
      for await (const event of first) if (event.type === 'node-end' && ++ended === stopAfter) controller.abort();
      const finished = (await linesOf(store, 'r')).flatMap(({ node, output }) => (output === undefined ? [] : [String(node)]));
      const before = new Map(ran);
      const second = execute(checked, 'go', { model, concurrency, traceHash: true, checkpoint: { store, run: 'r' } });
      const result = await second.result;
      for (const node of finished) expect([node, ran.get(node)]).toEqual([node, before.get(node)]);
      const { usage } = expected;
      const { usage: counted } = result;
      expect(comparable(result)).toEqual(comparable(expected));
      // Work that was lost on the way was done twice and is counted twice.
      expect(counted.modelCalls).toBeGreaterThanOrEqual(usage.modelCalls);
      expect(second.provenanceOf('notes').map(({ node, attempt, inputs }) => ({ node, attempt, inputs }))).toEqual(
        whole.provenanceOf('notes').map(({ node, attempt, inputs }) => ({ node, attempt, inputs })),
      );
      const third = await resume(checked, { model, traceHash: true, checkpoint: { store, run: 'r' } }).result;
      expect(comparable(third)).toEqual(comparable(result));
      expect(third.usage).toEqual(counted);
      for (const [node, times] of ran) expect(times).toBeLessThanOrEqual((before.get(node) ?? 0) + 1);
    }),
    { numRuns: 40 },
  );
});

rule(
  'A run that was killed with -9 goes on from its checkpoint to the same end',
  async () => {
    for (const [store, kills] of [
      ['file', 5],
      ['sqlite', 3],
    ] as const)
      expect(await killAndResume({ kills, seed: 3, store })).toContain('no finished node twice');
  },
  60_000,
);

rule('A checkpoint of another version of a workflow, or of another input, is refused with the difference named', async () => {
  const store = memoryCheckpoints();
  const build = (changed: boolean) => {
    const flow = workflow('f', { version: changed ? '2' : '1', state: changed ? { total: merge.max() } : { total: merge.sum() } });
    const one = flow.agent('one', { system: changed ? 'Be loud.' : 'Be quiet.', prompt: () => 'x' });
    const two = flow.node(changed ? 'three' : 'two', { run: () => 0 });
    flow.after(flow.start, one);
    if (changed) flow.after(flow.start, two);
    else flow.after(one, two);
    return flow.build();
  };
  const options = { model: functionModel(() => 'hm'), checkpoint: { store, run: 'r' } };
  expect((await execute(build(false), 'in', options).result).status).toBe('completed');
  const other = await execute(build(true), 'in', options).result;
  expect(other.status === 'failed' && [other.error.code, other.error.message]).toMatchInlineSnapshot(`
    [
      "checkpoint-mismatch",
      "the checkpoint of run "r" belongs to something else:
      the workflow had version 1 and has 2
      node "one" had agent {"system":"Be quiet.","tools":[],"iterations":16,"reasks":2} and has {"system":"Be loud.","tools":[],"iterations":16,"reasks":2}
      node "two" is gone
      node "three" is new
      state key "total" had merge sum and has max",
    ]
  `);
  expect(await execute(build(false), 'other', options).result).toMatchObject({
    status: 'failed',
    error: { code: 'checkpoint-mismatch', message: expect.stringContaining('the input is another one') },
  });
  expect(await resume(build(false), { ...options, checkpoint: { store, run: 'unknown' } }).result).toMatchObject({
    status: 'failed',
    error: { code: 'no-checkpoint' },
  });
});

rule('A checkpoint that was changed, cut or mixed up anywhere is refused with `checkpoint-corrupt`, before anything of it is believed', async () => {
  const store = memoryCheckpoints();
  const { checked, model } = busyFlow(() => {});
  await execute(checked, 'go', { model, checkpoint: { store, run: 'r' } }).result;
  const whole = await store.load('r');
  const reads = async (lines: readonly string[]) => {
    let ran = false;
    const damaged = memoryCheckpoints();
    await damaged.append('r', 0, lines);
    const { checked: again } = busyFlow(() => {
      ran = true;
    });
    const result = await execute(again, 'go', { model, checkpoint: { store: damaged, run: 'r' } }).result;
    return result.status === 'failed' && !ran ? result.error.code : `${result.status}${ran ? ', ran' : ''}`;
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(), fc.constantFrom('flip', 'cut', 'drop', 'swap', 'insert'), async (a, b, bit, how) => {
      const lines = [...whole];
      const at = a % lines.length;
      const line = lines[at] as string;
      const place = b % line.length;
      if (how === 'flip') lines[at] = line.slice(0, place) + String.fromCharCode(line.charCodeAt(place) ^ (1 << (bit % 7))) + line.slice(place + 1);
      if (how === 'cut') lines[at] = line.slice(0, place);
      if (how === 'drop' && at < lines.length - 1) lines.splice(at, 1);
      if (how === 'swap') lines.push(...lines.splice(at === lines.length - 1 ? 0 : at, 1));
      if (how === 'insert') lines[at] = `${line.slice(0, place)}{"__proto__":{"polluted":1}}${line.slice(place)}`;
      if (how === 'drop' && at === whole.length - 1) return;
      expect(await reads(lines)).toBe('checkpoint-corrupt');
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }),
    { numRuns: 300 },
  );
  // Lines that were never written, each well-formed by itself.
  for (const junk of ['', 'x', '{}', 'null', '0'.repeat(16), `${'0'.repeat(16)} {}`, '\u0000']) expect(await reads([junk])).toBe('checkpoint-corrupt');
  // The same in a file, byte by byte.
  const folder = mkdtempSync(join(tmpdir(), 'damaged-'));
  const files = fileCheckpoints(folder, { sync: false });
  await files.append('r', 0, whole);
  const file = join(folder, 'run-r', '0000000000.jsonl');
  const bytes = readFileSync(file);
  for (let i = 0; i < 60; i++) {
    const damaged = Buffer.from(i % 3 === 0 ? bytes.subarray(0, (bytes.length * i) / 60) : bytes);
    const at = Math.floor((bytes.length * i) / 60);
    if (i % 3 === 1) damaged[at] = (damaged[at] as number) ^ (1 << (i % 8));
    if (i % 3 === 2) damaged[at] = damaged[at] === 10 ? 13 : 10;
    writeFileSync(file, damaged);
    const result = await execute(checked, 'go', { model, checkpoint: { store: fileCheckpoints(folder, { sync: false }), run: 'r' } }).result;
    expect([i, result.status === 'failed' && result.error.code]).toEqual([i, 'checkpoint-corrupt']);
  }
  rmSync(folder, { recursive: true });
  // Whole lines that are missing at the end are work that is done again.
  expect(await reads(whole.slice(0, 3))).toBe('completed, ran');
});

rule('What a checkpoint cannot keep fails its node with `not-storable`, and a store that fails stops the run with `checkpoint-failed`', async () => {
  const flow = workflow('f');
  const odd = flow.node('odd', { run: () => ({ at: [() => 0] }), onFailure: 'continue', retry: { attempts: 3 } });
  const fine = flow.node('fine', { run: () => 'fine' });
  const checked = flow.after(flow.start, odd).after(flow.start, fine).finish(fine).build();
  expect(await execute(checked, undefined, { checkpoint: { store: memoryCheckpoints(), run: 'r' } }).result).toMatchObject({
    status: 'completed',
    failures: [{ node: 'odd', code: 'not-storable', message: 'the output of node "odd" holds a function at at.0, which a checkpoint cannot keep' }],
  });
  let appends = 0;
  const inner = memoryCheckpoints();
  const full = {
    ...inner,
    append: (...args: Parameters<typeof inner.append>) => (++appends > 1 ? Promise.reject(new Error('disk full')) : inner.append(...args)),
  };
  const run = execute(checked, undefined, { checkpoint: { store: full, run: 'r' } });
  expect(await run.result).toMatchObject({
    status: 'failed',
    error: { code: 'checkpoint-failed', message: 'cannot write the checkpoint of run "r": disk full' },
  });
  expect(run.outcomeOf('fine')).toBe('cancelled');
  const blind = { ...inner, load: () => Promise.reject(new Error('no disk')) };
  expect(await execute(checked, undefined, { checkpoint: { store: blind, run: 'r' } }).result).toMatchObject({ error: { code: 'checkpoint-failed' } });
});

rule('A gate stops a run with status `waiting`; with its answer the run goes on from the checkpoint, and what was done before is not done again', async () => {
  const store = memoryCheckpoints();
  const ran: string[] = [];
  const inner = workflow<string, string>('inner');
  const before = inner.node('before', { run: (input: string) => `${input}${ran.push('before')}` });
  const ask = inner.wait<string, string>('ask', { question: (input) => `Send ${input}?`, output: text });
  inner.connect(inner.start, before).connect(before, ask).finish(ask);
  const flow = workflow<string, string>('outer');
  const draft = flow.node('draft', { run: (input: string) => `${input}${ran.push('draft')}` });
  const check = flow.subgraph('check', inner.build());
  const send = flow.node('send', { run: (answer: string) => `${answer}${ran.push('send')}` });
  const checked = flow.connect(flow.start, draft).connect(draft, check).connect(check, send).finish(send).build();
  const checkpoint = { store, run: 'order-17' };
  const first = await execute(checked, 'letter', { checkpoint }).result;
  expect(first).toMatchObject({ status: 'waiting', gates: [{ node: 'check/ask', question: 'Send letter12?', input: 'letter12' }] });
  expect(await resume(checked, { checkpoint }).result).toMatchObject({ status: 'waiting' });
  const events = resume(checked, { checkpoint, answers: { 'check/ask': 'yes' } });
  const told = await collect(events);
  expect(await events.result).toMatchObject({ status: 'completed', output: 'yes3' });
  expect(ran).toEqual(['draft', 'before', 'send']);
  expect(told.flatMap((event) => (event.type === 'node-end' && event.restored ? [event.node] : []))).toEqual(['draft', 'check/before']);
  // Nothing is asked again once it was answered.
  expect(await resume(checked, { checkpoint }).result).toMatchObject({ status: 'completed', output: 'yes3' });
});

rule('Items of a map and nodes of a subgraph are finished one by one, and resume runs none of them again', async () => {
  const store = memoryCheckpoints();
  const ran: Record<string, number> = {};
  const inner = workflow<string, string>('inner');
  const one = inner.node('one', { run: (input: string) => count(`${input}/one`) });
  const two = inner.node('two', { run: (input: string) => count(`${input}/two`) });
  inner.connect(inner.start, one).connect(one, two).finish(two);
  const count = async (id: string) => {
    await settle();
    ran[id] = (ran[id] ?? 0) + 1;
    return id;
  };
  const flow = workflow('outer', { input: jsonSchema<readonly string[]>({ type: 'array' }), state: { seen: merge.append(text) } });
  const plain = flow.map('plain', { node: (item: string) => count(`plain ${item}`), concurrency: 2, writes: 'seen' });
  const deep = flow.map('deep', { node: inner.build(), concurrency: 2 });
  const checked = flow.connect(flow.start, plain).connect(flow.start, deep).finish(deep).build();
  const options = { traceHash: true, checkpoint: { store, run: 'r' } };
  const items = ['a', 'b', 'c', 'd', 'e'];
  const expected = await execute(checked, items, { traceHash: true }).result;
  for (const key of Object.keys(ran)) delete ran[key];
  for (let stops = 1; ; stops++) {
    const controller = new AbortController();
    const run = execute(checked, items, { ...options, signal: controller.signal });
    let ended = 0;
    for await (const event of run) if (event.type === 'node-end' && !event.restored && ++ended === 3) controller.abort();
    const result = await run.result;
    if (result.status === 'cancelled') continue;
    expect(comparable(result)).toEqual(comparable(expected));
    expect(stops).toBeGreaterThan(3);
    break;
  }
  // What was under way when a run was stopped was begun again, and that is at most one attempt more a stop.
  const finished = (await linesOf(store, 'r')).flatMap(({ node }) => (node === undefined ? [] : [String(node)]));
  expect(new Set(finished).size).toBe(finished.length);
  expect(finished).toContain('deep[4]/two');
  expect(finished.filter((path) => path.startsWith('plain['))).toHaveLength(5);
  for (const key of Object.keys(ran)) delete ran[key];
  expect((await resume(checked, options).result).status).toBe('completed');
  expect(ran).toEqual({});
});

rule('A run that keeps a checkpoint can be aborted at any moment: nothing is written after that, and it can be gone on with', async () => {
  const appended: number[] = [];
  const inner = memoryCheckpoints();
  const store = {
    ...inner,
    append: async (...args: Parameters<typeof inner.append>) => {
      appended.push(args[2].length);
      await settle();
      return inner.append(...args);
    },
  };
  const { checked, model } = busyFlow(() => {});
  const controller = new AbortController();
  const run = execute(checked, 'go', { model, signal: controller.signal, checkpoint: { store, run: 'r' } });
  await until(() => appended.length === 2);
  controller.abort('enough');
  expect(await run.result).toMatchObject({ status: 'cancelled', reason: 'enough' });
  const then = appended.length;
  await settle();
  await settle();
  expect(appended.length).toBe(then);
  expect(await execute(checked, 'go', { model, checkpoint: { store, run: 'r' } }).result).toMatchObject({ status: 'completed' });
});

rule('Same inputs and replies give the same trace hash whatever the timing; another reply, input or workflow gives another', async () => {
  const hash = async (options: Parameters<typeof busyFlow>[1] = {}, input = 'go') => {
    const { checked, model } = busyFlow(() => {}, options);
    const { trace } = await execute(checked, input, { model, traceHash: true, concurrency: 1 + ((options.seed ?? 0) % 7) }).result;
    return trace !== undefined && 'hash' in trace ? trace.hash : trace?.cutShort;
  };
  const seen = new Set<string | undefined>();
  for (let seed = 0; seed < 50; seed++) seen.add(await hash({ seed }));
  expect(seen.size).toBe(1);
  const [first] = seen;
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  const others = [await hash({ reply: 'other' }), await hash({}, 'stop'), await hash({ name: 'other' })];
  expect(new Set([first, ...others]).size).toBe(4);
  const { checked, model } = busyFlow(() => {});
  expect(await execute(checked, 'go', { model }).result).not.toHaveProperty('trace');
});

rule(
  'A run that time cut short says so and has no trace hash: a failure that stops it, a time-out, an abort, an `any` join that two could have let start',
  async () => {
    const clock = manualClock();
    const flow = (build: (flow: ReturnType<typeof workflow>) => void) => {
      const one = workflow('f');
      build(one);
      return one.build();
    };
    const never = () => new Promise<never>(() => {});
    const stopped = flow((one) => one.after(one.start, one.node('bad', { run: () => Promise.reject(new Error('x')) })));
    const slow = flow((one) => one.after(one.start, one.node('slow', { run: never, timeoutMs: 5, fallback: { value: 0 } })));
    const open = flow((one) => one.after(one.start, one.node('open', { run: never })));
    const race = flow((one) => {
      const join = one.node('join', { join: 'any', run: () => 0 });
      for (const id of ['p', 'q']) {
        const node = one.node(id, { run: () => 0 });
        one.after(one.start, node).after(node, join);
      }
    });
    const cutOf = async (checked: typeof race, options = {}, act = () => {}) => {
      const run = execute(checked, undefined, { traceHash: true, ...options });
      await settle();
      act();
      return (await run.result).trace;
    };
    expect(await cutOf(stopped)).toEqual({ cutShort: 'stopped: node "bad" failed: x' });
    expect(await cutOf(slow, { clock }, () => void clock.advance(5))).toEqual({ cutShort: 'node "slow" ran out of time' });
    const controller = new AbortController();
    expect(await cutOf(open, { signal: controller.signal }, () => controller.abort())).toEqual({ cutShort: 'stopped: the run was aborted' });
    expect(await cutOf(race)).toEqual({ cutShort: 'node "join" took whichever came first' });
  },
);

rule('Played back from its own events, a run passes through the same events again', async () => {
  for (const seed of [1, 2, 3]) {
    const { checked, model } = busyFlow(() => {}, { seed, onlyModel: true });
    const recorded = JSON.parse(JSON.stringify(await collect(execute(checked, 'go', { model })))) as RunEvent[];
    const replayed = await collect(execute(checked, 'go', replay(recorded)));
    expect(replayed.map(untimed)).toEqual(recorded.map(untimed));
    expect(recorded.filter(({ type }) => type === 'model-end').length).toBe(16);
  }
  const { checked } = busyFlow(() => {});
  expect(await execute(checked, 'go', replay([])).result).toMatchObject({ status: 'failed', error: { code: 'not-recorded' } });
});

rule('Time and chance come in from outside: a run that is given both reads no others, and does the same at the same times again', async () => {
  const ambient = () => {
    throw new Error('read in place of what was given');
  };
  const execution = async () => {
    const clock = manualClock();
    const { checked, model } = waitingFlow(clock);
    const run = execute(checked, 'go', { model, clock, random: seededRandom(7), traceHash: true, checkpoint: { store: memoryCheckpoints(), run: 'r' } });
    const events = collect(run);
    await clock.advance(60_000);
    return { events: await events, result: await run.result };
  };
  // What is loaded late reads them as any module does.
  await execution();
  const spies = [
    vi.spyOn(Math, 'random'),
    vi.spyOn(Date, 'now'),
    vi.spyOn(performance, 'now'),
    vi.spyOn(process.hrtime, 'bigint'),
    vi.spyOn(globalThis, 'setTimeout'),
    vi.spyOn(globalThis.crypto, 'randomUUID'),
    vi.spyOn(globalThis.crypto, 'getRandomValues'),
  ];
  for (const spy of spies) spy.mockImplementation(ambient);
  let both: Awaited<ReturnType<typeof execution>>[];
  try {
    both = [await execution(), await execution()];
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const [one, two] = both;
  expect(one?.result).toMatchObject({ status: 'completed', trace: { hash: expect.any(String) } });
  expect(two).toEqual(one);
  expect(one?.events.filter(({ type }) => type === 'node-retry')).toHaveLength(4);
});

/** Agents, tools and functions that wait by the given clock, and fail twice before they go on. */
function waitingFlow(clock: Clock) {
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const look = tool({ name: 'look', description: '', input: jsonSchema<object>({ type: 'object' }), run: () => pause(40).then(() => 'seen') });
  const model = functionModel(async ({ turn }) => {
    await pause(100);
    return turn === 0 ? { calls: [{ name: 'look', arguments: {} }] } : 'done';
  });
  const flow = workflow('waiting', { input: text, output: text, state: { seen: merge.append(text) } });
  const starts: NodeHandle<string, string>[] = ['a', 'b'].map((id) =>
    flow.node(id, {
      retry: { attempts: 3, backoffMs: 1000 },
      timeoutMs: 5000,
      run: async (input: string, { attempt }) => {
        await pause(10);
        if (attempt < 3) throw new Error('not yet');
        return input;
      },
    }),
  );
  const end = flow.node('end', { reads: ['seen'], run: (_: unknown, { get }) => get('seen').join() });
  for (const [i, start] of starts.entries()) {
    const ask = flow.agent(`ask-${i}`, { ...agent<string>({ tools: [look] }), writes: 'seen' });
    flow.connect(flow.start, start).connect(start, ask).after(ask, end);
  }
  return { checked: flow.finish(end).build(), model };
}

interface BusyOptions {
  readonly seed?: number;
  readonly reply?: string;
  readonly name?: string;
  /** Whether only model calls take time. */
  readonly onlyModel?: boolean;
}

/** Four rounds of agents with two parallel calls each, beside functions that fail, are tried again and replaced; delays are drawn from the seed. */
function busyFlow(note: (id: string) => void, { seed = 1, reply = 'fine', name = 'busy', onlyModel = false }: BusyOptions = {}) {
  let state = seed * 7919 + 1;
  const ran = <Value>(id: string, value: Value): Value => {
    note(id);
    return value;
  };
  const later = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return new Promise<void>((resolve) => setTimeout(resolve, state % 3));
  };
  const look = tool({
    name: 'look',
    description: '',
    input: jsonSchema<{ at: string }>({ type: 'object' }),
    run: onlyModel ? ({ at }) => `seen ${at}` : ({ at }) => later().then(() => `seen ${at}`),
  });
  const model = functionModel(async ({ messages, turn }) => {
    await later();
    if (turn > 0) return `${reply}: ${messages.at(-2)?.text}, ${messages.at(-1)?.text}`;
    return { calls: [look, { name: 'nothing' }, look].map(({ name }, i) => ({ name, arguments: { at: `${i}` } })), usage: { inputTokens: 3, outputTokens: 1 } };
  });
  const flow = workflow(name, { input: text, output: text, state: { notes: merge.append(text) } });
  const end = flow.node('end', { reads: ['notes'], join: 'settled', run: (_: unknown, { get }) => ran('end', get('notes').join('\n')) });
  let before: NodeHandle<string, string> = flow.node('first', { run: (input: string) => ran('first', input) });
  flow.connect(flow.start, before);
  for (let round = 0; round < 4; round++) {
    const ids = [`agent-${round}-a`, `agent-${round}-b`];
    const agents = ids.map((id) =>
      flow.agent(id, { ...agent<string, string>({ tools: [look] }), prompt: (input) => ran(id, `${id} ${input}`), writes: 'notes' }),
    );
    const join = flow.node(`join-${round}`, {
      run: (input: { a: string; b: string }) => ran(`join-${round}`, `${input.a.length}/${input.b.length}`),
      writes: 'notes',
    });
    const shaky = flow.node(`shaky-${round}`, {
      retry: { attempts: 2, backoffMs: 1 },
      onFailure: 'continue',
      run: (_: string, { attempt }) => {
        if (attempt === 1) note(`shaky-${round}`);
        if (round !== 2 && attempt === 2) return 'at last';
        throw new Error('shaky');
      },
    });
    for (const [i, one] of agents.entries()) flow.connect(before, one).connect(one, join, { port: i === 0 ? 'a' : 'b' });
    flow.connect(before, shaky).after(shaky, end).after(join, end);
    for (const one of agents) flow.after(one, end);
    before = join as unknown as NodeHandle<string, string>;
  }
  return { checked: flow.finish(end).build(), model };
}

test('a checkpoint and a memory tier that is switched off exclude each other', () => {
  const { checked, model } = busyFlow(() => {});
  const checkpoint = { store: memoryCheckpoints(), run: 'r' };
  for (const memory of ['single-tier', { scratch: false }] as const) {
    expect(() => execute(checked, 'go', { model, checkpoint, memory })).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }));
  }
});

async function collect(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** An end without its time and counts, and failures without what a checkpoint leaves behind: their causes. */
function comparable({ durationMs: _d, usage: _u, faults: _f, failures, ...rest }: RunResult<unknown>): object {
  return { ...rest, failures: failures.map(({ node, code, message }) => ({ node, code, message })) };
}

function untimed(event: RunEvent): object {
  const { atMs: _, ...rest } = event;
  return rest;
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 10_000 && !holds(); i++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}
