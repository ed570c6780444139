// What is drawn and sent of a workflow and of a run: whole texts, and spans against a recorder with the shape of the OpenTelemetry API.
import * as otel from '@opentelemetry/api';
import { afterEach, expect, test as rule, test } from 'vitest';
import { connector } from './connectors.ts';
import { manualClock } from './fixtures/manual-clock.ts';
import {
  agent,
  execute,
  exportSpans,
  functionModel,
  jsonSchema,
  type RunEvent,
  summarizeEvents,
  type TelemetrySpan,
  toDot,
  toMermaid,
  tool,
  workflow,
} from './index.ts';

const look = tool({ name: 'look', description: '', input: jsonSchema<object>({ type: 'object' }), run: () => 'seen' });

function example() {
  const clock = manualClock();
  const flow = workflow('a "quoted"\nname', { input: jsonSchema<string>({ type: 'string' }), state: { found: jsonSchema<string>({ type: 'string' }) } });
  const plan = flow.agent('plan', { ...agent<string, string>({ tools: [look] }), writes: 'found' });
  const enough = flow.branch('enough', { cases: { yes: 'length(found) > 3' } });
  const answer = flow.node('answer', {
    retry: { attempts: 2, backoffMs: 1500 },
    onFailure: 'continue',
    run: ({ plan: text }: { plan: string }, { attempt }) => {
      if (attempt === 1) throw new Error('not yet');
      return text;
    },
  });
  const redo = flow.node('redo <b>', { run: () => 0 });
  const after = flow.node('after', { run: () => 0 });
  const bad = flow.node('bad', { run: () => Promise.reject(new Error('boom')), onFailure: 'continue' });
  flow.connect(flow.start, plan).after(plan, enough).connect(plan, answer, { port: 'plan' }).after(enough.yes, answer).after(enough.otherwise, redo);
  flow.after(answer, bad).after(bad, after);
  const checked = flow.finish(answer).build();
  const model = functionModel(({ turn }) =>
    turn === 0 ? { calls: [{ name: 'look', arguments: {} }], usage: { inputTokens: 5, outputTokens: 2 } } : 'long enough',
  );
  const run = execute(checked, 'go', { model, clock, random: () => 1 });
  const events = collect(run);
  return { checked, run: clock.advance(1500).then(() => events) };
}

rule('A workflow is drawn as Mermaid and as DOT: solid arrows carry data, dotted ones only order, and no id can break the text', () => {
  const { checked } = example();
  expect(toMermaid(checked)).toMatchInlineSnapshot(`
    "flowchart TD
      %% a "quoted" name
      start((start))
      n0(["plan"])
      n1{{"enough"}}
      n2{{"enough.yes<br/>length(found) #62; 3"}}
      n3{{"enough.otherwise<br/>not length(found) #62; 3"}}
      n4["answer"]
      n5["redo #60;b#62;"]
      n6["after"]
      n7["bad"]
      start --> n0
      n0 -.-> n1
      n1 --> n2
      n1 --> n3
      n0 -->|"plan"| n4
      n2 -.-> n4
      n3 -.-> n5
      n7 -.-> n6
      n4 -.-> n7
    "
  `);
  expect(toDot(checked)).toMatchInlineSnapshot(`
    "digraph "a \\"quoted\\"\\nname" {
      node [fontname="sans-serif", style=filled, fillcolor=white];
      start [shape=circle];
      n0 [label="plan", shape=ellipse];
      n1 [label="enough", shape=hexagon];
      n2 [label="enough.yes\\nlength(found) > 3", shape=hexagon];
      n3 [label="enough.otherwise\\nnot length(found) > 3", shape=hexagon];
      n4 [label="answer", shape=box];
      n5 [label="redo <b>", shape=box];
      n6 [label="after", shape=box];
      n7 [label="bad", shape=box];
      start -> n0;
      n0 -> n1 [style=dotted];
      n1 -> n2;
      n1 -> n3;
      n0 -> n4 [label="plan"];
      n2 -> n4 [style=dotted];
      n3 -> n5 [style=dotted];
      n7 -> n6 [style=dotted];
      n4 -> n7 [style=dotted];
    }
    "
  `);
});

rule('A run is drawn from its events: who ran, was skipped and why, or failed, after how many attempts and how long', async () => {
  const { checked, run } = example();
  const events = JSON.parse(JSON.stringify(await run)) as RunEvent[];
  expect(toMermaid(checked, { events })).toMatchInlineSnapshot(`
    "flowchart TD
      %% a "quoted" name
      start((start))
      n0(["plan<br/>completed, 0 ms"])
      n1{{"enough<br/>completed, 0 ms"}}
      n2{{"enough.yes<br/>length(found) #62; 3<br/>completed, 0 ms"}}
      n3{{"enough.otherwise<br/>not length(found) #62; 3<br/>skipped by branch"}}
      n4["answer<br/>completed, 2 attempts, 1.5 s"]
      n5["redo #60;b#62;<br/>skipped by branch"]
      n6["after<br/>skipped after failure"]
      n7["bad<br/>failed, node-error, 0 ms"]
      start --> n0
      n0 -.-> n1
      n1 --> n2
      n1 --> n3
      n0 -->|"plan"| n4
      n2 -.-> n4
      n3 -.-> n5
      n7 -.-> n6
      n4 -.-> n7
      class n0 completed
      class n1 completed
      class n2 completed
      class n3 skipped-by-branch
      class n4 completed
      class n5 skipped-by-branch
      class n6 skipped-after-failure
      class n7 failed
      classDef completed fill:#c8e6c9
      classDef skipped-by-branch fill:#eeeeee,stroke-dasharray:4
      classDef skipped-after-failure fill:#ffe0b2,stroke-dasharray:4
      classDef failed fill:#ffcdd2
    "
  `);
  expect(toDot(checked, { events })).toContain('n2 [label="enough.yes\\nlength(found) > 3\\ncompleted');
  expect(Object.fromEntries(summarizeEvents(events))).toMatchObject({
    answer: { outcome: 'completed', attempts: 2, durationMs: 1500 },
    bad: { outcome: 'failed', code: 'node-error', attempts: 1 },
    after: { outcome: 'skipped-after-failure', attempts: 0 },
    'redo <b>': { outcome: 'skipped-by-branch' },
  });
  // A run that is still at work is drawn as far as it has come.
  expect(toMermaid(checked, { events: events.slice(0, 2) })).toContain('plan<br/>unfinished');
});

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly events: string[];
  status?: string;
  readonly fromMs: number;
  toMs?: number;
  ends: number;
}

/** The part of `@opentelemetry/api` that a real one has, with every span kept. A context is the span in it. */
function recorder() {
  const spans: Recorded[] = [];
  const api = {
    context: { active: (): { span?: Recorded } => ({}) },
    trace: {
      getTracer: () => ({
        startSpan: (name: string, { startTime, attributes }: { startTime: Date; attributes?: object }, context: { span?: Recorded }) => {
          const span: Recorded = { name, parent: context.span?.name, attributes: { ...attributes }, events: [], fromMs: startTime.getTime(), ends: 0 };
          spans.push(span);
          return Object.assign(span, {
            setAttribute: (key: string, value: unknown) => void Object.assign(span.attributes, { [key]: value }),
            addEvent: (event: string) => void span.events.push(event),
            setStatus: ({ message }: { message?: string }) => void Object.assign(span, { status: message }),
            end: (time: Date) => void Object.assign(span, { toMs: time.getTime(), ends: span.ends + 1 }),
          });
        },
      }),
      setSpan: (_: object, span: TelemetrySpan) => ({ span: span as unknown as Recorded }),
    },
  };
  return { api, spans };
}

rule('A run goes to OpenTelemetry as one span with a span below it for each attempt, model request, tool call and request to a connector', async () => {
  const { run } = example();
  const { api, spans } = recorder();
  await exportSpans(await run, api, { startedAt: new Date(1_000_000) });
  expect(spans.every(({ ends }) => ends === 1)).toBe(true);
  expect(spans.map(({ name, parent }) => `${parent} > ${name}`)).toMatchInlineSnapshot(`
    [
      "undefined > workflow a "quoted"
    name",
      "workflow a "quoted"
    name > node plan",
      "node plan > chat",
      "node plan > execute_tool look",
      "node plan > chat",
      "workflow a "quoted"
    name > node enough",
      "workflow a "quoted"
    name > node enough.yes",
      "workflow a "quoted"
    name > node enough.otherwise",
      "workflow a "quoted"
    name > node answer",
      "workflow a "quoted"
    name > node answer",
      "workflow a "quoted"
    name > node bad",
    ]
  `);
  const of = (name: string) => spans.filter((span) => span.name === name);
  expect(of('execute_tool look')[0]?.attributes).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' });
  expect(of('chat')[0]?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 2 });
  expect(of('node answer')).toMatchObject([
    { fromMs: 1_000_000, toMs: 1_000_000, status: 'node-error: node "answer" failed: not yet' },
    { fromMs: 1_001_500, toMs: 1_001_500, attributes: { 'agentgauge.attempt': 2, 'agentgauge.outcome': 'completed' } },
  ]);
});

test('a request to a connector is a span below the node that made it, with where its answer came from, or its failure', async () => {
  const docs = connector<string, string, { ask(what: string): Promise<unknown> }>(
    { name: 'docs', cache: { ttlMs: 1000 } },
    {
      answer: async (what) => {
        if (what === 'bad') throw new Error('no');
        return { value: what, bytes: 1 };
      },
      mayPass: () => false,
      textOf: String,
    },
    (call) => ({ ask: (what) => call(what, true) }),
  );
  const flow = workflow('asks');
  const node = flow.node('n', {
    connectors: [docs],
    run: async (_: unknown, { use }) => {
      for (const what of ['a', 'a', 'bad'])
        await use(docs)
          .ask(what)
          .catch(() => {});
    },
  });
  const { api, spans } = recorder();
  await exportSpans(execute(flow.after(flow.start, node).build(), undefined), api);
  expect(spans.slice(2)).toMatchObject([
    { name: 'connector docs', parent: 'node n', ends: 1, attributes: { 'agentgauge.connector': 'docs', 'agentgauge.connector.from': 'call' } },
    { name: 'connector docs', parent: 'node n', ends: 1, attributes: { 'agentgauge.connector.from': 'cache' } },
    { name: 'connector docs', parent: 'node n', ends: 1, status: 'connector-failed: connector "docs" failed: no' },
  ]);
});

test('spans that are open when the events end, end with them', async () => {
  const { run } = example();
  const { api, spans } = recorder();
  const whole = await run;
  await exportSpans(whole.slice(0, whole.findIndex(({ type }) => type === 'tool-start') + 1), api);
  expect(spans.length).toBe(4);
  expect(spans.every(({ ends }) => ends === 1)).toBe(true);
});

/** A provider as an SDK registers one with the real API: it keeps what it is told of each span, and finds the parent where the API put it. */
function registeredProvider() {
  const ended: string[] = [];
  const shown = new Map<otel.Span, string>();
  const startSpan: otel.Tracer['startSpan'] = (name, options = {}, context = otel.ROOT_CONTEXT) => {
    const around = otel.trace.getSpan(context);
    const attributes = { ...options.attributes };
    let status = '';
    const path = `${around === undefined ? '' : `${shown.get(around)} > `}${name}`;
    const span: otel.Span = {
      spanContext: () => ({ traceId: '0'.repeat(31).concat('1'), spanId: String(shown.size).padStart(16, '0'), traceFlags: otel.TraceFlags.SAMPLED }),
      setAttribute: (key, value) => {
        attributes[key] = value;
        return span;
      },
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: ({ code, message }) => {
        status = code === otel.SpanStatusCode.ERROR ? `, error ${message}` : '';
        return span;
      },
      updateName: () => span,
      isRecording: () => true,
      recordException: () => {},
      end: (time) =>
        void ended.push(`${path}: ${attributes['agentgauge.outcome'] ?? attributes['gen_ai.operation.name'] ?? 'ended'} at ${Number(time)}${status}`),
    };
    shown.set(span, path);
    return span;
  };
  const tracer = { startSpan, startActiveSpan: () => undefined as never } as otel.Tracer;
  otel.trace.setGlobalTracerProvider({ getTracer: () => tracer });
  return ended;
}
afterEach(() => otel.trace.disable());

test('the real package `@opentelemetry/api` is taken as it is, and its registered provider gets every span below its parent', async () => {
  const ended = registeredProvider();
  await exportSpans(await example().run, otel, { startedAt: new Date(1_000_000) });
  expect(ended).toMatchInlineSnapshot(`
    [
      "workflow a "quoted"
    name > node plan > chat: chat at 1000000",
      "workflow a "quoted"
    name > node plan > execute_tool look: execute_tool at 1000000",
      "workflow a "quoted"
    name > node plan > chat: chat at 1000000",
      "workflow a "quoted"
    name > node plan: completed at 1000000",
      "workflow a "quoted"
    name > node enough: completed at 1000000",
      "workflow a "quoted"
    name > node enough.yes: completed at 1000000",
      "workflow a "quoted"
    name > node enough.otherwise: skipped-by-branch at 1000000",
      "workflow a "quoted"
    name > node answer: ended at 1000000, error node-error: node "answer" failed: not yet",
      "workflow a "quoted"
    name > node answer: completed at 1001500",
      "workflow a "quoted"
    name > node bad: failed at 1001500, error node-error: node "bad" failed: boom",
      "workflow a "quoted"
    name: ended at 1001500",
    ]
  `);
});

test('items of a map and nodes of a subgraph have their spans below it', async () => {
  const inner = workflow<number, number>('inner');
  const double = inner.node('a/b', { run: (value: number) => value * 2 });
  const flow = workflow<number[], unknown>('outer');
  const each = flow.map('each', { node: inner.connect(inner.start, double).finish(double).build() });
  const ended = registeredProvider();
  await exportSpans(await collect(execute(flow.connect(flow.start, each).build(), [1, 2])), otel, { startedAt: new Date(0) });
  expect(ended.map((line) => line.replace(/: .*/, '')).sort()).toEqual([
    'workflow outer',
    'workflow outer > node each',
    'workflow outer > node each > node each[0]',
    'workflow outer > node each > node each[0] > node each[0]/a/b',
    'workflow outer > node each > node each[1]',
    'workflow outer > node each > node each[1] > node each[1]/a/b',
  ]);
});

test('without a provider the real package takes the spans and nothing comes of them', async () => {
  await expect(exportSpans(await example().run, otel)).resolves.toBeUndefined();
});

async function collect(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
