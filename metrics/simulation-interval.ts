// What may be said of simulated runs over several seeds (method M9.1): the mean of one value a seed with Student's t over seeds, and whether its sign holds when our own
// choices are turned. No test and no p-value: more seeds would buy any significance.
import type { SummaryValue } from './summary.ts';
import { meanOf } from './summary-value.ts';

/** One value a seed, by the name of the seed. */
export type BySeed = ReadonlyMap<string, number>;

/** Fewer seeds make no sentence of a README or a finding. */
export const SEEDS_OF_A_SENTENCE = 20;

/** Mean over seeds with the 95 % interval t(S − 1); `n` is S. @returns `undefined` without a seed; of one seed there is no interval */
export function simulationInterval(values: BySeed): SummaryValue | undefined {
  return meanOf([...values.values()]);
}

/** One minus the other, on seeds that both have: one seed is one world and one draw of faults, so its noise is the same on both sides and leaves the difference. */
export function pairedDifference(one: BySeed, other: BySeed): BySeed {
  return new Map(
    [...one].flatMap(([seed, value]): [string, number][] => {
      const beside = other.get(seed);
      return beside === undefined ? [] : [[seed, value - beside]];
    }),
  );
}

/** A difference with one of our choices turned. */
export interface Turned {
  readonly choice: string;
  readonly difference: SummaryValue;
}

/** Why nothing may be said of a difference yet; the first that applies. */
export type Open = 'seeds' | 'interval' | 'no-choices' | 'turned';

export interface Standing {
  readonly stands: boolean;
  readonly open?: Open;
  /** Choices under which the difference is none or has the other sign. */
  readonly turnedBy: readonly string[];
}

/** A sentence stands if the interval of enough seeds leaves out 0, and no choice turns the sign. A choice counts by its mean alone: it may have fewer seeds. */
export function standingOf(usual: SummaryValue, turned: readonly Turned[]): Standing {
  const { value, n, low, high } = usual;
  const turnedBy = turned.filter(({ difference }) => difference.value * value <= 0).map(({ choice }) => choice);
  const isClear = low !== undefined && high !== undefined && (low > 0 || high < 0);
  const open: Open | undefined =
    n < SEEDS_OF_A_SENTENCE ? 'seeds' : !isClear ? 'interval' : turned.length === 0 ? 'no-choices' : turnedBy.length > 0 ? 'turned' : undefined;
  return { stands: open === undefined, ...(open !== undefined && { open }), turnedBy };
}
