// The calibration of method M4.11: the bare loop with error handling, alone, over ten seeds that no study uses, must lie between floor and ceiling. What was found
// is frozen in models/calibration.json. Page lengths are the only thing that may be turned to get there, before any other row runs; a rate or a curve never.
//
//   npm exec -- node scripts/check-calibration.ts            compares with what is frozen
//   npm exec -- node scripts/check-calibration.ts --write    freezes anew, after a change of the task set or of a sourced rate
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CALIBRATION_SEEDS, type Calibration, calibrationBasis, isBetweenFloorAndCeiling } from '../models/calibration.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { parsePlanSpec } from '../runners/plan-spec.ts';
import { resolvePlan } from '../runners/resolved-plan.ts';
import { readTrials } from '../runners/run-directory.ts';
import { startStudy } from '../runners/start-study.ts';

const FILE = fileURLToPath(new URL('../models/calibration.json', import.meta.url));
const silent = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };

async function percentOf(profile: string, seed: number, out: string): Promise<number> {
  const spec = parsePlanSpec(
    { name: 'calibration', rows: [{ framework: 'fetch', settings: 'hardened' }], profile, seed, coldStarts: 0, transcripts: false },
    'the calibration',
  );
  const plan = await resolvePlan(spec, { baseDirectory: out, cacheDirectory: cacheDirectory() });
  const { directory } = await startStudy({ plan, baseDirectory: out, out, progress: silent, signal: new AbortController().signal });
  const right = readTrials(directory).filter(({ score }) => score?.correct === true).length;
  return Math.round((1000 * right) / plan.tasks.length) / 10;
}

async function calibrate(): Promise<Calibration> {
  const out = mkdtempSync(join(tmpdir(), 'agentgauge-calibration-'));
  const profiles: Record<string, { percents: number[]; mean: number }> = {};
  try {
    for (const profile of ['gpt-4o-mini', 'gpt-4o']) {
      const percents: number[] = [];
      for (const seed of CALIBRATION_SEEDS) percents.push(await percentOf(profile, seed, out));
      const mean = Math.round((10 * percents.reduce((sum, percent) => sum + percent, 0)) / percents.length) / 10;
      process.stdout.write(`${profile}: ${percents.join(', ')} % right; mean ${mean} %\n`);
      profiles[profile] = { percents, mean };
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  return { row: 'fetch hardened single, open68', seeds: CALIBRATION_SEEDS, ...calibrationBasis(), profiles };
}

const found = await calibrate();
const outside = Object.entries(found.profiles).filter(([, { mean }]) => !isBetweenFloorAndCeiling(mean));
for (const [profile, { mean }] of outside) process.stdout.write(`${profile}: a mean of ${mean} % lies outside 20 to 80 %\n`);
if (process.argv.includes('--write')) {
  writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
  process.stdout.write('Frozen in models/calibration.json.\n');
} else if (JSON.stringify(JSON.parse(readFileSync(FILE, 'utf8'))) !== JSON.stringify(found)) {
  process.stdout.write('This is not what models/calibration.json holds: the task set or the model has changed since.\n');
  process.exitCode = 1;
}
if (outside.length > 0) process.exitCode = 1;
