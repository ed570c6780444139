import { expect, test } from 'vitest';
import type { SolutionPlan } from '../tasks/plan.ts';
import type { Task } from '../tasks/task.ts';
import { faultConditions, faultTasks, seenRates } from './fault-conditions.ts';

const placesOf = (shapes: Parameters<typeof faultConditions>[1]) =>
  new Set(faultConditions({ draws: 0 }, shapes).flatMap((condition) => (condition.what === 'forced' ? [condition.place] : [])));

test('M7.1: the twin comes first, then every kind in every form at every place of the shapes in every burst, then the draws', () => {
  const conditions = faultConditions({ draws: 2 }, ['single']);
  expect(conditions[0]).toEqual({ what: 'twin' });
  expect(conditions[1]).toEqual({ what: 'twin', policy: 'impatient' });
  expect(conditions.slice(-2)).toEqual([{ what: 'drawn' }, { what: 'drawn' }]);
  const cut = conditions.filter((condition) => condition.what === 'forced' && condition.form === 'cut');
  expect(cut.map((condition) => condition.what === 'forced' && `${condition.place} ${condition.burst}`)).toEqual(
    ['first-call', 'later-call', 'parallel-call'].flatMap((place) => ['1', '2', '3', 'endless'].map((burst) => `${place} ${burst}`)),
  );
  expect(new Set(conditions.slice(0, -2).map((condition) => JSON.stringify(condition))).size).toBe(conditions.length - 2);
});

test('M7.1: a shape has its own places, and without parallel calls no twin in haste', () => {
  expect(placesOf(['single'])).toEqual(new Set(['first-call', 'later-call', 'parallel-call', 'last-reply']));
  expect(placesOf(['dag'])).toEqual(new Set(['planner', 'first-call', 'later-call', 'hand-over', 'synthesis']));
  expect(faultConditions({ draws: 0 }, ['dag']).filter(({ what }) => what === 'twin')).toEqual([{ what: 'twin' }]);
});

test('M7.1: what no framework can see is neither forced nor drawn', () => {
  const unseen = ['wrong-value', 'thought', 'early-answer', 'no-marker', 'missing-subtask', 'missing-value'];
  const kinds = faultConditions({ draws: 0 }, ['single', 'dag', 'idiomatic']).flatMap((condition) => (condition.what === 'forced' ? [condition.kind] : []));
  for (const kind of unseen) {
    expect(kinds).not.toContain(kind);
    expect(seenRates('gpt-4o-mini', {})).not.toHaveProperty(kind);
    expect(() => seenRates('gpt-4o-mini', { [kind]: 0.1 })).toThrow(`--rates ${kind}: no framework can see it`);
  }
  expect(seenRates('gpt-4o-mini', { refusal: 0.05 })).toMatchObject({ 'empty-reply': 0.02, refusal: 0.05, correction: 0.8 });
});

test('M7.1: a task of a cell has two chains that can be begun side by side, and a chain of two calls', () => {
  const call = { tool: 'web_search', arguments: {} };
  const planOf = (question: string, chains: readonly (readonly string[])[]): SolutionPlan => ({
    question,
    steps: chains.flatMap((steps) => steps.map((id, at) => ({ id, needs: at === 0 ? [] : [steps[at - 1] as string], call, reads: [] }))),
    chains: chains.map((steps) => ({ sentence: steps.join(), steps })),
    answer: { constant: 1 },
    nearMisses: [],
  });
  const plans = [planOf('narrow', [['s1', 's2']]), planOf('flat', [['s1'], ['s2']]), planOf('fit', [['s1', 's2'], ['s3']])];
  const tasks = plans.map(({ question }) => ({ id: question, question, type: 'web', level: 1 }) as Task);
  expect(faultTasks(tasks, plans, undefined, 1).map(({ id }) => id)).toEqual(['fit']);
  expect(() => faultTasks(tasks.slice(0, 2), plans, undefined, 1)).toThrow('no task of the set has two independent chains');
});
