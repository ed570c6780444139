// What we send, read by the client library that most frameworks are built on: whole and streamed, both endpoints, and errors.
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { ModelScript } from '../base/script.ts';
import { loadTokenCounter } from './count-tokens.ts';
import { ModelGateway } from './model-gateway.ts';
import { scriptedSource } from './scripted.ts';

const ARGUMENTS = '{"city":"Örebro by the lake, as of today"}';
const script: ModelScript = {
  replies: [
    { kind: 'text', text: 'Forty-eight boats, one of them red.' },
    { kind: 'calls', calls: [{ name: 'count_boats', arguments: ARGUMENTS }] },
  ],
};
const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'How many boats?' }] };
const input = { model: 'm', input: 'How many boats?' };

let gateway: ModelGateway;
let client: OpenAI;
let trialId = 0;
beforeAll(async () => {
  gateway = new ModelGateway({ clock: systemClock, onCapReached: () => {} });
  gateway.configure({ source: scriptedSource(), tokens: await loadTokenCounter(), replacements: [] });
  gateway.openWorker('tok');
  client = new OpenAI({ baseURL: `http://127.0.0.1:${await gateway.listen()}/w/tok/v1`, apiKey: 'none', maxRetries: 2 });
});
afterAll(() => gateway.close());

async function inTrial<T>(work: () => Promise<T>): Promise<T> {
  gateway.openTrial('tok', { trialId: ++trialId, seed: 1, trialIndex: 0, instruction: '', cap: 9, keepBodies: false, script });
  try {
    return await work();
  } finally {
    await gateway.closeTrial('tok', trialId);
  }
}

test('Chat Completions says the same whole and streamed', async () => {
  const read = async (one: () => Promise<OpenAI.ChatCompletion>) => {
    const [first, second] = [await one(), await one()];
    const call = second.choices[0]?.message.tool_calls?.[0];
    return {
      text: first.choices[0]?.message.content,
      usage: first.usage?.total_tokens,
      id: call?.id,
      call: call?.type === 'function' ? call.function.arguments : undefined,
    };
  };
  const whole = await inTrial(() => read(async () => client.chat.completions.create(chat)));
  const streamed = await inTrial(() =>
    read(async () => client.chat.completions.stream({ ...chat, stream_options: { include_usage: true } }).finalChatCompletion()),
  );
  expect(whole).toEqual({ text: 'Forty-eight boats, one of them red.', usage: expect.any(Number), id: 'call_1_0', call: ARGUMENTS });
  expect(streamed).toEqual(whole);
});

test('Responses says the same whole and streamed', async () => {
  const read = async (one: () => Promise<OpenAI.Responses.Response>) => {
    const [first, second] = [await one(), await one()];
    return {
      text: first.output_text,
      usage: first.usage?.total_tokens,
      status: first.status,
      call: second.output.find((item) => item.type === 'function_call'),
    };
  };
  const whole = await inTrial(() => read(async () => client.responses.create(input)));
  const streamed = await inTrial(() => read(async () => client.responses.stream(input).finalResponse()));
  expect(whole).toMatchObject({ text: 'Forty-eight boats, one of them red.', status: 'completed', call: { call_id: 'call_1_0', arguments: ARGUMENTS } });
  expect(streamed).toMatchObject(whole);
});

test('our own refusals are raised as the real ones are, after one request', async () => {
  await expect(client.chat.completions.create(chat)).rejects.toBeInstanceOf(OpenAI.ConflictError);
  await expect(client.withOptions({ baseURL: client.baseURL.replace('/tok/', '/nobody/') }).chat.completions.create(chat)).rejects.toBeInstanceOf(
    OpenAI.AuthenticationError,
  );
  const { strayBefore } = gateway.openTrial('tok', { trialId: ++trialId, seed: 1, trialIndex: 0, instruction: '', cap: 9, keepBodies: false, script });
  await gateway.closeTrial('tok', trialId);
  expect(strayBefore).toBe(1);
});

test('the list of models can be read', async () => {
  expect((await client.models.list()).data.map((model) => model.id)).toEqual(['scripted']);
});
