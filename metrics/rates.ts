// How often a row answered right, and how often something went wrong that may be laid at its framework's door (method M5.2). The denominator is the plan.
import { ANSWER_CODES, CAP_CODES, LET_THROUGH_CODES, PASSED_ON_CODES } from './codes.ts';
import type { TrialRecord } from './record.ts';
import { wilsonInterval } from './statistics.ts';
import type { Rates, SummaryValue } from './summary.ts';
import { known } from './summary-value.ts';

/** @param planned trials of the plan in this part. @param trials how often each task is tried: repeats are a cluster, so intervals count tasks */
export function ratesOf(records: readonly TrialRecord[], planned: number, trials: number): Rates {
  const count = (holds: (record: TrialRecord) => boolean) => records.reduce((total, record) => total + (holds(record) ? 1 : 0), 0);
  const share = (holds: (record: TrialRecord) => boolean) => (records.length === 0 ? undefined : percentOf(count(holds), planned, planned / trials));
  const scored = count((record) => record.score !== undefined);
  // An answer that nobody could judge (a split whose truths are not public) makes accuracy unknown, not zero.
  const isJudged = !records.some(({ outcome, score }) => outcome === 'completed' && score === undefined);
  const beforeCap = (holds: (record: TrialRecord) => boolean) => (record: TrialRecord) => !isAtCap(record) && holds(record);
  return {
    planned,
    recorded: records.length,
    correct: count(isCorrect),
    ...known({
      accuracyPercent: isJudged ? share(isCorrect) : undefined,
      causedPercent: share(isCaused),
      notRepairedPercent: share(isNotRepaired),
      causedWithoutCapPercent: share(beforeCap(isCaused)),
      notRepairedWithoutCapPercent: share(beforeCap(isNotRepaired)),
      accuracyOfScoredPercent: percentOf(count(isCorrect), scored, scored / trials),
    }),
    atCap: count(isAtCap),
    infrastructure: count((record) => record.outcome === 'infrastructure'),
    codes: tally(records.map((record) => record.code)),
    handlings: tally(records.map((record) => record.handling)),
  };
}

export function isCorrect({ outcome, score }: TrialRecord): boolean {
  return outcome === 'completed' && score?.correct === true;
}

function isAtCap({ code }: TrialRecord): boolean {
  return code !== undefined && CAP_CODES.has(code);
}

/** Concealed, lost, or a failure that no fault of model or infrastructure came before. Only this may be called framework-induced. */
export function isCaused(record: TrialRecord): boolean {
  if (isNobodys(record) || isPassedOn(record)) return false;
  if (record.handling === 'concealed' || record.handling === 'lost') return true;
  const failed = record.outcome === 'failed' || record.outcome === 'limit' || isAtCap(record);
  return failed && !record.events.some(isFaultOfOthers);
}

/** A fault that the framework met rather than made. */
function isFaultOfOthers({ source, code }: TrialRecord['events'][number]): boolean {
  return source === 'infrastructure' || LET_THROUGH_CODES.has(code) || (source === 'model' && !ANSWER_CODES.has(code));
}

/** Caused, reported, or an empty or cut reply handed on. */
export function isNotRepaired(record: TrialRecord): boolean {
  return !isNobodys(record) && (isCaused(record) || record.handling === 'reported' || isPassedOn(record));
}

/** A provider that fails or a user who stops the run says nothing about a framework. */
function isNobodys({ outcome }: TrialRecord): boolean {
  return outcome === 'infrastructure' || outcome === 'cancelled';
}

function isPassedOn({ code, handling }: TrialRecord): boolean {
  return handling === 'concealed' && code !== undefined && PASSED_ON_CODES.has(code);
}

function percentOf(count: number, of: number, clusters: number): SummaryValue | undefined {
  const interval = wilsonInterval((count / of) * clusters, clusters);
  if (of === 0 || interval === undefined) return undefined;
  const value = (100 * count) / of;
  // One task has no interval to speak of (style: none below n = 2).
  return clusters < 2 ? { value, n: of } : { value, n: of, low: 100 * interval.low, high: 100 * interval.high };
}

function tally(names: readonly (string | undefined)[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
