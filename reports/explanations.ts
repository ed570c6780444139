// Column by column: what one trial or process brings into a cell, and what the cell makes of it. Data for explain.ts, held against the summaries by a test.
import { CAP_CODES } from '../metrics/codes.ts';
import { type ModelTime, timeOf } from '../metrics/model-time.ts';
import { isCaused, isCorrect, isNotRepaired } from '../metrics/rates.ts';
import type { TrialRecord, WorkerRecord } from '../metrics/record.ts';
import { SHAPES, TABLE_3 } from './divided-explanations.ts';
import type { Row } from './report.ts';

export interface ExplanationContext {
  readonly row: Row;
  /** Whether efficiency is compared on this trial (method M6.2). */
  readonly isCompared: (trial: TrialRecord) => boolean;
  readonly time: ModelTime;
}

export type ColumnExplanation =
  | {
      readonly kind: 'trial';
      readonly meaning: string;
      readonly of: (trial: TrialRecord, context: ExplanationContext) => number | undefined;
      /** What a planned trial without a record brings in; absent: nothing. */
      readonly unrecorded?: number;
    }
  | { readonly kind: 'process'; readonly meaning: string; readonly of: (worker: WorkerRecord) => number | undefined };

const share = (what: string, of: (trial: TrialRecord) => boolean): ColumnExplanation => ({
  kind: 'trial',
  meaning: `1: ${what}, 0: not. The cell is their share of all planned trials, in percent.`,
  of: (trial) => (of(trial) ? 1 : 0),
  unrecorded: 0,
});

const undisturbed = (meaning: string, of: (trial: TrialRecord) => number | undefined): ColumnExplanation => ({
  kind: 'trial',
  meaning: `${meaning}, over undisturbed trials of the common task set.`,
  of: (trial, { isCompared }) => (isCompared(trial) ? of(trial) : undefined),
});

const perTrial = (meaning: string, of: (trial: TrialRecord) => number | undefined): ColumnExplanation => ({
  kind: 'trial',
  meaning,
  of: (trial) => (trial.cut === true ? undefined : of(trial)),
});

const COLUMNS: Readonly<Record<string, ColumnExplanation>> = {
  accuracyPercent: share('the answer is right', isCorrect),
  causedPercent: share('the framework caused a failure', isCaused),
  notRepairedPercent: share('a failure was not repaired', isNotRepaired),
  causedWithoutCapPercent: share('the framework caused a failure, other than at the cap', (trial) => isCaused(trial) && !isAtCap(trial)),
  notRepairedWithoutCapPercent: share('a failure was not repaired, other than at the cap', (trial) => isNotRepaired(trial) && !isAtCap(trial)),
  overheadMs: undisturbed('Milliseconds of overhead; the cell is the median', ({ overheadMs }) => overheadMs),
  overheadAndSetupMs: undisturbed('Milliseconds of overhead and set-up; the cell is the median', ({ overheadMs, setupMs }) => sum(overheadMs, setupMs)),
  cpuMs: undisturbed('Milliseconds of CPU time; the cell is the median', ({ cpuMs }) => cpuMs),
  stubMs: undisturbed('Milliseconds inside the tool stub; the cell is the median', ({ stubMs }) => stubMs),
  toolMs: undisturbed('Milliseconds of tools at work; the cell is the median', ({ toolMs }) => toolMs),
  overheadUpperMs: undisturbed('Milliseconds of overhead as an upper bound; the cell is the median', ({ overheadUpperMs }) => overheadUpperMs),
  overFloorMs: undisturbed('Milliseconds of overhead; the cell is the median over tasks of this minus the floor', ({ overheadMs }) => overheadMs),
  overFetchMs: undisturbed('Milliseconds of overhead; the cell is the median over tasks of this minus fetch', ({ overheadMs }) => overheadMs),
  overFloorTokens: undisturbed('Input and output tokens; the cell is the median over tasks of this minus the floor', ({ usage }) => tokensOf(usage)),
  overFetchTokens: undisturbed('Input and output tokens; the cell is the median over tasks of this minus fetch', ({ usage }) => tokensOf(usage)),
  cpuPercent: undisturbed('CPU time over wall time, in percent', ({ cpuMs, wallMs }) =>
    cpuMs === undefined || wallMs === undefined || wallMs === 0 ? undefined : (100 * cpuMs) / wallMs,
  ),
  perMinute: undisturbed('Milliseconds of overhead; the cell is 60000 over their mean', ({ overheadMs }) => overheadMs),
  measuredPerMinute: undisturbed('Milliseconds of wall time; the cell is trials over their sum', ({ wallMs }) => wallMs),
  promptTokens: perTrial('Input tokens; the cell is the mean.', ({ usage }) => usage.inputTokens),
  completionTokens: perTrial('Output tokens; the cell is the mean.', ({ usage }) => usage.outputTokens),
  totalTokens: perTrial('Input and output tokens; the cell is the mean.', ({ usage }) => tokensOf(usage)),
  modelCalls: perTrial('Model calls; the cell is the mean.', ({ usage }) => usage.modelCalls),
  toolCalls: perTrial('Tool calls; the cell is the mean.', ({ usage }) => usage.toolCalls),
};

const VERDICT: ColumnExplanation = {
  ...share('the answer is right', isCorrect),
  meaning: '1: the answer is right, 0: not. What is tested is this minus the hardened floor, task by task.',
};

const LAID_OUT = 'computed where the run had zero latency: the latency table stands in for each model call on the recorded critical path';

const seconds = {
  kind: 'trial' as const,
  meaning: `Seconds from the start of run to its end, ${LAID_OUT}.`,
  of: (trial: TrialRecord, { time }: ExplanationContext) => timeOf(trial, time).endToEndSeconds,
} satisfies ColumnExplanation;

const secondsUndisturbed: ColumnExplanation = {
  ...seconds,
  meaning: `${seconds.meaning} The cell is the median over undisturbed trials of this minus the floor, or fetch.`,
  of: (trial, context) => (context.isCompared(trial) ? seconds.of(trial, context) : undefined),
};

const speed: ColumnExplanation = {
  kind: 'trial',
  meaning: `Output tokens a second of model time, ${LAID_OUT}; the cell is the mean.`,
  of: (trial, { time }) => timeOf(trial, time).outputTokensPerSecond,
};

const COLD: Readonly<Record<string, ColumnExplanation>> = {
  importMs: { kind: 'process', meaning: 'Milliseconds of import in a fresh process; the cell is the median.', of: ({ importMs }) => importMs },
  importOverFloorMs: {
    kind: 'process',
    meaning: 'Milliseconds of import in a fresh process, before the median of the floor of the language is taken off.',
    of: ({ importMs }) => importMs,
  },
  importOverFetchMs: {
    kind: 'process',
    meaning: 'Milliseconds of import in a fresh process, before the median of fetch is taken off.',
    of: ({ importMs }) => importMs,
  },
  setupMs: { kind: 'process', meaning: 'Milliseconds of set-up in a fresh process; the cell is the median.', of: ({ setupMs }) => setupMs },
  firstRunMs: { kind: 'process', meaning: 'Milliseconds of the first run in a fresh process; the cell is the median.', of: ({ firstRunMs }) => firstRunMs },
  importMemoryMb: {
    kind: 'process',
    meaning: 'MB after import, before the bare worker is taken off.',
    of: ({ rssAfterImportBytes }) => megabytes(rssAfterImportBytes),
  },
  taskMemoryMb: {
    kind: 'process',
    meaning: "MB of peak minus after-import, before the bare worker's own growth is taken off.",
    of: ({ peakRssBytes, rssAfterImportBytes }) => megabytes(difference(peakRssBytes, rssAfterImportBytes)),
  },
  peakMemoryMb: { kind: 'process', meaning: 'Peak MB of a fresh process; the cell is the median.', of: ({ peakRssBytes }) => megabytes(peakRssBytes) },
};

/** @param table tells set-up of fresh processes (table 10) from a column of the same name elsewhere */
export function explanationOf(table: string, columnId: string): ColumnExplanation {
  if (table === 'failures') return underCode(columnId);
  if (table === 'verdicts') return VERDICT;
  const ofTable = table === 'table3' ? TABLE_3[columnId] : table === 'shapes' ? SHAPES[columnId] : undefined;
  if (ofTable !== undefined) return ofTable;
  const found = COLUMNS[columnId] ?? COLD[columnId];
  if (found !== undefined) return found;
  if (table === 'table9') return columnId.startsWith('over') ? secondsUndisturbed : seconds;
  if (columnId === 'tokensPerSecond') return speed;
  return { kind: 'trial', meaning: 'Every trial of the row.', of: () => 1 };
}

function underCode(columnId: string): ColumnExplanation {
  return {
    kind: 'trial',
    meaning: '1: the trial stands under this code (and, in the column of a handling, under it).',
    of: ({ code, handling }, { row }) => {
      const right = columnId === 'code' || columnId === 'trials' || columnId === 'example' || columnId === (handling ?? 'unhandled');
      return code === row.cells.code?.value && right ? 1 : undefined;
    },
  };
}

function isAtCap({ code }: TrialRecord): boolean {
  return code !== undefined && CAP_CODES.has(code);
}

function tokensOf({ inputTokens, outputTokens }: TrialRecord['usage']): number {
  return inputTokens + outputTokens;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

function megabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1e6;
}
