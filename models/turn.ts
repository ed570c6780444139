// One request to the simulated model, read: who asks, in which part, for which steps, and which evidence stands in it.
import type { Chain, PlannedCall, PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Conversation } from './conversation.ts';
import { ANSWER_STEP, type Draws, handOverStep, PLAN_STEP, ROUTE, VERDICT_STEP } from './draws.ts';
import type { FoundTask } from './find-task.ts';
import { type Evidence, filledCall, readEvidence } from './read-evidence.ts';
import type { ModelRequest } from './read-request.ts';
import { type Role, roleOf } from './roles.ts';
import { type TextProtocol, textProtocolOf } from './text-protocol.ts';

export interface Turn {
  /** With the tools that stand in its text, where calls are to be written into text. */
  readonly request: ModelRequest;
  readonly protocol: TextProtocol | undefined;
  /** Whether the instruction stands in the request: then the answer bears its mark. */
  readonly marked: boolean;
  readonly conversation: Conversation;
  readonly role: Role;
  readonly plan: SolutionPlan;
  /** The steps asked for: all of the plan, or those of one chain. */
  readonly steps: readonly PlanStep[];
  /** The subtask, where only one is asked for. */
  readonly chain: Chain | undefined;
  readonly draws: Draws;
  readonly evidence: Evidence;
}

/**
 * @param conversation about a known task
 * @param besides names of tools that tasks may need, and whether the instruction stands in the request
 */
export function readTurn(
  asked: ModelRequest,
  conversation: Conversation,
  task: FoundTask,
  draws: Draws,
  besides: { readonly knownTools: readonly string[]; readonly marked: boolean },
): Turn {
  const { plan, chain } = task;
  const steps = chain ? plan.steps.filter((step) => chain.steps.includes(step.id)) : plan.steps;
  const protocol = textProtocolOf(asked, besides.knownTools);
  const request = protocol ? { ...asked, tools: protocol.tools } : asked;
  const evidence = readEvidence(plan.steps, conversation, request.tools.length === 0);
  return { request, protocol, marked: besides.marked, conversation, role: roleOf(request, conversation, task, evidence), plan, steps, chain, draws, evidence };
}

/** What this request is about besides calls: planning, handing a subtask's values over, judging, saying who is next, or answering. */
export function closingStep({ role, chain }: Pick<Turn, 'role' | 'chain'>): string {
  if (role.name === 'planner') return PLAN_STEP;
  if (role.name === 'critic') return VERDICT_STEP;
  if (role.name === 'router') return ROUTE;
  return role.name === 'subtask-worker' && chain ? handOverStep(chain) : ANSWER_STEP;
}

/** The call of the last step that was done: what a model that repeats itself repeats. */
export function lastCall(turn: Turn): PlannedCall | undefined {
  const last = turn.steps.filter((step) => turn.evidence.done.has(step.id)).at(-1);
  return last?.call && filledCall(last.call, turn.evidence.values);
}
