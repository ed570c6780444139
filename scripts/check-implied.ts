// The self-test of method M8: with every rate of the model at nought but what published curves take away, each configuration of the memory ablation must solve as many
// tasks as its own readings imply. That they agree is a test of this instrument and no finding about memory.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CURVE_SETS } from '../base/reading-curve.ts';
import { impliedShare, readingsOf } from '../metrics/memory-tiers.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { SLIP_KINDS } from '../models/rates.ts';
import { readTrials } from '../runners/run-directory.ts';
import { cloneRoot, mustRun } from './run-child.ts';

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const SEEDS = 4;
/** Draws of each task: few values are lost at the lengths of our pages, so it takes many trials to see one that is lost too often. */
const DRAWS = 3;
/** Standard deviations of the number solved that chance may make; of five configurations one in three thousand such tests lies beyond by chance. */
const MOST_DEVIATIONS = 4;
const NOUGHT = [...SLIP_KINDS, 'wrong-value', 'thought'].map((name) => `${name}=0`).join(',');

/** @returns what was shown, one line. @throws Error naming each configuration that solves more or fewer than its readings imply */
export async function checkImplied(say: (line: string) => void): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'implied-'));
  try {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const args = ['ablate', 'memory', '--rates', NOUGHT, '--seed', String(seed), '--trials', String(DRAWS), '--no-transcripts', '--yes', '--out', out];
      await mustRun(`the ablation with seed ${seed}`, process.execPath, [CLI, ...args]);
      say(`${seed} of ${SEEDS} seeds`);
    }
    const runs = readdirSync(out).filter((name) => existsSync(join(out, name, 'manifest.json')));
    const trials = runs.flatMap((name) => [...readTrials(join(out, name))]);
    const found = [...Map.groupBy(trials, ({ configuration }) => configuration ?? '').entries()].map(([name, of]) => compared(name, of));
    for (const { line } of found) say(line);
    const wrong = found.filter(({ deviations }) => Math.abs(deviations) > MOST_DEVIATIONS);
    if (found.length === 0 || wrong.length > 0) throw new Error(`runs differ from what is implied: ${wrong.map(({ line }) => line).join('; ') || 'no trial'}`);
    return `${trials.length} trials of ${SEEDS} seeds; ${found.map(({ line }) => line).join('; ')}`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function compared(name: string, trials: readonly TrialRecord[]): { readonly line: string; readonly deviations: number } {
  const [own] = CURVE_SETS;
  const shares = trials.map((trial) => {
    const readings = readingsOf(trial);
    if (readings === undefined) throw new Error(`${name} ${trial.taskId} has no readings`);
    return impliedShare(readings, own, 1, 0);
  });
  const implied = shares.reduce((sum, share) => sum + share, 0);
  const solved = trials.filter(({ score }) => score?.correct === true).length;
  const spread = Math.sqrt(shares.reduce((sum, share) => sum + share * (1 - share), 0));
  const deviations = spread === 0 ? (solved === implied ? 0 : Number.POSITIVE_INFINITY) : (solved - implied) / spread;
  const percent = (count: number) => ((100 * count) / trials.length).toFixed(1);
  return { line: `${name} ${percent(solved)} % run, ${percent(implied)} % implied (${deviations.toFixed(1)} σ)`, deviations };
}
