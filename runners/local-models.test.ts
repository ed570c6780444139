import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { loadTokenCounter } from '../models/count-tokens.ts';
import { localSource } from '../models/local.ts';
import { ModelGateway } from '../models/model-gateway.ts';
import { eventsOf } from '../models/relay.ts';
import { writeRandomGguf } from './fixtures/random-gguf.ts';
import { isLlamaReady, llamaFolder, localBackEnd, localModelFacts, localModelName } from './local-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-'));
const file = join(folder, 'random-F32.gguf');
writeRandomGguf(file);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: bodies as they come.
type Json = any;

test('a local model is called by its name or by its file, and its quantisation is read off', async () => {
  expect(localModelName('local:smollm2-135m')).toBe('smollm2-135m');
  expect(localModelName('local:some/place/Tiny-Q4_K_M.gguf')).toBe('Tiny-Q4_K_M');
  expect(await localModelFacts('local:Tiny-Q4_K_M.gguf', folder)).toMatchObject({ quantisation: 'Q4_K_M', threads: 1 });
  expect(await localModelFacts('local:random-F32.gguf', folder)).toMatchObject({ quantisation: 'F32', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await localModelFacts('local:smollm2-135m', folder)).toMatchObject({ quantisation: 'Q4_1' });
});

test('weights that are not there are told with the call that brings them', () => {
  expect(() => localBackEnd('local:nothing.gguf', folder)).toThrow(/LOCAL_MODEL_MISSING|cannot run here: there is no file/);
});

test('the random weights of these tests take less than half a megabyte', () => {
  expect(statSync(file).size).toBeLessThan(500_000);
});

const ready = isLlamaReady();
if (!ready) process.stdout.write('Skipped: the path of a local model, since node-llama-cpp is not set up here (agentgauge setup model smollm2-135m).\n');

describe.skipIf(!ready)('a model of random weights behind the gateway', () => {
  let server: ModelGateway;
  let base = '';
  beforeAll(async () => {
    const source = await localSource({ kind: 'local', name: 'random', file, runtime: llamaFolder(), threads: 1, contextTokens: 2_048 });
    const limits = { trialId: 0, seed: 1, trialIndex: 0, instruction: '', cap: Number.POSITIVE_INFINITY, keepBodies: false };
    server = new ModelGateway({ clock: systemClock, onCapReached: () => {}, openAlone: () => limits });
    server.configure({ source, tokens: await loadTokenCounter(), replacements: [] });
    base = `http://127.0.0.1:${await server.listen()}`;
  }, 60_000);
  afterAll(() => server.close());

  const post = async (path: string, body: object, signal?: AbortSignal) => {
    const reply = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'random', ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await reply.text();
    return { status: reply.status, text, json: (text.startsWith('{') ? JSON.parse(text) : undefined) as Json };
  };
  const messages = [{ role: 'user', content: 'How many?' }];
  const chat = (body: object) => post('/v1/chat/completions', { messages, max_tokens: 12, seed: 5, ...body });

  test("counts usage by the model's own tokenizer, and stops at the most tokens", async () => {
    const { json } = await chat({});
    // Bytes and three marks: <|im_start|>user\nHow many?<|im_end|>\n<|im_start|>assistant\n
    expect(json.usage.prompt_tokens).toBe(1 + 'user\nHow many?'.length + 1 + '\n'.length + 1 + 'assistant\n'.length);
    expect(json.usage.completion_tokens).toBeLessThanOrEqual(12);
    expect(json.choices[0].finish_reason).toBe('length');
  });

  test('says the same again with the same seed, streamed or not, and something else with another', async () => {
    const said = async (body: object) => (await chat(body)).json.choices[0].message.content as string;
    const first = await said({});
    expect(await said({})).toBe(first);
    expect(await said({ seed: 6 })).not.toBe(first);
    const events = eventsOf((await chat({ stream: true })).text) as Json[];
    expect(events.map((event) => event.choices[0]?.delta.content ?? '').join('')).toBe(first);
  });

  test('says the same to an equal request, whatever it has read before', async () => {
    const long = (end: string) => ({ messages: [{ role: 'user', content: `${'All that stands here is read in blocks. '.repeat(20)}${end}` }], temperature: 0 });
    const said = async (end: string) => (await chat(long(end))).json.choices[0].message.content as string;
    const first = await said('One?');
    const other = await said('Two, and somewhat more?');
    expect(await said('One?')).toBe(first);
    expect(await said('Two, and somewhat more?')).toBe(other);
  });

  const tools = ['lamp', 'door'].map((name) => ({
    type: 'function',
    function: {
      name,
      description: '',
      parameters: { type: 'object', properties: { state: { enum: ['on', 'off'] }, fast: { type: 'boolean' } }, required: ['state'] },
    },
  }));

  test('calls a tool that is offered, with arguments of its schema, over both endpoints', async () => {
    const { json } = await chat({ tools, tool_choice: 'required', max_tokens: 200 });
    const call = json.choices[0].message.tool_calls[0].function;
    expect(['lamp', 'door']).toContain(call.name);
    expect(['on', 'off']).toContain(JSON.parse(call.arguments).state);
    expect(json.choices[0].finish_reason).toBe('tool_calls');
    const flat = tools.map((tool) => ({ type: 'function', ...tool.function }));
    const response = await post('/v1/responses', { input: 'How many?', tools: flat, tool_choice: { type: 'function', name: 'door' }, max_output_tokens: 200 });
    expect(response.json.output[0]).toMatchObject({ type: 'function_call', name: 'door' });
  });

  test('refuses what is longer than its context, as providers do', async () => {
    const { status, json } = await chat({ messages: [{ role: 'user', content: 'x'.repeat(3_000) }] });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: 'context_length_exceeded', message: expect.stringContaining('2048 tokens') });
  });

  test('leaves off when the client goes, and answers who waits behind', async () => {
    const leaving = new AbortController();
    const long = post('/v1/chat/completions', { messages, max_tokens: 1_900 }, leaving.signal).catch(() => 'gone');
    const next = chat({});
    leaving.abort();
    expect(await long).toBe('gone');
    expect((await next).status).toBe(200);
  });
});

test.skipIf(!ready)('a file that is no model is told before anything is asked', async () => {
  const broken = join(folder, 'broken.gguf');
  writeFileSync(broken, 'GGUF and nothing more');
  const backEnd = { kind: 'local', name: 'broken', file: broken, runtime: llamaFolder(), threads: 1, contextTokens: 512 } as const;
  await expect(localSource(backEnd)).rejects.toThrow(/cannot be loaded/);
});
