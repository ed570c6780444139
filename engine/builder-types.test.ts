// What the compiler refuses. Each marked line is an error for tsc, which fails on a mark without one; at run time only the shapes are built.
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { fileConnector, httpConnector, inPrompt, type SqlRow, sqlConnector } from './connectors.ts';
import { agent, execute, functionModel, jsonSchema, merge, type NodeHandle, type RunResult, tool, workflow } from './index.ts';

test('the compiler knows what flows along an edge, into state and out of a run', async () => {
  const flow = workflow('typed', {
    input: z.object({ city: z.string() }),
    output: z.number(),
    state: { notes: merge.append(z.string()), total: merge.sum(), draft: z.string() },
  });
  const length = flow.node('length', { run: (input: { city: string }) => input.city.length });
  const double = flow.node('double', {
    reads: ['notes'],
    writes: ['total', 'draft'],
    run: (input: number, { get, set }) => {
      expectTypeOf(get('notes')).toEqualTypeOf<readonly string[]>();
      // @ts-expect-error `total` is not among `reads`
      void (() => get('total'));
      set('total', input);
      // @ts-expect-error a text for a sum
      void (() => set('total', 'much'));
      // @ts-expect-error `notes` is not among `writes`
      void (() => set('notes', 'x'));
      return input * 2;
    },
  });
  flow.connect(flow.start, length).connect(length, double).finish(double);
  void (() => {
    // @ts-expect-error a number does not fit a city
    flow.connect(length, length);
    // @ts-expect-error the start gives a city, not a number
    flow.connect(flow.start, double);
    flow.connect(flow.start, double, { transform: (city) => city.city.length });
    // @ts-expect-error the workflow puts out a number
    flow.finish(flow.node('text', { run: () => 'x' }));
    // @ts-expect-error no such part of the input
    flow.connect(length, length, { port: 'town' });
    // @ts-expect-error no such state key
    flow.node('typo', { run: () => 0, reads: ['note'] });
  });
  const checked = flow.build();
  // @ts-expect-error a number is no city
  void (() => execute(checked, 7));
  // @ts-expect-error no input at all
  void (() => execute(checked));
  const run = execute(checked, { city: 'Riga' });
  expectTypeOf(run.outputOf(length)).toEqualTypeOf<number | undefined>();
  const result = await run.result;
  if (result.status !== 'completed') throw new Error(result.status);
  expectTypeOf(result.output).toEqualTypeOf<number>();
  expectTypeOf(result.state.notes).toEqualTypeOf<readonly string[] | undefined>();
  // @ts-expect-error a completed run has no error
  void (() => result.error);
  expect(result).toMatchObject({ output: 8, state: { total: 4, notes: [] } });
});

test('an agent’s output has the type of its schema, and is text without one', async () => {
  const flow = workflow('agents', { input: z.string() });
  const typed = flow.agent('typed', { output: z.object({ n: z.number() }) });
  const text = flow.agent('text', { input: z.object({ n: z.number() }) });
  flow.connect(flow.start, typed).connect(typed, text).finish(text);
  // @ts-expect-error text does not fit { n }
  void (() => flow.connect(text, text));
  const run = execute(flow.build(), 'go', { model: functionModel(({ output }) => (output === undefined ? 'seven' : '{"n":7}')) });
  const result: RunResult<unknown, unknown> = await run.result;
  expect(result).toMatchObject({ status: 'completed', output: 'seven' });
  expect(run.outputOf(typed)?.n).toBe(7);
});

test('a tool’s function takes what its schema says', async () => {
  const double = tool({ name: 'double', description: '', input: z.object({ n: z.number() }), run: ({ n }) => n * 2 });
  // @ts-expect-error a text for a number
  tool({ name: 'wrong', description: '', input: z.object({ n: z.number() }), run: (input: { n: string }) => input.n });
  const flow = workflow('tools', { input: jsonSchema<{ n: number }>({ type: 'object' }) });
  const node = flow.tool('double', double);
  flow.connect(flow.start, node).finish(node);
  // @ts-expect-error a number does not fit { n }
  void (() => flow.connect(node, node));
  expect(await execute(flow.build(), { n: 4 }).result).toMatchObject({ status: 'completed', output: 8 });
  expect(await execute(flow.build(), { n: 'four' } as never).result).toMatchObject({ status: 'failed', error: { code: 'invalid-input', node: 'double' } });
});

test('the compiler knows the ways of a branch, the items of a map, the parts of an aggregate, the answer to a gate and the border of a subgraph', async () => {
  const Item = z.object({ id: z.number() });
  const inner = workflow('inner', { input: z.number(), output: z.string() });
  const word = inner.node('word', { run: (value: number) => `${value}` });
  const checked = inner.connect(inner.start, word).finish(word).build();

  const flow = workflow('control', { input: z.array(Item), output: z.array(z.string()), state: { sizes: merge.append(z.number()), note: z.string() } });
  const sizes = flow.map('sizes', {
    input: Item,
    writes: 'sizes',
    reads: ['sizes'],
    node: (item, { get }) => {
      expectTypeOf(item).toEqualTypeOf<{ id: number }>();
      expectTypeOf(get('sizes')).toEqualTypeOf<readonly number[]>();
      // @ts-expect-error `note` is not among `reads`
      void (() => get('note'));
      return item.id;
    },
  });
  const words = flow.map('words', { node: checked });
  const spoken = flow.map('spoken', { input: Item, node: agent({ system: 'Say it.' }) });
  const many = flow.branch('many', { input: z.array(z.number()), cases: { yes: 'length(sizes) > 1' } });
  const all = flow.aggregate('all', { run: (items: readonly (readonly string[])[]) => items.flat() });
  const loose = workflow('loose');
  const gate = loose.wait('gate', { question: (list: readonly string[]) => `${list.length}?`, output: z.boolean() });
  const sub = loose.subgraph('sub', checked, { timeoutMs: 100 });
  expectTypeOf(sizes).toEqualTypeOf<NodeHandle<readonly { id: number }[], number[]>>();
  expectTypeOf(words).toEqualTypeOf<NodeHandle<readonly number[], string[]>>();
  expectTypeOf(gate).toEqualTypeOf<NodeHandle<readonly string[], boolean>>();
  expectTypeOf(sub).toEqualTypeOf<NodeHandle<number, string>>();
  void (() => {
    flow.connect(many.otherwise, words);
    // @ts-expect-error no such way
    void many.no;
    // @ts-expect-error a list of numbers is no list of items
    flow.connect(many.yes, sizes);
    // @ts-expect-error nothing flows into a way but from its branch
    flow.connect(sizes, many.yes);
    // @ts-expect-error a number is no list
    flow.connect(word, words);
    // @ts-expect-error one edge of an aggregate carries a list of texts
    flow.connect(sizes, all);
    // @ts-expect-error a text does not fit the border
    flow.connect(gate, sub);
    const run = execute(checked, 1, { holdGates: true });
    void run.answer(gate, true);
    void run.answer('sub/gate', 'whatever fits there');
    // @ts-expect-error the gate is answered with yes or no
    void run.answer(gate, 'yes');
    // @ts-expect-error texts are no writes of a key for numbers
    flow.map('wrong', { node: checked, writes: 'total' });
    // @ts-expect-error there is no such join
    flow.node('none', { join: 'some', run: () => 0 });
    // @ts-expect-error a predicate is a text
    flow.after(sizes, sub, { when: () => true });
    flow.connect(spoken, gate);
  });
  flow.connect(flow.start, sizes).connect(sizes, many).connect(many.yes, words).connect(words, all);
  flow.connect(flow.start, spoken).connect(spoken, all).finish(all);
  const result = await execute(flow.build(), [{ id: 1 }, { id: 2 }], { model: functionModel(({ messages }) => messages[0]?.text ?? '') }).result;
  expect(result).toMatchObject({ status: 'completed', output: ['1', '2', '{"id":1}', '{"id":2}'], state: { sizes: [1, 2] } });
});

test('the compiler knows what a connector gives, and that a node declares connectors and not their names', () => {
  const docs = fileConnector({ name: 'docs', root: '.' });
  const db = sqlConnector({ name: 'db', query: () => [] });
  const flow = workflow('connected');
  flow.node('reads', {
    connectors: [docs, inPrompt(db)],
    run: async (path: string, { use }) => {
      const file = await use(docs).read(path);
      expectTypeOf(file.value).toEqualTypeOf<string>();
      const rows = await use(db).query`select * from rain where town = ${path} or year in (${[1, 2]})`;
      expectTypeOf(rows.value).toEqualTypeOf<readonly SqlRow[]>();
      // @ts-expect-error a statement is a template
      void (() => use(db).query('select 1'));
      // @ts-expect-error an object is no parameter
      void (() => use(db).query`select ${{}}`);
      // @ts-expect-error its result is not yet its text
      const text: string = file;
      return text;
    },
  });
  // @ts-expect-error a name is no connector
  void (() => flow.node('named', { connectors: ['docs'], run: () => 0 }));
  // @ts-expect-error addresses are needed
  void (() => httpConnector({ name: 'web' }));
  expect(docs.kind).toBe('connector');
});
