import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CALIBRATION_SEEDS, type Calibration, calibrationBasis, isBetweenFloorAndCeiling } from './calibration.ts';

const frozen = JSON.parse(readFileSync(new URL('calibration.json', import.meta.url), 'utf8')) as Calibration;

test('M4.11: what is frozen lies between floor and ceiling for each profile, over ten seeds', () => {
  expect(Object.keys(frozen.profiles)).toEqual(['gpt-4o-mini', 'gpt-4o']);
  for (const { mean, percents } of Object.values(frozen.profiles)) {
    expect(percents).toHaveLength(10);
    expect(mean).toBeCloseTo(percents.reduce((sum, percent) => sum + percent, 0) / 10, 1);
    expect(isBetweenFloorAndCeiling(mean)).toBe(true);
  }
  expect(isBetweenFloorAndCeiling(19.9) || isBetweenFloorAndCeiling(80.1)).toBe(false);
});

test('M4.11: it rests on the rates and curves of today; whoever turns one calibrates anew (scripts/check-calibration.ts --write)', () => {
  expect(frozen.rates).toBe(calibrationBasis().rates);
  expect(frozen.seeds).toEqual(CALIBRATION_SEEDS);
});
