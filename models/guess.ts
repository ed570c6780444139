// An answer from values: the right one, as the plan's formula has it, or one that looks right and is wrong.
import { evaluate } from '../tasks/formula.ts';
import type { PlanStep, SolutionPlan, Values } from '../tasks/plan.ts';
import { ANSWER_STEP } from './draws.ts';
import type { Turn } from './turn.ts';

/** An answer that looks right and is wrong; never the right one. */
export function guess(turn: Turn, right?: string): string | undefined {
  const free = turn.plan.nearMisses.filter((miss) => miss !== right);
  const chosen = free[Math.floor(turn.draws.knowledge(ANSWER_STEP, 'near-miss') * free.length)];
  if (chosen !== undefined || right === undefined) return chosen;
  return Number.isFinite(Number(right)) ? String(Number(right) + 1) : undefined;
}

export function evaluated(plan: SolutionPlan, values: Values): string | undefined {
  try {
    return evaluate(plan.answer, values);
  } catch (thrown) {
    // A distractor of the wrong kind (text where a number belongs) makes the formula inapplicable; the caller guesses.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

export function labelled(steps: readonly PlanStep[], values: Values): { label: string; value: string }[] {
  return steps.flatMap((step) =>
    step.reads.flatMap((read) => {
      const value = values[`${step.id}.${read.name}`];
      return value === undefined ? [] : [{ label: read.label, value: String(value) }];
    }),
  );
}
