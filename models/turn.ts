// One request to the simulated model, read: who asks, in which part, for which steps, and which evidence stands in it.
import type { PlannedCall, PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Conversation } from './conversation.ts';
import type { Draws } from './draws.ts';
import { type Evidence, filledCall, readEvidence } from './read-evidence.ts';
import type { ModelRequest } from './read-request.ts';
import type { Role } from './roles.ts';

export interface Turn {
  readonly request: ModelRequest;
  readonly conversation: Conversation;
  readonly role: Role;
  readonly plan: SolutionPlan;
  /** The steps asked for: all of the plan, or those of one chain. */
  readonly steps: readonly PlanStep[];
  readonly draws: Draws;
  readonly evidence: Evidence;
}

/** @param conversation about a known task */
export function readTurn(request: ModelRequest, conversation: Conversation, role: Role, draws: Draws): Turn {
  const { plan, chain } = conversation.task as NonNullable<Conversation['task']>;
  const steps = chain ? plan.steps.filter((step) => chain.steps.includes(step.id)) : plan.steps;
  return { request, conversation, role, plan, steps, draws, evidence: readEvidence(plan.steps, conversation) };
}

/** The call of the last step that was done: what a model that repeats itself repeats. */
export function lastCall(turn: Turn): PlannedCall | undefined {
  const last = turn.steps.filter((step) => turn.evidence.done.has(step.id)).at(-1);
  return last?.call && filledCall(last.call, turn.evidence.values);
}
