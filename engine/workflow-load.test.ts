// A workflow there and back through JSON, and what data that was tampered with does.
import fc from 'fast-check';
import { expect, test as rule, test } from 'vitest';
import * as z from 'zod';
import { agent, execute, functionModel, jsonSchema, merge, tool, WorkflowError, workflow, workflowFromJson } from './index.ts';

const NUMBER = jsonSchema<number>({ type: 'number' });
const lookup = tool({
  name: 'lookup',
  description: '',
  input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }: { n: number }) => n + 1,
});
const longest = merge.with({ name: 'longest', write: z.string(), initial: '', fold: (a, b) => (b.length > a.length ? b : a) });
const half = ({ n }: { n: number }) => n / 2;
const asArguments = (n: number) => ({ n });
const asList = (text: string) => [text.length, 1];
const toNumber = () => 7;

/** One of everything. */
function everything() {
  const inner = workflow('inner', { input: NUMBER, output: NUMBER, state: { seen: merge.append(NUMBER) } });
  const pass = inner.node('pass', { writes: 'seen', input: NUMBER, run: asNumber });
  const nested = inner.connect(inner.start, pass).finish(pass).build();
  const flow = workflow('everything', {
    version: '2',
    input: z.object({ n: z.number() }),
    state: { total: merge.sum(), text: longest, low: NUMBER, free: NUMBER },
  });
  const first = flow.node('first', {
    input: z.object({ n: z.number() }),
    output: NUMBER,
    writes: 'low',
    run: half,
    retry: { attempts: 2, backoffMs: 5 },
    timeoutMs: 1000,
    fallback: { node: toNumber },
  });
  const way = flow.branch('way', { input: NUMBER, cases: { low: 'low < 3', mid: 'low in [3, 4]' } });
  const call = flow.tool('call', lookup, { writes: 'total' });
  const ask = flow.agent('ask', { system: 'Say it.', tools: [lookup as never], iterations: 3, writes: 'text', onFailure: 'continue' });
  const many = flow.map('many', { input: NUMBER, node: nested, concurrency: 2, maxItems: 5, onItemFailure: 'drop', writes: 'total' });
  const each = flow.map('each', { input: NUMBER, node: agent({ system: 'Double it.' }) });
  const gate = flow.wait('gate', { question: 'Go on?', output: z.boolean() });
  const sub = flow.subgraph('sub', nested);
  const all = flow.aggregate('all', { join: 'any' });
  const end = flow.node('end', { join: 'settled', reads: ['total', 'text'], run: function end() {} });
  flow.connect(flow.start, first).connect(first, way).connect(way.low, call, { transform: asArguments });
  flow
    .connect(way.mid, sub)
    .connect(way.otherwise, ask as never)
    .connect(ask, many, { transform: asList })
    .connect(many, each);
  const writer = flow.node('writer', { writes: 'free', run: () => 1 });
  flow
    .after(first, writer)
    .after(writer, gate, { when: 'low != 9 and not exists(free)' })
    .connect(sub, all as never)
    .connect(gate, all);
  flow.after(all, end).after(call, end).after(each, end).finish(end);
  return flow.build();
}
function keep(n: number, { set }: { set(key: string, value: number): void }): number {
  set('seen', n);
  set('kept', n);
  return n;
}
function asNumber(n: number): number {
  return n;
}
const parts = {
  functions: { half, asArguments, asList, asNumber, toNumber, end: () => 'done', writer: () => 1 },
  tools: [lookup],
  merges: { longest },
} as never;

rule('A workflow comes back from its JSON as it was, with functions, tools and merge rules found by name', async () => {
  const flow = workflow('small', { input: NUMBER, output: NUMBER, state: { seen: merge.append(NUMBER), kept: NUMBER } });
  const first = flow.node('first', { writes: ['seen', 'kept'], run: keep });
  const big = flow.node('big', { run: (n: number) => n * 100 });
  const small = flow.wait('small', { question: 'What then?', output: NUMBER });
  flow.connect(flow.start, first).connect(first, big, { when: 'kept > 10' }).connect(first, small, { when: 'not kept > 10' }).finish(big, small);
  const checked = flow.build();
  const functions = { keep, big: (n: number) => n * 100 };
  const again = workflowFromJson<number, number>(JSON.parse(JSON.stringify(checked)), { functions } as never);
  expect(again.toJSON()).toEqual(checked.toJSON());
  expect(again.hash).toBe(checked.hash);
  for (const built of [checked, again]) {
    expect(await execute(built, 12).result).toMatchObject({ status: 'completed', output: 1200, state: { seen: [12] } });
    expect(await execute(built, 2).result).toMatchObject({ status: 'waiting', gates: [{ node: 'small', question: 'What then?' }] });
  }
  expect(() => workflowFromJson(checked.toJSON())).toThrow(
    expect.objectContaining({ code: 'INVALID_WORKFLOW', message: expect.stringContaining('node "first" runs "keep", which is not among `functions`') }),
  );
});

test('every kind of node, edge, key and policy survives the way there and back', () => {
  const checked = everything();
  const json = JSON.parse(JSON.stringify(checked));
  const again = workflowFromJson(json, parts);
  expect(again.toJSON()).toEqual(json);
  expect(again.hash).toBe(checked.hash);
});

test('data that was tampered with is refused with a code or builds, and never crashes, hangs or reaches a prototype', () => {
  const whole = JSON.stringify(everything());
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const tries = (json: unknown) => {
    try {
      workflowFromJson(json, parts);
    } catch (error) {
      expect(error).toBeInstanceOf(WorkflowError);
      expect((error as WorkflowError).code).toMatch(/^INVALID_/);
    }
  };
  fc.assert(fc.property(fc.jsonValue(), tries), { numRuns: 300 });
  fc.assert(
    fc.property(
      fc.nat(400),
      fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', 'start', 'first', -1, 1e9, {}, [], { toString: [] })),
      (place, value) => {
        let at = 0;
        tries(JSON.parse(whole, (_, part: unknown) => (at++ === place ? value : part)));
      },
    ),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(6), (place, bit) => {
      const flipped = whole.slice(0, place) + String.fromCharCode(whole.charCodeAt(place) ^ (1 << bit)) + whole.slice(place + 1);
      let json: unknown;
      try {
        json = JSON.parse(flipped);
      } catch {
        return;
      }
      tries(json);
    }),
    { numRuns: 1000 },
  );
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  let deep: unknown = JSON.parse(whole);
  for (let i = 0; i < 200; i++)
    deep = { ...JSON.parse(whole), nodes: [{ id: 'x', kind: 'subgraph', workflow: deep }], edges: [{ from: 'start', to: 'x' }], finishes: [] };
  expect(() => workflowFromJson(deep, parts)).toThrow('nests deeper than 64');
});

test('a model answers for an agent that was read from JSON', async () => {
  const flow = workflow<string, string>('agents');
  const ask = flow.agent('ask', { system: 'Say it.', tools: [lookup as never] });
  const checked = flow.connect(flow.start, ask).finish(ask).build();
  const again = workflowFromJson<string, string>(checked.toJSON(), parts);
  const model = functionModel(({ system, tools }) => `${system} ${tools.map(({ name }) => name)}`);
  for (const built of [checked, again]) expect(await execute(built, 'x', { model }).result).toMatchObject({ output: 'Say it. lookup' });
});
