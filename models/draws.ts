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

/** A critic's step: judging what somebody proposed. */
export const VERDICT_STEP = 'verdict';
/** Steps of handing a task on begin with this. */
export const ROUTE = 'route';

/** Handing on the whole task, or one subtask: each is a step of its own. */
export function routeStep(chain: Chain | undefined): string {
  return chain === undefined ? ROUTE : `${ROUTE} ${chain.steps.at(-1) ?? ''}`;
}

/** The step of handing over what a subtask found: a hand-over is a step of its own (method M4.6). */
export function handOverStep({ steps }: Chain): string {
  return `hand-over ${steps.at(-1) ?? ''}`;
}

/** What can go wrong where: a step with a call, or one of the closing steps. */
function kindsAt(role: string, step: string): ReadonlySet<SlipKind> {
  if (role === 'planner') return AT_PLAN;
  if (role === 'synthesis') return AT_SYNTHESIS;
  if (step.startsWith(ROUTE)) return AT_ROUTE;
  return isClosing(step) ? AT_ANSWER : AT_CALL;
}

function isClosing(step: string): boolean {
  return step === ANSWER_STEP || step === VERDICT_STEP || step.startsWith('hand-over ');
}

const SAID = ['empty-reply', 'cut-reply', 'refusal', 'reasoning-only'] as const;
const AT_ANSWER: ReadonlySet<SlipKind> = new Set([...SAID, 'no-marker']);
const AT_ROUTE: ReadonlySet<SlipKind> = new Set([...SAID, 'unknown-route', 'malformed-arguments', 'prose']);
const AT_PLAN: ReadonlySet<SlipKind> = new Set([...SAID, 'malformed-plan', 'missing-subtask']);
const AT_SYNTHESIS: ReadonlySet<SlipKind> = new Set([...SAID, 'no-marker', 'missing-value']);
const AT_CALL: ReadonlySet<SlipKind> = new Set([...SAID, 'unknown-tool', 'malformed-arguments', 'schema-violation', 'repeated-call', 'early-answer', 'prose']);

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
      const place = isClosing(step) ? 'answer' : kinds === AT_CALL ? 'call' : undefined;
      const can = (kind: SlipKind) => kinds.has(kind) || profile.own?.some(({ name, at }) => `own:${name}` === kind && at === place) === true;
      return profile.slips.find(([kind, rate]) => can(kind) && atAsk(role, step, ask, kind) < rate)?.[0];
    },
  };
}

/** How a trial was split up: not at all; its conversation handed on; among planner, workers and synthesis; by somebody who hands out subtasks. */
export type Split = 'alone' | 'handed-on' | 'divided' | 'delegated';

/**
 * Whether no slip and no wrong call is drawn at any step's first ask (method M6.2). The same for every row of a shape, whatever its requests look like.
 * @param split whose draws count
 */
export function isUndisturbed(draws: Draws, plan: SolutionPlan, profile: Profile, split: Split): boolean {
  const withCalls = plan.steps.filter((step) => step.call);
  if (withCalls.some((step) => asksWrongly(draws, step.id, profile))) return false;
  const inParts = split === 'divided' || split === 'delegated';
  const worker = inParts ? 'subtask-worker' : withCalls.length > 0 ? 'agent' : 'plain-answerer';
  const asks: [role: string, step: string][] = withCalls.map((step) => [worker, step.id]);
  if (inParts) asks.push(...plan.chains.map((chain): [string, string] => [worker, handOverStep(chain)]));
  switch (split) {
    case 'alone':
      asks.push([worker, ANSWER_STEP]);
      break;
    case 'handed-on':
      asks.push(['triage', ROUTE], [worker, ANSWER_STEP]);
      break;
    case 'divided':
      asks.push(['planner', PLAN_STEP], ['synthesis', ANSWER_STEP]);
      break;
    case 'delegated':
      asks.push(...plan.chains.map((chain): [string, string] => ['delegator', routeStep(chain)]), ['delegator', ANSWER_STEP]);
      break;
    default:
      return split satisfies never;
  }
  return asks.every(([role, step]) => draws.slip(role, step, 0) === undefined);
}

export function asksWrongly(draws: Draws, step: string, profile: Profile): boolean {
  return draws.knowledge(step, 'asked-wrongly') < profile.askedWrongly;
}
