// What a table may print, as data: one summary a row, made by summaries.ts from stored records alone. No words for readers, no rounding, no ranking: reports do that.
// An unknown is an absent key. A value never comes without the number of observations behind it.
import type { MemoryTiers } from './memory-tiers.ts';
import type { ManifestPlan, TrialRecord } from './record.ts';
import type { ShapeEffect } from './shape-effect.ts';

export type TaskType = TrialRecord['taskType'];
export type Level = TrialRecord['level'];

export interface SummaryValue {
  readonly value: number;
  /** Observations behind the value: planned trials for a rate, trials (or processes) measured for the rest. */
  readonly n: number;
  /** 95 % interval: Wilson over tasks for rates, order statistics (of block medians where blocks are known) for medians, Student's t for means. Absent where too few. */
  readonly low?: number;
  readonly high?: number;
}

export interface RowKey {
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly configuration?: string;
}

export interface LeftOut {
  readonly why: string;
  readonly n: number;
}

/** Rates in percent, over the *planned* trials: an error, a time-out or a trial that never ran stays in the denominator. */
export interface Rates {
  readonly planned: number;
  readonly recorded: number;
  readonly correct: number;
  readonly accuracyPercent?: SummaryValue;
  /** Concealed + lost + failures without any fault of the model: the one that may be called framework-induced (method M5.2). */
  readonly causedPercent?: SummaryValue;
  /** Caused + reported: nearest to the paper's "hallucination". */
  readonly notRepairedPercent?: SummaryValue;
  /** The same two, with `iteration-cap` and `forced-answer` taken out of the numerator. */
  readonly causedWithoutCapPercent?: SummaryValue;
  readonly notRepairedWithoutCapPercent?: SummaryValue;
  /** A labelled extra, never the main figure: correct among the trials that ended with an answer to score. */
  readonly accuracyOfScoredPercent?: SummaryValue;
  /** Trials with `iteration-cap` or `forced-answer` as their code. */
  readonly atCap: number;
  /** Trials with `infrastructure` as outcome. */
  readonly infrastructure: number;
  /** Primary codes, and how faults ended, by number of trials. Keys sorted. */
  readonly codes: Readonly<Record<string, number>>;
  readonly handlings: Readonly<Record<string, number>>;
}

/** On undisturbed trials only (method M6.2). */
export interface Efficiency {
  /** Tasks of the common set: in `single` the same for all rows. */
  readonly tasks: number;
  readonly overheadMs?: SummaryValue;
  readonly meanOverheadMs?: SummaryValue;
  /** Run plus per-task set-up: rank goes by this one. */
  readonly overheadAndSetupMs?: SummaryValue;
  /** Only where branches overlapped in some trial: median of W minus the longest causal chain, plain overhead elsewhere. Rank then goes by CPU time. */
  readonly overheadUpperMs?: SummaryValue;
  readonly cpuMs?: SummaryValue;
  /** CPU time over wall time; one core is 100 %. */
  readonly cpuPercent?: SummaryValue;
  readonly stubMs?: SummaryValue;
  /** Tools at work, as the broker timed them: no part of overhead. */
  readonly toolMs?: SummaryValue;
  readonly setupMs?: SummaryValue;
  /** Median over tasks of this row minus the floor of its language and settings, same shape; absent for the floor itself. */
  readonly overFloorMs?: SummaryValue;
  /** The same minus `fetch`, for a row of another language. */
  readonly overFetchMs?: SummaryValue;
  readonly overFloorPerCallMs?: SummaryValue;
  /** As `overFloorMs` and `overFetchMs`, in input and output tokens. */
  readonly overFloorTokens?: SummaryValue;
  readonly overFetchTokens?: SummaryValue;
  /** 60000 / mean overhead, the paper's restatement; and what was measured: trials per minute of wall time, at concurrency 1 only, set-up left out. */
  readonly restatedPerMinute?: SummaryValue;
  readonly measuredPerMinute?: SummaryValue;
}

/** Mean tokens a recorded trial, over every trial with a usage that is exact. */
export interface Tokens {
  readonly inputTokens?: SummaryValue;
  readonly outputTokens?: SummaryValue;
  readonly totalTokens?: SummaryValue;
  readonly modelCalls?: SummaryValue;
  readonly toolCalls?: SummaryValue;
  /** Output tokens a second of model time: laid out with the latency table when `computed`. */
  readonly outputTokensPerSecond?: SummaryValue;
}

/** Seconds from the start of `run` to its end. */
export interface EndToEnd {
  /** `computed`: the latency table laid on the recorded critical path; `measured`: the wall time itself. */
  readonly basis: 'computed' | 'measured';
  readonly meanSeconds?: SummaryValue;
  readonly medianSeconds?: SummaryValue;
  readonly p95Seconds?: SummaryValue;
  readonly standardDeviationSeconds?: SummaryValue;
  readonly maxSeconds?: SummaryValue;
  /** On undisturbed trials, as `overFloorMs` and `overFetchMs`. */
  readonly overFloorSeconds?: SummaryValue;
  readonly overFetchSeconds?: SummaryValue;
}

/** From fresh processes (method M6.3). */
export interface ColdStart {
  readonly importMs?: SummaryValue;
  /** Minus the median of the bare worker of the language, and of `fetch` for a row of another language. */
  readonly importOverFloorMs?: SummaryValue;
  readonly importOverFetchMs?: SummaryValue;
  readonly setupMs?: SummaryValue;
  readonly firstRunMs?: SummaryValue;
  /** What the framework's modules weigh: after import, minus the bare worker of the language. */
  readonly importBytes?: SummaryValue;
  /** Peak of one task: peak minus after-import. */
  readonly taskBytes?: SummaryValue;
  /** Peak minus after-import minus the bare worker's own growth. */
  readonly taskOverFloorBytes?: SummaryValue;
  /** The whole process, as it stands. */
  readonly peakBytes?: SummaryValue;
  /** Names of the methods that read the peak, sorted. */
  readonly methods: readonly string[];
}

export interface RowSummary {
  readonly key: RowKey;
  readonly row: ManifestPlan['rows'][number];
  /** False when a harness error fell into profile `clean`: its cells must stay empty. */
  readonly publishable: boolean;
  readonly rates: Rates;
  readonly byTaskType: Readonly<Partial<Record<TaskType, Rates>>>;
  readonly byLevel: Readonly<Partial<Record<Level, Rates>>>;
  /** Pearson's r of level and correctness over the planned trials; absent when either is constant. */
  readonly levelCorrelation?: SummaryValue;
  readonly efficiency: Efficiency;
  readonly efficiencyByTaskType: Readonly<Partial<Record<TaskType, Efficiency>>>;
  readonly tokens: Tokens;
  readonly tokensByTaskType: Readonly<Partial<Record<TaskType, Tokens>>>;
  readonly endToEnd: EndToEnd;
  readonly coldStart: ColdStart;
  readonly coldStartByTaskType: Readonly<Partial<Record<TaskType, ColdStart>>>;
  /** Of a run that holds several shapes (method M1.4). */
  readonly shapeEffect?: ShapeEffect;
  /** Of a configuration of a memory ablation (method M8). */
  readonly memoryTiers?: MemoryTiers;
  /** Trials that stand in no efficiency figure of this row, each counted once under its first reason. */
  readonly leftOut: readonly LeftOut[];
}

export interface RunSummary {
  readonly planned: number;
  readonly recorded: number;
  /** In the order of the plan. */
  readonly rows: readonly RowSummary[];
  /** Tasks that are undisturbed in every `single` row: the one set of the efficiency tables. */
  readonly commonTasks: readonly string[];
  readonly leftOut: readonly LeftOut[];
}
