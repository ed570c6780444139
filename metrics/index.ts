// What others may build on: records, what is computed from them, and the pure parts of measuring. Collectors and test builders stay inside.

export type { BootstrapOptions } from './bootstrap.ts';
export { bootstrapInterval } from './bootstrap.ts';
export { causalEnds } from './causal-ends.ts';
export type { Judged } from './classify.ts';
export { classifyTrial, finishVerdict, isScorable } from './classify.ts';
export type { Code } from './codes.ts';
export { ANSWER_CODES, CAP_CODES, PASSED_ON_CODES, sourceOf } from './codes.ts';
export type { CpuReading, CpuUse } from './cpu-percent.ts';
export { cpuUse } from './cpu-percent.ts';
export type { LaidOut } from './critical-path.ts';
export { layOut } from './critical-path.ts';
export type { TrialEvidence, Verdict } from './evidence.ts';
export { exactPart } from './exact-part.ts';
export type { Interval } from './intervals.ts';
export { longestChainMs, unionMs } from './intervals.ts';
export type { MemoryLimit } from './memory-limit.ts';
export { readMemoryLimit } from './memory-limit.ts';
export type { Busy, Overhead, TrialTimes } from './overhead.ts';
export { overheadOf } from './overhead.ts';
export type { MemoryReading } from './process-memory.ts';
export { readPeakMemory, resetPeakMemory, sampleTreeMemory } from './process-memory.ts';
export type {
  CallRow,
  CauseSource,
  Handling,
  LatencyEntry,
  Manifest,
  ManifestPlan,
  Outcome,
  ScoreRule,
  ToolCallRow,
  TrialEvent,
  TrialRecord,
  WireRecord,
  WorkerRecord,
} from './record.ts';
export { RECORD_VERSION } from './record.ts';
export { DataError, parseManifest, parseTrialRecord, parseWireRecord, parseWorkerRecord } from './record-schema.ts';
export type { Interval95, SortedSamples } from './statistics.ts';
export { mean, meanInterval, median, medianInterval, pearson, quantile, sortSamples, standardDeviation, tQuantile, wilsonInterval } from './statistics.ts';
export type { RunRecords } from './summaries.ts';
export { summarizeRun } from './summaries.ts';
export type { ColdStart, Efficiency, EndToEnd, LeftOut, Level, Rates, RowKey, RowSummary, RunSummary, SummaryValue, TaskType, Tokens } from './summary.ts';
export type { Throughput, TimedTrial } from './throughput.ts';
export { throughputOf } from './throughput.ts';
