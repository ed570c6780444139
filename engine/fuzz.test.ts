// What no input may do: crash, hang, or reach a prototype. Names that JavaScript knows, nesting without end, numbers beyond all bounds, and replies of any shape.
// Expressions, workflows as JSON and checkpoints have fuzz tests of their own beside their rules (predicate, workflow-load, durability-rules).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  agent,
  execute,
  fileCheckpoints,
  functionModel,
  jsonSchema,
  memoryCheckpoints,
  merge,
  type NodeHandle,
  openaiModel,
  parsePredicate,
  resume,
  toDot,
  toMermaid,
  tool,
  type WorkflowBuilder,
  WorkflowError,
  workflow,
  workflowFromJson,
} from './index.ts';

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'then', 'length'];
const TEXT = jsonSchema<string>({ type: 'string' });
const DEEP = 100_000;

/** An object with one key of its own, whatever it is called. */
function keyed<Value>(name: string, value: Value): Readonly<Record<string, Value>> {
  return Object.defineProperty({}, name, { value, enumerable: true, writable: true, configurable: true });
}

let properties: string;
const prototypes = () => [Object.prototype, Array.prototype, Function.prototype].map((each) => Object.getOwnPropertyNames(each).join()).join(';');
beforeEach(() => {
  properties = prototypes();
});
afterEach(() => {
  expect(prototypes()).toBe(properties);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each(NAMES)('%s is a name like any other: workflow, node, way, part, key, path, tool, argument, subgraph, run', async (name) => {
  const quoted = `\`${name}\``;
  const ran: unknown[] = [];
  const odd = tool({
    name,
    description: '',
    input: { type: 'object', properties: keyed(name, { type: 'string' }), required: [name] },
    run: (input: object) => {
      ran.push(input);
      return 'ok';
    },
  });
  const model = functionModel(({ turn }) => (turn === 0 ? { calls: [{ name, arguments: JSON.stringify(keyed(name, 'kept')) }] } : 'said'));
  const inner = workflow<unknown, string>(name);
  const asks = inner.agent(name, agent<unknown, string>({ system: name, tools: [odd] }));
  const state = { ...keyed(name, jsonSchema<unknown>({ type: 'object' })), list: merge.append(TEXT) };
  // Names that are computed have no type: the builder is told as much, and checks them at run time.
  const flow = workflow(name, { state }) as unknown as WorkflowBuilder<undefined, unknown, Record<string, typeof TEXT>>;
  const first = flow.node(name, { writes: name, run: () => keyed(name, keyed('polluted', 1)) as unknown as string });
  const branch = flow.branch('branch', { cases: keyed(name, `${quoted}.${quoted}.polluted == 1`) });
  const way = Object.entries(branch).find(([key]) => key === name)?.[1] as NodeHandle<never, string>;
  const each = flow.map('map', { node: (item: string) => `${item}!`, writes: 'list' });
  const nested = flow.subgraph('nested', inner.connect(inner.start, asks).finish(asks).build());
  const end = flow.node('end', { run: (parts: Record<string, unknown>) => Object.entries(parts) });
  flow
    .after(flow.start, first)
    .after(first, branch)
    .connect(flow.start, each, { transform: () => [name] })
    .after(way, each);
  flow.connect(first, nested).after(each, nested).connect(nested, end, { port: name }).connect(first, end, { port: 'another' }).finish(end);
  const checked = flow.build();

  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  try {
    const run = execute(checked, undefined, { model, traceHash: true });
    const expected = await run.result;
    expect(expected).toMatchObject({ status: 'completed', usage: { toolCalls: 1 } });
    expect(expected.status === 'completed' && expected.output).toEqual([
      [name, 'said'],
      ['another', keyed(name, { polluted: 1 })],
    ]);
    expect(ran).toEqual([keyed(name, 'kept')]);
    expect(run.outcomeOf(name)).toBe('completed');
    expect(Object.keys(expected.state as object).sort()).toEqual([name, 'list'].sort());
    for (const store of [memoryCheckpoints(), fileCheckpoints(folder, { sync: false })]) {
      const checkpoint = { store, run: name };
      for (const result of [
        await execute(checked, undefined, { model, traceHash: true, checkpoint }).result,
        await resume(checked, { model, traceHash: true, checkpoint }).result,
      ])
        expect({ ...result, durationMs: 0 }).toEqual({ ...expected, durationMs: 0 });
    }
    for (const text of [toMermaid(checked), toDot(checked)]) expect(text).toContain(name);
    expect(JSON.parse(JSON.stringify(checked))).toEqual(checked.toJSON());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('nesting without end is refused or told with a code, and never overflows the stack', async () => {
  const nested = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
  for (const text of [
    `${'('.repeat(DEEP)}a${')'.repeat(DEEP)}`,
    `${'not '.repeat(DEEP)}exists(a)`,
    `a in ${nested}`,
    `a${'[0]'.repeat(DEEP)} == 1`,
    `a${'.b'.repeat(DEEP)} == 1`,
  ]) {
    try {
      parsePredicate(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_PREDICATE' });
    }
  }
  const tree = { type: 'object', properties: { next: { $ref: '#' }, list: {} } } as const;
  const deepArguments = [`{"list":${nested}}`, `${'{"next":'.repeat(DEEP)}{}${'}'.repeat(DEEP)}`];
  const take = tool({ name: 'take', description: '', input: tree, run: (input: unknown) => input });
  const model = functionModel(({ turn }) =>
    turn < 2 ? { calls: [{ name: 'take', arguments: deepArguments[turn] as string }] } : (deepArguments[1] as string),
  );
  const flow = workflow<string, unknown>('deep');
  const ask = flow.agent('ask', { tools: [take], output: jsonSchema<unknown>(tree) });
  flow.connect(flow.start, ask).finish(ask);
  for (const checkpoint of [undefined, { store: memoryCheckpoints(), run: 'r' }]) {
    const result = await execute(flow.build(), 'go', { model, traceHash: true, ...(checkpoint === undefined ? {} : { checkpoint }) }).result;
    expect(result.status === 'completed' || (result.status === 'failed' && /^[a-z-]+$/.test(result.error.code))).toBe(true);
  }
  const deepState = workflow('state', { state: { kept: jsonSchema<unknown>({}) } });
  const writes = deepState.node('writes', { writes: 'kept', run: () => JSON.parse(nested) });
  deepState.after(deepState.start, writes).finish(writes);
  const kept = await execute(deepState.build(), undefined, { checkpoint: { store: memoryCheckpoints(), run: 'r' } }).result;
  expect(kept).toMatchObject({ status: 'failed', error: { code: 'not-storable' } });
});

test('numbers beyond all bounds are read, refused with a code, or compared as what they are', () => {
  for (const text of [
    'a == 1e999',
    `a == ${'9'.repeat(400)}`,
    'a == 9007199254740993',
    'a == -0',
    'a == 0x10',
    'a == 1_000',
    'a[1e9] == 1',
    `a[${'9'.repeat(400)}] == 1`,
    'a[-1] == 1',
    'a == .5e',
  ]) {
    try {
      parsePredicate(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_PREDICATE' });
    }
  }
  const flow = workflow<number, number>('n');
  const node = flow.node('n', { run: (n: number) => n });
  const checked = flow.connect(flow.start, node).finish(node).build();
  for (const value of [Number.POSITIVE_INFINITY, Number.NaN, -1, 0, 0.5, 2 ** 53, 'many', null, {}]) {
    for (const options of [{ concurrency: value }, { limits: { model: value } }]) {
      try {
        void execute(checked, 1, options as never).result;
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_OPTIONS' });
      }
    }
    for (const policy of [{ retry: { attempts: value } }, { timeoutMs: value }, { retry: { attempts: 2, backoffMs: value } }]) {
      const one = workflow<number, number>('n');
      one.connect(one.start, one.node('n', { run: (n: number) => n, ...(policy as object) }));
      try {
        one.build();
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_WORKFLOW' });
      }
    }
  }
  fc.assert(
    fc.property(fc.double(), fc.bigInt(), (number, big) => {
      for (const json of [
        { name: 'x', nodes: number },
        { name: 'x', nodes: [{ id: 'a', kind: 'function', timeoutMs: number }], edges: [] },
        { name: String(big), finishes: number },
      ])
        expect(() => workflowFromJson(json)).toThrow(WorkflowError);
    }),
  );
});

test('a streamed call at a place that is none is no call, and reaches no prototype', async () => {
  const parts = ['__proto__', 'length', -1, 0.5, 1e9, null].map((index) => ({ index, id: 'polluted', function: { name: 'polluted', arguments: '{}' } }));
  const chunks = [
    ...parts.map((part) => ({ choices: [{ delta: { tool_calls: [part] } }] })),
    { choices: [{ delta: { content: 'fine' }, finish_reason: 'stop' }] },
  ];
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const fetch = async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const flow = workflow<string, string>('f');
  const ask = flow.agent('ask', { iterations: 1 });
  flow.connect(flow.start, ask).finish(ask);
  const model = openaiModel({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', stream: true, fetch });
  // The one without a place is a call like any other: it follows what came before.
  expect(await execute(flow.build(), 'go', { model }).result).toMatchObject({
    status: 'failed',
    error: { code: 'iteration-cap', message: expect.stringMatching(/asked for polluted$/) },
  });
  expect(([] as unknown as { id?: unknown }).id).toBeUndefined();
});

test('a reply of any shape ends the run with an answer or a code, whole or streamed, chat or responses', async () => {
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>('', null, '__proto__', [], {}, -1, 1e308, '\ud800', { toString: null }));
  const call = fc.record(
    {
      id: odd,
      type: odd,
      index: fc.oneof(odd, fc.nat(3)),
      function: fc.oneof(odd, fc.record({ name: odd, arguments: odd })),
      name: odd,
      arguments: odd,
      call_id: odd,
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    { content: odd, tool_calls: fc.oneof(odd, fc.array(call, { maxLength: 3 })), reasoning_content: odd, refusal: odd },
    { requiredKeys: [] },
  );
  const choice = fc.record({ message: fc.oneof(odd, message), delta: fc.oneof(odd, message), finish_reason: odd }, { requiredKeys: [] });
  const item = fc.record(
    {
      type: fc.oneof(odd, fc.constantFrom('function_call', 'message', 'reasoning')),
      content: fc.oneof(odd, fc.array(odd)),
      call_id: odd,
      name: odd,
      arguments: odd,
      summary: odd,
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    {
      choices: fc.oneof(odd, fc.array(fc.oneof(odd, choice), { maxLength: 2 })),
      output: fc.oneof(odd, fc.array(fc.oneof(odd, item), { maxLength: 3 })),
      status: odd,
      error: odd,
      usage: odd,
      type: fc.oneof(odd, fc.constantFrom('response.completed', 'error')),
      response: odd,
    },
    { requiredKeys: [] },
  );
  const take = tool({ name: 'take', description: '', input: { type: 'object', properties: { a: { type: 'string' } } }, run: () => 'ok' });
  const flow = workflow<string, string>('f');
  const ask = flow.agent('ask', { tools: [take], iterations: 3, reasks: 1 });
  const checked = flow.connect(flow.start, ask).finish(ask).build();
  const clock = {
    nowMs: () => 0,
    after: (_: number, callback: () => void) => {
      queueMicrotask(callback);
      return () => {};
    },
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(body, odd), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.constantFrom('chat' as const, 'responses' as const),
      async (bodies, stream, api) => {
        const text = stream ? `${bodies.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n` : JSON.stringify(bodies[0]);
        const fetch = async () => new Response(text, { status: 200, headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' } });
        const model = openaiModel({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', api, stream, fetch, maxTokens: 10, retry: { attempts: 2, backoffMs: 1 } });
        const result = await execute(checked, 'go', { model, clock, traceHash: true }).result;
        if (result.status !== 'completed') expect(result).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/) } });
        else expect(typeof result.output).toBe('string');
        // A slip of ours shows as `node-error`, or as a connection that broke: whatever a server says has a code of its own.
        if (result.status === 'failed') expect([text, result.error.code]).not.toEqual([text, expect.stringMatching(/^(node-error|model-unreachable)$/)]);
      },
    ),
    { numRuns: 600 },
  );
});
