// What a calibration rests on, and its window (method M4.11). The figures themselves are frozen in calibration.json, found by scripts/check-calibration.ts.

import { hashOf } from '../base/canonical-json.ts';
import { CURVE_SETS } from '../base/reading-curve.ts';
import { GENERATOR_VERSION } from '../tasks/task-set-files.ts';
import { RATES } from './rates.ts';

export interface Calibration {
  readonly row: string;
  readonly seeds: readonly number[];
  /** Of the task set's generator. */
  readonly generator: number;
  /** Hash over rates and curves. */
  readonly rates: string;
  readonly profiles: Readonly<Record<string, { readonly percents: readonly number[]; readonly mean: number }>>;
}

/** Seeds that no study and no test of results uses. */
export const CALIBRATION_SEEDS: readonly number[] = Array.from({ length: 10 }, (_, at) => 901 + at);

export function calibrationBasis(): Pick<Calibration, 'generator' | 'rates'> {
  return { generator: GENERATOR_VERSION, rates: hashOf([RATES.map(({ name, of }) => [name, of]), CURVE_SETS]) };
}

export function isBetweenFloorAndCeiling(meanPercent: number): boolean {
  return meanPercent >= 20 && meanPercent <= 80;
}
