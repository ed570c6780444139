// A fault that the simulated model is made to say, in place of one that it draws (method M7): which kind in which form, where in a trial, and how often in a row.
// Words shared by who plans such trials, who says the fault, and who reads the records.

/** Where in a trial. `first-call`: of whoever has tools. `parallel-call`: one of two calls in one turn. `hand-over`: a subtask's report. `route`: handing the task on. */
export const PLACES = ['first-call', 'later-call', 'parallel-call', 'route', 'planner', 'hand-over', 'synthesis', 'last-reply'] as const;
export type Place = (typeof PLACES)[number];

/** How often in a row at one step. */
export const BURSTS = [1, 2, 3, 'endless'] as const;
export type Burst = (typeof BURSTS)[number];

export interface ForcedFault {
  /** Kind of slip. */
  readonly kind: string;
  /** Sub-kind; absent where the kind has one form. */
  readonly form?: string;
  readonly place: Place;
  readonly burst: Burst;
}

/** What one trial of such a study meets: nothing (the twin), one forced fault, or what the rates of the run draw. */
export type Condition = { readonly what: 'twin'; readonly policy?: 'impatient' } | ({ readonly what: 'forced' } & ForcedFault) | { readonly what: 'drawn' };

/** The place of a reply, by what it was about; calls are told apart by their order. @returns `undefined` for a reply without a place, such as a verdict */
export function placeOf(
  role: string | undefined,
  step: string | undefined,
): Exclude<Place, 'first-call' | 'later-call' | 'parallel-call'> | 'call' | undefined {
  if (step === undefined || step === 'verdict') return undefined;
  if (role === 'planner') return 'planner';
  if (role === 'synthesis') return 'synthesis';
  if (step === 'route' || step.startsWith('route ')) return 'route';
  if (step.startsWith('hand-over ')) return 'hand-over';
  return step === 'answer' ? 'last-reply' : 'call';
}
