// What the gateway adds to a reply: how long it takes, how it comes in pieces, and vectors for those who ask for them.
import { expect, test } from 'vitest';
import { tokenCounter } from './count-tokens.ts';
import { embed, embeddingsBody } from './embeddings.ts';
import { chatEvents, pieces } from './encode-chat.ts';
import { responsesEvents } from './encode-responses.ts';
import { latencyOf, waitFor } from './latency.ts';
import { eventsOf } from './relay.ts';

const envelope = { id: 'x', model: 'm', inputTokens: 1, outputTokens: 1, includeUsage: false };

test('zero and fixed latency are what they say; that of a model is log-normal around its table, and the same for the same reply', () => {
  expect(waitFor({ kind: 'zero' }, 'gpt-4o', 'a', 100)).toEqual({ firstTokenMs: 0, restMs: 0 });
  expect(waitFor({ kind: 'fixed', ms: 40 }, 'gpt-4o', 'a', 100)).toEqual({ firstTokenMs: 40, restMs: 0 });
  expect(waitFor({ kind: 'model' }, 'gpt-4o', 'a', 100)).toEqual(waitFor({ kind: 'model' }, 'gpt-4o', 'a', 100));
  const { firstTokenMs, perOutputTokenMs, sigma } = latencyOf('gpt-4o');
  const waits = Array.from({ length: 4_000 }, (_, at) => waitFor({ kind: 'model' }, 'gpt-4o', `reply-${at}`, 50));
  const logs = waits.map((wait) => Math.log(wait.firstTokenMs / firstTokenMs));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const spread = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
  expect(mean).toBeCloseTo(0, 1);
  expect(spread).toBeCloseTo(sigma, 1);
  for (const wait of waits) expect(wait.restMs / wait.firstTokenMs).toBeCloseTo((50 * perOutputTokenMs) / firstTokenMs);
});

test('a stream comes about a token at a time, cuts no character, and loses nothing', () => {
  const text = 'Naïve 中文 👩‍👩‍👧 and  two blanks,\n12345.75 % of   it!\n';
  for (const sample of [text, '', ' ', '\n\n', '{"query":"Alder Quay"}', 'a'.repeat(100), '…—“”']) {
    expect(pieces(sample).join('')).toBe(sample);
    // A lone half of a pair would be cut in the middle of a character.
    for (const piece of pieces(sample)) expect(piece.isWellFormed()).toBe(true);
  }
  expect(pieces('{"query":"Alder Quay Harbour Book"}').length).toBeGreaterThan(6);
  const message = {
    text: '',
    calls: [{ id: 'c', name: 'add', arguments: '{"a": 2.5, "b": "é"}' }],
    finishReason: 'tool_calls' as const,
    reasoning: 'Hm, well.',
  };
  const deltas = (eventsOf(chatEvents(message, envelope).join('')) as Event[]).map(({ choices: [choice] }) => choice.delta);
  expect(deltas.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.arguments)).join('')).toBe('{"a": 2.5, "b": "é"}');
  expect(deltas.map(({ reasoning_content: thought = '' }) => thought).join('')).toBe('Hm, well.');
  const events = responsesEvents(message, envelope).join('');
  expect(events.match(/response\.function_call_arguments\.delta/g)?.length).toBeGreaterThan(8);
});

interface Event {
  readonly choices: readonly [
    { readonly delta: { readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[]; readonly reasoning_content?: string } },
  ];
}

const tokens = tokenCounter((text) => text.split(' ').length);
const near = (a: string, b: string) => embed(a, 256).reduce((sum, value, at) => sum + value * (embed(b, 256)[at] as number), 0);

test('embeddings are of length 1, the same every time, near each other for texts that share words, and marked', () => {
  const { body, inputTokens } = embeddingsBody({ model: 'any', input: ['the old harbour', 'a pie'] }, tokens) as { body: Vectors; inputTokens: number };
  expect(body).toMatchObject({ object: 'list', model: 'hashed-bag-of-words', usage: { prompt_tokens: 5, total_tokens: 5 } });
  expect(inputTokens).toBe(5);
  for (const { embedding } of body.data) expect(Math.hypot(...embedding)).toBeCloseTo(1);
  expect(embed('the old harbour', 64)).toEqual(embed('the old harbour', 64));
  expect(near('the old harbour of Alder', 'Alder has an old harbour')).toBeGreaterThan(0.4);
  expect(Math.abs(near('the old harbour of Alder', 'nine pies were sold'))).toBeLessThan(0.3);
  expect(embed('', 3)).toEqual([1, 0, 0]);
});

test('embeddings come as base64 where a client wants that, in the dimensions that it wants, also for lists of tokens', () => {
  const plain = embeddingsBody({ input: 'harbour', dimensions: 8 }, tokens).body as Vectors;
  const packed = embeddingsBody({ input: 'harbour', dimensions: 8, encoding_format: 'base64' }, tokens).body as { data: [{ embedding: string }] };
  const bytes = Buffer.from(packed.data[0].embedding, 'base64');
  const read = Array.from({ length: 8 }, (_, at) => bytes.readFloatLE(4 * at));
  read.forEach((value, at) => {
    expect(value).toBeCloseTo(plain.data[0]?.embedding[at] as number);
  });
  expect((embeddingsBody({ input: [[1, 2], [3]] }, tokens).body as Vectors).data).toHaveLength(2);
});

interface Vectors {
  readonly data: readonly { readonly embedding: number[] }[];
}

test.each<[unknown, RegExp]>([
  [[], /an object is expected/],
  [{}, /'input'/],
  [{ input: [] }, /'input'/],
  [{ input: [{}] }, /'input'/],
  [{ input: 'x', dimensions: 0 }, /'dimensions'/],
  [{ input: 'x', dimensions: 1e9 }, /'dimensions'/],
])('a request for embeddings that is none is refused: %j', (body, wanted) => {
  expect(() => embeddingsBody(body, tokens)).toThrow(wanted);
});
