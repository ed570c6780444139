// Failures that people reported of other agent programs, each with its whole kind, over real loopback HTTP.
import { afterEach, describe, expect, test } from 'vitest';
import { onWire, WIRES } from './fixtures/every-wire.ts';
import { type Answer, body, call, calls, drip, events, hang, json, type ModelServer, reset, says, startModelServer } from './fixtures/model-server.ts';
import { agent, execute, type OpenAiModelOptions, openaiModel, type RunEvent, type Tool, tool, workflow } from './index.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Seen {
  readonly result: Awaited<ReturnType<typeof execute>['result']>;
  readonly events: readonly RunEvent[];
  readonly server: ModelServer;
}

async function ask(
  answers: readonly Answer[],
  tools: readonly Tool<never, unknown>[] = [],
  options: Partial<OpenAiModelOptions> = {},
  iterations = 10,
): Promise<Seen> {
  server = await startModelServer(...answers);
  const flow = workflow<string, string>('f');
  const node = flow.agent('a', agent({ system: 'Be brief.', tools, iterations }));
  flow.connect(flow.start, node).finish(node);
  const model = openaiModel({ baseUrl: server.baseUrl, model: 'm', retry: { backoffMs: 1 }, ...options });
  const run = execute(flow.build(), 'What is it?', { model });
  const seen: RunEvent[] = [];
  for await (const event of run) seen.push(event);
  return { result: await run.result, events: seen, server };
}

/** Calls and results in a request, whichever wire it went. */
function historyOf({ bodies }: ModelServer, at: number) {
  type Item = { type?: string; call_id?: string; arguments?: unknown; output?: string; role?: string; content?: string; tool_call_id?: string };
  type Chat = Item & { tool_calls?: { id: string; type: string; function: { arguments: unknown } }[] };
  const { messages, input } = JSON.parse(bodies[at] as string) as { messages?: Chat[]; input?: Item[] };
  if (messages !== undefined) {
    return {
      turns: messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id, type, function: called }) => ({ id, type, arguments: called.arguments }))),
      results: messages.flatMap(({ role, tool_call_id: id, content }) => (role === 'tool' ? [{ id, text: String(content) }] : [])),
    };
  }
  return {
    turns: (input ?? []).flatMap(({ type, call_id: id, arguments: given }) => (type === 'function_call' ? [{ id, type, arguments: given }] : [])),
    results: (input ?? []).flatMap(({ type, call_id: id, output }) => (type === 'function_call_output' ? [{ id, text: String(output) }] : [])),
  };
}

const ran: unknown[] = [];
afterEach(() => void ran.splice(0));
const anyTool = (name: string, input: object = { type: 'object' }, result: unknown = 'ok') =>
  tool({
    name,
    description: '',
    input: input as never,
    run: (args: unknown) => {
      ran.push(args);
      return result;
    },
  });

// Row 8
test('an agent that loops on one tool until its cap has no answer, and no notice of ours stands in for one; the trace shows its equal calls', async () => {
  const { result, events, server } = await ask([calls([call('lookup', '{"q":"x"}')])], [anyTool('lookup')], {}, 4);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'iteration-cap' }, usage: { modelCalls: 4 } });
  expect(result).not.toHaveProperty('output');
  expect(ran).toEqual([{ q: 'x' }, { q: 'x' }, { q: 'x' }]);
  expect(server.bodies).toHaveLength(4);
  const asked = events.flatMap((event) => (event.type === 'model-end' ? (event.reply?.calls ?? []) : []));
  expect(asked.map(({ name, arguments: given }) => [name, given])).toEqual(Array(4).fill(['lookup', '{"q":"x"}']));
});

// Row 13
test.for([
  ['null', (content: unknown) => content === null],
  ['the empty string', (content: unknown) => content === ''],
] as const)(
  'a server that refuses %s as the text of a turn with calls is asked once more with the other spelling, and this is recorded',
  async ([, refused]) => {
    for (const given of [null, '']) {
      const picky: Answer = (response, request, raw) => {
        const messages = request.messages as { role: string; content: unknown }[];
        if (messages.some(({ role, content }) => role === 'assistant' && refused(content)))
          return json({ error: { message: 'content has the wrong shape' } }, 400)(response, request, raw);
        return (messages.length === 2 ? calls([call('lookup', '{}')], 'tool_calls', undefined, given) : says('there'))(response, request, raw);
      };
      const { result, events, server } = await ask([picky], [anyTool('lookup')]);
      expect(result).toMatchObject({ status: 'completed', output: 'there' });
      const adapted = events.filter(({ type }) => type === 'request-adapted');
      expect(adapted).toHaveLength(refused(given) ? 1 : 0);
      if (refused(given)) expect(adapted[0]).toMatchObject({ message: expect.stringContaining('content has the wrong shape') });
      expect(server.bodies).toHaveLength(refused(given) ? 3 : 2);
      expect(new Set(server.bodies).size).toBe(server.bodies.length);
      await server.close();
    }
  },
);

test('a 400 for another reason is not sent again', async () => {
  const { result, server } = await ask([calls([call('t', '{}')]), json({ error: { message: 'no such parameter' } }, 400)], [anyTool('t')]);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'bad-request', status: 400, message: expect.stringContaining('no such parameter') } });
  expect(server.bodies).toHaveLength(2);
});

// Row 14
test.for(WIRES)(
  'arguments may come as an object, as an empty text or as null; what is cut or no object is told to the model and not run; a missing id is made up (%s)',
  async ([, wire]) => {
    const given = [{ x: 2 }, '', null, undefined, '{"x":2', '[1]', '7'];
    const wanted = given.map((args, i) => ({
      ...(i === 1 ? {} : { id: `id${i}` }),
      ...(i === 2 ? {} : { type: 'function' }),
      name: 'take',
      arguments: args,
    }));
    const { result, server } = await ask([onWire(wire, { calls: wanted }), onWire(wire, { text: 'done' })], [anyTool('take')], wire);
    expect(result).toMatchObject({ status: 'completed', output: 'done', faults: { 'malformed-arguments': 3 } });
    expect(ran).toEqual([{ x: 2 }, {}, {}, {}]);
    const { turns, results } = historyOf(server, 1);
    const ids = turns.map(({ id }) => id);
    expect(new Set(ids).size).toBe(given.length);
    expect(results.map(({ id }) => id)).toEqual(ids);
    for (const turn of turns) expect([turn.type.slice(0, 8), typeof turn.arguments]).toEqual(['function', 'string']);
    expect(results.slice(4).map(({ text }) => text.slice(0, 6))).toEqual(['Error:', 'Error:', 'Error:']);
  },
);

// Row 16
test.for(WIRES)(
  'a whole call runs although the server says stop; a call in a reply that was cut never does, whatever the server says (%s)',
  async ([, wire]) => {
    const write = () => [anyTool('write')];
    const wanted = (args: string, finish: 'stop' | 'length' | 'tool_calls', outputTokens = 5) =>
      onWire(wire, { calls: [{ id: 'c1', type: 'function', name: 'write', arguments: args }], finish, outputTokens });
    const done = onWire(wire, { text: 'done' });
    expect((await ask([wanted('{"path":"a.txt"}', 'stop'), done], write(), wire)).result).toMatchObject({ status: 'completed', usage: { toolCalls: 1 } });
    const cut = '{"path":"a.txt","text":"abc';
    for (const [args, finish] of [
      [cut, 'length'],
      [cut, 'tool_calls'],
      ['{"path":"a.txt"}', 'length'],
    ] as const) {
      await server?.close();
      const { result, events, server: at } = await ask([wanted(args, finish, 100), done], write(), { ...wire, maxTokens: 100 });
      expect(result).toMatchObject({ status: 'completed', output: 'done', usage: { toolCalls: 0 }, faults: { 'truncated-reply': 1 } });
      expect(historyOf(at, 1).results.at(-1)?.text).toContain('cut at the token limit');
      expect(events.filter((event) => event.type === 'model-end')[0]).toMatchObject({ truncated: true });
    }
  },
);

// Row 18
describe.each(WIRES)('reasoning (%s)', (_, wire) => {
  test.for([
    ['stands in a field of its own, and the text is empty', { text: '', reasoning: 'so FINAL ANSWER: 5' }],
    ['stands in a field of its own, and there is no text', { reasoning: 'so FINAL ANSWER: 5' }],
    ['is never closed', { text: '<think>maybe so FINAL ANSWER: 4' }],
    ['is never closed, in other letters', { text: '  <Thinking>maybe so FINAL ANSWER: 4' }],
    ['is all there is between its tags', { text: '<think>so FINAL ANSWER: 4</think>\n' }],
    ['was opened in the prompt, and nothing follows it', { text: 'so FINAL ANSWER: 4\n</think>\n' }],
    ['stands in the field and in the text', { text: '<reasoning>so', reasoning: 'so FINAL ANSWER: 5' }],
  ] as const)('that %s is no answer, is told as such, and does not go back', async ([, said]) => {
    const { result, events, server } = await ask([onWire(wire, { ...said, outputTokens: 40 })], [], wire);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'reasoning-only' }, faults: { 'reasoning-only': 3 }, usage: { outputTokens: 120 } });
    expect(server.bodies.slice(1).join()).not.toMatch(/"(?:content|text)":"[^"]*so/);
    expect(events.find((event) => event.type === 'model-end')).toMatchObject({ reply: { text: '', reasoning: expect.stringContaining('so') } });
  });

  test.for([
    ['before it', '<think>4?</think> FINAL ANSWER: 5'],
    ['before it, in two parts', '<think>4?</think>\n<think>or 6?</think>\nFINAL ANSWER: 5'],
    ['between its lines', 'FINAL ANSWER: 5\n<think>or 6?</think>'],
    ['behind it, never closed', 'FINAL ANSWER: 5\n<think>or 6?'],
    ['that was opened in the prompt', 'maybe FINAL ANSWER: 4\n</think>\n\nFINAL ANSWER: 5'],
    ['with a tag inside', '<think>a <think>4?</think> or 6?</think> FINAL ANSWER: 5'],
  ] as const)('is taken from an answer where it stands %s', async ([, text]) => {
    const { result } = await ask([onWire(wire, { text })], [], wire);
    expect(result).toMatchObject({ status: 'completed', faults: {} });
    expect(result.status === 'completed' && String(result.output).trim()).toBe('FINAL ANSWER: 5');
  });

  test('is taken from a turn with calls, whose calls stay in the history', async () => {
    const first = onWire(wire, { text: '<think>look it up</think>', calls: [{ id: 'c1', type: 'function', name: 'look', arguments: '{"x":1}' }] });
    const { result, server } = await ask([first, onWire(wire, { text: 'done' })], [anyTool('look')], wire);
    expect(result).toMatchObject({ status: 'completed', output: 'done' });
    expect(historyOf(server, 1)).toMatchObject({ turns: [{ id: 'c1', arguments: '{"x":1}' }], results: [{ id: 'c1', text: 'ok' }] });
    expect(server.bodies[1]).not.toContain('look it up');
  });

  test('a tag within a line is text about a tag', async () => {
    const text = 'R1 writes <think> before it answers.';
    expect((await ask([onWire(wire, { text })], [], wire)).result).toMatchObject({ status: 'completed', output: text });
  });
});

// Row 19
test.for(['chat', 'responses'] as const)('letters that are cut between two chunks arrive whole (%s)', async (api) => {
  const args = '{"city":"北京🌍"}';
  const chat = events(
    { choices: [{ delta: { role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } }] } }] },
    ...[args.slice(0, 9), args.slice(9)].map((part) => ({ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: part } }] } }] })),
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    '[DONE]',
  );
  const done = events({ choices: [{ delta: { content: '晴れ🌞' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }, '[DONE]');
  const response = (output: unknown) =>
    events({ type: 'response.created', response: { status: 'in_progress' } }, { type: 'response.completed', response: { status: 'completed', output } });
  const answers =
    api === 'chat'
      ? [drip(chat), drip(done)]
      : [
          drip(response([{ type: 'function_call', call_id: 'c1', name: 'weather', arguments: args }])),
          drip(response([{ type: 'message', content: [{ type: 'output_text', text: '晴れ🌞' }] }])),
        ];
  const { result } = await ask(answers, [anyTool('weather')], { api, stream: true });
  expect(ran).toEqual([{ city: '北京🌍' }]);
  expect(result).toMatchObject({ status: 'completed', output: '晴れ🌞' });
});

test('a result that its limit would cut inside an emoji, or that holds half of one, goes out without a lone surrogate', async () => {
  const long = tool({ name: 'long', description: '', input: { type: 'object' }, resultLimit: 20_000, run: () => `${'a'.repeat(19_999)}🌍` });
  const half = tool({ name: 'half', description: '', input: { type: 'object' }, run: () => 'x\ud83c' });
  const { server } = await ask([calls([call('long', '{}', 'a'), call('half', '{}', 'b')]), says('done')], [long, half]);
  expect(server.bodies[1]).not.toMatch(/\\ud[89a-f]/i);
  const [first, second] = server.messages(1).slice(-2);
  expect(String(first?.content).length).toBeLessThanOrEqual(20_000);
  expect(String(first?.content).isWellFormed()).toBe(true);
  expect(second?.content).toBe('x\ufffd');
});

// Row 21
test('a connection that breaks is tried again once and more, and this is recorded', async () => {
  const { result, events } = await ask([calls([call('t', '{}')]), reset, says('there')], [anyTool('t')]);
  expect(result).toMatchObject({ status: 'completed', output: 'there', usage: { requestRetries: 1 } });
  expect(events.filter(({ type }) => type === 'request-retry')).toMatchObject([{ code: 'model-unreachable', attempt: 1 }]);
});

test('a 502 is tried again and then is an error with its status; a 429 waits as long as the server asks', async () => {
  const bad = await ask([body('<html>Bad gateway</html>', 'text/html', 502)]);
  expect(bad.result).toMatchObject({ status: 'failed', error: { code: 'provider-error', status: 502 }, usage: { requestRetries: 2 } });
  await bad.server.close();
  const busy: Answer = (response) => void response.writeHead(429, { 'retry-after-ms': '7' }).end('{"error":{"message":"slow down"}}');
  const limited = await ask([busy, says('there')]);
  expect(limited.result).toMatchObject({ status: 'completed' });
  expect(limited.events.find(({ type }) => type === 'request-retry')).toMatchObject({ code: 'rate-limit', delayMs: 7 });
});

test('a 200 that is a web page is an error with its beginning, and is not asked for again', async () => {
  const page = `<html>${'x'.repeat(500)}</html>`;
  const { result, server } = await ask([body(page, 'text/html')]);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'not-json' } });
  expect(result.status === 'failed' && result.error.message).toContain(page.slice(0, 200));
  expect(server.bodies).toHaveLength(1);
});

test('an error inside a 200 stream is an error, and a stream that just stops is never an answer', async () => {
  const inside = await ask([body(events({ error: 'boom' }, '[DONE]'), 'text/event-stream')], [], { stream: true });
  expect(inside.result).toMatchObject({ status: 'failed', error: { code: 'provider-error', message: expect.stringContaining('boom') } });
  await inside.server.close();
  const half = events({ choices: [{ delta: { content: 'The answer is fo' } }] });
  for (const [api, text] of [
    ['chat', half],
    ['responses', events({ type: 'response.output_text.delta', delta: 'The answer is fo' })],
  ] as const) {
    const stopped = await ask([body(text, 'text/event-stream')], [], { stream: true, api });
    expect(stopped.result).toMatchObject({ status: 'failed', error: { code: 'incomplete-reply' } });
    await stopped.server.close();
  }
});

test('a server that is down is told with address and cause, without the path of the address', async () => {
  const { server: gone } = await ask([says('x')]);
  const { port } = new URL(gone.baseUrl);
  await gone.close();
  const flow = workflow<string, string>('f');
  const node = flow.agent('a', {});
  flow.connect(flow.start, node).finish(node);
  const model = openaiModel({ baseUrl: `http://127.0.0.1:${port}/w/secret-token/v1`, model: 'm', retry: { backoffMs: 1 } });
  const result = await execute(flow.build(), 'go', { model }).result;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'model-unreachable' } });
  const told = result.status === 'failed' ? result.error.message : '';
  expect(told).toContain(`http://127.0.0.1:${port}: ECONNREFUSED`);
  expect(told).not.toContain('secret-token');
});

// Row 22
test('a huge tool result is cut with its size stated, so that the next request still fits; an overflow is not sent again unchanged', async () => {
  const strict: Answer = (response, request, raw) =>
    raw.length > 200_000
      ? json({ error: { message: 'This model has a maximum context length of 50000 tokens.', code: 'context_length_exceeded' } }, 400)(response, request, raw)
      : ((request.messages as unknown[]).length === 2 ? calls([call('flood', '{}')]) : says('done'))(response, request, raw);
  const flood = tool({ name: 'flood', description: '', input: { type: 'object' }, run: () => 'a b c '.repeat(850_000) });
  const fine = await ask([strict], [flood]);
  expect(fine.result).toMatchObject({ status: 'completed', output: 'done' });
  expect(fine.server.messages(1).at(-1)?.content).toMatch(/beginning of 5100000 characters\]$/);
  await fine.server.close();
  const unlimited = tool({ name: 'flood', description: '', input: { type: 'object' }, resultLimit: 10_000_000, run: () => 'a b c '.repeat(850_000) });
  const over = await ask([strict], [unlimited]);
  expect(over.result).toMatchObject({ status: 'failed', error: { code: 'context-overflow' } });
  expect(over.server.bodies).toHaveLength(2);
});

test.for([
  ['a code', json({ error: { message: 'Too long.', code: 'context_length_exceeded' } }, 400)],
  ['words', json({ error: { message: 'prompt is too long: 250000 tokens > 200000 maximum' } }, 400)],
  ['words of another server', json({ message: 'the request exceeds the available context size' }, 400)],
  ['a status', body('<html>Request Entity Too Large</html>', 'text/html', 413)],
  ['an error inside a 200', json({ error: { message: 'Too long.', code: 'context_length_exceeded' } })],
] as const)('an overflow that a server tells by %s is told as one, and is not sent again', async ([, answer]) => {
  const { result, server } = await ask([answer]);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'context-overflow' } });
  expect(server.bodies).toHaveLength(1);
});

// Row 23
test('an invented tool name or broken arguments cost one turn, not the run; for ever repeated they end at the cap', async () => {
  const search = () => [anyTool('web_search', { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] })];
  for (const [first, code] of [
    [call('web_serach', '{"q":"x"}'), 'unknown-tool'],
    [call('web_search', '{"q": '), 'malformed-arguments'],
    [call('web_search', '{}'), 'invalid-arguments'],
  ] as const) {
    const { result, server: at } = await ask([calls([first]), calls([call('web_search', '{"q":"x"}')]), says('done')], search());
    expect(result).toMatchObject({ status: 'completed', output: 'done', faults: { [code]: 1 }, usage: { toolCalls: 1 } });
    expect(at.messages(1).at(-1)?.content).toContain('web_search');
    await at.close();
  }
  const { result } = await ask([calls([call('web_serach', '{"q":"x"}')])], search(), {}, 5);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'iteration-cap' }, faults: { 'unknown-tool': 4 } });
});

test('the history of a conversation only grows: each request begins with the one before', async () => {
  for (const api of ['chat', 'responses'] as const) {
    const [first, last] =
      api === 'chat'
        ? [calls([call('t', '{"a":1}')]), says('done')]
        : [
            json({ status: 'completed', output: [{ type: 'function_call', call_id: 'c1', name: 't', arguments: '{"a":1}' }] }),
            json({ status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 'done' }] }] }),
          ];
    const { server: at, result } = await ask([first, first, last] as Answer[], [anyTool('t')], { api });
    expect(result).toMatchObject({ status: 'completed', output: 'done' });
    for (const [i, text] of at.bodies.slice(1).entries()) {
      const before = at.bodies[i] as string;
      expect(text.startsWith(before.slice(0, before.lastIndexOf('],"tools":')))).toBe(true);
    }
    await at.close();
  }
});

test('an abort drops the request in flight at once and asks nothing more', async () => {
  for (const timeoutMs of [undefined, 60_000]) {
    server = await startModelServer(hang);
    const flow = workflow<string, string>('f');
    const node = flow.agent('a', {});
    flow.connect(flow.start, node).finish(node);
    const controller = new AbortController();
    const run = execute(flow.build(), 'go', {
      signal: controller.signal,
      model: openaiModel({ baseUrl: server.baseUrl, model: 'm', ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
    });
    while (server.bodies.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const abortedAt = process.hrtime.bigint();
    controller.abort();
    expect(await run.result).toMatchObject({ status: 'cancelled' });
    expect(Number(process.hrtime.bigint() - abortedAt) / 1e6).toBeLessThan(50);
    while (server.dropped === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(server.bodies).toHaveLength(1);
    await server.close();
  }
});

test('a request that takes longer than its time-out is dropped and tried again', async () => {
  const { result, server: at } = await ask([hang, says('there')], [], { timeoutMs: 50 });
  expect(result).toMatchObject({ status: 'completed', output: 'there', usage: { requestRetries: 1 } });
  expect(at.dropped).toBe(1);
});

test('a run without a listener or signal leaves no timer behind that would keep the process alive', async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  await ask([says('x')], [], { timeoutMs: 60_000 });
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(before);
});
