// One trial, as it lies on disk: the contract between the runner that writes and the reports that read. A line of trials.jsonl.
// An unknown is an absent key: no null, no NaN, no zero in its place. Names ending in Ms, Bytes, Percent or At, and the times inside
// `calls` and `toolCalls`, may differ between two runs of one seed; every other field is the exact part and may not.

import type { Condition, Place } from '../base/forced-fault.ts';
import type { FaultResponse } from './fault-response.ts';

export const RECORD_VERSION = 1;

export type Outcome = 'completed' | 'failed' | 'limit' | 'cancelled' | 'infrastructure';
export type Handling = 'repaired' | 'reported' | 'concealed' | 'lost';
export type CauseSource = 'framework' | 'model' | 'infrastructure';

export interface TrialEvent {
  readonly code: string;
  readonly source: CauseSource;
  readonly step?: string;
  readonly ask?: number;
  /** The step was asked again and its evidence came in. */
  readonly repaired?: true;
}

/** [startMs, endMs, inputTokens, outputTokens, status]; times from the start of `run`. endMs is null for a call still open at the end. */
export type CallRow = readonly [number, number | null, number, number, number];
/** [name, startMs, endMs, status] */
export type ToolCallRow = readonly [string, number, number | null, number];

/** What a request may ask a model to be (method M4.3). */
export const PARTS = ['agent', 'critic', 'delegator', 'plain-answerer', 'planner', 'router', 'schema-filler', 'subtask-worker', 'synthesis', 'triage'] as const;
export type Part = (typeof PARTS)[number];
export const MEMORY_TIERS = ['scratchPeak', 'scratchKept', 'stateKept', 'connectorsKept', 'transcriptKept'] as const;

/** [plan step, tokens, how: lexical, associative or handed-over] */
export type ReadingRow = readonly [string, number, 'lexical' | 'associative' | 'handed-over'];

export interface PartUsage {
  readonly modelCalls: number;
  readonly inputTokens: number;
  /** Of one request. */
  readonly largestInputTokens: number;
  /** Replies of text that is not empty: a plan, a report, an answer. */
  readonly answers: number;
}

/** What the truth selected of the official scorer, or another scorer that a question of one's own named. */
export type ScoreRule = 'number' | 'list' | 'string' | 'exact' | 'words';

export interface TrialRecord {
  readonly recordVersion: typeof RECORD_VERSION;
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  /** Of an ablation: which of the row's configurations ran. */
  readonly configuration?: string;
  readonly taskId: string;
  readonly taskType: 'zero-tool' | 'document' | 'web';
  readonly level: 1 | 2 | 3;
  /** Cluster for statistics: tasks of one template are alike. */
  readonly template: string;
  readonly width: number;
  readonly trialIndex: number;
  readonly seed: number;
  /** `simulated`, `scripted`, `upstream` or `local`. */
  readonly modelKind: string;
  readonly model: string;
  readonly profile?: string;
  readonly host: string;
  readonly outcome: Outcome;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly stoppedBy?: 'framework' | 'gateway' | 'host';
  readonly output?: string;
  readonly answer?: string;
  readonly noMarker?: true;
  readonly score?: { readonly rule: ScoreRule; readonly correct: boolean };
  readonly handling?: Handling;
  readonly code?: string;
  readonly events: readonly TrialEvent[];
  readonly usage: { readonly modelCalls: number; readonly toolCalls: number; readonly inputTokens: number; readonly outputTokens: number };
  readonly calls: readonly CallRow[];
  readonly toolCalls: readonly ToolCallRow[];
  /** Simulated model only: requests by the part that they asked for, where there was more than one. */
  readonly parts?: Readonly<Partial<Record<Part, PartUsage>>>;
  /** Simulated model only: each plan step as it was read, with the tokens among which its values stood (method M8). */
  readonly readings?: readonly ReadingRow[];
  /** An ablation of memory only: bytes that the framework's own tiers held, by tier: kept at the end, and at most. */
  readonly tierBytes?: Readonly<Partial<Record<(typeof MEMORY_TIERS)[number], number>>>;
  /** A page told agents to do something else than their task: whether this one did. Absent when it met no such page. */
  readonly injection?: 'shown' | 'obeyed';
  /** Real models only: the web held the task's own question, as a place does that holds the data, or else its truth, which an honest page may state as well. */
  readonly leak?: 'question' | 'truth';
  /** What ran the programs of `run_python`, with its version; absent where none was run. */
  readonly python?: string;
  /** Run of faults only: what the framework made of this one (fault-response.ts). */
  readonly response?: FaultResponse;
  /** Run of conditions only: how often the forced fault was said. 0: it cannot be met there, or a provider prevents it. */
  readonly forced?: number;
  /** Run of conditions only: answered requests by the place in the trial that they stood at. */
  readonly asks?: Readonly<Partial<Record<Exclude<Place, 'parallel-call'>, number>>>;
  /** Hash of the wire facts; the facts stand once in wires.jsonl. */
  readonly wire: string;
  /** No slip was drawn at any step's first ask (method M6.2): the trials that efficiency is compared on. */
  readonly undisturbed?: boolean;
  /** The trial ended while other branches were at work: usage, code and later events leave the exact part. */
  readonly cut?: true;
  /** Which block of the interleaved order the trial ran in: the unit of intervals for times (method M6.4). */
  readonly block?: number;
  readonly wallMs?: number;
  readonly overheadMs?: number;
  /** W minus the longest causal chain; only where branches overlapped. */
  readonly overheadUpperMs?: number;
  readonly modelMs?: number;
  readonly toolMs?: number;
  readonly stubMs?: number;
  readonly cpuMs?: number;
  readonly setupMs?: number;
  readonly peakRssBytes?: number;
  readonly baselineRssBytes?: number;
  readonly rssMethod?: string;
}

/** One process start: a line of workers.jsonl. */
export interface WorkerRecord {
  readonly recordVersion: typeof RECORD_VERSION;
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly configuration?: string;
  readonly host: string;
  /** `cold`: a fresh process that ran one undisturbed task, for memory and table 10. `warm`: served many trials. */
  readonly kind: 'cold' | 'warm';
  readonly versions: Readonly<Record<string, string>>;
  readonly runtime: string;
  readonly importMs: number;
  readonly rssAfterImportBytes: number;
  readonly firstRunMs?: number;
  readonly setupMs?: number;
  readonly peakRssBytes?: number;
  readonly rssMethod?: string;
  /** Largest sum over the process and its children, sampled with pidusage; absent when it had none and procfs told its own peak. */
  readonly treePeakRssBytes?: number;
  readonly taskId?: string;
  readonly taskType?: 'zero-tool' | 'document' | 'web';
  /** Width of the narrowest bracket that placed the worker's clock on the host's. */
  readonly clockBracketMs?: number;
  /** Why it ended, when it was not asked to. */
  readonly ended?: { readonly code: string; readonly exitCode?: number; readonly signal?: string; readonly stderr?: string };
}

/** A line of wires.jsonl. */
export interface WireRecord {
  readonly wire: string;
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly configuration?: string;
  readonly facts: unknown;
}

/** manifest.json: what was planned, on what, and from which state of the code. */
export interface Manifest {
  readonly recordVersion: typeof RECORD_VERSION;
  readonly agentgauge: string;
  readonly planHash: string;
  readonly plan: ManifestPlan;
  readonly taskSet: { readonly name: string; readonly seed: number; readonly hash: string; readonly tasks: number; readonly pages: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly memoryLimitBytes?: number;
    readonly os: string;
    readonly arch: string;
    readonly node: string;
    readonly container: boolean;
  };
  readonly latencyTable?: LatencyEntry;
  readonly git?: { readonly commit: string; readonly dirty: boolean };
  readonly startedAt: string;
  readonly host: string;
}

export interface LatencyEntry {
  readonly model: string;
  readonly firstTokenMs: number;
  readonly perOutputTokenMs: number;
  readonly sigma: number;
  readonly source: string;
  readonly dated: string;
}

/** Weights and conditions under which they say the same again. */
export interface LocalModelFacts {
  readonly quantisation?: string;
  readonly sha256?: string;
  readonly threads: number;
  readonly contextTokens: number;
}

export interface ManifestPlan {
  readonly name: string;
  readonly rows: readonly {
    readonly framework: string;
    readonly shape: string;
    readonly settings: string;
    readonly configuration?: string;
    readonly title: string;
    readonly language: 'node' | 'python';
    readonly floor: boolean;
    readonly publishedAs?: string;
    readonly publishedIsClaim?: true;
  }[];
  /** Rows that were asked for and cannot run here, with the remedy. */
  readonly absentRows: readonly { readonly framework: string; readonly why: string }[];
  readonly tasks: readonly { readonly taskId: string; readonly taskType: 'zero-tool' | 'document' | 'web'; readonly level: 1 | 2 | 3 }[];
  readonly trials: number;
  /** What each trial of a task meets, by trial index: a run of conditions (method M7). Absent in any other. */
  readonly conditions?: readonly Condition[];
  readonly seed: number;
  /** Seeds of the world and of the faults; absent where they are `seed`. */
  readonly taskSeed?: number;
  readonly faultSeed?: number;
  readonly modelKind: string;
  readonly model: string;
  /** Of a local model. */
  readonly localModel?: LocalModelFacts;
  readonly profile?: string;
  /** Of the simulated model; absent where they are the usual ones. */
  readonly policy?: string;
  readonly rates?: Readonly<Record<string, number>>;
  /** Hash over the files of a folder with faults and templates from outside. */
  readonly heldOut?: string;
  readonly cap: number;
  readonly agentCap: number;
  readonly capLiteral?: number;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly isolation: 'worker' | 'trial';
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly latency: string;
  readonly instruction: 'system' | 'user' | 'both';
  readonly toolErrors: 'throw' | 'text';
  readonly broker: 'strict' | 'lenient';
  /** Dials of the offline search: share of pages that it knows, chance of a place taken by another page. Absent where they are 1 and 0. */
  readonly searchRecall?: number;
  readonly searchNoise?: number;
  /** Every tool call read and ran anew. Absent where what was read once was kept for all rows. */
  readonly toolCache?: 'off';
  readonly enforce: 'honoured' | 'ignored';
  /** Fresh processes a row for memory and import times. */
  readonly coldStarts: number;
  /** So many for each task type; absent: so many in all, on tasks drawn over all types. */
  readonly coldStartsByTaskType?: true;
}
