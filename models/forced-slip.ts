// Whether this ask is the one at which a trial is made to meet its fault (method M7). Nothing is drawn here, and nothing depends on who asks.
import { type ForcedFault, placeOf } from '../base/forced-fault.ts';
import type { Chain, PlannedCall, SolutionPlan } from '../tasks/plan.ts';
import { SLIP_KINDS, type SlipKind } from './rates.ts';
import { drawOfForm } from './slips.ts';

export interface Ask {
  readonly plan: SolutionPlan;
  readonly role: string;
  readonly step: string;
  /** The call that would be made rightly; absent where none is. */
  readonly call: PlannedCall | undefined;
}

/** @param said how often the trial has met its fault already. @returns the slip, and the draw that gives its form */
export function forcedSlip(forced: ForcedFault, { plan, role, step, call }: Ask, said: number): { readonly slip: SlipKind; readonly draw: number } | undefined {
  const slip = SLIP_KINDS.find((kind) => kind === forced.kind);
  if (slip === undefined || (forced.burst !== 'endless' && said >= forced.burst)) return undefined;
  if (!isAt(forced, plan, role, step)) return undefined;
  const draw = forced.form === undefined ? 0 : drawOfForm(slip, forced.form, call?.arguments ?? {});
  return draw === undefined ? undefined : { slip, draw };
}

function isAt({ place }: ForcedFault, plan: SolutionPlan, role: string, step: string): boolean {
  switch (place) {
    case 'first-call':
      return step === firstCall(plan);
    case 'later-call':
      return step === laterCall(plan);
    case 'parallel-call':
      return step === parallelCall(plan);
    // Of several subtasks the first one: the others show what their neighbours lose.
    case 'hand-over':
      return placeOf(role, step) === place && step === `hand-over ${plan.chains[0]?.steps.at(-1)}`;
    case 'route':
      return step === 'route' || step === `route ${plan.chains[0]?.steps.at(-1)}`;
    case 'planner':
    case 'synthesis':
    case 'last-reply':
      return placeOf(role, step) === place;
    default:
      return place satisfies never;
  }
}

export function firstCall({ steps }: SolutionPlan): string | undefined {
  return steps.find(({ call }) => call !== undefined)?.id;
}

/** The last call of the chain with the most of them, so that it is a later one whether or not the task was divided. */
export function laterCall(plan: SolutionPlan): string | undefined {
  const longest = plan.chains.map((chain) => callsOf(plan, chain)).reduce((best, calls) => (calls.length > best.length ? calls : best), []);
  return longest.length < 2 ? undefined : longest.at(-1);
}

/** The first call of the second chain: it can be made beside that of the first. */
export function parallelCall(plan: SolutionPlan): string | undefined {
  const second = plan.chains[1];
  return second && callsOf(plan, second).find((id) => plan.steps.some((step) => step.id === id && step.needs.length === 0));
}

function callsOf({ steps }: SolutionPlan, chain: Chain): string[] {
  return steps.filter(({ id, call }) => call !== undefined && chain.steps.includes(id)).map(({ id }) => id);
}
