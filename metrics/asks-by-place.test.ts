import { expect, test } from 'vitest';
import { asksByPlace } from './asks-by-place.ts';

/** `role step`, one an answered request. */
const asks = (...words: readonly string[]) =>
  asksByPlace(
    words.map((word) => {
      const [role = '', ...step] = word.split(' ');
      return { role, step: step.join(' '), status: 200 };
    }),
  );

test('M7.1: of one agent the first call is one ask, each after it a later one, and the answer the last reply', () => {
  expect(asks('agent s1', 'agent s1', 'agent s2', 'agent answer')).toEqual({ 'first-call': 1, 'later-call': 2, 'last-reply': 1 });
});

test('M7.1: each worker has a first call of its own, and plan, reports and synthesis are places', () => {
  const divided = ['planner plan', 'subtask-worker s1', 'subtask-worker s2', 'subtask-worker hand-over s2', 'subtask-worker s3', 'subtask-worker hand-over s3'];
  expect(asks(...divided, 'synthesis answer')).toEqual({ 'first-call': 2, 'later-call': 1, planner: 1, 'hand-over': 2, synthesis: 1 });
});

test('M7.1: what was not answered, came after the end or beyond the cap, or has no place is no ask', () => {
  const ask = { role: 'agent', step: 's1', status: 200 };
  expect(asksByPlace([{ ...ask, status: 500 }, { ...ask, stray: true }, { ...ask, capped: true }, { ...ask, step: 'verdict' }, { status: 200 }])).toEqual({});
});
