// How often the simulated model errs, and where each figure comes from (method M4.9). One dated table; nothing here is fitted to the tables that we set out to check.
// What has no published rate is assumed, says so, and is swept. Any rate can be set from outside (`ratesWith`): that is how a sweep is made.
import { CURVE_SETS, type CurveSet } from '../base/reading-curve.ts';
import type { ProfileName } from './control.ts';
import type { HeldOutFault } from './held-out.ts';

export const SLIP_KINDS = [
  'unknown-tool',
  'malformed-arguments',
  'schema-violation',
  'repeated-call',
  'empty-reply',
  'early-answer',
  /** Planner: the list is prose, cut, or no JSON where JSON was asked for. */
  'malformed-plan',
  /** Planner: one subtask is left out. */
  'missing-subtask',
  /** Synthesis: one of the values that were handed over is overlooked. */
  'missing-value',
  /** Whoever hands a task on: to somebody who does not exist. */
  'unknown-route',
  /** Says what it is going to do where it should do it. */
  'prose',
  /** The reply breaks off as if the most tokens were reached. */
  'cut-reply',
  /** The answer without the mark that the instruction wants. */
  'no-marker',
  'refusal',
  /** Thoughts, and nothing said. */
  'reasoning-only',
] as const;
/** `own:NAME` is a kind that somebody brought along (held-out.ts). */
export type SlipKind = (typeof SLIP_KINDS)[number] | `own:${string}`;

type Measured = Exclude<ProfileName, 'clean'>;

export interface Rate {
  readonly name: (typeof RATE_NAMES)[number];
  /** By profile. In [0, 1]. */
  readonly of: Readonly<Record<Measured, number>>;
  readonly per: string;
  readonly source: string;
  /** When the source was read. */
  readonly dated: string;
  /** Values that a sensitivity study tries. */
  readonly sweep: readonly number[];
}
const KNOWLEDGE_RATES = [
  'wrong-value',
  'asked-wrongly-share',
  'thought',
  'correction',
  'correction-when-named',
  'ability-level-1',
  'ability-level-2',
  'ability-level-3',
] as const;
/** All that can be set for a sweep. */
export const RATE_NAMES = [...SLIP_KINDS, ...KNOWLEDGE_RATES] as const;

const DATED = '2026-11-30';
const both = (value: number) => ({ 'gpt-4o-mini': value, 'gpt-4o': value });
const ASSUMED_SLIP = { of: both(0.02), per: 'ask', source: 'assumed: no publication names this kind apart', dated: DATED, sweep: [0.005, 0.02, 0.08] };
/** No kinds of method M4.6: at nought, and a sweep sets them. */
const SWEPT_SLIP = { of: both(0), per: 'ask', source: 'assumed: none unless a sweep sets it', dated: DATED, sweep: [0, 0.005, 0.02, 0.08] };
const ABILITY = {
  of: both(1),
  per: 'task',
  source: 'assumed: what a level costs follows from its number of steps; a further loss stands at none',
  dated: DATED,
};

export const RATES: readonly Rate[] = [
  { name: 'unknown-tool', ...ASSUMED_SLIP },
  { name: 'malformed-arguments', ...ASSUMED_SLIP },
  { name: 'schema-violation', ...ASSUMED_SLIP },
  { name: 'repeated-call', ...ASSUMED_SLIP },
  { name: 'empty-reply', ...ASSUMED_SLIP },
  { name: 'early-answer', ...ASSUMED_SLIP },
  { name: 'malformed-plan', ...ASSUMED_SLIP },
  { name: 'missing-subtask', ...ASSUMED_SLIP },
  { name: 'missing-value', ...ASSUMED_SLIP },
  { name: 'unknown-route', ...ASSUMED_SLIP },
  { name: 'prose', ...ASSUMED_SLIP },
  { name: 'cut-reply', ...ASSUMED_SLIP },
  { name: 'no-marker', ...ASSUMED_SLIP },
  { name: 'refusal', ...SWEPT_SLIP },
  { name: 'reasoning-only', ...SWEPT_SLIP },
  {
    name: 'wrong-value',
    of: both(0.063),
    per: 'step with a call',
    source:
      'tau-bench, gpt-4o trajectories of the airline domain: 73 error strings in 1,164 tool results, standing in for the smaller model too; upper sweep: BFCL v3, wrong single-turn calls, 14.8 % of gpt-4o-mini FC and 12.6 % of gpt-4o FC',
    dated: DATED,
    sweep: [0.03, 0.063, 0.126, 0.15],
  },
  {
    name: 'asked-wrongly-share',
    of: both(0.5),
    per: 'wrong value',
    source: 'assumed: the sources do not tell a call with a wrong argument, which its result shows, from a result read wrongly, which nothing shows',
    dated: DATED,
    sweep: [0, 0.5, 1],
  },
  {
    name: 'thought',
    of: { 'gpt-4o-mini': 0.05, 'gpt-4o': 0.037 },
    per: 'step without a tool',
    source:
      'assumed for gpt-4o-mini; gpt-4o in proportion to what each gets wrong in MGSM (openai/simple-evals README: 90.3 % right for gpt-4o-2024-11-20, 87.0 % for gpt-4o-mini-2024-07-18)',
    dated: DATED,
    sweep: [0.01, 0.037, 0.05, 0.15],
  },
  { name: 'correction', of: both(0.8), per: 'ask that shows the fault', source: 'assumed', dated: DATED, sweep: [0.5, 0.8, 0.95] },
  {
    name: 'correction-when-named',
    of: both(0.8),
    per: 'ask that shows the fault and names tool, parameter or place',
    source: 'assumed: the same, so that the worth of an error text is not claimed',
    dated: DATED,
    sweep: [0.5, 0.8, 0.95],
  },
  { name: 'ability-level-1', ...ABILITY, sweep: [0.9, 1] },
  { name: 'ability-level-2', ...ABILITY, sweep: [0.8, 1] },
  { name: 'ability-level-3', ...ABILITY, sweep: [0.6, 1] },
];

/** What a profile fixes. Latency is no part of it. */
export interface Profile {
  readonly name: string;
  /** In the order in which they count. */
  readonly slips: readonly (readonly [SlipKind, number])[];
  /** The call of a step bears a wrong value. */
  readonly askedWrongly: number;
  /** The result of a step is read wrongly. */
  readonly readWrongly: number;
  readonly thought: number;
  readonly correction: number;
  /** Where the feedback names tool, parameter or place. @default as `correction` */
  readonly correctionWhenNamed?: number;
  /** Share of tasks, by level from 1, that come out right when every value was read right. */
  readonly ability: readonly [number, number, number];
  readonly rot: boolean;
  readonly curves: CurveSet;
  /** Kinds of fault that somebody brought along. */
  readonly own?: readonly HeldOutFault[];
}

const CLEAN: Profile = {
  name: 'clean',
  slips: [],
  askedWrongly: 0,
  readWrongly: 0,
  thought: 0,
  correction: 1,
  ability: [1, 1, 1],
  rot: false,
  curves: CURVE_SETS[0],
};

export function profileOf(name: ProfileName): Profile {
  return name === 'clean' ? CLEAN : measured(name, {});
}

/** The profile with some rates set to other values. Setting one in `clean` leaves the rest of it without errors. */
export function profileWith(name: ProfileName, rates: Readonly<Partial<Record<string, number>>>, own: readonly HeldOutFault[] = []): Profile {
  const base = Object.keys(rates).length === 0 ? profileOf(name) : name === 'clean' ? withRates(CLEAN, rates) : measured(name, rates);
  if (own.length === 0) return base;
  return { ...base, own, slips: [...base.slips, ...own.map((fault) => [`own:${fault.name}`, fault.rate] as const)] };
}

function measured(name: Measured, rates: Readonly<Partial<Record<string, number>>>): Profile {
  const curves = CURVE_SETS.find(({ model }) => model === name) ?? CURVE_SETS[0];
  const all = Object.fromEntries(RATES.map((rate) => [rate.name, rates[rate.name] ?? rate.of[name]]));
  return withRates({ ...CLEAN, name, rot: true, curves }, all);
}

function withRates(base: Profile, rates: Readonly<Partial<Record<string, number>>>): Profile {
  const wrong = rates['wrong-value'] ?? base.askedWrongly + base.readWrongly;
  const asked = wrong * (rates['asked-wrongly-share'] ?? 0.5);
  const correction = rates['correction'] ?? base.correction;
  return {
    ...base,
    slips: SLIP_KINDS.flatMap((kind) => (rates[kind] ? [[kind, rates[kind]] as const] : [])),
    askedWrongly: asked,
    readWrongly: wrong - asked,
    thought: rates['thought'] ?? base.thought,
    correction,
    ...(rates['correction-when-named'] === undefined ? {} : { correctionWhenNamed: rates['correction-when-named'] }),
    ability: [rates['ability-level-1'] ?? 1, rates['ability-level-2'] ?? 1, rates['ability-level-3'] ?? 1],
  };
}
