// What one trial brings into the cells of table 3 and of the shapes, for explain.ts: contexts, bytes, what curves imply, hand-overs and widths.
import { CURVE_SETS } from '../base/reading-curve.ts';
import { impliedShare, PAGE_LENGTHS, readingsOf } from '../metrics/memory-tiers.ts';
import { isCorrect } from '../metrics/rates.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { handOversOf } from '../metrics/row-columns.ts';
import { WIDTHS, widthOf } from '../metrics/shape-effect.ts';
import type { ColumnExplanation } from './explanations.ts';

const inDivided = (meaning: string, of: (trial: TrialRecord) => number | undefined): ColumnExplanation => ({
  kind: 'trial',
  meaning,
  of: (trial) => (trial.taskType === 'zero-tool' || trial.cut === true ? undefined : of(trial)),
});

const implied = (model: string, factor: number): ColumnExplanation => ({
  kind: 'trial',
  meaning: `Percent: the product of what the curves of ${model} keep of each reading${factor === 1 ? '' : `, at ${factor} times its length`}; the cell is the mean.`,
  of: (trial) => {
    const set = CURVE_SETS.find((candidate) => candidate.model === model);
    const readings = trial.cut === true ? undefined : readingsOf(trial);
    return set === undefined || readings === undefined ? undefined : 100 * impliedShare(readings, set, factor, 0);
  },
});

const context = (part: 'planner' | 'subtask-worker' | 'synthesis'): ColumnExplanation => ({
  kind: 'trial',
  meaning: 'Tokens of the largest request of this part; the cell is the mean.',
  of: ({ parts, cut }) => (cut === true ? undefined : parts?.[part]?.largestInputTokens),
});

const kept = (tier: keyof NonNullable<TrialRecord['tierBytes']>): ColumnExplanation => ({
  kind: 'trial',
  meaning: 'Bytes that the tier still held at the end of the run; the cell is the mean.',
  of: ({ tierBytes, cut }) => (cut === true ? undefined : tierBytes?.[tier]),
});

export const TABLE_3: Readonly<Record<string, ColumnExplanation>> = {
  plannerContextTokens: context('planner'),
  workerContextTokens: context('subtask-worker'),
  synthesisContextTokens: context('synthesis'),
  scratchKeptBytes: kept('scratchKept'),
  stateKeptBytes: kept('stateKept'),
  connectorsKeptBytes: kept('connectorsKept'),
  transcriptKeptBytes: kept('transcriptKept'),
  ...Object.fromEntries(CURVE_SETS.map(({ model }) => [`implied ${model}`, implied(model, 1)])),
  ...Object.fromEntries(PAGE_LENGTHS.map((factor) => [`implied x${factor}`, implied(CURVE_SETS[0].model, factor)])),
};

export const SHAPES: Readonly<Record<string, ColumnExplanation>> = {
  modelCalls: inDivided('Model calls of a task that needs tools; the cell is the mean.', ({ usage }) => usage.modelCalls),
  toolCalls: inDivided('Tool calls of a task that needs tools; the cell is the mean.', ({ usage }) => usage.toolCalls),
  handOvers: inDivided('Plans and reports handed on; the cell is the mean.', handOversOf),
  ...Object.fromEntries(
    WIDTHS.map((width) => [
      `width ${width}`,
      {
        kind: 'trial',
        meaning: '1: the answer is right, 0: not. The cell is their share, in percent.',
        of: (trial) => (trial.taskType === 'zero-tool' || widthOf(trial.width) !== width ? undefined : Number(isCorrect(trial))),
      } satisfies ColumnExplanation,
    ]),
  ),
};
