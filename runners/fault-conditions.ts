// What each trial of the reliability study meets (method M7): which kinds a framework can see, in which forms, at which places, how often in a row; and on which tasks.
// Kinds that no framework can see (a wrong value, a misreading, a wrong thought, an early answer, a missing mark, subtask or value) are no conditions: there is nothing to respond to.
import type { ShapeName } from '../adapters/adapter.ts';
import { UsageError } from '../base/error.ts';
import { BURSTS, type Burst, type Condition, type Place } from '../base/forced-fault.ts';
import type { ProfileName } from '../models/control.ts';
import { firstCall, laterCall, parallelCall } from '../models/forced-slip.ts';
import { RATES, type SlipKind } from '../models/rates.ts';
import { SLIP_FORMS } from '../models/slips.ts';
import type { SolutionPlan } from '../tasks/plan.ts';
import type { Task } from '../tasks/task.ts';
import { stratifiedSample } from './plan.ts';

const CALLS = ['first-call', 'later-call', 'parallel-call'] as const satisfies Place[];
/** A turn without a word: wherever the model speaks. Of parallel calls it takes the whole turn, so that there are none. */
const SPOKEN = ['first-call', 'later-call', 'route', 'planner', 'hand-over', 'synthesis', 'last-reply'] as const satisfies Place[];

/** In the order in which tables show them. */
const SEEN: readonly (readonly [kind: SlipKind, places: readonly Place[]])[] = [
  ['unknown-tool', CALLS],
  ['malformed-arguments', [...CALLS, 'route']],
  ['schema-violation', CALLS],
  ['repeated-call', ['later-call']],
  ['prose', ['first-call', 'later-call', 'route']],
  ['empty-reply', SPOKEN],
  ['cut-reply', SPOKEN],
  ['refusal', SPOKEN],
  ['reasoning-only', SPOKEN],
  ['malformed-plan', ['planner']],
  ['unknown-route', ['route']],
];

const PLACES_OF: Readonly<Record<ShapeName, readonly Place[]>> = {
  single: ['first-call', 'later-call', 'parallel-call', 'last-reply'],
  dag: ['planner', 'first-call', 'later-call', 'hand-over', 'synthesis'],
  // What an idiom divides, and how, is its own affair.
  idiomatic: ['route', 'planner', 'first-call', 'later-call', 'hand-over', 'synthesis', 'last-reply'],
};

export interface FaultStudy {
  readonly bursts?: readonly Burst[] | undefined;
  /** Trials of each task in which the rates of the run draw. */
  readonly draws: number;
}

/** The twin first, then each fault, then the draws: a trial's index says which of them it is. */
export function faultConditions({ bursts = BURSTS, draws }: FaultStudy, shapes: readonly ShapeName[]): Condition[] {
  const places = new Set(shapes.flatMap((shape) => PLACES_OF[shape]));
  const forced = SEEN.flatMap(([kind, at]) =>
    at
      .filter((place) => places.has(place))
      .flatMap((place) => formsOf(kind).flatMap((form) => bursts.map((burst): Condition => ({ what: 'forced', kind, ...(form && { form }), place, burst })))),
  );
  const beside: Condition[] = places.has('parallel-call') ? [{ what: 'twin', policy: 'impatient' }] : [];
  return [{ what: 'twin' }, ...beside, ...forced, ...Array.from({ length: draws }, (): Condition => ({ what: 'drawn' }))];
}

function formsOf(kind: SlipKind): readonly (string | undefined)[] {
  return Object.entries(SLIP_FORMS).find(([name]) => name === kind)?.[1] ?? [undefined];
}

/** The rates of a profile, without whatever no framework can see: what the profile `clean` is to draw beside nothing else. */
export function seenRates(profile: Exclude<ProfileName, 'clean'>, given: Readonly<Record<string, number>>): Record<string, number> {
  const names: readonly string[] = [...SEEN.map(([kind]) => kind), 'correction', 'correction-when-named'];
  const foreign = Object.keys(given).find((name) => !names.includes(name));
  if (foreign !== undefined)
    throw new UsageError('BAD_OPTION', `--rates ${foreign}: no framework can see it, so it is no part of this study`, {
      remedy: `There are: ${names.join(', ')}.`,
    });
  return Object.fromEntries(RATES.filter(({ name }) => names.includes(name)).map(({ name, of }) => [name, given[name] ?? of[profile]]));
}

const TASKS_A_CELL = 6;

/** Tasks that have every place: two chains or more, and a chain with a later call. @throws UsageError NOTHING_TO_RUN */
export function faultTasks(tasks: readonly Task[], plans: readonly SolutionPlan[], wanted: number | undefined, seed: number): Task[] {
  const byQuestion = new Map(plans.map((plan) => [plan.question, plan]));
  const fit = tasks.filter(({ question }) => {
    const plan = byQuestion.get(question);
    return plan !== undefined && firstCall(plan) !== undefined && laterCall(plan) !== undefined && parallelCall(plan) !== undefined;
  });
  if (fit.length === 0)
    throw new UsageError('NOTHING_TO_RUN', 'no task of the set has two independent chains and a chain of two calls', {
      remedy: 'Take open68 or a larger set.',
    });
  return stratifiedSample(fit, wanted ?? TASKS_A_CELL, seed);
}
