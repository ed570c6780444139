// How often the simulated model errs: one dated table with a source a row, or the word assumed (method M4.9). None comes from the tables that the study sets out to check.
// The order of the slips is the order in which they count when several are drawn at one ask.
import type { ProfileName } from './control.ts';

export type SlipKind =
  | 'unknown-tool'
  | 'malformed-arguments'
  | 'schema-violation'
  | 'repeated-call'
  | 'empty-reply'
  | 'early-answer'
  /** Planner: the list is prose, cut, or no JSON where JSON was asked for. */
  | 'malformed-plan'
  /** Planner: one subtask is left out. */
  | 'missing-subtask'
  /** Synthesis: one of the values that were handed over is overlooked. */
  | 'missing-value';

export interface Rate {
  readonly name: SlipKind | 'wrong-value' | 'asked-wrongly-share' | 'thought' | 'correction';
  /** In [0, 1]. */
  readonly value: number;
  readonly per: string;
  readonly source: string;
  /** When the source was read. */
  readonly dated: string;
  /** Values that a sensitivity study tries. */
  readonly sweep: readonly number[];
}

const ASSUMED_SLIP = {
  value: 0.02,
  per: 'ask',
  source: 'assumed: no publication names this kind apart',
  dated: '2026-11-30',
  sweep: [0.005, 0.02, 0.08],
} as const;

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
  {
    name: 'wrong-value',
    value: 0.063,
    per: 'step with a call',
    source:
      'tau-bench, gpt-4o trajectories of the airline domain: 73 error strings in 1,164 tool results; upper sweep: BFCL v3, gpt-4o-mini FC, 14.8 % wrong single-turn calls',
    dated: '2026-11-30',
    sweep: [0.03, 0.063, 0.15],
  },
  {
    name: 'asked-wrongly-share',
    value: 0.5,
    per: 'wrong value',
    source: 'assumed: the sources do not tell a call with a wrong argument, which its result shows, from a result read wrongly, which nothing shows',
    dated: '2026-11-30',
    sweep: [0, 0.5, 1],
  },
  { name: 'thought', value: 0.05, per: 'step without a tool', source: 'assumed', dated: '2026-11-30', sweep: [0.01, 0.05, 0.15] },
  { name: 'correction', value: 0.8, per: 'ask that shows the fault', source: 'assumed', dated: '2026-11-30', sweep: [0.5, 0.8, 0.95] },
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
  readonly rot: boolean;
}

export function profileOf(name: ProfileName): Profile {
  switch (name) {
    case 'clean':
      return { name, slips: [], askedWrongly: 0, readWrongly: 0, thought: 0, correction: 1, rot: false };
    case 'gpt-4o-mini': {
      const value = (wanted: Rate['name']) => (RATES.find((rate) => rate.name === wanted) as Rate).value;
      const slips = RATES.filter((rate): rate is Rate & { name: SlipKind } => rate.per === 'ask').map((rate) => [rate.name, rate.value] as const);
      const asked = value('wrong-value') * value('asked-wrongly-share');
      return {
        name,
        slips,
        askedWrongly: asked,
        readWrongly: value('wrong-value') - asked,
        thought: value('thought'),
        correction: value('correction'),
        rot: true,
      };
    }
    default:
      return name satisfies never;
  }
}
