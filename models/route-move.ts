// What somebody does who has no tools for the task and can hand it on: a delegator hands out subtask by subtask and reads the reports, a triage hands the whole
// conversation over. Each is tried once more when nothing came of it, then given up. Pure, like policy.ts.
import { valuesNeeded } from '../tasks/formula.ts';
import type { Chain, SolutionPlan } from '../tasks/plan.ts';
import type { Progress } from './asks.ts';
import { routeStep } from './draws.ts';
import type { Move } from './policy.ts';
import type { Proposal } from './proposal.ts';
import type { Evidence } from './read-evidence.ts';

export interface RouteSituation {
  readonly plan: SolutionPlan;
  readonly evidence: Evidence;
  readonly proposal: Proposal | undefined;
  readonly mayCall: boolean;
  /** Whether parts can be handed out; else only the whole. */
  readonly delegates: boolean;
  readonly progress: (step: string) => Progress;
}

export function nextRoute({ plan, evidence, proposal, mayCall, delegates, progress }: RouteSituation): Move {
  if (valuesNeeded(plan.answer).every((name) => evidence.values[name] !== undefined)) return { kind: 'answer', how: 'known' };
  // A whole answer that came back is passed on as it is.
  if (proposal?.answer !== undefined) return { kind: 'answer', how: 'passed-on' };
  if (!mayCall) return { kind: 'answer', how: 'forced' };
  for (const chain of delegates ? plan.chains : [undefined]) {
    if (chain !== undefined && isDone(chain, plan, evidence)) continue;
    const { tried } = progress(routeStep(chain));
    if (tried.has('second')) continue;
    return { kind: 'route', chain, act: tried.has('plan') ? 'second' : 'plan' };
  }
  return { kind: 'answer', how: 'not-found' };
}

function isDone({ steps }: Chain, plan: SolutionPlan, { done }: Evidence): boolean {
  return plan.steps.every((step) => !steps.includes(step.id) || step.call === undefined || done.has(step.id));
}
