// M7: a trial that is made to meet one fault meets that one, there, so often, and no other.
import { beforeAll, expect, test } from 'vitest';
import type { ForcedFault } from '../base/forced-fault.ts';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { type DividedEnd, walkDivided } from './fixtures/divided-walk.ts';
import { INSTRUCTION, INVENTED, runInvented, TOOLS, twoHarbours } from './fixtures/invented-set.ts';
import { type LoopEnd, runLoop } from './fixtures/loop-shapes.ts';
import { firstCall, laterCall, parallelCall } from './forced-slip.ts';
import { createSimulatedModel } from './simulated.ts';
import { drawOfForm, malformedArguments, violatedArguments } from './slips.ts';

let tokens: TokenCounter;
beforeAll(async () => {
  tokens = await loadTokenCounter();
});

const { plan, truth } = twoHarbours;
const TERMS = { systemText: `Be careful.\n${INSTRUCTION}`, userText: `${plan.question}\n\n${INSTRUCTION}`, tools: TOOLS, run: runInvented, mostTurns: 30 };

function open(forced: ForcedFault, policy?: 'impatient') {
  const model = createSimulatedModel({ plans: INVENTED.map((task) => task.plan), profile: 'clean', enforce: 'honoured', tokens });
  return model.open({ trialId: 1, seed: 1, trialIndex: 0, instruction: INSTRUCTION, forced, ...(policy && { policy }) });
}

const alone = (forced: ForcedFault, policy?: 'impatient'): Promise<LoopEnd> => runLoop('chat', open(forced, policy), TERMS);
const divided = (forced: ForcedFault): Promise<DividedEnd> =>
  walkDivided('chat', open(forced), { ...TERMS, question: plan.question, instruction: INSTRUCTION });
const slipsOf = ({ facts }: LoopEnd) => facts.flatMap(({ step, slip }) => (slip === undefined ? [] : [`${step} ${slip}`]));

test('it is met so often in a row as the burst says, and then the trial goes on as if nothing had been', async () => {
  for (const burst of [1, 2, 3] as const) {
    const end = await alone({ kind: 'malformed-arguments', form: 'cut', place: 'first-call', burst });
    expect(slipsOf(end)).toEqual(Array.from({ length: burst }, () => `${firstCall(plan)} malformed-arguments`));
    expect(end.output).toMatch(new RegExp(`FINAL ANSWER: ${truth}$`));
  }
});

test('without an end it is met at each ask', async () => {
  const end = await alone({ kind: 'unknown-tool', place: 'first-call', burst: 'endless' });
  expect(slipsOf(end)).toHaveLength(30);
  expect(end.output).toBe('');
});

test('a later call is the last of the longest chain, a parallel one the first of the second chain, beside another call in the same turn', async () => {
  const later = await alone({ kind: 'schema-violation', form: 'missing', place: 'later-call', burst: 1 });
  expect(slipsOf(later)).toEqual([`${laterCall(plan)} schema-violation`]);
  const trial = open({ kind: 'malformed-arguments', form: 'null', place: 'parallel-call', burst: 1 }, 'impatient');
  const beside = await runLoop('chat', trial, TERMS);
  expect(beside.facts[0]?.slip).toBe('malformed-arguments');
  expect(beside.facts[0]?.callSteps).toEqual([
    { step: firstCall(plan), ask: 0 },
    { step: parallelCall(plan), ask: 0, slip: 'malformed-arguments' },
  ]);
  expect(parallelCall(plan)).not.toBe(firstCall(plan));
  expect(beside.output).toMatch(new RegExp(`FINAL ANSWER: ${truth}$`));
});

test('the last reply, the plan, the first report and the synthesis are places of their own', async () => {
  const last = await alone({ kind: 'empty-reply', place: 'last-reply', burst: 1 });
  expect([slipsOf(last), last.output]).toEqual([['answer empty-reply'], '']);
  for (const place of ['planner', 'synthesis', 'hand-over'] as const) {
    const end = await divided({ kind: 'empty-reply', place, burst: 1 });
    const met = end.ends.flatMap(({ steps }) => steps).filter((step) => step.endsWith('empty-reply'));
    expect([place, met.length]).toEqual([place, 1]);
  }
});

test('a form that does not fit what the call is given is not met, and a form by name is the form that a draw would choose', () => {
  expect(drawOfForm('schema-violation', 'coercible', { query: 'Alder Quay' })).toBeUndefined();
  expect(violatedArguments(drawOfForm('schema-violation', 'coercible', { page: 3 }) ?? 0, { page: 3 })).toEqual({ page: '3' });
  expect(violatedArguments(drawOfForm('schema-violation', 'extra-key', { query: 'x' }) ?? 0, { query: 'x' })).toEqual({ query: 'x', note: 'as asked' });
  expect(malformedArguments(drawOfForm('malformed-arguments', 'null', {}) ?? 0, '{"a":1}')).toBe('null');
});
