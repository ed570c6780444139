// Which step comes next, and what is done about it: the first undone step whose needs are met, one call a turn; an answer when all that it needs is there, or when
// nothing more can be done. Pure: evidence, history of asks and draws come in as arguments.
import { valuesNeeded } from '../tasks/formula.ts';
import type { PlannedCall, PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Act, Progress } from './asks.ts';
import { type Evidence, filledCall } from './read-evidence.ts';

export type Move =
  | { readonly kind: 'call'; readonly step: PlanStep; readonly call: PlannedCall; readonly act: Extract<Act, 'plan' | 'second' | 'wrong'> }
  /** `known`: computed from what was read. `not-found`: everything was tried. `forced`: steps are open and no tool may be called. */
  | { readonly kind: 'answer'; readonly how: 'known' | 'not-found' | 'forced' };

export interface Situation {
  readonly plan: SolutionPlan;
  /** The steps asked for: all, or those of one chain. */
  readonly steps: readonly PlanStep[];
  readonly whole: boolean;
  readonly evidence: Evidence;
  readonly mayCall: boolean;
  /** Whether the step's tool is offered. */
  readonly offered: (tool: string) => boolean;
  readonly progress: (step: string) => Progress;
  /** Knowledge: the first call of this step bears a wrong value. */
  readonly asksWrongly: (step: string) => boolean;
  /** Knowledge: a result without evidence after a wrong call is noticed. */
  readonly notices: (step: string) => boolean;
  readonly giveUp: (step: string, why: 'not-found' | 'not-noticed') => void;
}

export function nextMove(situation: Situation): Move {
  const { plan, steps, evidence, mayCall } = situation;
  const isDone = (step: PlanStep) => step.call === undefined || evidence.done.has(step.id);
  const known = situation.whole ? valuesNeeded(plan.answer).every((name) => evidence.values[name] !== undefined) : steps.every(isDone);
  if (known) return { kind: 'answer', how: 'known' };
  if (!mayCall) return { kind: 'answer', how: 'forced' };
  for (const step of steps) {
    if (isDone(step) || !step.call || !situation.offered(step.call.tool)) continue;
    const act = actFor(step, situation);
    if (act === undefined) continue;
    const planned = act === 'second' ? (step.secondTry as PlannedCall) : step.call;
    const call = filledCall(planned, evidence.values);
    if (call) return { kind: 'call', step, call: act === 'wrong' ? wronglyFilled(call) : call, act };
  }
  return { kind: 'answer', how: 'not-found' };
}

/** @returns `undefined` when the step is given up (method M4.8): its call was executed, and so was what a person would try next */
function actFor(step: PlanStep, situation: Situation): Extract<Act, 'plan' | 'second' | 'wrong'> | undefined {
  const { tried } = situation.progress(step.id);
  if (tried.has('second') || (tried.has('plan') && !step.secondTry)) {
    situation.giveUp(step.id, 'not-found');
    return undefined;
  }
  if (tried.has('plan')) return 'second';
  if (!situation.asksWrongly(step.id)) return 'plan';
  if (!tried.has('wrong')) return 'wrong';
  if (situation.notices(step.id)) return 'plan';
  situation.giveUp(step.id, 'not-noticed');
  return undefined;
}

/** The same call with one value that is of the right kind and wrong: the next digit, or one word less. */
export function wronglyFilled(call: PlannedCall): PlannedCall {
  const [key, value] = Object.entries(call.arguments).find(([, given]) => wrongValue(given) !== given) ?? [];
  return key === undefined || value === undefined ? call : { tool: call.tool, arguments: { ...call.arguments, [key]: wrongValue(value) } };
}

function wrongValue(value: string | number | boolean): string | number | boolean {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  const digit = /\d(?=\D*$)/.exec(value);
  if (digit) return `${value.slice(0, digit.index)}${(Number(digit[0]) + 1) % 10}${value.slice(digit.index + 1)}`;
  const words = value.split(' ');
  return words.length > 1 ? words.slice(1).join(' ') : value.includes('/') ? value.replace(/(.)$/, '$1-old') : `${value}s`;
}
