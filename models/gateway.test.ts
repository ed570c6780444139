import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ModelScript, ScriptedReply } from '../base/script.ts';
import type { ModelTraffic } from '../base/traffic.ts';
import type { GatewayReply, GatewayRequest } from './control.ts';
import { INVENTED, oneHarbour, runInvented, TOOLS } from './fixtures/invented-set.ts';
import { eventsOf } from './relay.ts';

const QUESTION = { model: 'scripted', messages: [{ role: 'user', content: 'How many?' }] };
const text = (words: string): ScriptedReply => ({ kind: 'text', text: words });

describe('the gateway process', () => {
  let gateway: GatewayProcess;
  let trialId = 0;
  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.ask({ type: 'configure', backEnd: { kind: 'scripted' }, replacements: [{ from: '/home/someone/checkout', to: 'ROOT' }] }, 'configured');
    await gateway.ask({ type: 'worker-open', token: 'tok' }, 'worker-opened');
  });
  afterAll(() => gateway.stop());
  afterEach(async () => {
    if (gateway.openTrial !== undefined) await gateway.close('tok', gateway.openTrial);
  });

  const open = (script: ModelScript | readonly ScriptedReply[], cap = 10) =>
    gateway.open('tok', ++trialId, Array.isArray(script) ? { replies: script } : (script as ModelScript), cap);

  test('answers a chat request with what the script says and records it', async () => {
    await open([text('Forty-eight.')]);
    const reply = await gateway.post('tok', 'chat/completions', QUESTION);
    expect(reply.json.choices[0]).toMatchObject({ message: { role: 'assistant', content: 'Forty-eight.' }, finish_reason: 'stop' });
    const { calls } = await gateway.close('tok', trialId);
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(call).toMatchObject({ status: 200, endpoint: 'chat.completions', streamed: false, reply: { kind: 'text', text: 'Forty-eight.' }, outputTokens: 4 });
    expect(call?.inputTokens).toBe(reply.json.usage.prompt_tokens);
    expect(call?.endMs).toBeGreaterThanOrEqual(call?.firstByteMs ?? Infinity);
    expect(call?.firstByteMs).toBeGreaterThan(call?.startMs ?? Infinity);
  });

  test('M3.6: sends tool calls with an empty content and the arguments as the script spells them', async () => {
    await open([{ kind: 'calls', calls: [{ name: 'add', arguments: '{"a": 2, "b":' }] }]);
    const { json } = await gateway.post('tok', 'chat/completions', QUESTION);
    expect(json.choices[0].message.content).toBe('');
    expect(json.choices[0].message.tool_calls[0]).toMatchObject({ type: 'function', function: { name: 'add', arguments: '{"a": 2, "b":' } });
    expect(json.choices[0].finish_reason).toBe('tool_calls');
  });

  test('streams the same reply in chunks, with usage only when it is asked for', async () => {
    const call = { kind: 'calls', calls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] } as const;
    await open([text('one two three four five six'), call, call]);
    const first = await gateway.post('tok', 'chat/completions', { ...QUESTION, stream: true, stream_options: { include_usage: true } });
    const events = eventsOf(first.text) as Json[];
    expect(events.map((event) => event.choices[0]?.delta.content ?? '').join('')).toBe('one two three four five six');
    expect(events.filter((event) => event.choices[0]?.delta.content).length).toBeGreaterThan(1);
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 6 } });
    expect(first.text.endsWith('data: [DONE]\n\n')).toBe(true);
    const second = await gateway.post('tok', 'chat/completions', { ...QUESTION, stream: true });
    const deltas = (eventsOf(second.text) as Json[]).flatMap((event) => event.choices[0].delta.tool_calls ?? []);
    expect(deltas[0]).toMatchObject({ index: 0, id: 'call_1_0', function: { name: 'add', arguments: '' } });
    expect(deltas.map((delta: Json) => delta.function.arguments).join('')).toBe('{"a":2,"b":3}');
    expect(second.text).not.toContain('"usage"');
    const { calls } = await gateway.close('tok', trialId);
    expect(calls.map((entry) => entry.streamed)).toEqual([true, true]);
  });

  test('speaks Responses, whole and streamed', async () => {
    const call = { kind: 'calls', calls: [{ name: 'add', arguments: '{}' }] } as const;
    await open([call, call, text('Done.')]);
    const request = { model: 'scripted', instructions: 'Be brief.', input: 'How many?' };
    const whole = await gateway.post('tok', 'responses', request);
    expect(whole.json).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ type: 'function_call', call_id: 'call_0_0', name: 'add', arguments: '{}' }],
    });
    const streamed = await gateway.post('tok', 'responses', { ...request, stream: true });
    const events = eventsOf(streamed.text) as Json[];
    expect(events.map((event) => event.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)?.response.output[0]).toMatchObject({ call_id: 'call_1_0', name: 'add' });
    const last = await gateway.post('tok', 'responses', { ...request, input: [{ role: 'user', content: [{ type: 'input_text', text: 'How many?' }] }] });
    expect(last.json.output[0].content[0].text).toBe('Done.');
  });

  test('M3.1: leaves the call beyond the cap open, says so at once, and ends it with the trial as no stray work', async () => {
    await open([text('one')], 2);
    await gateway.post('tok', 'chat/completions', QUESTION);
    await gateway.post('tok', 'chat/completions', QUESTION);
    const told = gateway.next('cap-reached');
    const beyond = gateway.post('tok', 'chat/completions', QUESTION).then(
      () => 'answered',
      () => 'dropped',
    );
    expect((await told).trialId).toBe(trialId);
    const { calls } = await gateway.close('tok', trialId);
    expect(await beyond).toBe('dropped');
    expect(calls.map((call) => call.capped ?? false)).toEqual([false, false, true]);
    expect(calls.some((call) => call.stray)).toBe(false);
    expect(calls[2]?.endMs).toBeUndefined();
    expect(calls[2]?.delivered).toEqual([]);
  });

  test('calls what is open 250 ms after the end stray work', async () => {
    await open([{ kind: 'hang' }]);
    const hanging = gateway.post('tok', 'chat/completions', QUESTION).catch(() => 'dropped');
    await gateway.untilInFlight('tok', trialId);
    const { calls } = await gateway.close('tok', trialId);
    expect(await hanging).toBe('dropped');
    expect(calls[0]?.stray).toBe(true);
  });

  test('refuses a request without an open trial with 409 and counts it for the next trial', async () => {
    const refused = await gateway.post('tok', 'chat/completions', QUESTION);
    expect(refused.status).toBe(409);
    expect(refused.json.error).toMatchObject({ code: 'no_open_trial', type: 'invalid_request_error' });
    expect((await open([text('x')])).strayBefore).toBe(1);
    await gateway.close('tok', trialId);
    expect((await open([text('x')])).strayBefore).toBe(0);
  });

  test('does not take a request of a trial that has ended for one of the next: it gets 409 and no reply of that trial, and counts for its own or for none', async () => {
    await open([text('first')]);
    await gateway.close('tok', trialId);
    const ended = trialId;
    expect((await gateway.post('tok', 'chat/completions', QUESTION, ended)).status).toBe(409);
    expect((await open([text('second')])).strayBefore).toBe(1);
    expect((await gateway.post('tok', 'chat/completions', QUESTION, ended)).status).toBe(409);
    expect((await gateway.post('tok', 'chat/completions', QUESTION, trialId)).text).toContain('second');
    expect((await gateway.close('tok', trialId)).calls).toHaveLength(1);
    expect(await open([text('x')])).toMatchObject({ strayBefore: 0, olderBefore: 1 });
  });

  test('answers an unknown token with 401, a wrong path with 404 and no JSON with 400, each in the shape of the real service', async () => {
    expect(await gateway.post('nobody', 'chat/completions', QUESTION)).toMatchObject({ status: 401, json: { error: { code: 'invalid_api_key' } } });
    expect(await gateway.post('tok', 'embeddings', QUESTION)).toMatchObject({ status: 404, json: { error: { code: 'unknown_url' } } });
    await open([text('x')]);
    expect(await gateway.post('tok', 'chat/completions', '{"model":')).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } });
    expect(await gateway.post('tok', 'chat/completions', { model: 'x' })).toMatchObject({ status: 400, json: { error: { param: 'messages' } } });
  });

  test('plays errors, raw bytes and resets as the script has them', async () => {
    await open([
      { kind: 'error', status: 429, message: 'Slow down.', headers: { 'retry-after': '1' } },
      { kind: 'raw', status: 200, contentType: 'text/html', body: '<html>' },
      { kind: 'reset' },
    ]);
    const limited = await gateway.post('tok', 'chat/completions', QUESTION);
    expect(limited).toMatchObject({ status: 429, json: { error: { message: 'Slow down.', type: 'rate_limit_error' } } });
    expect(limited.headers.get('retry-after')).toBe('1');
    expect((await gateway.post('tok', 'chat/completions', QUESTION)).text).toBe('<html>');
    await expect(gateway.post('tok', 'chat/completions', QUESTION)).rejects.toThrow();
    expect((await gateway.close('tok', trialId)).calls.map((call) => call.status)).toEqual([429, 200, 499]);
  });

  test('gives the last reply again past the end of a script, or what comes then', async () => {
    await open({ replies: [text('one'), text('two')] });
    const said: string[] = [];
    for (let at = 0; at < 3; at++) said.push((await gateway.post('tok', 'chat/completions', QUESTION)).json.choices[0].message.content);
    expect(said).toEqual(['one', 'two', 'two']);
  });

  test('answers by what is offered and how long the request is, where the script asks for that', async () => {
    const tools = [{ type: 'function', function: { name: 'add', description: '', parameters: { type: 'object', properties: {} } } }];
    await open({ replies: [text('one')], withoutTools: text('bare'), windowChars: 20 });
    const said = async (request: object) => (await gateway.post('tok', 'chat/completions', { ...QUESTION, ...request })).json;
    expect((await said({ tools })).choices[0].message.content).toBe('one');
    expect((await said({})).choices[0].message.content).toBe('bare');
    expect((await said({ tools, messages: [{ role: 'user', content: 'x'.repeat(21) }] })).error.message).toContain('maximum context length');
  });

  test('refuses calls and results that do not pair, where the script asks for that', async () => {
    await open({ replies: [text('one')], pairs: true });
    const turn = (...ids: string[]) => ({
      role: 'assistant',
      content: '',
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'add', arguments: '{}' } })),
    });
    const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: '1' });
    const status = async (...more: object[]) =>
      (await gateway.post('tok', 'chat/completions', { ...QUESTION, messages: [...QUESTION.messages, ...more] })).status;
    expect(await status(turn('a', 'b'), result('b'), result('a'))).toBe(200);
    for (const odd of [
      [turn('a')],
      [turn('a', 'a'), result('a'), result('a')],
      [turn('a'), result('b')],
      [turn(''), result('')],
      [turn('a'), ...QUESTION.messages],
    ])
      expect(await status(...odd)).toBe(400);
  });

  test('records that a reply carried reasoning, and counts its tokens', async () => {
    await open([{ kind: 'text', text: '', reasoning: 'Let me see.' }]);
    await gateway.post('tok', 'chat/completions', QUESTION);
    expect((await gateway.close('tok', trialId)).calls).toMatchObject([{ reasoning: true, outputTokens: 4 }]);
  });

  test('tells what was and is in flight while a trial runs', async () => {
    await open([text('one'), { kind: 'hang' }]);
    await gateway.post('tok', 'chat/completions', QUESTION);
    gateway.post('tok', 'chat/completions', QUESTION).catch(() => undefined);
    const intervals = await gateway.untilInFlight('tok', trialId);
    expect(intervals.map((interval) => interval.endMs === undefined)).toEqual([false, true]);
  });

  test('M5.0: puts fixed words in place of folders and ports before it counts, and keeps the raw body', async () => {
    await open([text('x')]);
    const trace = (folder: string, port: number) => ({
      ...QUESTION,
      messages: [{ role: 'tool', tool_call_id: 'c', content: `at ${folder}/a.js, 127.0.0.1:${port}` }],
    });
    await gateway.post('tok', 'chat/completions', trace('/home/someone/checkout', 41234));
    await gateway.post('tok', 'chat/completions', trace('ROOT', 5));
    const { calls } = await gateway.close('tok', trialId);
    expect(calls[0]?.delivered).toEqual([{ callId: 'c', text: 'at ROOT/a.js, 127.0.0.1:PORT' }]);
    expect(calls[0]?.requestBody).toMatchObject({ messages: [{ content: 'at /home/someone/checkout/a.js, 127.0.0.1:41234' }] });
  });

  test('spells bodies and wire for a host that only files them', async () => {
    await open([text('x')]);
    await gateway.post('tok', 'chat/completions', QUESTION);
    const { traffic, spelled } = await gateway.ask({ type: 'trial-close', token: 'tok', trialId, spelled: true }, 'trial-closed');
    expect(traffic.calls[0]).not.toHaveProperty('requestBody');
    expect(JSON.parse(spelled?.calls ?? '')).toEqual([
      { ...traffic.calls[0], requestBody: QUESTION, replyBody: expect.objectContaining({ model: 'scripted' }) },
    ]);
    expect(JSON.parse(spelled?.wire ?? '')).toMatchObject({ endpoint: 'chat.completions', tools: [] });
    gateway.openTrial = undefined;
  });

  test('reports the wire of the first request without what changes from task to task', async () => {
    await open([text('x')]);
    await gateway.post('tok', 'chat/completions', {
      model: 'scripted',
      temperature: 1,
      max_tokens: 2000,
      stream_options: {},
      messages: [
        { role: 'system', content: 'Think hard.  Be brief.  Say  FINAL.' },
        { role: 'user', content: 'Q?\nSay FINAL.' },
      ],
    });
    const { wire } = await gateway.close('tok', trialId);
    expect(wire).toEqual({
      endpoint: 'chat.completions',
      streamed: false,
      sampling: { temperature: 1, max_tokens: 2000 },
      tools: [],
      addedSystemText: 'Think hard.',
      instructionIn: ['system', 'user'],
      otherKeys: ['stream_options'],
    });
  });

  test('reads a request that arrives one byte at a time', async () => {
    await open([text('whole')]);
    const body = JSON.stringify(QUESTION);
    const head = `POST /w/tok/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(gateway.port, '127.0.0.1', async () => {
        socket.setNoDelay(true);
        for (const byte of Buffer.from(head + body)) await new Promise<void>((sent) => socket.write(Buffer.from([byte]), () => sent()));
      });
      let all = '';
      socket.on('data', (chunk) => {
        all += chunk.toString();
      });
      socket.on('end', () => resolve(all)).on('error', reject);
    });
    expect(received).toContain('"content":"whole"');
  });

  test('names what it cannot do and goes on', async () => {
    expect(await gateway.ask({ type: 'trial-close', token: 'tok', trialId: 999 }, 'failed')).toMatchObject({ code: 'NO_SUCH_TRIAL', trialId: 999 });
    expect(await gateway.ask({ type: 'trial-close', token: 'nobody', trialId: 1 }, 'failed')).toMatchObject({ code: 'UNKNOWN_WORKER' });
  });
});

test('behind the process the simulated model answers from the plans of a folder that holds nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  writeFileSync(join(folder, 'plans.json'), JSON.stringify(INVENTED.map((task) => task.plan)));
  const gateway = await startGateway();
  try {
    await gateway.ask(
      { type: 'configure', backEnd: { kind: 'simulated', profile: 'clean', taskSetDirectory: folder, enforce: 'honoured' }, replacements: [] },
      'configured',
    );
    await gateway.ask({ type: 'worker-open', token: 'tok' }, 'worker-opened');
    await gateway.open('tok', 1, undefined, 9);
    const messages: object[] = [{ role: 'user', content: `${oneHarbour.plan.question} Say FINAL.` }];
    const tools = TOOLS.map((tool) => ({ type: 'function', function: tool }));
    for (let at = 0; at < 3; at++) {
      const { message } = (await gateway.post('tok', 'chat/completions', { model: 'm', messages, tools })).json.choices[0];
      const [call] = message.tool_calls ?? [];
      messages.push(message);
      if (call) messages.push({ role: 'tool', tool_call_id: call.id, content: runInvented(call.function.name, JSON.parse(call.function.arguments)) });
    }
    expect(messages.at(-1)).toMatchObject({ content: expect.stringMatching(/FINAL ANSWER: 40$/) });
    const traffic = await gateway.close('tok', 1);
    expect(traffic).toMatchObject({ undisturbed: true, misses: [], planSteps: ['s1', 's2'], harnessErrors: [] });
    expect(traffic.calls.map(({ step, ask, role, stepsDone }) => [step, ask, role, stepsDone])).toEqual([
      ['s1', 0, 'agent', []],
      ['s2', 0, 'agent', ['s1']],
      ['answer', 0, 'agent', ['s1', 's2']],
    ]);
    const missing = { kind: 'simulated', profile: 'clean', taskSetDirectory: join(folder, 'absent'), enforce: 'honoured' } as const;
    expect(await gateway.ask({ type: 'configure', backEnd: missing, replacements: [] }, 'failed')).toMatchObject({
      request: 'configure',
      code: 'TASK_SET_MISSING',
    });
  } finally {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the gateway process leaves when its host is gone', async () => {
  const gateway = await startGateway();
  const left = new Promise<number | null>((resolve) => gateway.child.once('exit', resolve));
  gateway.child.disconnect();
  expect(await left).toBe(0);
});

/** Replies of another process, read as they come. */
type Json = ReturnType<typeof JSON.parse>;
type ReplyOf<Type extends GatewayReply['type']> = Extract<GatewayReply, { type: Type }>;

async function startGateway() {
  const child: ChildProcess = fork(fileURLToPath(new URL('./gateway.ts', import.meta.url)), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  const next = <Type extends GatewayReply['type']>(type: Type): Promise<ReplyOf<Type>> =>
    new Promise((resolve) => {
      const listen = (reply: GatewayReply) => {
        if (reply.type !== type) return;
        child.off('message', listen);
        resolve(reply as ReplyOf<Type>);
      };
      child.on('message', listen);
    });
  const { port } = await next('ready');
  const ask = <Type extends GatewayReply['type']>(request: GatewayRequest, type: Type) => {
    const reply = next(type);
    child.send(request);
    return reply;
  };
  const process = {
    child,
    port,
    next,
    ask,
    openTrial: undefined as number | undefined,
    open: (token: string, trialId: number, script: ModelScript | undefined, cap: number) => {
      process.openTrial = trialId;
      return ask(
        {
          type: 'trial-open',
          token,
          trialId,
          seed: 1,
          trialIndex: 0,
          instruction: 'Say FINAL.',
          systemText: 'Be brief.\nSay FINAL.',
          cap,
          ...(script ? { script } : {}),
          keepBodies: true,
        },
        'trial-opened',
      );
    },
    close: async (token: string, trialId: number): Promise<ModelTraffic> => {
      process.openTrial = undefined;
      return (await ask({ type: 'trial-close', token, trialId }, 'trial-closed')).traffic;
    },
    untilInFlight: async (token: string, trialId: number) => {
      for (;;) {
        const { intervals } = await ask({ type: 'trial-status', token, trialId }, 'trial-status');
        if (intervals.some((interval) => interval.endMs === undefined)) return intervals;
      }
    },
    post: async (token: string, path: string, body: unknown, keyOf?: number) => {
      const reply = await fetch(`http://127.0.0.1:${port}/w/${token}/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(keyOf !== undefined && { authorization: `Bearer key-of-trial-${keyOf}` }) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await reply.text();
      return {
        status: reply.status,
        headers: reply.headers,
        text,
        json: (reply.headers.get('content-type') ?? '').includes('json') ? (JSON.parse(text) as Json) : undefined,
      };
    },
    stop: async () => {
      const left = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.send({ type: 'stop' });
      await left;
    },
  };
  return process;
}

type GatewayProcess = Awaited<ReturnType<typeof startGateway>>;
