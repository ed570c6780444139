// What an agent node promises, over each way to talk to a model: Chat Completions and Responses, whole and streamed, all over loopback HTTP.
import { afterEach, describe, expect, test as rule, test } from 'vitest';
import { manualClock } from './fixtures/manual-clock.ts';
import { type Answer, body, events, json, type ModelServer, startModelServer } from './fixtures/model-server.ts';
import { type AgentOptions, agent, type Clock, type ExecuteOptions, execute, functionModel, jsonSchema, merge, openaiModel, tool, workflow } from './index.ts';

interface Said {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
  /** Ended at the token limit, or by a filter. */
  readonly cut?: 'length' | 'filter';
}

interface Turn {
  readonly role: string;
  readonly text: string;
  readonly callId?: string;
}

interface Way {
  readonly api: 'chat' | 'responses';
  readonly stream: boolean;
}

const WAYS: readonly Way[] = (['chat', 'responses'] as const).flatMap((api) => [false, true].map((stream) => ({ api, stream })));

/** The same reply as each way writes it; ids of calls are `id1`, `id2` … */
function reply({ api, stream }: Way, said: Said): Answer {
  const counts = { input_tokens: 7, output_tokens: 3 };
  const calls = (said.calls ?? []).map(({ name, args }, at) => ({ id: `id${at + 1}`, name, text: typeof args === 'string' ? args : JSON.stringify(args) }));
  if (api === 'responses') {
    const message = [
      ...(said.text === undefined ? [] : [{ type: 'output_text', text: said.text }]),
      ...(said.refusal === undefined ? [] : [{ type: 'refusal', refusal: said.refusal }]),
    ];
    const output = [
      ...(said.reasoning === undefined ? [] : [{ type: 'reasoning', id: 'rs1', summary: [{ type: 'summary_text', text: said.reasoning }] }]),
      ...(message.length === 0 ? [] : [{ type: 'message', role: 'assistant', content: message }]),
      ...calls.map(({ id, name, text }) => ({ type: 'function_call', call_id: id, name, arguments: text })),
    ];
    const status = said.cut === undefined ? 'completed' : 'incomplete';
    const reason = said.cut === 'filter' ? 'content_filter' : 'max_output_tokens';
    const response = { status, output, usage: counts, ...(said.cut === undefined ? {} : { incomplete_details: { reason } }) };
    if (!stream) return json(response);
    const parts = [
      { type: 'response.created', response: { status: 'in_progress' } },
      ...(said.text === undefined ? [] : [{ type: 'response.output_text.delta', delta: said.text }]),
    ];
    return body(events(...parts, { type: `response.${status}`, response }), 'text/event-stream');
  }
  const usage = { prompt_tokens: counts.input_tokens, completion_tokens: counts.output_tokens };
  const finish = said.cut === 'filter' ? 'content_filter' : said.cut === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const rest = {
    ...(said.reasoning === undefined ? {} : { reasoning_content: said.reasoning }),
    ...(said.refusal === undefined ? {} : { refusal: said.refusal }),
  };
  const wireCalls = calls.map(({ id, name, text }) => ({ id, type: 'function', function: { name, arguments: text } }));
  if (!stream) {
    const message = { role: 'assistant', content: said.text ?? null, ...rest, ...(calls.length === 0 ? {} : { tool_calls: wireCalls }) };
    return json({ choices: [{ message, finish_reason: finish }], usage });
  }
  const delta = (part: object, finished?: string) => ({ choices: [{ delta: part, finish_reason: finished ?? null }] });
  const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)];
  return body(
    events(
      delta({ role: 'assistant', ...rest }),
      ...halves(said.text ?? '')
        .filter((part) => part !== '')
        .map((content) => delta({ content })),
      ...calls.flatMap(({ id, name, text }, index) => [
        delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...halves(text).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      delta({}, finish),
      { choices: [], usage },
      '[DONE]',
    ),
    'text/event-stream',
  );
}

/** What a request shows the model, whichever way it went. */
function shown(raw: string): { readonly turns: readonly Turn[]; readonly tools: number; readonly schema: unknown } {
  const request = JSON.parse(raw) as Record<string, never> & { messages?: Record<string, unknown>[]; input?: Record<string, unknown>[]; tools?: unknown[] };
  const turns = (request.messages ?? request.input ?? []).map((turn): Turn => {
    if (turn.type === 'function_call_output') return { role: 'tool', text: String(turn.output), callId: String(turn.call_id) };
    if (turn.role === 'tool') return { role: 'tool', text: String(turn.content), callId: String(turn.tool_call_id) };
    return { role: String(turn.role ?? turn.type), text: typeof turn.content === 'string' ? turn.content : JSON.stringify(turn.content ?? '') };
  });
  const { response_format: chat, text: responses } = request as {
    response_format?: { json_schema: { schema: unknown } };
    text?: { format: { schema: unknown } };
  };
  return { turns, tools: request.tools?.length ?? 0, schema: chat?.json_schema.schema ?? responses?.format.schema };
}

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** One agent, asked over this way; the server gives these replies in turn, the last one for ever. */
async function ask(
  way: Way,
  options: AgentOptions<string, unknown>,
  { clock, ...policy }: Readonly<Record<string, unknown>> & { readonly clock?: Clock },
  ...replies: readonly (Said | Answer)[]
) {
  const started = await startModelServer(...replies.map((one) => (typeof one === 'function' ? one : reply(way, one))));
  server = started;
  const flow = workflow<string, unknown>('f');
  const node = flow.agent('a', { ...agent(options), ...policy });
  const model = openaiModel({ baseUrl: started.baseUrl, model: 'm', ...way, retry: { attempts: 1 } });
  const execution: ExecuteOptions = { model, ...(clock === undefined ? {} : { clock }) };
  const result = await execute(flow.connect(flow.start, node).finish(node).build(), 'What is it?', execution).result;
  return { result, requests: started.bodies.map(shown), server: started };
}

const echo = (ran: unknown[] = [], resultLimit = 1000) =>
  tool({
    name: 'echo',
    description: '',
    input: jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
    resultLimit,
    run: ({ text }) => {
      ran.push(text);
      return text;
    },
  });
const calls = (...texts: readonly string[]): Said => ({ calls: texts.map((text) => ({ name: 'echo', args: { text } })) });

describe.each(WAYS)('an agent over $api, streamed: $stream', (way) => {
  test('reads a reply that comes the other way: streamed without having been asked to, or whole though a stream was asked for', async () => {
    const other = { ...way, stream: !way.stream };
    const { result, requests } = await ask(way, { tools: [echo()] }, {}, reply(other, calls('x')), reply(other, { text: 'done' }));
    expect(result).toMatchObject({ status: 'completed', output: 'done', usage: { modelCalls: 2, inputTokens: 14 } });
    expect(requests[1]?.turns.at(-1)).toMatchObject({ text: 'x' });
  });

  test('runs the calls of one reply at the same time, and sends their results in call order, each with the id of its call', async () => {
    const open: (() => void)[] = [];
    const slow = tool({
      name: 'echo',
      description: '',
      input: jsonSchema<{ text: string }>({ type: 'object' }),
      run: ({ text }) =>
        new Promise<string>((resolve) => {
          open.unshift(() => resolve(text));
          // The last that was begun ends first, once all are at work.
          if (open.length === 3) for (const end of open) end();
        }),
    });
    const { result, requests } = await ask(way, { tools: [slow] }, {}, calls('one', 'two', 'three'), { text: 'done' });
    expect(result).toMatchObject({ status: 'completed', output: 'done', usage: { toolCalls: 3, modelCalls: 2, inputTokens: 14, outputTokens: 6 } });
    expect(requests[1]?.turns.slice(-3)).toEqual(['one', 'two', 'three'].map((text, at) => ({ role: 'tool', text, callId: `id${at + 1}` })));
  });

  test('sends an unknown tool and broken or unfitting arguments back as errors, and runs none of them', async () => {
    const ran: unknown[] = [];
    const faulty = [
      { name: 'ecko', args: {} },
      { name: 'echo', args: '{"text":' },
      { name: 'echo', args: { text: 7 } },
      { name: '__proto__', args: {} },
    ];
    const { result, requests } = await ask(way, { tools: [echo(ran)] }, {}, { calls: faulty }, { text: 'done' });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ output: 'done', faults: { 'unknown-tool': 2, 'malformed-arguments': 1, 'invalid-arguments': 1 } });
    expect(requests[1]?.turns.slice(-4).map(({ text }) => text)).toEqual([
      'Error: there is no tool "ecko". Tools: echo. Call one of these or answer.',
      expect.stringContaining('are not valid JSON'),
      expect.stringContaining('"text" must be string, found number 7'),
      expect.stringContaining('there is no tool "__proto__"'),
    ]);
  });

  test('cuts a result that is over its limit, with the full size stated and no half character', async () => {
    const { requests, server } = await ask(way, { tools: [echo([], 100)] }, {}, calls('🌍'.repeat(500)), { text: 'done' });
    const sent = requests[1]?.turns.at(-1)?.text ?? '';
    expect(sent).toMatch(/^(🌍)+\n\[cut: this is the beginning of 1000 characters\]$/u);
    expect(sent.length).toBeLessThanOrEqual(100);
    expect(server.bodies[1]).not.toMatch(/\\ud[89a-f]/i);
  });

  test('asks for an answer without tools in the last iteration, and fails with `iteration-cap` if there is none', async () => {
    const { result, requests } = await ask(way, { tools: [echo()], iterations: 3 }, {}, { ...calls('again'), text: 'Not yet.' });
    expect(requests.map(({ tools }) => tools)).toEqual([1, 1, 0]);
    expect(requests[2]?.turns.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('This is the last turn') });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'iteration-cap' }, usage: { toolCalls: 2 } });
  });

  test('shows the schema of its answer, asks again `reasks` times for one that breaks it, and then fails with `invalid-output`', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const output = jsonSchema<{ n: number }>(schema);
    const mended = await ask(way, { output }, {}, { text: '{"n":"7"}' }, { text: '```json\n{"n":7}\n```' });
    expect(mended.result).toMatchObject({ status: 'completed', output: { n: 7 }, faults: { 'invalid-output': 1 } });
    expect(mended.requests.map((request) => request.schema)).toEqual([schema, schema]);
    expect(mended.requests[1]?.turns.at(-1)?.text).toContain('"n" must be number, found string "7"');
    await mended.server.close();
    const hopeless = await ask(way, { output, reasks: 1 }, {}, { text: 'seven' });
    expect(hopeless.result).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-output', message: expect.stringContaining('it was asked again 1 time') },
    });
    expect(hopeless.requests.length).toBe(2);
    await hopeless.server.close();
    const capped = await ask(way, { output, reasks: 9, iterations: 2 }, {}, { text: 'seven' });
    expect(capped.result).toMatchObject({ error: { message: expect.stringContaining('the cap of 2 model calls was reached') } });
  });

  test('neither runs nor takes as its answer what was cut at the token limit', async () => {
    const ran: unknown[] = [];
    const { result, requests } = await ask(
      way,
      { tools: [echo(ran)] },
      {},
      { ...calls('whole'), cut: 'length' },
      { text: 'it is fo', cut: 'length' },
      { text: 'it is forty' },
    );
    expect(result).toMatchObject({ status: 'completed', output: 'it is forty', usage: { toolCalls: 0 } });
    expect(ran).toEqual([]);
    expect(requests[1]?.turns.at(-1)).toMatchObject({ role: 'tool', text: expect.stringContaining('was cut at the token limit, so the call was not run') });
    expect(requests[2]?.turns.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('shorter') });
  });

  test('takes no refusal and nothing that a content filter cut as its answer, and asks no more', async () => {
    for (const said of [{ refusal: 'I would rather not.' }, { text: 'The first step is', cut: 'filter' }] as const) {
      const { result, requests, server } = await ask(way, {}, {}, said);
      expect(result).toMatchObject({ status: 'failed', error: { code: 'refusal' } });
      expect(requests.length).toBe(1);
      await server.close();
    }
  });

  test('never takes reasoning as its answer, and sends none of it back as text', async () => {
    const only = await ask(way, { reasks: 1 }, {}, { reasoning: 'so FINAL ANSWER: 4' });
    expect(only.result).toMatchObject({ status: 'failed', error: { code: 'reasoning-only' }, faults: { 'reasoning-only': 2 } });
    await only.server.close();
    const { result, requests } = await ask(
      way,
      { tools: [echo()] },
      {},
      { ...calls('x'), reasoning: 'maybe 4' },
      { reasoning: 'or 5', text: '<think>or 6</think>\nforty' },
    );
    expect(result).toMatchObject({ status: 'completed', output: 'forty' });
    for (const { turns } of requests) for (const { role, text } of turns) expect([role, text.includes('maybe 4')]).toEqual([role, false]);
  });

  test('shows the model its declared input and keys, and nothing else of the run', async () => {
    const started = await startModelServer(reply(way, { text: 'secret of the first' }), reply(way, { text: 'done' }));
    server = started;
    const Text = jsonSchema<string>({ type: 'string' });
    const flow = workflow('f', { input: Text, state: { shown: merge.append(Text), hidden: merge.append(Text) } });
    const first = flow.agent('first', { system: 'First.', writes: 'hidden' });
    const note = flow.node('note', { writes: 'shown', run: () => 'oats' });
    const second = flow.agent('second', { system: 'Second.', reads: ['shown'] });
    flow.connect(flow.start, first).after(first, note).connect(flow.start, second).after(note, second).finish(second);
    await execute(flow.build(), 'go', { model: openaiModel({ baseUrl: started.baseUrl, model: 'm', ...way }) }).result;
    expect(started.bodies.map((raw) => shown(raw).turns)).toEqual([
      [
        { role: 'system', text: 'First.' },
        { role: 'user', text: 'go' },
      ],
      [
        { role: 'system', text: 'Second.' },
        { role: 'user', text: 'go\n\nshown:\n["oats"]' },
      ],
    ]);
  });

  test('begins a further attempt of its node anew, drops the request of one that ran out of time, and gives way to its fallback', async () => {
    const again = await ask(way, {}, { retry: { attempts: 2, backoffMs: 1 } }, json({ error: { message: 'no' } }, 400), { text: 'there' });
    expect(again.result).toMatchObject({ status: 'completed', output: 'there' });
    expect(again.server.bodies[1]).toBe(again.server.bodies[0]);
    await again.server.close();
    const clock = manualClock();
    // Time passes once a request has come.
    const late = await ask(
      way,
      {},
      { clock, timeoutMs: 40, retry: { attempts: 2, backoffMs: 1 }, fallback: { value: 'a guess' } },
      () => void clock.advance(50),
    );
    expect(late.result).toMatchObject({ status: 'completed', output: 'a guess' });
    while (late.server.dropped < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(late.server.bodies.length).toBe(2);
    await late.server.close();
    const kept = await ask(way, { reasks: 0 }, { onFailure: 'continue' }, { text: '' });
    expect(kept.result).toMatchObject({ status: 'failed', failures: [{ code: 'empty-reply', node: 'a' }] });
  });
});

rule('A tool that runs out of its own time is aborted, made again as its `retry` says, and then told to the model or failed as a node', async () => {
  const clock = manualClock();
  const signals: AbortSignal[] = [];
  const slow = tool({
    name: 'slow',
    description: '',
    input: jsonSchema<object>({ type: 'object' }),
    timeoutMs: 50,
    retry: { attempts: 2, backoffMs: 100 },
    run: (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const told: string[] = [];
  const model = functionModel(({ messages, turn }) => {
    if (turn === 0) return { calls: [{ name: 'slow', arguments: {} }] };
    told.push(messages.at(-1)?.text ?? '');
    return 'done without';
  });
  const flow = workflow<object, unknown>('f');
  const asks = flow.agent('asks', { prompt: () => 'go', tools: [slow] });
  const alone = flow.tool('alone', slow, { onFailure: 'continue' });
  flow.after(flow.start, asks).connect(flow.start, alone).finish(asks);
  const run = execute(flow.build(), {}, { model, clock, random: () => 1 });
  for (const [ms, begun, over] of [
    [49, 2, 0],
    [1, 2, 2],
    [99, 2, 2],
    [1, 4, 2],
    [50, 4, 4],
  ] as const) {
    await clock.advance(ms);
    expect([signals.length, signals.filter(({ aborted }) => aborted).length]).toEqual([begun, over]);
  }
  expect(await run.result).toMatchObject({ status: 'completed', output: 'done without', failures: [{ code: 'timeout', node: 'alone' }] });
  expect(told).toEqual(['Error: slow failed: no result within 50 ms']);
  expect(clock.waiting).toBe(0);
});
