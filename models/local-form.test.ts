import { expect, test } from 'vitest';
import { replySchema, spokenForm, spokenMessage } from './local-form.ts';
import { promptMessages } from './local-prompt.ts';
import type { Message, OfferedTool } from './read-request.ts';

const ADD: OfferedTool = {
  name: 'add',
  description: 'Adds.',
  schema: { type: 'object', properties: { a: { type: 'integer' }, unit: { type: 'string' }, note: { type: ['string', 'null'] } }, required: ['a'] },
  strict: false,
};
const auto = { kind: 'auto' } as const;
const text = { kind: 'text' } as const;

test('a reply is one call or an answer; where a call is required, no answer', () => {
  const form = spokenForm({ tools: [ADD], toolChoice: auto, responseFormat: text });
  const required = spokenForm({ tools: [ADD], toolChoice: { kind: 'required' }, responseFormat: text });
  if (form.kind !== 'calls' || required.kind !== 'calls') throw new Error('calls are expected');
  expect((replySchema(form) as { oneOf: unknown[] }).oneOf).toHaveLength(2);
  expect((replySchema(required) as { oneOf: unknown[] }).oneOf).toHaveLength(1);
  expect(spokenForm({ tools: [ADD], toolChoice: { kind: 'none' }, responseFormat: text })).toEqual(text);
});

test('arguments may leave out what is optional, from the last', () => {
  const { oneOf } = replySchema({ kind: 'calls', tools: [ADD], orAnswer: false }) as {
    oneOf: { properties: { arguments: { oneOf: { properties: object }[] } } }[];
  };
  expect(oneOf[0]?.properties.arguments.oneOf.map(({ properties }) => Object.keys(properties))).toEqual([['a'], ['a', 'unit'], ['a', 'unit', 'note']]);
});

test('a schema that refers to itself ends somewhere', () => {
  const schema = {
    type: 'object',
    properties: { next: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  };
  expect(JSON.stringify(replySchema({ kind: 'schema', schema })).length).toBeLessThan(2_000);
});

test('what was said becomes a call or an answer, cut or whole', () => {
  const form = { kind: 'calls', tools: [ADD], orAnswer: true } as const;
  expect(spokenMessage(form, '{"name":"add","arguments":{"a":1}}', false)).toMatchObject({
    calls: [{ name: 'add', arguments: '{"a":1}' }],
    finishReason: 'tool_calls',
  });
  expect(spokenMessage(form, '{"answer":"FINAL ANSWER: 5"}', false)).toMatchObject({ text: 'FINAL ANSWER: 5', finishReason: 'stop' });
  expect(spokenMessage(form, '{"name":"add","arguments":{"a":', true)).toMatchObject({ calls: [{ arguments: '{"a":' }], finishReason: 'length' });
  expect(spokenMessage(form, '{"answer":"one\\ntwo\\', true)).toMatchObject({ text: 'one\ntwo', finishReason: 'length' });
});

test('a template without a place for tools gets them in the system text, and results as words of the user', () => {
  const messages: Message[] = [
    { role: 'user', text: 'Q?', calls: [] },
    { role: 'assistant', text: '', calls: [{ id: 'c', name: 'add', arguments: '{"a":1}' }] },
    { role: 'tool', text: '2', calls: [], callId: 'c' },
  ];
  const form = { kind: 'calls', tools: [ADD], orAnswer: true } as const;
  const plain = promptMessages({ messages, tools: [ADD] }, form, false);
  expect(plain.tools).toBeUndefined();
  expect(plain.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(plain.messages[0]?.content).toContain('"name":"add"');
  const known = promptMessages({ messages, tools: [ADD] }, form, true);
  expect(known.tools).toHaveLength(1);
  expect(known.messages[2]?.tool_calls?.[0]?.function.arguments).toEqual({ a: 1 });
});
