// All chance of the simulated model (method M4.6). Knowledge belongs to a step: asking again makes nobody wiser. Slips belong to an ask. Neither knows which
// framework asks, how its requests are shaped, or when they came.
import { drawUnit } from '../base/random.ts';
import type { SolutionPlan } from '../tasks/plan.ts';
import { canonicalText } from './canonical.ts';
import type { Profile, SlipKind } from './rates.ts';

/** The step of giving the answer: it has slips of its own and no evidence. */
export const ANSWER_STEP = 'answer';

export interface Draws {
  /** In [0, 1), by step: ability, wrong values, noticing, reading. */
  knowledge(step: string, what: string): number;
  /** The first kind of the table that is drawn at this ask. */
  slip(role: string, step: string, ask: number): SlipKind | undefined;
  /** In [0, 1), by ask: correction, and which form a slip takes. */
  atAsk(role: string, step: string, ask: number, what: string): number;
}

export function drawsFor(seed: number, trialIndex: number, plan: SolutionPlan, profile: Profile): Draws {
  const task = canonicalText(plan.question);
  const atAsk = (role: string, step: string, ask: number, what: string) => drawUnit(seed, trialIndex, task, 'slip', role, step, ask, what);
  return {
    knowledge: (step, what) => drawUnit(seed, trialIndex, task, 'knowledge', step, what),
    atAsk,
    slip: (role, step, ask) => {
      const applicable = step === ANSWER_STEP ? profile.slips.filter(([kind]) => kind === 'empty-reply') : profile.slips;
      return applicable.find(([kind, rate]) => atAsk(role, step, ask, kind) < rate)?.[0];
    },
  };
}

/** Whether no slip and no wrong call is drawn at any step's first ask (method M6.2). The same for every row, whatever its requests look like. */
export function isUndisturbed(draws: Draws, plan: SolutionPlan, profile: Profile): boolean {
  const withCalls = plan.steps.filter((step) => step.call);
  const role = withCalls.length > 0 ? 'agent' : 'plain-answerer';
  const steps = [...withCalls.map((step) => step.id), ANSWER_STEP];
  return steps.every((step) => draws.slip(role, step, 0) === undefined && (step === ANSWER_STEP || !asksWrongly(draws, step, profile)));
}

export function asksWrongly(draws: Draws, step: string, profile: Profile): boolean {
  return draws.knowledge(step, 'asked-wrongly') < profile.askedWrongly;
}
