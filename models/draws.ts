// All chance of the simulated model (method M4.6). Knowledge belongs to a step: asking again makes nobody wiser. Slips belong to an ask. Neither knows which
// framework asks, how its requests are shaped, or when they came.
import { drawUnit } from '../base/random.ts';
import type { Chain, SolutionPlan } from '../tasks/plan.ts';
import { canonicalText } from './canonical.ts';
import type { Profile, SlipKind } from './rates.ts';

/** The step of giving the answer: it has slips of its own and no evidence. */
export const ANSWER_STEP = 'answer';
/** The step of writing a plan. */
export const PLAN_STEP = 'plan';

/** The step of handing over what a subtask found: a hand-over is a step of its own (method M4.6). */
export function handOverStep({ steps }: Chain): string {
  return `hand-over ${steps.at(-1) ?? ''}`;
}

/** What can go wrong where: a step with a call, or one of the closing steps. */
function kindsAt(role: string, step: string): ReadonlySet<SlipKind> {
  if (role === 'planner') return AT_PLAN;
  if (role === 'synthesis') return AT_SYNTHESIS;
  return step === ANSWER_STEP || step.startsWith('hand-over ') ? AT_ANSWER : AT_CALL;
}

const AT_ANSWER: ReadonlySet<SlipKind> = new Set(['empty-reply']);
const AT_PLAN: ReadonlySet<SlipKind> = new Set(['empty-reply', 'malformed-plan', 'missing-subtask']);
const AT_SYNTHESIS: ReadonlySet<SlipKind> = new Set(['empty-reply', 'missing-value']);
const AT_CALL: ReadonlySet<SlipKind> = new Set(['unknown-tool', 'malformed-arguments', 'schema-violation', 'repeated-call', 'empty-reply', 'early-answer']);

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
      const kinds = kindsAt(role, step);
      return profile.slips.find(([kind, rate]) => kinds.has(kind) && atAsk(role, step, ask, kind) < rate)?.[0];
    },
  };
}

/**
 * Whether no slip and no wrong call is drawn at any step's first ask (method M6.2). The same for every row of a shape, whatever its requests look like.
 * @param divided the trial was divided among planner, subtask workers and synthesis: then their draws count
 */
export function isUndisturbed(draws: Draws, plan: SolutionPlan, profile: Profile, divided: boolean): boolean {
  const withCalls = plan.steps.filter((step) => step.call);
  if (withCalls.some((step) => asksWrongly(draws, step.id, profile))) return false;
  const worker = divided ? 'subtask-worker' : withCalls.length > 0 ? 'agent' : 'plain-answerer';
  const asks: [role: string, step: string][] = withCalls.map((step) => [worker, step.id]);
  if (divided) asks.push(['planner', PLAN_STEP], ...plan.chains.map((chain): [string, string] => [worker, handOverStep(chain)]), ['synthesis', ANSWER_STEP]);
  else asks.push([worker, ANSWER_STEP]);
  return asks.every(([role, step]) => draws.slip(role, step, 0) === undefined);
}

export function asksWrongly(draws: Draws, step: string, profile: Profile): boolean {
  return draws.knowledge(step, 'asked-wrongly') < profile.askedWrongly;
}
