import { expect, test } from 'vitest';
import type { ToolCall } from '../base/traffic.ts';
import { leakOf } from './leak.ts';

const QUESTION =
  'In the "Annals of the Harbour of Selbrook", which lighthouse keeper is named\nas the first to have counted more than four hundred ships in a single day of 1907?';
const TRUTH = 'Hannelore Wilhelmina van der Brugge-Okonkwo';

function call(name: string, result: string | undefined, args: unknown = {}): ToolCall {
  return { name, arguments: args, startMs: 0, endMs: 1, status: 200, resultBytes: 0, ...(result === undefined ? {} : { result }) };
}

test.each([
  [
    'the question on a page, in other type and with other breaks',
    [call('web_fetch', `# Task 17\n> ${QUESTION.toUpperCase().replaceAll(' ', '\n')}`)],
    'question',
  ],
  ['a part of it that is cut at both ends', [call('web_fetch', `…${QUESTION.slice(20, -15)}…`)], 'question'],
  ['the question in what a search found', [call('web_search', `1. Tasks\n   https://x.example/\n   ${QUESTION}`)], 'question'],
  ['question and truth', [call('web_fetch', `${TRUTH}. ${QUESTION}`)], 'question'],
  ['the truth alone', [call('web_fetch', `It was ${TRUTH} who counted them.`)], 'truth'],
  ['a title that the question quotes', [call('web_fetch', 'In the "Annals of the Harbour of Selbrook"')], undefined],
  ['the question as the model searched for it in vain', [call('web_search', `No results for "${QUESTION}". Try fewer words.`)], undefined],
  ['the question in a file of the task', [call('read_text', QUESTION)], undefined],
  ['a result that was not kept', [call('web_fetch', undefined)], undefined],
  ['nothing', [], undefined],
] as const)('of %s says what leaked', (_, calls, leak) => {
  expect(leakOf(calls, QUESTION, TRUTH)).toBe(leak);
});

test('a short truth is no leak, and neither is a question that stands anywhere', () => {
  expect(leakOf([call('web_fetch', 'There are 17. How many?')], 'How many?', '17')).toBeUndefined();
});
