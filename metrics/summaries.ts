// Summaries of a run: a pure function of its stored records, so that the same records give the same bytes.
import type { Manifest, TrialRecord, WorkerRecord } from './record.ts';
import type { RunSummary } from './summary.ts';

export type { ColdStart, Efficiency, EndToEnd, LeftOut, Level, Rates, RowKey, RowSummary, RunSummary, SummaryValue, TaskType, Tokens } from './summary.ts';

export interface RunRecords {
  readonly manifest: Manifest;
  readonly trials: Iterable<TrialRecord>;
  readonly workers: Iterable<WorkerRecord>;
}

export declare function summarizeRun(records: RunRecords): RunSummary;
