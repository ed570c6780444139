// Eight words for what a framework made of a fault, each from the smallest trial that has it. On real processes: runners/faults.test.ts.
import { expect, test } from 'vitest';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { ModelCall, Reply, ToolCall } from '../base/traffic.ts';
import type { TrialEvidence } from './evidence.ts';
import { faultResponse } from './fault-response.ts';

const ADD: ToolSchema = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number', description: 'A.' } }, required: ['a'], additionalProperties: false },
};
const ANSWER = 'I looked.\nFINAL ANSWER: 5';
const user = { role: 'user' };
const assistant = { role: 'assistant' };
const result = { role: 'tool', content: 'slip QX7' };

let clock = 0;
function call(reply: Reply, messages: readonly object[] = [user], rest: Partial<ModelCall> = {}): ModelCall {
  const startMs = clock++;
  return {
    startMs,
    endMs: clock++,
    status: 200,
    offeredTools: ['add'],
    truncated: false,
    reply,
    delivered: [],
    requestBody: { messages },
    ...rest,
  } as ModelCall;
}
const says = (text: string): Reply => ({ kind: 'text', text });
const asks = (name: string, text: string, id = 'call_1'): Reply => ({ kind: 'calls', text: '', calls: [{ id, name, arguments: text }] });
const failed: Reply = { kind: 'error', code: 'server_error', message: 'busy' };
const ran = (args: unknown): ToolCall => ({ name: 'add', arguments: args, startMs: clock++, endMs: clock++, status: 200, resultBytes: 8, result: 'slip QX7' });

function judge(calls: readonly ModelCall[], rest: Partial<TrialEvidence> = {}, toolCalls: readonly ToolCall[] = []) {
  return faultResponse({ traffic: { calls, wire: {}, harnessErrors: [] }, toolCalls, cap: 40, agentCap: 10, isLive: false, tools: [ADD], ...rest });
}

test('a request that failed and was made again unchanged is recovered', () => {
  expect(judge([call(failed), call(says(ANSWER))], { output: ANSWER })).toBe('recovered');
});

test('a word after a bad call, or after nothing, is fed back', () => {
  expect(judge([call(asks('ad', '{}')), call(says(ANSWER), [user, assistant, { role: 'tool', content: 'no such tool' }])], { output: ANSWER })).toBe(
    'fed-back',
  );
  expect(judge([call(says('')), call(says(ANSWER), [user, assistant, user])], { output: ANSWER })).toBe('fed-back');
});

test('the same request after nothing is no word to the model', () => {
  expect(judge([call(says('')), call(says(ANSWER))], { output: ANSWER })).toBe('recovered');
});

test('a good call whose result came back is no fault, and nobody was told of one', () => {
  const first = call(asks('add', '{"a": 2}'));
  const tool = ran({ a: 2 });
  expect(judge([first, call(says(ANSWER), [user, assistant, result])], { output: ANSWER }, [tool])).toBe('recovered');
});

test.each([
  ['nothing', [call(says(''))], ''],
  ['a notice', [call(asks('add', '{"a": 2}'))], 'Sorry, need more steps.'],
  ['half an answer', [call(says('The answer is'), [user], { truncated: true })], 'The answer is'],
  ['a thought', [call(says('<think>maybe 4'))], 'maybe 4'],
])('a success with %s is wrong in silence', (_, calls, output) => {
  expect(judge(calls, { output })).toBe('silent-wrong');
});

test('a tool that ran on what it does not take, on what nobody said, on half a reply, or whose result got lost, makes a success wrong in silence', () => {
  const last = () => call(says(ANSWER), [user, assistant, result]);
  const bad = call(asks('add', '{"a": "two"}'));
  expect(judge([bad, last()], { output: ANSWER }, [{ ...ran({ a: 'two' }), startMs: bad.startMs + 0.5 }])).toBe('silent-wrong');
  const cut = call(asks('add', '{"a":'));
  expect(judge([cut, last()], { output: ANSWER }, [{ ...ran({ a: 7 }), startMs: cut.startMs + 0.5 }])).toBe('silent-wrong');
  const half = call(asks('add', '{"a": 2}'), [user], { truncated: true });
  expect(judge([half, last()], { output: ANSWER }, [{ ...ran({ a: 2 }), startMs: half.startMs + 0.5 }])).toBe('silent-wrong');
  const good = call(asks('add', '{"a": 2}'));
  expect(judge([good, call(says(ANSWER), [user, assistant, user])], { output: ANSWER }, [{ ...ran({ a: 2 }), startMs: good.startMs + 0.5 }])).toBe(
    'silent-wrong',
  );
});

test('of two good calls one that neither ran nor was answered is lost', () => {
  const both = call({ kind: 'calls', text: '', calls: [1, 2].map((a) => ({ id: 'twin', name: 'add', arguments: `{"a": ${a}}` })) });
  const one = { ...ran({ a: 2 }), startMs: both.startMs + 0.5 };
  expect(judge([both, call(says(ANSWER), [user, assistant, result])], { output: ANSWER }, [one])).toBe('silent-wrong');
  expect(judge([both, call(says(ANSWER), [user, assistant, result, result])], { output: ANSWER }, [one])).toBe('fed-back');
});

test('beside a call that ran, a broken one without a word is lost, wherever it stands; a word under its own id, or a turn asked for afresh, is none', () => {
  const good = { id: 'call_good', name: 'add', arguments: '{"a": 2}' };
  const broken = { id: 'call_broken', name: 'add', arguments: '{"a":' };
  const gives = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  for (const calls of [
    [good, broken],
    [broken, good],
    [good, good, broken],
  ]) {
    const turn = () => call({ kind: 'calls', text: '', calls });
    const runs = (of: ModelCall) => calls.filter((one) => one === good).map(() => ({ ...ran({ a: 2 }), startMs: of.startMs + 0.5 }));
    const after = (...messages: object[]) => {
      const first = turn();
      return judge([first, call(says(ANSWER), [user, assistant, ...messages])], { output: ANSWER }, runs(first));
    };
    const results = calls.filter((one) => one === good).map(({ id }) => gives(id, 'slip QX7'));
    expect(after(...results)).toBe('silent-wrong');
    expect(after(...results, gives('call_broken', 'no JSON'))).toBe('fed-back');
    // A history as text may bring all that a turn gave in one entry.
    expect(after({ role: 'user', content: 'call_good gave slip QX7; call_broken is no JSON' })).toBe('fed-back');
    const again = turn();
    expect(judge([again, call(says(ANSWER))], { output: ANSWER })).toBe('recovered');
  }
});

test('an error, a death, and work after the end are what they are', () => {
  const calls = [call(failed)];
  expect(judge(calls, { workerError: { name: 'Error', message: 'busy' } })).toBe('clear-error');
  expect(judge(calls, { exit: { code: 1 } })).toBe('crash');
  expect(judge(calls, { workerError: { name: 'Error', message: 'busy' }, strayRequests: 1 })).toBe('stray-work');
});

test('when patience runs out, who has a request open or may make it again still waits, and who has neither hangs', () => {
  const { endMs: _, ...open } = call(failed);
  expect(judge([open], { hostReason: 'deadline' })).toBe('still-waiting');
  expect(judge([call(failed)], { hostReason: 'deadline' })).toBe('still-waiting');
  expect(judge([call(asks('add', '{"a": 2}'))], { hostReason: 'deadline' })).toBe('hang');
});

test('whoever asks on beyond every limit hangs', () => {
  expect(judge([call(asks('add', '{"a": 2}'))], { hostReason: 'cap' })).toBe('hang');
});
