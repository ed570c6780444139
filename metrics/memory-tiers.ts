// What an ablation of memory may print of one configuration (method M8): contexts and bytes are measured, accuracy is implied by published curves and by nothing else.
import { CURVE_SETS, type CurveSet, shareKept } from '../base/reading-curve.ts';
import type { ReadingRow, TrialRecord } from './record.ts';
import type { SummaryValue } from './summary.ts';
import { meanOf } from './summary-value.ts';

/** Page lengths that the effect is shown at, as factors of those of the run. */
export const PAGE_LENGTHS = [0.5, 1, 2, 4] as const;
/** Shares of handed-over values that free text might lose or mix up an edge: no publication says how many. */
export const EDGE_LOSSES = [0, 0.02, 0.05, 0.1] as const;

export interface MemoryTiers {
  /** Tokens of the largest request of each part, by part. */
  readonly contextTokens: Readonly<Record<string, SummaryValue>>;
  /** Bytes that each tier held, by tier. */
  readonly tierBytes: Readonly<Record<string, SummaryValue>>;
  /** Share of trials in which every value is read rightly by a curve, all else being right: percent, by model, at the run's own page lengths. */
  readonly impliedPercent: Readonly<Record<string, SummaryValue>>;
  /** The same by the simulated model's own curve, by factor of page length. */
  readonly impliedAtLength: Readonly<Record<string, SummaryValue>>;
  /** The same at the run's own length, with so many of the handed-over values lost, by share. */
  readonly impliedAtLoss: Readonly<Record<string, SummaryValue>>;
}

/** @returns `undefined` for a row that is no configuration of an ablation */
export function memoryTiersOf(records: readonly TrialRecord[]): MemoryTiers | undefined {
  const whole = records.filter(({ configuration, cut }) => configuration !== undefined && !cut);
  if (whole.length === 0) return undefined;
  const readings = whole.flatMap((record) => {
    const found = readingsOf(record);
    return found === undefined ? [] : [found];
  });
  const [own] = CURVE_SETS;
  return {
    contextTokens: meanEach(
      whole.map(({ parts }) => Object.fromEntries(Object.entries(parts ?? {}).map(([part, { largestInputTokens }]) => [part, largestInputTokens]))),
    ),
    tierBytes: meanEach(whole.map(({ tierBytes }) => tierBytes ?? {})),
    impliedPercent: byName(
      CURVE_SETS,
      ({ model }) => model,
      (set) => impliedMean(readings, set, 1, 0),
    ),
    impliedAtLength: byName(PAGE_LENGTHS, String, (factor) => impliedMean(readings, own, factor, 0)),
    impliedAtLoss: byName(EDGE_LOSSES, String, (loss) => impliedMean(readings, own, 1, loss)),
  };
}

/** A task without tools was not divided: it had nothing to hand over, and nothing long to read. @returns `undefined` where nothing is known */
export function readingsOf({ readings, parts, taskType }: TrialRecord): readonly ReadingRow[] | undefined {
  return readings ?? (parts === undefined && taskType === 'zero-tool' ? [] : undefined);
}

/** Probability that every reading is right: each value has a draw of its own, so they multiply. */
export function impliedShare(readings: readonly ReadingRow[], set: CurveSet, factor: number, loss: number): number {
  return readings.reduce((share, [, tokens, how]) => {
    const kept = shareKept(how === 'associative' ? set.associative : set.lexical, tokens * factor);
    return share * kept * (how === 'handed-over' ? 1 - loss : 1);
  }, 1);
}

function impliedMean(trials: readonly (readonly ReadingRow[])[], set: CurveSet, factor: number, loss: number): SummaryValue | undefined {
  // No sample of anything: no interval.
  const mean = meanOf(trials.map((readings) => 100 * impliedShare(readings, set, factor, loss)));
  return mean && { value: mean.value, n: mean.n };
}

function byName<T>(of: readonly T[], nameOf: (one: T) => string, read: (one: T) => SummaryValue | undefined): Record<string, SummaryValue> {
  return Object.fromEntries(
    of.flatMap((one): [string, SummaryValue][] => {
      const value = read(one);
      return value === undefined ? [] : [[nameOf(one), value]];
    }),
  );
}

function meanEach(trials: readonly Readonly<Record<string, number>>[]): Record<string, SummaryValue> {
  const names = [...new Set(trials.flatMap((trial) => Object.keys(trial)))].sort();
  return byName(
    names,
    (name) => name,
    (name) => meanOf(trials.flatMap((trial) => trial[name] ?? [])),
  );
}
