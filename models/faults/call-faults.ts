// Calls that are wrong, or come in an odd form.
import { ANSWER, addGives, always, CALL, callOf, callsOf, type Fault, faultsOf, once } from './fault.ts';

const GOOD = { name: 'add', arguments: '{"a": 2, "b": 3}' };
const STORED = { name: 'lookup', arguments: '{"key": "box"}' };

export const CALL_FAULTS: readonly Fault[] = faultsOf('calls', {
  'unknown-tool': { sentence: 'calls a tool that was not offered, then the right one', script: once(callOf('web_serach', '{"q": "x"}')) },
  'unknown-tool-always': { sentence: 'calls a tool that was not offered, for ever', script: always(callOf('web_serach', '{"q": "x"}')) },
  'empty-name': { sentence: 'calls a tool without a name, then the right one', script: once(callOf('', '{"a": 2, "b": 3}')) },
  'unknown-hand-over': { sentence: 'hands over to somebody who does not exist, then calls the right tool', script: once(callOf('transfer_to_nobody', '{}')) },
  'cut-arguments': { sentence: 'sends arguments that are no whole JSON, then whole ones', script: once(callOf('add', '{"a": 2, "b":')) },
  'cut-arguments-always': { sentence: 'sends arguments that are no whole JSON, for ever', script: always(callOf('add', '{"a": 2, "b":')) },
  'empty-arguments': { sentence: 'sends an empty text as arguments, then whole ones', script: once(callOf('add', '')) },
  'null-arguments': { sentence: 'sends the text null as arguments, then whole ones', script: once(callOf('add', 'null')) },
  'missing-argument': { sentence: 'leaves a required argument out, then gives both', script: once(callOf('add', '{"a": 2}')) },
  'wrong-type': { sentence: 'gives "two" for a number, then 2', script: once(callOf('add', '{"a": "two", "b": 3}')) },
  'text-for-number': { sentence: 'gives "2" for the number 2', script: once(callOf('add', '{"a": "2", "b": "3"}')) },
  'extra-argument': { sentence: 'gives an argument that the tool does not have', script: once(callOf('add', '{"a": 2, "b": 3, "c": 4}')) },
  'list-arguments': { sentence: 'sends a list as arguments, then an object', script: once(callOf('add', '[1]')) },
  'object-arguments': {
    sentence: 'sends arguments as an object in place of its text',
    script: once(callOf('add', GOOD.arguments, { argumentsAs: { value: { a: 2, b: 3 } } })),
  },
  'no-arguments': { sentence: 'sends null in place of the text of arguments, then a text', script: once(callOf('add', '', { argumentsAs: { value: null } })) },
  'untyped-call': { sentence: 'sends a call without its type', script: once(callOf('add', GOOD.arguments, { untyped: true })) },
  'missing-id': { sentence: 'sends a call without an id', script: { replies: [callOf('add', GOOD.arguments, { id: null }), ANSWER] } },
  'duplicate-ids': {
    sentence: 'sends two calls with one id',
    script: { replies: [callsOf({ ...GOOD, id: 'call_twin' }, { ...STORED, id: 'call_twin' }), ANSWER] },
  },
  'parallel-calls': { sentence: 'sends two calls at once, which is no fault', script: { replies: [callsOf(GOOD, STORED), ANSWER] } },
  'one-of-two-unknown': {
    sentence: 'sends two calls, the second of a tool that was not offered',
    script: { replies: [callsOf(GOOD, { name: 'web_serach', arguments: '{"q": "x"}' }), ANSWER] },
  },
  'call-marked-stop': {
    sentence: 'ends a turn with a call as if it were an answer (finish_reason stop)',
    script: { replies: [{ ...CALL, finishReason: 'stop' } as typeof CALL, ANSWER] },
  },
  'cut-call': {
    sentence: 'is cut off within the arguments of a call (length), then calls again',
    script: once({ ...callOf('add', '{"a": 2, "b": 3, "note": "abc'), finishReason: 'length' } as typeof CALL),
  },
  'whole-call-cut': {
    sentence: 'is cut off after arguments that happen to be whole (length), then calls again',
    script: once({ ...CALL, finishReason: 'length' } as typeof CALL),
  },
  'repaired-look': { sentence: 'sends cut arguments that lack their closing brackets alone, then whole ones', script: once(callOf('add', '{"a": 2, "b": 3')) },
});

export const RESULT_FAULTS: readonly Fault[] = faultsOf('results', {
  'tool-throws': {
    sentence: 'calls a tool that throws, then calls it again',
    script: { replies: [CALL, CALL, ANSWER] },
    tools: addGives(
      { kind: 'failure', status: 500, message: 'The adding machine is jammed.' },
      { kind: 'text', text: 'The adding machine prints slip QX8: the sum is 5.' },
    ),
  },
  'one-of-two-throws': {
    sentence: 'sends two calls, the first of a tool that throws',
    script: { replies: [callsOf(GOOD, STORED), ANSWER] },
    tools: addGives({ kind: 'failure', status: 500, message: 'The adding machine is jammed.' }),
  },
  'empty-result': { sentence: 'calls a tool that gives back an empty text', script: { replies: [CALL, ANSWER] }, tools: addGives({ kind: 'text', text: '' }) },
  'huge-result': {
    sentence: 'calls a tool that gives back a megabyte',
    script: { replies: [CALL, ANSWER] },
    tools: addGives({ kind: 'text', text: `Slip QX9: ${'a b c '.repeat(166_660)}` }),
  },
  'over-the-window': {
    sentence: 'refuses a conversation that a tool has made too long (5 MB; 400 context length), for as long as it is',
    script: { replies: [CALL, ANSWER], windowChars: 200_000 },
    tools: addGives({ kind: 'text', text: `Slip QY1: ${'a b c '.repeat(850_000)}` }),
  },
});
