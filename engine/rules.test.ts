// The numbered rules of README.md, one test each, in the same words; branches and their like have theirs in control-rules.test.ts.
// The last test compares the list with the tests of the whole folder.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test as rule, test } from 'vitest';
import { manualClock, settle } from './fixtures/manual-clock.ts';
import {
  type agent,
  execute,
  type FunctionModelReply,
  type FunctionModelRequest,
  functionModel,
  jsonSchema,
  merge,
  type RunEvent,
  type StandardSchema,
  tool,
  WorkflowError,
  workflow,
} from './index.ts';

function deferred<Value = void>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A model that gives these replies in turn, the last one for ever. */
function scripted(...replies: readonly FunctionModelReply[]) {
  const seen: FunctionModelRequest[] = [];
  const model = functionModel((request) => {
    seen.push(request);
    return replies[Math.min(seen.length, replies.length) - 1] as FunctionModelReply;
  });
  return { model, seen };
}

/** One agent over the start's text. */
function oneAgent(options: Parameters<typeof agent<string, unknown>>[0], policy: object = {}) {
  const flow = workflow<string, unknown>('one');
  const node = flow.agent('a', { ...options, ...policy });
  return flow.connect(flow.start, node).finish(node).build();
}

const echo = tool({
  name: 'echo',
  description: 'Gives back.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  run: ({ text }: { text: string }) => text,
});
const asks = (name: string, args: unknown) => ({ calls: [{ name, arguments: args }] });

rule('A node starts as soon as its own predecessors have completed; a slow sibling holds nobody up', async () => {
  const slow = deferred();
  const ran: string[] = [];
  const flow = workflow('f');
  const a = flow.node('a', { run: () => slow.promise });
  const b = flow.node('b', { run: () => void ran.push('b') });
  const c = flow.node('c', { run: () => void ran.push('c') });
  flow.after(flow.start, a).after(flow.start, b).after(b, c);
  const run = execute(flow.build(), undefined);
  await settle();
  expect(ran).toEqual(['b', 'c']);
  expect(run.outcomeOf('a')).toBeUndefined();
  slow.resolve();
  expect((await run.result).status).toBe('completed');
});

rule('At most `concurrency` nodes are at work, and ready nodes start in the order in which they became ready', async () => {
  const gates = Array.from({ length: 5 }, () => deferred());
  const started: number[] = [];
  const flow = workflow('f');
  for (const [i, gate] of gates.entries()) {
    flow.after(
      flow.start,
      flow.node(`n${i}`, {
        run: () => {
          started.push(i);
          return gate.promise;
        },
      }),
    );
  }
  const run = execute(flow.build(), undefined, { concurrency: 2 });
  await settle();
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await run.result;
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

rule('A node that returns no promise costs none: a long chain of them neither recurses nor keeps timers waiting', async () => {
  const flow = workflow<number, number>('f');
  let busyUntil = 0;
  let last = flow.node('n0', { run: (input: number) => input });
  flow.connect(flow.start, last);
  for (let i = 1; i < 100_000; i++) {
    const next = flow.node(`n${i}`, { run: (input: number) => input + 1 });
    flow.connect(last, next);
    last = next;
  }
  flow.finish(last);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  // A clock that runs a millisecond a look makes the run believe that it has been at it for long.
  const clock = { nowMs: () => busyUntil++, after: () => () => {} };
  const result = await execute(flow.build(), 1, { clock }).result;
  clearInterval(timer);
  expect(result).toMatchObject({ status: 'completed', output: 100_000 });
  expect(ticks).toBeGreaterThan(0);
});

rule('`build()` names every problem of a workflow in one error', () => {
  const flow = workflow('broken', { state: { total: jsonSchema<number>({ type: 'number' }), notes: jsonSchema<string>({ type: 'string' }) } });
  const other = workflow('other');
  const stranger = other.node('z', { run: () => 0 });
  const run = () => 0;
  const twice = flow.node('twice', { run });
  flow.node('twice', { run });
  const self = flow.node('self', { run });
  const [c, d, e] = ['c', 'd', 'e'].map((id) => flow.node(id, { run })) as [typeof self, typeof self, typeof self];
  const p = flow.node('p', { run, writes: 'total' });
  const q = flow.node('q', { run, writes: 'total' });
  const reader = flow.node('reader', { run, reads: ['total', 'notes'] });
  const hungry = flow.node('hungry', { input: jsonSchema<number>({ type: 'number' }), run });
  flow.node('island', { run });
  for (const node of [twice, self, p, q, reader, hungry]) flow.after(flow.start, node);
  flow.after(self, self).after(c, d).after(d, e).after(e, c).after(twice, stranger);
  // @ts-expect-error a key that the state does not declare
  flow.after(flow.start, flow.node('typo', { run, reads: ['totl'] }));
  const error = thrownBy(() => flow.build());
  expect(error.code).toBe('INVALID_WORKFLOW');
  expect(error.message).toMatchInlineSnapshot(`
    "workflow "broken" has 11 problems:
      duplicate-id: 2 nodes have the id "twice"
      self-loop: node "self" waits for itself: self → self
      unknown-node: an edge leads to "z", which is no node of this workflow
      cycle: the nodes wait for each other: c → d → e → c
      unreachable: nothing leads from the start to node "twice"; connect it, or say after(flow.start, …)
      unreachable: nothing leads from the start to node "island"; connect it, or say after(flow.start, …)
      undeclared-key: node "typo" reads "totl", which the workflow's state does not declare (declared: total, notes)
      missing-input: node "hungry" needs an input and no edge carries one; connect(…, hungry)
      unordered-writers: nodes "p" and "q" both write "total" and no path orders them; give the key a merge rule, or say after(…)
      unordered-read: node "reader" reads "total" and node "p" writes it, and no path orders them; say after(…)
      unordered-read: node "reader" reads "total" and node "q" writes it, and no path orders them; say after(…)"
  `);
  expect(error.problems.find(({ code }) => code === 'cycle')?.nodes).toEqual(['c', 'd', 'e']);
});

rule('Two writers of one key that no path orders, and a reader that no path orders with a writer, are refused; a merge rule allows the first', () => {
  const build = (merged: boolean, ordered: boolean) => {
    const flow = workflow('f', { state: { total: merged ? merge.sum() : jsonSchema<number>({ type: 'number' }) } });
    const p = flow.node('p', { run: () => 1, writes: 'total' });
    const q = flow.node('q', { run: () => 2, writes: 'total' });
    flow.after(flow.start, p).after(ordered ? p : flow.start, q);
    return flow.build();
  };
  expect(thrownBy(() => build(false, false)).problems).toMatchObject([{ code: 'unordered-writers', nodes: ['p', 'q'] }]);
  build(false, true);
  build(true, false);
});

rule('Writes are merged in the order of the graph, so the value is the same whatever the timing', async () => {
  for (const first of ['p', 'q']) {
    const gates: Record<string, ReturnType<typeof deferred<void>>> = { p: deferred(), q: deferred() };
    const flow = workflow('f', { state: { notes: merge.append(jsonSchema<string>({ type: 'string' })), total: merge.sum() } });
    const writer = (id: string, amount: number) =>
      flow.node(id, {
        writes: ['notes', 'total'],
        run: async (_: unknown, { set }) => {
          await gates[id]?.promise;
          set('notes', id);
          set('total', amount);
        },
      });
    const [p, q] = [writer('p', 1), writer('q', 2)];
    const j = flow.node('j', { reads: ['notes'], run: (_: unknown, { get }) => get('notes') });
    flow.after(flow.start, p).after(flow.start, q).after(p, j).after(q, j).finish(j);
    const run = execute(flow.build(), undefined);
    gates[first]?.resolve();
    await settle();
    for (const gate of Object.values(gates)) gate.resolve();
    const result = await run.result;
    expect(result).toMatchObject({ status: 'completed', output: ['p', 'q'], state: { notes: ['p', 'q'], total: 3 } });
    expect(run.provenanceOf('notes').map(({ node, attempt, inputs }) => ({ node, attempt, inputs }))).toEqual([
      { node: 'p', attempt: 1, inputs: [] },
      { node: 'q', attempt: 1, inputs: [] },
    ]);
  }
});

rule('A read or write of a key that the node does not declare fails with node and key named', async () => {
  const flow = workflow('f', { state: { total: merge.sum() } });
  flow.after(
    flow.start,
    flow.node('peeks', {
      // @ts-expect-error not declared in `reads`
      run: (_: unknown, { get }) => get('total'),
    }),
  );
  const result = await execute(flow.build(), undefined).result;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'UNDECLARED_READ', node: 'peeks' } });
  expect(result.status === 'failed' && result.error.message).toBe('node "peeks" reads the state key "total", which its `reads` does not declare');
});

rule('The writes of a node are committed together when it completes, and none of them otherwise', async () => {
  const flow = workflow('f', { state: { a: merge.sum(), b: merge.sum() } });
  const half = flow.node('half', {
    writes: ['a', 'b'],
    onFailure: 'continue',
    run: (_: unknown, { set }) => {
      set('a', 1);
      set('b', 'no number' as unknown as number);
    },
  });
  const thrower = flow.node('thrower', {
    writes: ['a'],
    onFailure: 'continue',
    run: (_: unknown, { set }) => {
      set('a', 1);
      throw new Error('late');
    },
  });
  flow.after(flow.start, half).after(flow.start, thrower);
  const result = await execute(flow.build(), undefined).result;
  expect(result.state).toEqual({ a: 0, b: 0 });
  expect(result.failures.map(({ code }) => code)).toEqual(['invalid-write', 'node-error']);
});

rule('Scratch lives for one attempt of one node and is gone at its end, also after a failure', async () => {
  const seen: number[] = [];
  const kept: { scratch: Map<string, unknown> }[] = [];
  const flow = workflow('f');
  const node = flow.node('n', {
    retry: { attempts: 2, backoffMs: 1 },
    run: (_: unknown, context) => {
      kept.push(context);
      seen.push(context.scratch.size);
      context.scratch.set('x', 1);
      if (context.attempt === 1) throw new Error('once');
    },
  });
  flow.after(flow.start, node);
  await execute(flow.build(), undefined).result;
  expect(seen).toEqual([0, 0]);
  expect(kept[0]?.scratch.size).toBe(0);
});

rule('A failure stops the run by default: what is at work is aborted, what has not started is cancelled, what waited for it is skipped', async () => {
  const aborted: unknown[] = [];
  const flow = workflow('f');
  const bad = flow.node('bad', { run: async () => Promise.reject(new Error('boom')) });
  const next = flow.node('next', { run: () => 0 });
  const busy = flow.node('busy', {
    run: (_: unknown, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted.push(signal.reason)))),
  });
  const later = flow.node('later', { run: () => 0 });
  flow.after(flow.start, bad).after(bad, next).after(flow.start, busy).after(busy, later);
  const run = execute(flow.build(), undefined);
  const result = await run.result;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'node-error', node: 'bad', message: 'node "bad" failed: boom' } });
  expect(['bad', 'next', 'busy', 'later'].map((id) => run.outcomeOf(id))).toEqual(['failed', 'skipped-after-failure', 'cancelled', 'cancelled']);
  expect(aborted).toMatchObject([{ message: 'node "bad" failed: boom' }]);
});

rule('With `onFailure: "continue"` a failure stays in its branch: successors are skipped, and a join that is `settled` runs with what there is', async () => {
  const flow = workflow<unknown, unknown>('f');
  const bad = flow.node<unknown, number>('bad', {
    onFailure: 'continue',
    run: () => {
      throw new Error('boom');
    },
  });
  const next = flow.node('next', { run: (input: number) => input });
  const good = flow.node('good', { run: () => 7 });
  const join = flow.node('join', { join: 'settled', run: (input: { left?: number; right?: number }) => ({ ...input }) });
  flow
    .after(flow.start, bad)
    .after(flow.start, good)
    .connect(bad, next)
    .connect(next, join, { port: 'left' })
    .connect(good, join, { port: 'right' })
    .finish(join);
  const run = execute(flow.build(), undefined);
  const result = await run.result;
  expect(result).toMatchObject({ status: 'completed', output: { right: 7 }, failures: [{ node: 'bad' }] });
  expect(['bad', 'next', 'join'].map((id) => run.outcomeOf(id))).toEqual(['failed', 'skipped-after-failure', 'completed']);
});

rule('A failed attempt is tried again after a wait that doubles, with jitter from the given random numbers, and holds nothing back', async () => {
  const clock = manualClock();
  const flow = workflow<unknown, number>('f');
  const node = flow.node('n', {
    retry: { attempts: 3, backoffMs: 100 },
    run: (_: unknown, { attempt }) => {
      if (attempt < 3) throw new Error(`attempt ${attempt}`);
      return attempt;
    },
  });
  flow.after(flow.start, node).finish(node);
  const run = execute(flow.build(), undefined, { clock, random: () => 1 });
  const waits = collect(run).then((events) => events.flatMap((event) => (event.type === 'node-retry' ? [event.delayMs] : [])));
  await clock.advance(299);
  expect(run.outcomeOf('n')).toBeUndefined();
  await clock.advance(1);
  expect(await run.result).toMatchObject({ status: 'completed', output: 3 });
  expect(await waits).toEqual([100, 200]);
});

rule('A time-out aborts the attempt’s work and fails it; what the work gives later is dropped', async () => {
  const clock = manualClock();
  const late = deferred<number>();
  let signal: AbortSignal | undefined;
  const flow = workflow('f', { state: { total: merge.sum() } });
  flow.after(
    flow.start,
    flow.node('n', {
      timeoutMs: 50,
      writes: 'total',
      run: (_: unknown, context) => {
        signal = context.signal;
        return late.promise;
      },
    }),
  );
  const run = execute(flow.build(), undefined, { clock });
  await clock.advance(50);
  late.resolve(1);
  const result = await run.result;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'timeout', node: 'n' }, state: { total: 0 } });
  expect(signal?.aborted).toBe(true);
  expect(clock.waiting).toBe(0);
});

rule('One signal from outside stops everything at once and leaves no timer, no listener and no late write', async () => {
  const clock = manualClock();
  const controller = new AbortController();
  const late = deferred<number>();
  const flow = workflow('f', { state: { total: merge.sum() } });
  const stubborn = flow.node('stubborn', { writes: 'total', timeoutMs: 1000, run: () => late.promise });
  const waiting = flow.node('waiting', { retry: { attempts: 9, backoffMs: 1000 }, run: () => Promise.reject(new Error('again')) });
  const after = flow.node('after', { run: () => 0 });
  flow.after(flow.start, stubborn).after(flow.start, waiting).after(stubborn, after);
  const counted = countListeners(controller.signal);
  const run = execute(flow.build(), undefined, { clock, signal: controller.signal });
  await settle();
  expect(counted.count).toBe(1);
  controller.abort('enough');
  const result = await run.result;
  late.resolve(1);
  await settle();
  expect(result).toMatchObject({ status: 'cancelled', reason: 'enough', state: { total: 0 } });
  expect(['stubborn', 'waiting', 'after'].map((id) => run.outcomeOf(id))).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(run.provenanceOf('total')).toEqual([]);
  expect({ timers: clock.waiting, listeners: counted.count }).toEqual({ timers: 0, listeners: 0 });
});

test('a node that is cancelled while its input is being checked never runs', async () => {
  const gate = deferred();
  let ran = false;
  const slowly: StandardSchema<string, string> = {
    '~standard': { version: 1, vendor: 'test', validate: (value) => gate.promise.then(() => ({ value: value as string })) },
  };
  const flow = workflow('f', { input: jsonSchema<string>({}) });
  const node = flow.node('n', {
    input: slowly,
    run: () => {
      ran = true;
    },
  });
  flow.connect(flow.start, node);
  const controller = new AbortController();
  const run = execute(flow.build(), 'x', { signal: controller.signal });
  await settle();
  controller.abort();
  expect((await run.result).status).toBe('cancelled');
  gate.resolve();
  await settle();
  expect(ran).toBe(false);
});

rule('`run.result` never rejects: whatever goes wrong is a status', async () => {
  const flow = workflow('f', { input: jsonSchema<number>({ type: 'number' }) });
  flow.connect(flow.start, flow.node('n', { run: (input: number) => input }));
  const checked = flow.build();
  expect(await execute(checked, 'seven' as unknown as number).result).toMatchObject({ status: 'failed', error: { code: 'invalid-input' } });
  expect(await execute(checked, 7, { signal: AbortSignal.abort('before') }).result).toMatchObject({ status: 'cancelled', reason: 'before' });
  const odd = workflow('odd');
  odd.after(odd.start, odd.node('n', { run: () => Promise.reject(undefined) }));
  expect(await execute(odd.build(), undefined).result).toMatchObject({ status: 'failed', error: { code: 'node-error' } });
});

rule('Whoever asks for events within the tick of `execute` gets all of them, and a slow listener holds the run back', async () => {
  const flow = workflow('f');
  let started = 0;
  for (let i = 0; i < 2_000; i++) flow.after(flow.start, flow.node(`n${i}`, { run: () => void started++ }));
  const run = execute(flow.build(), undefined);
  const iterator = run[Symbol.asyncIterator]();
  await settle();
  expect(started).toBeLessThan(600);
  const events: RunEvent[] = [];
  for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) events.push(step.value);
  expect(events.at(0)?.type).toBe('run-start');
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'completed' });
  expect(events.filter(({ type }) => type === 'node-end')).toHaveLength(2_000);
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
});

rule('A listener that leaves sets the run free', async () => {
  const flow = workflow('f');
  for (let i = 0; i < 2_000; i++) flow.after(flow.start, flow.node(`n${i}`, { run: () => 0 }));
  const run = execute(flow.build(), undefined);
  for await (const event of run) if (event.type === 'node-start') break;
  expect((await run.result).status).toBe('completed');
});

rule('Only declared inputs reach a prompt: the input, then each key of `reads`', async () => {
  const { model, seen } = scripted('done');
  const flow = workflow('f', {
    state: { shown: merge.append(jsonSchema<string>({ type: 'string' })), hidden: merge.append(jsonSchema<string>({ type: 'string' })) },
  });
  const write = flow.node('write', {
    writes: ['shown', 'hidden'],
    run: (_: unknown, { set }) => {
      set('shown', 'oats');
      set('hidden', 'rye');
      return { city: 'Riga' };
    },
  });
  const ask = flow.agent('ask', { input: jsonSchema<{ city: string }>({ type: 'object' }), system: 'Be brief.', reads: ['shown'] });
  flow.after(flow.start, write).connect(write, ask).finish(ask);
  await execute(flow.build(), undefined, { model }).result;
  expect(seen[0]).toMatchObject({ system: 'Be brief.', messages: [{ role: 'user', text: '{"city":"Riga"}\n\nshown:\n["oats"]' }] });
});

rule('A call of a tool that does not exist runs nothing and tells the model which tools there are', async () => {
  const { model, seen } = scripted(asks('ecko', { text: 'x' }), asks('echo', { text: 'x' }), 'done');
  const result = await execute(oneAgent({ tools: [echo] }), 'go', { model }).result;
  expect(seen[1]?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'Error: there is no tool "ecko". Tools: echo. Call one of these or answer.' });
  expect(result).toMatchObject({ status: 'completed', output: 'done', faults: { 'unknown-tool': 1 }, usage: { modelCalls: 3, toolCalls: 1 } });
});

rule('Arguments that are not one JSON object, or do not fit the schema, run nothing and tell the model what is wrong', async () => {
  const { model, seen } = scripted({ calls: ['{"text":', '[1]', '{"text":7}', '{"txt":"x"}'].map((args) => ({ name: 'echo', arguments: args })) }, 'done');
  const result = await execute(oneAgent({ tools: [echo] }), 'go', { model }).result;
  const told = seen[1]?.messages.slice(-4).map((message) => message.text);
  expect(told?.[0]).toMatch(/^Error: the arguments of echo are not valid JSON \(.+\); the call was not run\./);
  expect(told?.slice(1)).toEqual([
    'Error: the arguments of echo must be a JSON object, found a list; the call was not run. Send the call again with one JSON object.',
    'Error: the arguments of echo do not fit its schema: "text" must be string, found number 7. The call was not run.',
    'Error: the arguments of echo do not fit its schema: the value has the unknown key "txt" (known: text); the value lacks the required key "text". The call was not run.',
  ]);
  expect(result).toMatchObject({ faults: { 'malformed-arguments': 2, 'invalid-arguments': 2 }, usage: { toolCalls: 0 } });
});

rule('The calls of one reply run at the same time, and their results stand in call order', async () => {
  const gates = [deferred<string>(), deferred<string>()];
  let running = 0;
  const slow = tool({
    name: 'slow',
    description: '',
    input: { type: 'object' },
    run: ({ at }: { at: number }) => {
      running++;
      return gates[at]?.promise;
    },
  });
  const { model, seen } = scripted({ calls: [0, 1].map((at) => ({ name: 'slow', arguments: { at } })) }, 'done');
  const run = execute(oneAgent({ tools: [slow] }), 'go', { model });
  await settle();
  expect(running).toBe(2);
  gates[1]?.resolve('second');
  await settle();
  gates[0]?.resolve('first');
  await run.result;
  expect(seen[1]?.messages.slice(-2).map((message) => message.text)).toEqual(['first', 'second']);
});

rule('A tool that throws is told to the model; it does not end the node', async () => {
  const broken = tool({ name: 'broken', description: '', input: { type: 'object' }, run: () => Promise.reject(new Error('disk on fire')) });
  const { model, seen } = scripted(asks('broken', {}), 'done');
  expect(await execute(oneAgent({ tools: [broken] }), 'go', { model }).result).toMatchObject({ status: 'completed', output: 'done' });
  expect(seen[1]?.messages.at(-1)?.text).toBe('Error: broken failed: disk on fire');
});

rule('A tool result over its limit is cut with its full size stated, and never inside a character', async () => {
  const limit = 200;
  const long = tool({
    name: 'long',
    description: '',
    input: { type: 'object' },
    resultLimit: limit,
    run: ({ pad }: { pad: number }) => 'a'.repeat(pad) + '🌍'.repeat(500),
  });
  const { model, seen } = scripted({ calls: [0, 1].map((pad) => ({ name: 'long', arguments: { pad } })) }, 'done');
  await execute(oneAgent({ tools: [long] }), 'go', { model }).result;
  for (const [at, { text }] of seen[1]?.messages.slice(-2).entries() ?? []) {
    expect(text.length).toBeLessThanOrEqual(limit);
    expect(text.length).toBeGreaterThan(limit - 3);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(new RegExp(`\\[cut: this is the beginning of ${1000 + at} characters\\]$`));
  }
});

rule('The last of `iterations` model calls asks for an answer without tools', async () => {
  const { model, seen } = scripted(asks('echo', { text: '1' }), asks('echo', { text: '2' }), 'what I have');
  expect(await execute(oneAgent({ tools: [echo], iterations: 3 }), 'go', { model }).result).toMatchObject({ status: 'completed', output: 'what I have' });
  expect(seen.map(({ tools }) => tools.length)).toEqual([1, 1, 0]);
  expect(seen[2]?.messages.at(-1)).toMatchObject({ role: 'user' });
});

rule('A model that still asks for tools then fails the node with `iteration-cap`; nothing of it becomes an answer', async () => {
  const { model, seen } = scripted({ text: 'Stopped after four steps.', ...asks('echo', { text: 'x' }) });
  const result = await execute(oneAgent({ tools: [echo], iterations: 4 }), 'go', { model }).result;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'iteration-cap', node: 'a' }, usage: { modelCalls: 4, toolCalls: 3 } });
  expect(seen).toHaveLength(4);
  expect('output' in result).toBe(false);
});

rule('An answer that breaks the output schema is asked for again, and after `reasks` times fails the node with `invalid-output`', async () => {
  const output = jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] });
  const mended = scripted('no json', '{"n":"7"}', '```json\n{"n":7}\n```');
  expect(await execute(oneAgent({ output }), 'go', { model: mended.model }).result).toMatchObject({
    status: 'completed',
    output: { n: 7 },
    faults: { 'invalid-output': 2 },
  });
  expect(mended.seen[2]?.messages.at(-1)?.text).toContain('"n" must be number, found string "7"');
  const hopeless = scripted('{"n":"7"}');
  expect(await execute(oneAgent({ output, reasks: 1 }), 'go', { model: hopeless.model }).result).toMatchObject({
    status: 'failed',
    error: { code: 'invalid-output' },
  });
  expect(hopeless.seen).toHaveLength(2);
});

rule('A reply that was cut at the token limit is neither executed nor taken as the answer', async () => {
  const { model, seen } = scripted(
    { ...asks('echo', { text: 'whole' }), truncated: true },
    { text: 'the answer is fo', truncated: true },
    'the answer is forty',
  );
  expect(await execute(oneAgent({ tools: [echo] }), 'go', { model }).result).toMatchObject({
    status: 'completed',
    output: 'the answer is forty',
    usage: { toolCalls: 0 },
  });
  expect(seen[1]?.messages.at(-1)?.text).toMatch(/was cut at the token limit, so the call was not run/);
  const always = scripted({ text: 'the answer is fo', truncated: true });
  expect(await execute(oneAgent({}), 'go', { model: always.model }).result).toMatchObject({ status: 'failed', error: { code: 'truncated-reply' } });
});

rule('Reasoning never becomes the answer, and goes back to the model only as the item that the Responses API asks for', async () => {
  const { model, seen } = scripted('<think>maybe FINAL ANSWER: 4', '<think>4?</think>\n5');
  expect(await execute(oneAgent({}), 'go', { model }).result).toMatchObject({ status: 'completed', output: '5', faults: { 'reasoning-only': 1 } });
  expect(JSON.stringify(seen[1]?.messages)).not.toContain('maybe');
});

rule('An empty last reply is asked for again `reasks` times, then fails the node with `empty-reply`', async () => {
  const once = scripted('', 'there');
  expect(await execute(oneAgent({}), 'go', { model: once.model }).result).toMatchObject({ status: 'completed', output: 'there' });
  const always = scripted(' \n');
  expect(await execute(oneAgent({}), 'go', { model: always.model }).result).toMatchObject({ status: 'failed', error: { code: 'empty-reply' } });
  expect(always.seen).toHaveLength(3);
});

rule('`__proto__` is a name like any other: as node id, state key, tool name, call and argument', async () => {
  const odd = tool({
    name: '__proto__',
    description: '',
    input: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    run: (input: object) => Object.entries(input)[0]?.[1],
  });
  const { model } = scripted(asks('constructor', {}), asks('__proto__', '{"__proto__":"kept"}'), 'done');
  const state = JSON.parse('{"__proto__":{"type":"string"}}') as Record<string, StandardSchema<string, string>>;
  const flow = workflow('f', { input: jsonSchema<string>({}), state });
  const node = flow.agent('__proto__', { tools: [odd], writes: '__proto__' });
  flow.connect(flow.start, node).finish(node);
  const run = execute(flow.build(), 'go', { model });
  const result = await run.result;
  expect(result).toMatchObject({ status: 'completed', output: 'done', faults: { 'unknown-tool': 1 }, usage: { toolCalls: 1 } });
  expect(Object.entries(result.state)).toEqual([['__proto__', 'done']]);
  expect(run.outcomeOf('__proto__')).toBe('completed');
  expect(({} as { kept?: unknown }).kept).toBeUndefined();
});

test('the README lists these rules in these words and shows the example as it stands in examples/', () => {
  const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  const example = readFileSync(new URL('../examples/engine/ask-the-gauge.ts', import.meta.url), 'utf8');
  expect(readme).toContain(example.slice(example.indexOf('import')));
  const listed = [...readme.matchAll(/^\d+\. (.+)$/gm)].map(([, sentence]) => sentence?.replace(/\.$/, ''));
  expect([...listed].sort()).toEqual(ruleNames().sort());
  expect([...readme.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))).toEqual(listed.map((_, at) => at + 1));
});

/** The sentence of each `rule(…)` in the tests of this folder. */
function ruleNames(): string[] {
  const folder = new URL('./', import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^rule\(\s*(['"])(.+?)\1,\s*(?:async )?\(/gm)])
    .map(([, , sentence]) => sentence as string);
}

function thrownBy(run: () => unknown): WorkflowError {
  try {
    run();
  } catch (error) {
    if (error instanceof WorkflowError) return error;
  }
  throw new Error('no WorkflowError was thrown');
}

async function collect(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** Listeners that stand on a signal, however they were put there. */
function countListeners(signal: AbortSignal): { count: number } {
  const counted = { count: 0 };
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    counted.count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    counted.count--;
    remove(...args);
  };
  return counted;
}
