// Replies that hold no answer, half of one, or thoughts; and models that never come to an end.
import { ANSWER, always, CALL, callOf, type Fault, faultsOf, lookupGives } from './fault.ts';

const EMPTY = { kind: 'text', text: '' } as const;
/** Above every cap that is asked for. */
const MANY = 60;

export const REPLY_FAULTS: readonly Fault[] = faultsOf('replies', {
  'empty-reply': { sentence: 'says nothing, then answers', script: { replies: [EMPTY, ANSWER] } },
  'empty-always': { sentence: 'says nothing, for ever', script: always(EMPTY) },
  'null-always': { sentence: 'says null in place of a text, for ever', script: always({ kind: 'text', text: null }) },
  'blank-after-tool': { sentence: 'says nothing after a tool, then answers', script: { replies: [CALL, EMPTY, ANSWER] } },
  'no-choices': { sentence: 'sends a reply without a message (no choices, no output), for ever', script: always({ kind: 'nothing' }) },
  'cut-answer': {
    sentence: 'is cut off within its answer (length)',
    script: always({ kind: 'text', text: 'I have worked it out, and the answer is', finishReason: 'length' }),
  },
  'reasoning-only': {
    sentence: 'puts its answer into the reasoning and none into the text',
    script: always({ kind: 'text', text: '', reasoning: 'so FINAL ANSWER: 5' }),
  },
  'open-thought': { sentence: 'opens a thought and never closes it', script: always({ kind: 'text', text: '<think>It may be 4' }) },
  'thought-and-answer': { sentence: 'thinks aloud before it answers', script: always({ kind: 'text', text: '<think>Is it 4?</think> FINAL ANSWER: 5' }) },
  'byte-by-byte': {
    sentence: 'streams a call with Chinese and an emoji byte by byte, and gets an emoji back',
    script: { replies: [{ ...callOf('lookup', '{"key": "北京🌍"}'), bytewise: true } as typeof CALL, ANSWER] },
    tools: lookupGives({ kind: 'text', text: `Drawer ZK5 of {{key}} holds ${'5'.repeat(19_980)}🌍` }),
  },
});

export const HAND_OVER_FAULTS: readonly Fault[] = faultsOf('hand-overs', {
  'hand-over-to-nobody': {
    sentence: 'hands the task to an agent that does not exist, then to one that does, which answers',
    script: { replies: [{ kind: 'hand-over', to: 'nobody' }, { kind: 'hand-over', to: 'somebody' }, CALL, ANSWER] },
  },
  'hand-over-to-nobody-always': { sentence: 'hands the task to an agent that does not exist, for ever', script: always({ kind: 'hand-over', to: 'nobody' }) },
  'hand-over-ping-pong': { sentence: 'hands the task to and fro between two agents, for ever', script: always({ kind: 'hand-over', to: 'somebody' }) },
});

export const LIMIT_FAULTS: readonly Fault[] = faultsOf('limits', {
  'same-call-always': { sentence: 'makes the same call for ever', script: always(callOf('lookup', '{"key": "x"}')) },
  'other-calls-always': {
    sentence: 'calls for ever, each time something else',
    script: { replies: Array.from({ length: MANY }, (_, at) => callOf('lookup', `{"key": "x${at}"}`)) },
  },
  'ping-pong': {
    sentence: 'goes to and fro between two tools for ever',
    script: { replies: Array.from({ length: MANY }, (_, at) => (at % 2 === 0 ? CALL : callOf('lookup', '{"key": "x"}'))) },
  },
});
