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

/** Adds up the trials of one configuration. A cut one is left out: what its other branches had read depends on the instant. */
export class MemoryTally {
  #trials = 0;
  readonly #contexts = new Map<string, number[]>();
  readonly #bytes = new Map<string, number[]>();
  readonly #implied = new Map<string, number[]>();
  readonly #atLength = new Map<string, number[]>();
  readonly #atLoss = new Map<string, number[]>();

  add(record: TrialRecord): void {
    if (record.configuration === undefined || record.cut === true) return;
    this.#trials += 1;
    for (const [part, { largestInputTokens }] of Object.entries(record.parts ?? {})) push(this.#contexts, part, largestInputTokens);
    for (const [tier, bytes] of Object.entries(record.tierBytes ?? {})) push(this.#bytes, tier, bytes);
    const readings = readingsOf(record);
    if (readings === undefined) return;
    const [own] = CURVE_SETS;
    for (const set of CURVE_SETS) push(this.#implied, set.model, 100 * impliedShare(readings, set, 1, 0));
    for (const factor of PAGE_LENGTHS) push(this.#atLength, String(factor), 100 * impliedShare(readings, own, factor, 0));
    for (const loss of EDGE_LOSSES) push(this.#atLoss, String(loss), 100 * impliedShare(readings, own, 1, loss));
  }

  /** @returns `undefined` for a row that is no configuration of an ablation */
  tiers(): MemoryTiers | undefined {
    if (this.#trials === 0) return undefined;
    return {
      contextTokens: meanEach(new Map([...this.#contexts].sort(byName))),
      tierBytes: meanEach(new Map([...this.#bytes].sort(byName))),
      impliedPercent: withoutInterval(meanEach(this.#implied)),
      impliedAtLength: withoutInterval(meanEach(this.#atLength)),
      impliedAtLoss: withoutInterval(meanEach(this.#atLoss)),
    };
  }
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

function push(lists: Map<string, number[]>, name: string, value: number): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function meanEach(lists: ReadonlyMap<string, readonly number[]>): Record<string, SummaryValue> {
  return Object.fromEntries(
    [...lists].flatMap(([name, values]): [string, SummaryValue][] => {
      const mean = meanOf(values);
      return mean === undefined ? [] : [[name, mean]];
    }),
  );
}

/** What curves imply is no sample of anything. */
function withoutInterval(means: Readonly<Record<string, SummaryValue>>): Record<string, SummaryValue> {
  return Object.fromEntries(Object.entries(means).map(([name, { value, n }]) => [name, { value, n }]));
}
