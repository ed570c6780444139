// Faults that were written after the classifier of responses was fixed, to hold it against what it was not made for. They stand in no table.
import { ANSWER, addGives, always, CALL, callOf, type Fault, faultsOf, once } from './fault.ts';

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
