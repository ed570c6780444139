// Our own choices that no source settles (method M9.1), each with the places that it is turned to: one at a time, then all unsourced figures at their lowest and at their highest.
// Data only; `ablate choices` runs them. The length of pages has no dial, so it is not here.
import { RATES } from '../models/rates.ts';
import type { PlanSpecInput } from '../runners/plan-spec.ts';

export interface Choice {
  /** Stands in the report, and in the name of a run's folder. */
  readonly name: string;
  readonly plan: Partial<PlanSpecInput>;
}

type RateName = (typeof RATES)[number]['name'];

/** Kinds of slip whose rate is assumed; those that stand at nought are no part of a profile. */
const SLIPS = RATES.filter(({ per, of, source }) => per === 'ask' && of['gpt-4o-mini'] > 0 && source.startsWith('assumed')).map(({ name }) => name);
const CORRECTION: readonly RateName[] = ['correction', 'correction-when-named'];
const ABILITY: readonly RateName[] = ['ability-level-1', 'ability-level-2', 'ability-level-3'];
const UNSOURCED: readonly RateName[] = [...SLIPS, ...CORRECTION, ...ABILITY, 'asked-wrongly-share', 'thought'];

type End = 'low' | 'high';

function swept(names: readonly RateName[], end: End): Record<string, number> {
  return Object.fromEntries(
    RATES.filter(({ name }) => names.includes(name)).map(({ name, sweep }) => [name, end === 'low' ? Math.min(...sweep) : Math.max(...sweep)]),
  );
}

function ends(words: string, names: readonly RateName[]): Choice[] {
  return (['low', 'high'] as const).map((end) => {
    const rates = swept(names, end);
    return { name: `${words}-${Object.values(rates)[0]}`, plan: { rates } };
  });
}

export const CHOICES: readonly Choice[] = [
  ...ends('slips', SLIPS),
  ...ends('q', CORRECTION),
  ...ends('asked-wrongly', ['asked-wrongly-share']),
  ...ends('wrong-value', ['wrong-value']),
  ...ends('thought', ['thought']),
  { name: 'ability-low', plan: { rates: swept(ABILITY, 'low') } },
  { name: 'profile-gpt-4o', plan: { profile: 'gpt-4o' } },
  { name: 'enforcement-ignored', plan: { enforce: 'ignored' } },
  { name: 'tool-errors-text', plan: { toolErrors: 'text' } },
  { name: 'broker-lenient', plan: { broker: 'lenient' } },
  { name: 'instruction-system', plan: { instruction: 'system' } },
  { name: 'instruction-user', plan: { instruction: 'user' } },
  { name: 'policy-impatient', plan: { policy: 'impatient' } },
  { name: 'all-low', plan: { rates: swept(UNSOURCED, 'low') } },
  { name: 'all-high', plan: { rates: swept(UNSOURCED, 'high') } },
];
