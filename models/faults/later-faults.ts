// Faults that were written after the classifier of responses was fixed, to hold it against what it was not made for. They stand in no table.
import type { ScriptedCall } from '../../base/script.ts';
import { ANSWER, addGives, always, CALL, callOf, callsOf, type Fault, faultsOf, once } from './fault.ts';

const GOOD = '{"a": 2, "b": 3}';

export const LATER_FAULTS: readonly Fault[] = faultsOf('calls', {
  'two-unknown-in-turn': {
    sentence: 'calls two unknown tools one after the other, then the right one',
    script: { replies: [callOf('sum_up', '{}'), callOf('adder', '{}'), CALL, ANSWER] },
  },
  'prose-and-unknown': {
    sentence: 'says what it will do and calls a tool that was not offered',
    script: once({ ...callOf('calculator', GOOD), text: 'I will use the calculator.' } as typeof CALL),
  },
  'twice-encoded': { sentence: 'sends arguments as JSON within a JSON text', script: once(callOf('add', JSON.stringify(GOOD))) },
  'truth-for-number': { sentence: 'gives true for a number', script: once(callOf('add', '{"a": true, "b": 3}')) },
  'fenced-arguments': { sentence: 'sends arguments in a code fence', script: once(callOf('add', `\`\`\`json\n${GOOD}\n\`\`\``)) },
  '503-twice': {
    sentence: 'answers 503 twice',
    script: { replies: [{ kind: 'error', status: 503, message: 'Overloaded.' }, { kind: 'error', status: 503, message: 'Overloaded.' }, CALL, ANSWER] },
  },
  'blanks-always': { sentence: 'says blanks and line ends, for ever', script: always({ kind: 'text', text: ' \n \n' }) },
  'no-choices-once': { sentence: 'sends a reply without a message, once', script: once({ kind: 'nothing' }) },
  'slow-tool': {
    sentence: 'calls a tool that takes its time',
    script: { replies: [CALL, ANSWER] },
    tools: addGives({ kind: 'text', text: 'Slip QZ4 says 5.', delayMs: 700 }),
  },
  'tool-throws-always': {
    sentence: 'calls a tool that always throws, three times, then answers without it',
    script: { replies: [CALL, CALL, CALL, ANSWER] },
    tools: addGives({ kind: 'failure', status: 500, message: 'The adding machine is jammed.' }),
  },
});

const ADDS = { name: 'add', arguments: GOOD };
const LOOKS_UP = { name: 'lookup', arguments: '{"key": "box"}' };
const UNKNOWN = { name: 'web_serach', arguments: '{"q": "x"}' };
const CUT = { name: 'add', arguments: '{"a": 2, "b":' };
/** Several calls in one turn, then the right one alone. */
const beside = (...calls: readonly ScriptedCall[]) => once(callsOf(...calls));

/** Written after the classifier's rules for several calls of one turn: the broken one at every place. */
export const BESIDE_FAULTS: readonly Fault[] = faultsOf('calls', {
  'first-of-two-unknown': { sentence: 'sends two calls, the first of a tool that was not offered', script: beside(UNKNOWN, LOOKS_UP) },
  'both-unknown': { sentence: 'sends two calls, both of tools that were not offered', script: beside(UNKNOWN, { ...UNKNOWN, name: 'adder' }) },
  'first-of-two-cut': { sentence: 'sends two calls, the first with arguments that are no whole JSON', script: beside(CUT, LOOKS_UP) },
  'second-of-two-cut': { sentence: 'sends two calls, the second with arguments that are no whole JSON', script: beside(LOOKS_UP, CUT) },
  'both-cut': { sentence: 'sends two calls, both with arguments that are no whole JSON', script: beside(CUT, { name: 'lookup', arguments: '{"key":' }) },
  'second-of-two-missing': {
    sentence: 'sends two calls, the second without a required argument',
    script: beside(LOOKS_UP, { ...ADDS, arguments: '{"a": 2}' }),
  },
  'second-of-two-list': { sentence: 'sends two calls, the second with a list as arguments', script: beside(LOOKS_UP, { ...ADDS, arguments: '[1]' }) },
  'second-of-three-unknown': { sentence: 'sends three calls, the second of a tool that was not offered', script: beside(LOOKS_UP, UNKNOWN, ADDS) },
  'third-of-three-cut': {
    sentence: 'sends three calls, the third with arguments that are no whole JSON',
    script: beside(LOOKS_UP, ADDS, { name: 'lookup', arguments: '{"key":' }),
  },
  'second-of-two-throws': {
    sentence: 'sends two calls, the second of a tool that throws, then calls that one again',
    script: beside(LOOKS_UP, ADDS),
    tools: addGives(
      { kind: 'failure', status: 500, message: 'The adding machine is jammed.' },
      { kind: 'text', text: 'The adding machine prints slip QX8: the sum is 5.' },
    ),
  },
});
