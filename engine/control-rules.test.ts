// The rules of README.md on branches, joins, maps, gates, subgraphs, limits and what `build()` says of them, one test each.
import { describe, expect, test as rule, test } from 'vitest';
import * as z from 'zod';
import { manualClock, settle } from './fixtures/manual-clock.ts';
import {
  agent,
  execute,
  functionModel,
  jsonSchema,
  merge,
  type NodeHandle,
  type Problem,
  type RunEvent,
  sharedLimits,
  tool,
  type WorkflowBuilder,
  WorkflowError,
  workflow,
} from './index.ts';
import { planOf } from './plan.ts';

const NUMBER = jsonSchema<number>({ type: 'number' });
const TEXT = jsonSchema<string>({ type: 'string' });
const STATE = { score: NUMBER, kind: jsonSchema<'a' | 'b'>({ enum: ['a', 'b'] }), tags: merge.append(TEXT) } as const;

/** A first node that writes score, kind and tags, and whatever is built behind it. */
function scored(
  score: number | undefined,
  kind: 'a' | 'b' | undefined,
  build: (flow: WorkflowBuilder<unknown, unknown, typeof STATE>, first: NodeHandle<unknown, number>) => void,
) {
  const flow = workflow('scored', { state: STATE });
  const first = flow.node('first', {
    writes: ['score', 'kind', 'tags'],
    run: (_: unknown, { set }) => {
      if (score !== undefined) set('score', score);
      if (kind !== undefined) set('kind', kind);
      set('tags', 'seen');
      return score ?? 0;
    },
  });
  flow.after(flow.start, first);
  build(flow, first);
  return flow.build();
}

async function outcomes(run: ReturnType<typeof execute<unknown, unknown, typeof STATE>>, ids: readonly string[]) {
  await run.result;
  return Object.fromEntries(ids.map((id) => [id, run.outcomeOf(id)]));
}

function deferred<Value = void>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function problemsOf(build: () => unknown): readonly Problem[] {
  try {
    build();
  } catch (error) {
    if (error instanceof WorkflowError) return error.problems;
    throw error;
  }
  return [];
}

async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

rule('A branch takes exactly the ways whose predicate holds, and `otherwise` when none does', async () => {
  const flow = (score: number) =>
    scored(score, 'a', (flow, first) => {
      const enough = flow.branch('enough', { input: NUMBER, cases: { some: 'score > 0', many: 'score >= 10' } });
      const take = (id: string) => flow.node(id, { run: (value: number) => value, onFailure: 'continue' });
      const [some, many, none] = [take('some'), take('many'), take('none')];
      flow.connect(first, enough).connect(enough.some, some).connect(enough.many, many).connect(enough.otherwise, none);
    });
  const ids = ['enough', 'enough.some', 'some', 'many', 'none'];
  const left = 'skipped-by-branch';
  const done = 'completed';
  expect(await outcomes(execute(flow(12), undefined), ids)).toEqual({ enough: done, 'enough.some': done, some: done, many: done, none: left });
  expect(await outcomes(execute(flow(3), undefined), ids)).toEqual({ enough: done, 'enough.some': done, some: done, many: left, none: left });
  const none = execute(flow(0), undefined);
  expect(await outcomes(none, ids)).toEqual({ enough: done, 'enough.some': left, some: left, many: left, none: done });
});

rule('An edge with a predicate is a branch with one way', async () => {
  const flow = scored(5, 'b', (flow, first) => {
    const wanted = flow.node('wanted', { run: (value: number) => value * 2 });
    const unwanted = flow.node('unwanted', { run: () => 0 });
    flow
      .connect(first, wanted, { when: "kind == 'b' and score < 10", transform: (value: number) => value + 1 })
      .after(first, unwanted, { when: "kind == 'a'" })
      .finish(wanted);
  });
  const run = execute(flow, undefined);
  const events = await eventsOf(run);
  expect(await run.result).toMatchObject({ status: 'completed', output: 12 });
  expect(run.outcomeOf('unwanted')).toBe('skipped-by-branch');
  expect(events).toContainEqual(expect.objectContaining({ type: 'node-end', node: 'first → unwanted', outcome: 'skipped-by-branch' }));
  expect(flow.toJSON().nodes.find(({ id }) => id === 'first → wanted')?.when).toBe('kind == "b" and score < 10');
});

rule(
  'What no way leads to is skipped by branch, and what waited for a failure is skipped after failure; a failure outweighs a branch, whichever came first',
  async () => {
    for (const failsFirst of [true, false]) {
      const gate = deferred();
      const flow = scored(0, 'a', (flow, first) => {
        const left = flow.node('left', { run: () => 0 });
        const bad = flow.node('bad', {
          onFailure: 'continue',
          run: async () => {
            if (!failsFirst) await gate.promise;
            throw new Error('bad');
          },
        });
        const [both, below, onlyLeft] = ['both', 'below', 'only-left'].map((id) => flow.node(id, { run: () => 0 })) as [typeof left, typeof left, typeof left];
        flow.after(first, left, { when: 'score > 0' }).after(first, bad).after(left, onlyLeft);
        flow.after(left, both).after(bad, both).after(both, below);
      });
      const run = execute(flow, undefined);
      await settle();
      gate.resolve();
      expect(await outcomes(run, ['left', 'only-left', 'bad', 'both', 'below'])).toEqual({
        left: 'skipped-by-branch',
        'only-left': 'skipped-by-branch',
        bad: 'failed',
        both: 'skipped-after-failure',
        below: 'skipped-after-failure',
      });
    }
  },
);

rule(
  'A join `all` waits for every predecessor, `any` starts with the first that completes, `settled` runs once all have ended unless a branch left out all of them',
  async () => {
    const [slow, quick] = [deferred<string>(), deferred<string>()];
    const flow = workflow('joins', { state: STATE });
    const p = flow.node('p', { run: () => slow.promise });
    const q = flow.node('q', { run: () => quick.promise });
    const bad = flow.node('bad', { onFailure: 'continue', run: () => Promise.reject(new Error('no')) });
    const say = (id: string, join: 'all' | 'any' | 'settled') => flow.node(id, { join, run: (from: string) => from });
    const [all, any, settled] = [say('all', 'all'), say('any', 'any'), say('settled', 'settled')];
    flow.after(flow.start, p).after(flow.start, q).after(flow.start, bad);
    flow.after(p, all).after(q, all).connect(p, any).connect(q, any).after(bad, any).after(bad, settled).after(q, settled).finish(any);
    const run = execute(flow.build(), undefined);
    await settle();
    expect(['all', 'any', 'settled'].map((id) => run.outcomeOf(id))).toEqual([undefined, undefined, undefined]);
    quick.resolve('q');
    await settle();
    expect(['all', 'any', 'settled'].map((id) => run.outcomeOf(id))).toEqual([undefined, 'completed', 'completed']);
    slow.resolve('p');
    expect(await run.result).toMatchObject({ status: 'completed', output: 'q' });
    expect(run.outcomeOf('all')).toBe('completed');

    const left = scored(0, 'a', (flow, first) => {
      const one = flow.node('one', { run: () => 0 });
      const two = flow.node('two', { run: () => 0 });
      const last = flow.node('last', { join: 'settled', run: () => 0 });
      flow.after(first, one, { when: 'score > 1' }).after(first, two, { when: 'score > 2' }).after(one, last).after(two, last);
    });
    expect(await outcomes(execute(left, undefined), ['last'])).toEqual({ last: 'skipped-by-branch' });
  },
);

rule('A map does the same with each item, at most `concurrency` at once, and its results stand in the order of the list', async () => {
  const gates = new Map<number, ReturnType<typeof deferred<void>>>();
  let atWork = 0;
  let most = 0;
  const flow = workflow<readonly number[], readonly number[], { doubled: ReturnType<typeof merge.append<number>> }>('map', {
    state: { doubled: merge.append(NUMBER) },
  });
  const map = flow.map('double', {
    input: NUMBER,
    writes: 'doubled',
    concurrency: 2,
    node: async (item: number) => {
      most = Math.max(most, ++atWork);
      const gate = deferred();
      gates.set(item, gate);
      await gate.promise;
      atWork--;
      return item * 2;
    },
  });
  flow.connect(flow.start, map).finish(map);
  const run = execute(flow.build(), [1, 2, 3, 4]);
  await settle();
  for (const item of [2, 1, 3, 4]) {
    gates.get(item)?.resolve();
    await settle();
  }
  expect(await run.result).toMatchObject({ status: 'completed', output: [2, 4, 6, 8], state: { doubled: [2, 4, 6, 8] } });
  expect(most).toBe(2);
  expect(await execute(flow.build(), []).result).toMatchObject({ status: 'completed', output: [] });
  expect(await execute(flow.build(), 'abc' as never).result).toMatchObject({ status: 'failed', error: { code: 'invalid-input' } });
});

rule('An item that fails is tried again by itself; then it fails the map and stops its siblings, or is left out with `onItemFailure: "drop"`', async () => {
  const clock = manualClock();
  const tries: number[] = [];
  let aborted = 0;
  const build = (onItemFailure: 'stop' | 'drop') => {
    const flow = workflow<readonly number[], readonly number[]>('map');
    const map = flow.map('m', {
      onItemFailure,
      retry: { attempts: 2, backoffMs: 100 },
      onFailure: 'continue',
      node: (item: number, { signal, attempt }) => {
        tries.push(item);
        if (item === 1 && attempt === 1) throw new Error('once');
        if (item === 2) throw new Error('for ever');
        if (item !== 3) return item;
        return new Promise<number>((resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted++;
            reject(signal.reason);
          });
          if (onItemFailure === 'drop') resolve(3);
        });
      },
    });
    return flow.connect(flow.start, map).finish(map).build();
  };
  const dropped = execute(build('drop'), [0, 1, 2, 3], { clock });
  await clock.advance(1000);
  expect(await dropped.result).toMatchObject({
    status: 'completed',
    output: [0, 1, 3],
    failures: [{ node: 'm[2]', message: expect.stringContaining('for ever') }],
  });
  expect([tries.slice(0, 4), tries.slice(4).sort()]).toEqual([
    [0, 1, 2, 3],
    [1, 2],
  ]);
  const stopped = execute(build('stop'), [0, 2, 3], { clock });
  await clock.advance(1000);
  expect(await stopped.result).toMatchObject({ status: 'failed', error: { node: 'm[1]', code: 'node-error' } });
  expect(aborted).toBe(1);
  expect(clock.waiting).toBe(0);
});

rule('The body of a map is a function, a tool, an agent or a checked workflow', async () => {
  const inner = workflow<number, number>('inner', { input: NUMBER });
  const half = inner.node('half', { run: (value: number) => value / 2 });
  const halves = inner.connect(inner.start, half).finish(half).build();
  const triple = tool({ name: 'triple', description: '', input: z.object({ n: z.number() }), run: ({ n }) => n * 3 });
  const flow = workflow<readonly number[], unknown>('bodies');
  const first = flow.map('tools', { node: triple });
  const second = flow.map('workflows', { node: halves });
  const third = flow.map('agents', { input: NUMBER, node: agent({ system: 'Say it.' }) });
  flow
    .connect(flow.start, first, { transform: (list) => list.map((n) => ({ n })) })
    .connect(first, second)
    .connect(second, third)
    .finish(third);
  const run = execute(flow.build(), [2, 4], { model: functionModel(({ messages }) => `It is ${messages.at(-1)?.text}.`) });
  const events = await eventsOf(run);
  expect(await run.result).toMatchObject({ status: 'completed', output: ['It is 3.', 'It is 6.'], usage: { modelCalls: 2 } });
  expect(events.flatMap((event) => (event.type === 'node-start' ? [event.node] : []))).toEqual([
    ...[
      'tools',
      'tools[0]',
      'tools[1]',
      'workflows',
      'workflows[0]',
      'workflows[0]/half',
      'workflows[1]',
      'workflows[1]/half',
      'agents',
      'agents[0]',
      'agents[1]',
    ],
  ]);
});

rule('An aggregate gathers what its edges carry, in the order in which they were connected', async () => {
  const gates = [deferred<number>(), deferred<number>(), deferred<number>()];
  const flow = workflow<unknown, number>('gather');
  const sum = flow.aggregate('sum', { input: NUMBER, join: 'settled', run: (items) => items.reduce((all, item) => all * 10 + item, 0) });
  for (const [i, gate] of gates.entries()) {
    const node = flow.node(`n${i}`, { onFailure: 'continue', run: () => gate.promise });
    flow.after(flow.start, node).connect(node, sum);
  }
  const run = execute(flow.finish(sum).build(), undefined);
  gates[2]?.resolve(3);
  await settle();
  gates[1]?.reject(new Error('no'));
  gates[0]?.resolve(1);
  expect(await run.result).toMatchObject({ status: 'completed', output: 13 });
});

rule('A `wait` node stops the run with status `waiting` once nothing else can go on, and goes on with an answer that fits its schema', async () => {
  const inner = workflow<string, boolean>('inner');
  const ask = inner.wait('ask', { question: (text: string) => `Send ${text}?`, output: z.boolean() });
  const nested = inner.connect(inner.start, ask).finish(ask).build();
  const flow = workflow<string, string>('mail');
  const approve = flow.subgraph('approve', nested);
  const beside = flow.node('beside', { run: () => new Promise((resolve) => setImmediate(resolve)) });
  const send = flow.node('send', { run: (yes: boolean) => (yes ? 'sent' : 'dropped') });
  flow.connect(flow.start, approve).after(flow.start, beside).connect(approve, send).finish(send);
  const mail = flow.build();
  const run = execute(mail, 'hello');
  const events = await eventsOf(run);
  expect(await run.result).toMatchObject({ status: 'waiting', gates: [{ node: 'approve/ask', question: 'Send hello?', input: 'hello' }] });
  expect(['approve', 'beside', 'send'].map((id) => run.outcomeOf(id))).toEqual([undefined, 'completed', undefined]);
  expect(events.map(({ type }) => type)).toContain('node-waiting');
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'waiting' });
  expect(await execute(mail, 'hello', { answers: { 'approve/ask': true } }).result).toMatchObject({ status: 'completed', output: 'sent' });
  expect(await execute(mail, 'hello', { onWait: async ({ input }) => input === 'hello' }).result).toMatchObject({ status: 'completed', output: 'sent' });
  expect(await execute(mail, 'hello', { onWait: () => undefined }).result).toMatchObject({ status: 'waiting' });
  expect(await execute(mail, 'hello', { answers: { 'approve/ask': 'yes' } }).result).toMatchObject({
    status: 'failed',
    error: { code: 'invalid-output', node: 'approve/ask' },
  });
});

rule('A subgraph is a checked workflow with state of its own, nested at will; its border is typed, and what fails inside is named by its path', async () => {
  const level = (depth: number, run: (value: number) => number) => {
    let checked = (() => {
      const flow = workflow('core', { input: NUMBER, output: NUMBER, state: { seen: merge.append(NUMBER) } });
      const node = flow.node('work', { writes: 'seen', run });
      return flow.connect(flow.start, node).finish(node).build();
    })();
    for (let i = 0; i < depth; i++) {
      const flow = workflow('level', { input: NUMBER, output: NUMBER, state: { seen: merge.append(NUMBER) } });
      const inner = flow.subgraph(`level-${i}`, checked, { writes: 'seen' });
      checked = flow.connect(flow.start, inner).finish(inner).build();
    }
    return checked;
  };
  expect(
    await execute(
      level(50, (value) => value + 1),
      1,
    ).result,
  ).toMatchObject({ status: 'completed', output: 2, state: { seen: [2] } });
  const broken = level(2, () => {
    throw new Error('deep');
  });
  expect(await execute(broken, 1).result).toMatchObject({
    status: 'failed',
    error: { node: 'level-1/level-0/work', message: expect.stringContaining('deep') },
  });
  const lying = workflow('lying', { output: NUMBER });
  const liar = lying.node('liar', { run: () => 'x' as never });
  const border = workflow('border');
  border.after(border.start, border.subgraph('inner', lying.after(lying.start, liar).finish(liar).build()));
  expect(await execute(border.build(), undefined).result).toMatchObject({ status: 'failed', error: { code: 'invalid-output', node: 'inner' } });
  const outer = workflow('outer', { input: TEXT });
  const inner = outer.subgraph(
    'inner',
    level(0, (value) => value),
  );
  // @ts-expect-error a text does not fit a number
  outer.connect(outer.start, inner);
  expect(problemsOf(() => outer.build())).toMatchObject([{ code: 'schema-misfit', nodes: ['start', 'inner'] }]);
});

rule('A subgraph is aborted with its node, and its time-out, retry and failure are those of a node', async () => {
  const clock = manualClock();
  let begun = 0;
  const aborted: unknown[] = [];
  const inner = workflow('inner');
  const hang = inner.node('hang', {
    run: (_: unknown, { signal }) => {
      begun++;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted.push(signal.reason))));
    },
  });
  const checked = inner.after(inner.start, hang).build();
  const flow = workflow('outer');
  flow.after(flow.start, flow.subgraph('inner', checked, { timeoutMs: 50, retry: { attempts: 2, backoffMs: 10 } }));
  const run = execute(flow.build(), undefined, { clock });
  await clock.advance(500);
  expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'timeout', node: 'inner' } });
  expect({ begun, aborted: aborted.length, timers: clock.waiting }).toEqual({ begun: 2, aborted: 2, timers: 0 });
});

rule(
  'No more nodes of a class are at work than `limits` says, over maps, subgraphs and all runs that share them; a node that waits for its class keeps no other out',
  async () => {
    let atWork = 0;
    let most = 0;
    const ended: (() => void)[] = [];
    const model = functionModel(async () => {
      most = Math.max(most, ++atWork);
      await new Promise<void>((resolve) => ended.push(resolve));
      atWork--;
      return 'ok';
    });
    const inner = workflow<string, string>('inner');
    const nestedAgent = inner.agent('a', { system: '' });
    const nested = inner.connect(inner.start, nestedAgent).finish(nestedAgent).build();
    const build = () => {
      const flow = workflow<string, unknown>('limited');
      for (let i = 0; i < 5; i++) flow.connect(flow.start, flow.agent(`a${i}`, { system: '' }));
      flow.connect(flow.start, flow.map('m', { node: agent({ system: '' }) }), { transform: () => ['x', 'y', 'z'] });
      flow.connect(flow.start, flow.subgraph('s', nested));
      const plain = flow.node('plain', { run: () => 'done' });
      return flow.after(flow.start, plain).build();
    };
    const limits = sharedLimits({ model: 2 });
    const runs = [1, 2].map(() => execute(build(), 'go', { model, limits, concurrency: 5 }));
    await settle();
    expect(runs.map((run) => run.outcomeOf('plain'))).toEqual(['completed', 'completed']);
    let calls = 0;
    while (calls < 18) {
      await settle();
      for (const end of ended.splice(0)) {
        calls++;
        end();
      }
    }
    for (const run of runs) expect((await run.result).status).toBe('completed');
    expect(most).toBe(2);
    expect(limits.take('model') && limits.take('model') && !limits.take('model')).toBe(true);
    expect(() => execute(build(), 'go', { limits: { modle: 2 } })).toThrow('modle');
    expect(() => execute(build(), 'go', { limits: { model: 0 } })).toThrow('model');
  },
);

test('nobody holds a unit without running: a map that fills the run gets what a node behind it was handed', async () => {
  const flow = workflow<string, unknown>('tight');
  const rare = (id: string) => flow.connect(flow.start, flow.node(id, { resource: 'rare', run: async () => id }));
  rare('first').connect(flow.start, flow.map('map', { resource: 'rare', node: async (item: string) => item }), { transform: () => ['x', 'y'] });
  for (let i = 0; i < 3; i++) rare(`behind${i}`);
  expect(await execute(flow.build(), 'go', { concurrency: 1, limits: { rare: 1 } }).result).toMatchObject({ status: 'completed' });

  // The other way round: the unit is another run's while both nodes wait, and comes free while the map is at work.
  const limits = sharedLimits({ rare: 1 });
  expect(limits.take('rare')).toBe(true);
  const waits = workflow<string, unknown>('waits');
  waits.connect(waits.start, waits.node('parked', { resource: 'rare', run: () => 'parked' }));
  waits.connect(waits.start, waits.map('map', { resource: 'rare', node: (item: string) => item }), { transform: () => ['x', 'y'] });
  const run = execute(waits.build(), 'go', { concurrency: 1, limits });
  await settle();
  limits.give('rare');
  expect((await run.result).status).toBe('completed');
});

describe('a stand-in for a node that has failed', () => {
  const refuses = () => {
    throw new Error('no');
  };

  test('is at work in the class of its own: no more agents than the limit, whether as nodes or as stand-ins', async () => {
    let [atWork, most] = [0, 0];
    const ended: (() => void)[] = [];
    const model = functionModel(async () => {
      most = Math.max(most, ++atWork);
      await new Promise<void>((resolve) => ended.push(resolve));
      atWork--;
      return 'ok';
    });
    const flow = workflow<string, unknown>('spare');
    for (let i = 0; i < 4; i++) {
      flow.connect(flow.start, flow.agent(`a${i}`, { system: '' }));
      flow.connect(flow.start, flow.node(`f${i}`, { run: refuses, fallback: { node: agent<string, string>({ system: '' }) } }));
    }
    const limits = sharedLimits({ model: 2 });
    const run = execute(flow.build(), 'go', { model, limits });
    for (let calls = 0; calls < 8; ) {
      await settle();
      expect(ended).toHaveLength(2);
      for (const end of ended.splice(0)) {
        calls++;
        end();
      }
    }
    expect((await run.result).status).toBe('completed');
    expect(most).toBe(2);
    expect(limits.take('model') && limits.take('model') && !limits.take('model')).toBe(true);
  });

  test('gives back the unit of its node, which nodes inside it may need', async () => {
    const inner = workflow<string, string>('inner');
    const nested = inner.agent('n', { system: '' });
    const spare = inner.connect(inner.start, nested).finish(nested).build();
    const flow = workflow('nested', { input: TEXT, state: { seen: merge.append(TEXT) } });
    for (let i = 0; i < 3; i++)
      flow.connect(flow.start, flow.agent(`a${i}`, { system: '', model: functionModel(refuses), writes: 'seen', fallback: { node: spare } }));
    let [atWork, most] = [0, 0];
    const model = functionModel(async () => {
      most = Math.max(most, ++atWork);
      await settle();
      atWork--;
      return 'ok';
    });
    const limits = sharedLimits({ model: 1 });
    expect(await execute(flow.build(), 'go', { model, limits }).result).toMatchObject({ status: 'completed', state: { seen: ['ok', 'ok', 'ok'] } });
    expect(most).toBe(1);
    expect([limits.take('model'), limits.take('model')]).toEqual([true, false]);
    const stuck = workflow<string, unknown>('stuck');
    stuck.connect(stuck.start, stuck.subgraph('s', spare, { resource: 'model' }));
    expect(() => stuck.build()).toThrow('which nodes inside it wait for');
  });

  test('leaves all units as they were when it is stopped, waiting or at work', async () => {
    const limits = sharedLimits({ model: 1 });
    const controller = new AbortController();
    const flow = workflow<string, unknown>('stop');
    for (let i = 0; i < 3; i++) flow.connect(flow.start, flow.node(`f${i}`, { run: refuses, fallback: { node: agent<string, string>({ system: '' }) } }));
    const run = execute(flow.build(), 'go', { model: functionModel(() => new Promise<string>(() => {})), limits, signal: controller.signal });
    await settle();
    expect(limits.take('model')).toBe(false);
    controller.abort();
    expect((await run.result).status).toBe('cancelled');
    expect([limits.take('model'), limits.take('model')]).toEqual([true, false]);
  });
});

rule('Runs take turns: neither a long synchronous run nor one with a thousand wishes keeps another waiting', async () => {
  const order: string[] = [];
  const limits = sharedLimits({ model: 1 });
  const wishes = (name: string, count: number) => {
    const flow = workflow<string, unknown>(name);
    for (let i = 0; i < count; i++) flow.connect(flow.start, flow.agent(`${name}${i}`, { system: '' }));
    return flow.build();
  };
  const model = functionModel(({ messages }) => {
    order.push(messages[0]?.text ?? '');
    return 'ok';
  });
  const many = execute(wishes('many', 1000), 'many', { model, limits, concurrency: 2000 });
  const few = execute(wishes('few', 3), 'few', { model, limits });
  await Promise.all([many.result, few.result]);
  expect(order).toHaveLength(1003);
  expect(order.lastIndexOf('few')).toBeLessThan(10);

  let time = 0;
  // A clock that runs a millisecond a look: the chain believes that it is slow and steps aside every few thousand nodes.
  const clock = { nowMs: () => time++, after: () => () => {} };
  const flow = workflow('long');
  let last = flow.node('n0', { run: () => 0 });
  flow.after(flow.start, last);
  for (let i = 1; i < 50_000; i++) {
    const next = flow.node(`n${i}`, { run: () => 0 });
    flow.after(last, next);
    last = next;
  }
  const long = execute(flow.build(), undefined, { clock });
  const short = execute(wishes('short', 1), 'short', { model });
  const first = await Promise.race([long.result.then(() => 'long'), short.result.then(() => 'short')]);
  expect(first).toBe('short');
  expect((await long.result).status).toBe('completed');
});

rule('A standstill is an error that names who waits for whom', async () => {
  const flow = workflow('stuck');
  const a = flow.node('a', { run: () => 0 });
  const b = flow.node('b', { run: () => 0 });
  const c = flow.node('c', { run: () => 0 });
  const checked = flow.after(flow.start, a).after(a, b).after(b, c).build();
  // No workflow that `build()` lets through stands still; one whose counts were broken by hand does.
  (planOf(checked).topology.inDegree as Int32Array)[1] = 2;
  const result = await execute(checked, undefined).result;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'stalled', message: 'the run came to a standstill: b waits for nobody; c waits for b' } });
});

rule('Predicates are read and typed at `build()`: broken text, unknown keys and members, wrong types, and keys that nothing before writes are refused', () => {
  const cases: Readonly<Record<string, readonly [string, string]>> = {
    'score >': ['predicate-syntax', 'node "first → x" has a predicate "score >", character 8: expected a state key, found the end'],
    'scor > 1': ['predicate-key', 'it reads "scor", which the workflow\'s state does not declare (declared: score, kind, tags, deep, free)'],
    "score > '1'": ['predicate-type', 'score is a number and "1" is "1"; ">" cannot compare them'],
    "kind == 'c'": ['predicate-type', 'kind is "a" or "b" and "c" is "c"; they are never the same'],
    "'a' in kind and 3 in tags": ['predicate-type', '3 is 3, which is never in tags'],
    'length(score) > 1': ['predicate-type', 'score is a number, which has no length'],
    'deep.list[0].nam == null': ['predicate-type', 'deep.list[0] is a record and has no "nam" (it has: name)'],
    tags: ['predicate-type', 'tags is a list, not true or false'],
    '1 == 1': ['predicate-constant', 'it reads no state, so it always says the same'],
    'exists(late)': ['predicate-key', 'declare'],
    'exists(deep)': ['predicate-unwritten', 'node "first → x" has a predicate over "deep", which no node before it writes'],
  };
  const deep = z.object({ list: z.array(z.object({ name: z.string().nullable() })) });
  const build = (when: string) => {
    const flow = workflow('typed', {
      state: { ...STATE, deep, free: { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } } as const },
    });
    const first = flow.node('first', { writes: ['score', 'kind', 'tags', 'free'], run: () => 0 });
    const x = flow.node('x', { run: () => 0 });
    return flow.after(flow.start, first).after(first, x, { when }).build();
  };
  for (const [when, [code, message]] of Object.entries(cases)) {
    const found = problemsOf(() => build(when));
    expect(found, when).toContainEqual(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  }
  expect(build("not (score > 1 || kind != 'a') && 'x' in tags").toJSON().nodes.at(-1)?.when).toBe('not (score > 1 or kind != "a") and "x" in tags');
  expect(build('free.anything > 3').notes).toEqual(['node first → x: the type of free.anything in its predicate is not known before the run']);
});

rule('`build()` refuses joins that wait for ways of which never all are taken; writers that never meet need no merge rule', async () => {
  const build = (join: 'all' | 'any') =>
    scored(5, 'a', (flow, first) => {
      const which = flow.branch('which', { cases: { a: "kind == 'a'", b: "kind == 'b'" } });
      const low = flow.branch('low', { cases: { yes: 'score < 3', no: 'not score < 3' } });
      flow.after(first, which).after(which.a, low);
      const [one, two, three] = ['one', 'two', 'three'].map((id) => flow.node(id, { run: () => 0 })) as [typeof first, typeof first, typeof first];
      const end = flow.node('end', { join, run: () => 0 });
      flow.after(low.yes, one).after(low.no, two).after(which.b, three).after(one, end).after(two, end).after(three, end);
      flow.after(end, flow.node('behind', { run: () => 0 }));
    });
  expect(problemsOf(() => build('all'))).toMatchObject([{ code: 'never-fires', nodes: ['end', 'which.a', 'which.b'] }]);
  expect(await outcomes(execute(build('any'), undefined), ['two', 'end', 'behind'])).toEqual({ two: 'completed', end: 'completed', behind: 'completed' });
  expect(build('any').notes).toEqual([]);

  const writers = (second: 'otherwise' | 'big') => {
    const flow = workflow('writers', { state: { n: NUMBER, result: TEXT } });
    const first = flow.node('first', { writes: 'n', run: () => 1 });
    const way = flow.branch('way', { cases: { small: 'n < 5', big: 'n > 0' } });
    const [p, q] = [flow.node('p', { writes: 'result', run: () => 'p' }), flow.node('q', { writes: 'result', run: () => 'q' })];
    const reader = flow.node('reader', { join: 'any', reads: ['result'], run: (_: unknown, { get }) => get('result') });
    flow.after(flow.start, first).after(first, way).after(way.small, p).after(way[second], q).after(p, reader).after(q, reader).finish(reader);
    return flow.build();
  };
  expect(await execute(writers('otherwise'), undefined).result).toMatchObject({ status: 'completed', output: 'p' });
  // Both may run, so which of them the reader's `any` join meets would depend on timing too.
  expect(problemsOf(() => writers('big'))).toMatchObject([
    { code: 'unordered-writers', nodes: ['p', 'q'] },
    { code: 'unordered-read', nodes: ['reader', 'p'], message: expect.stringContaining('a join "any" on the way may start before all above it has ended') },
    { code: 'unordered-read', nodes: ['reader', 'q'] },
  ]);
});

rule('Ports whose schemas cannot fit are refused at `build()`; what schemas leave open is listed as checked at run time', async () => {
  const build = (given: z.ZodType, wanted: z.ZodType) => {
    const flow = workflow('fit');
    const from = flow.node('from', { output: given, run: () => 0 });
    const to = flow.node('to', { input: wanted, run: () => 0 });
    return flow.after(flow.start, from).connect(from, to).build();
  };
  const named = z.object({ name: z.string() });
  for (const [given, wanted, why] of [
    [z.string(), z.number(), 'it may be string, which is not taken'],
    [z.string().nullable(), z.string(), 'it may be null, which is not taken'],
    [z.object({}), named, 'name is required and is not there'],
    [z.object({ name: z.string().optional() }), named, 'name is required and may be absent'],
    [z.object({ name: z.number() }), named, 'name may be number, which is not taken'],
    [z.array(z.string()), z.array(z.number()), '[] may be string, which is not taken'],
    [z.enum(['x']), z.enum(['y']), 'it is one of ["x"], of which none is taken'],
  ] as const) {
    expect(problemsOf(() => build(given, wanted))).toMatchObject([{ code: 'schema-misfit', message: expect.stringContaining(why) }]);
  }
  for (const [given, wanted] of [
    [z.object({ name: z.string(), more: z.number() }).loose(), z.object({ name: z.string() }).loose()],
    [z.enum(['x', 'y']), z.string()],
    [z.union([z.string(), z.null()]), z.union([z.null(), z.string(), z.number()])],
    [z.array(named), z.array(named)],
    [z.any(), z.unknown()],
  ] as const) {
    expect(build(given, wanted).notes).toEqual([]);
  }
  expect(build(z.number(), z.number().min(3)).notes).toEqual(['edge from → to is checked at run time: it has the bound minimum']);
  expect(build(z.string(), z.enum(['x'])).notes).toEqual(['edge from → to is checked at run time: it must be one of ["x"]']);
  expect(build(z.any(), z.string()).notes).toEqual(['edge from → to is checked at run time: what it may be is not told by the schema']);
});

rule('A built workflow is frozen, is written as JSON with functions by name, and has a hash that is the same for the same workflow', () => {
  const build = (limit: number, times = 1) =>
    scored(1, 'a', (flow, first) => {
      const next = flow.node('next', { run: function double() {}, retry: { attempts: 2 } });
      for (let i = 0; i < times; i++) flow.after(first, next);
      flow.after(next, flow.node('last', { run: () => 0, join: 'settled' }), { when: `score > ${limit}` });
    });
  const checked = build(3);
  expect(Object.isFrozen(checked) && Object.isFrozen(checked.nodeIds) && Object.isFrozen(checked.notes)).toBe(true);
  expect(JSON.parse(JSON.stringify(checked))).toMatchObject({
    format: 'agentgauge-workflow-1',
    name: 'scored',
    state: [{ key: 'score', schema: { type: 'number' } }, { key: 'kind' }, { key: 'tags', merge: 'append' }],
    nodes: [
      { id: 'first', kind: 'function', writes: ['score', 'kind', 'tags'] },
      { id: 'next', run: 'double', retry: { attempts: 2 } },
      { id: 'last', join: 'settled' },
      { id: 'next → last', kind: 'way', when: 'score > 3', reads: ['score'] },
    ],
    edges: [
      { from: 'start', to: 'first' },
      { from: 'first', to: 'next' },
      { from: 'next → last', to: 'last' },
      { from: 'next', to: 'next → last' },
    ],
  });
  expect(checked.hash).toMatch(/^[0-9a-f]{64}$/);
  expect([build(3).hash, build(3, 2).hash, build(4).hash].map((hash) => hash === checked.hash)).toEqual([true, true, false]);
});

// Public report, row 25
test('a join after an if/else runs when one side was not taken, is skipped with its reason when both were not, and follows its rule when one failed', async () => {
  const build = (score: number, fails: boolean, join: 'any' | 'settled') =>
    scored(score, 'a', (flow, first) => {
      const cond = flow.branch('cond', { cases: { a: 'score == 1', b: 'score == 2' } });
      const a = flow.node('A', { run: () => 'A' });
      const b = flow.node('B', {
        onFailure: 'continue',
        run: () => {
          if (fails) throw new Error('B');
          return 'B';
        },
      });
      const j = flow.node('J', { join, run: (from: string | undefined) => from ?? 'nobody' });
      const k = flow.node('K', { run: (from: string) => from });
      flow.after(first, cond).after(cond.a, a).after(cond.b, b).connect(a, j).after(b, j).connect(j, k).finish(k);
    });
  const seen = async (score: number, fails: boolean, join: 'any' | 'settled') => {
    const run = execute(build(score, fails, join), undefined);
    return { status: (await run.result).status, ...(await outcomes(run, ['A', 'B', 'J', 'K'])) };
  };
  const [done, left] = ['completed', 'skipped-by-branch'];
  for (const join of ['any', 'settled'] as const) {
    expect(await seen(1, false, join)).toEqual({ status: done, A: done, B: left, J: done, K: done });
    expect(await seen(3, false, join)).toEqual({ status: 'failed', A: left, B: left, J: left, K: left });
  }
  expect(await seen(2, true, 'any')).toEqual({ status: 'failed', A: left, B: 'failed', J: 'skipped-after-failure', K: 'skipped-after-failure' });
  expect(await seen(2, true, 'settled')).toEqual({ status: done, A: left, B: 'failed', J: done, K: done });
});

// Public report, row 27
test('a repeated id, a node that waits for itself, a cycle and an edge to nowhere are refused with the ids and the whole path', () => {
  const run = () => 0;
  const refused = (draw: (flow: WorkflowBuilder<unknown, unknown, Record<never, never>>) => void) => {
    const flow = workflow('refused');
    draw(flow);
    return problemsOf(() => flow.build()).filter(({ code }) => code !== 'unreachable');
  };
  expect(
    refused((flow) => {
      const one = flow.node('a', { run });
      flow.after(one, one);
      flow.after(flow.start, flow.node('a', { run }));
    }),
  ).toMatchObject([
    { code: 'duplicate-id', nodes: ['a'] },
    { code: 'self-loop', nodes: ['a'] },
  ]);
  expect(
    refused((flow) => {
      const [c, d, e] = ['c', 'd', 'e'].map((id) => flow.node(id, { run })) as [
        NodeHandle<unknown, number>,
        NodeHandle<unknown, number>,
        NodeHandle<unknown, number>,
      ];
      flow.after(flow.start, c).after(c, d).after(d, e).after(e, c);
    }),
  ).toMatchObject([{ code: 'cycle', message: 'the nodes wait for each other: c → d → e → c' }]);
  expect(refused((flow) => void flow.after(flow.node('b', { run }), { id: 'z' }))).toMatchObject([{ code: 'unknown-node', nodes: ['z'] }]);
});

// Public report, row 28
test('two parallel writers of one key give the same value both ways round with a merge rule, and are refused with key and nodes named without', async () => {
  const build = (merged: boolean, gates: Record<string, Promise<void>>) => {
    const flow = workflow('two', { state: { total: merged ? merge.sum() : NUMBER, notes: merge.append(TEXT) } });
    for (const [id, amount] of [
      ['P', 1],
      ['Q', 2],
    ] as const) {
      const node = flow.node(id, {
        writes: ['total', 'notes'],
        run: async (_: unknown, { set }) => {
          await gates[id];
          set('total', amount);
          set('notes', id);
        },
      });
      flow.after(flow.start, node);
    }
    return flow.build();
  };
  for (const first of ['P', 'Q']) {
    const gates: Record<string, ReturnType<typeof deferred<void>>> = { P: deferred(), Q: deferred() };
    const run = execute(build(true, Object.fromEntries(Object.entries(gates).map(([id, { promise }]) => [id, promise]))), undefined);
    gates[first]?.resolve();
    await settle();
    for (const gate of Object.values(gates)) gate.resolve();
    expect((await run.result).state).toMatchObject({ total: 3, notes: ['P', 'Q'] });
  }
  const [problem] = problemsOf(() => build(false, {}));
  expect(problem).toMatchObject({ code: 'unordered-writers', nodes: ['P', 'Q'], message: expect.stringContaining('"total"') });
});
