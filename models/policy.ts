// Which step comes next, and what is done about it: the first undone step whose needs are met, one call a turn; an answer when all that it needs is there, or when
// nothing more can be done. The second policy is in haste: it calls all that it can at once, tries nothing twice, and answers as soon as one step has failed.
// Pure: evidence, history of asks and draws come in as arguments.
import { valuesNeeded } from '../tasks/formula.ts';
import type { Chain, PlannedCall, PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Act, Progress } from './asks.ts';
import type { PolicyName } from './control.ts';
import { type Evidence, filledCall } from './read-evidence.ts';

export type CallMove = {
  readonly kind: 'call';
  readonly step: PlanStep;
  readonly call: PlannedCall;
  readonly act: Extract<Act, 'plan' | 'second' | 'wrong' | 'reader'>;
};

export type Move =
  | CallMove
  /** Handing a subtask on, or without one the whole task. */
  | { readonly kind: 'route'; readonly chain: Chain | undefined; readonly act: Extract<Act, 'plan' | 'second'> }
  /**
   * `known`: computed from what was read. `not-found`: everything was tried. `forced`: steps are open and no tool may be called. `early`: in haste.
   * `passed-on`: somebody else's whole answer.
   */
  | { readonly kind: 'answer'; readonly how: 'known' | 'not-found' | 'forced' | 'early' | 'passed-on' };

export interface Situation {
  readonly plan: SolutionPlan;
  /** The steps asked for: all, or those of one chain. */
  readonly steps: readonly PlanStep[];
  readonly whole: boolean;
  readonly policy: PolicyName;
  readonly evidence: Evidence;
  readonly mayCall: boolean;
  /** Whether the step's tool is offered. */
  readonly offered: (tool: string) => boolean;
  /** A call that reads what a framework has put away in place of a result; absent where nothing looks like that. */
  readonly putAway: () => PlannedCall | undefined;
  readonly progress: (step: string) => Progress;
  /** Knowledge: the first call of this step bears a wrong value. */
  readonly asksWrongly: (step: string) => boolean;
  /** Knowledge: a result without evidence after a wrong call is noticed. */
  readonly notices: (step: string) => boolean;
  readonly giveUp: (step: string, why: 'not-found' | 'not-noticed') => void;
}

export function nextMove(situation: Situation): Move {
  const { plan, steps, evidence, mayCall, policy } = situation;
  const isDone = (step: PlanStep) => step.call === undefined || evidence.done.has(step.id);
  const known = situation.whole ? valuesNeeded(plan.answer).every((name) => evidence.values[name] !== undefined) : steps.every(isDone);
  if (known) return { kind: 'answer', how: 'known' };
  if (!mayCall) return { kind: 'answer', how: 'forced' };
  for (const step of steps) {
    const move = callFor(step, situation);
    if (move === 'given-up' && policy === 'impatient') return { kind: 'answer', how: 'early' };
    if (typeof move === 'object') return move;
  }
  return { kind: 'answer', how: 'not-found' };
}

/** What else the one in haste calls in the same turn: every other step that can be called now. */
export function callsBeside(first: CallMove, situation: Situation): CallMove[] {
  if (situation.policy !== 'impatient') return [];
  const others = situation.steps.filter((step) => step !== first.step);
  return others.map((step) => callFor(step, situation)).filter((move) => typeof move === 'object');
}

/** @returns `undefined` for a step that is done, or cannot be called yet or here */
function callFor(step: PlanStep, situation: Situation): CallMove | 'given-up' | undefined {
  const { evidence } = situation;
  if (step.call === undefined || evidence.done.has(step.id) || !situation.offered(step.call.tool)) return undefined;
  const act = actFor(step, situation);
  if (act === undefined) return 'given-up';
  if (act === 'reader') return { kind: 'call', step, call: situation.putAway() as PlannedCall, act };
  const planned = act === 'second' ? (step.secondTry as PlannedCall) : step.call;
  const call = filledCall(planned, evidence.values);
  return call && { kind: 'call', step, call: act === 'wrong' ? wronglyFilled(call) : call, act };
}

/** @returns `undefined` when the step is given up (method M4.8): its call was executed, and so was what a person would try next */
function actFor(step: PlanStep, situation: Situation): CallMove['act'] | undefined {
  const { tried } = situation.progress(step.id);
  const canTryAgain = step.secondTry !== undefined && situation.policy !== 'impatient';
  if ((tried.has('plan') || tried.has('second')) && !tried.has('reader') && situation.putAway() !== undefined) return 'reader';
  if (tried.has('second') || (tried.has('plan') && !canTryAgain)) {
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
