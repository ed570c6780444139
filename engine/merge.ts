// Merge rules: how several writes of one key become one value. Writes are folded in the order of the graph, never in the order of time,
// so a rule need not be commutative and the value is the same whatever the timing.
import type { Schema } from './schema.ts';

/** A key that several nodes may write, in any order. `Value` is what a reader gets, `Write` what a writer gives. */
export interface MergeRule<Value, Write = Value> {
  readonly kind: 'merge';
  readonly name: string;
  readonly initial: () => Value;
  readonly fold: (value: Value, write: Write) => Value;
  /** Checks one write; absent where `accepts` says it all. */
  readonly schema?: unknown;
  readonly accepts?: (write: unknown) => boolean;
  /** What a reader gets, where the rule itself tells. */
  readonly gives?: 'list' | 'number';
  readonly types?: { readonly value: Value; readonly write: Write };
}

const isNumber = (write: unknown) => typeof write === 'number';

export const merge = Object.freeze({
  /** All writes as a list. */
  append: <Write>(schema: Schema<Write>): MergeRule<readonly Write[], Write> => ({
    kind: 'merge',
    name: 'append',
    initial: () => [],
    // The list is made by `initial` for this fold alone, so it may grow in place.
    fold: (list, write) => {
      (list as Write[]).push(write);
      return list;
    },
    schema,
    gives: 'list',
  }),
  sum: (): MergeRule<number> => ({ kind: 'merge', name: 'sum', initial: () => 0, fold: (sum, write) => sum + write, accepts: isNumber, gives: 'number' }),
  /** The largest write; `-Infinity` when there is none. */
  max: (): MergeRule<number> => ({ kind: 'merge', name: 'max', initial: () => Number.NEGATIVE_INFINITY, fold: Math.max, accepts: isNumber, gives: 'number' }),
  /** The smallest write; `Infinity` when there is none. */
  min: (): MergeRule<number> => ({ kind: 'merge', name: 'min', initial: () => Number.POSITIVE_INFINITY, fold: Math.min, accepts: isNumber, gives: 'number' }),
  /** A rule of your own. `fold` must not change its arguments. */
  with: <Value, Write>(rule: {
    readonly name: string;
    readonly write: Schema<Write>;
    readonly initial: Value;
    readonly fold: (value: Value, write: Write) => Value;
  }): MergeRule<Value, Write> => ({
    kind: 'merge',
    name: rule.name,
    initial: () => rule.initial,
    fold: rule.fold,
    schema: rule.write,
  }),
});

export function isMergeRule(declared: unknown): declared is MergeRule<unknown, unknown> {
  return declared !== null && typeof declared === 'object' && (declared as { readonly kind?: unknown }).kind === 'merge';
}
