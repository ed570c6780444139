// How often a row answered right, and how often something went wrong that may be laid at its framework's door (method M5.2). The denominator is the plan.
import { ANSWER_CODES, CAP_CODES, LET_THROUGH_CODES, PASSED_ON_CODES } from './codes.ts';
import type { TrialRecord } from './record.ts';
import { wilsonInterval } from './statistics.ts';
import type { Rates, SummaryValue } from './summary.ts';
import { known } from './summary-value.ts';

/** What the rates of some records are made of. Counts of parts add up to those of the whole. */
export class RateCounts {
  recorded = 0;
  correct = 0;
  #scored = 0;
  #unjudged = 0;
  #caused = 0;
  #notRepaired = 0;
  #causedWithoutCap = 0;
  #notRepairedWithoutCap = 0;
  #atCap = 0;
  #infrastructure = 0;
  readonly #codes = new Map<string, number>();
  readonly #handlings = new Map<string, number>();

  /** Of parts that share no record. */
  static sum(parts: Iterable<RateCounts>): RateCounts {
    const sum = new RateCounts();
    for (const part of parts) sum.#plus(part);
    return sum;
  }

  add(record: TrialRecord): void {
    const { outcome, score, code, handling } = record;
    const [atCap, caused, notRepaired] = [isAtCap(record), isCaused(record), isNotRepaired(record)];
    this.recorded += 1;
    if (isCorrect(record)) this.correct += 1;
    if (score !== undefined) this.#scored += 1;
    else if (outcome === 'completed') this.#unjudged += 1;
    if (caused) this.#caused += 1;
    if (notRepaired) this.#notRepaired += 1;
    if (caused && !atCap) this.#causedWithoutCap += 1;
    if (notRepaired && !atCap) this.#notRepairedWithoutCap += 1;
    if (atCap) this.#atCap += 1;
    if (outcome === 'infrastructure') this.#infrastructure += 1;
    if (code !== undefined) raise(this.#codes, code, 1);
    if (handling !== undefined) raise(this.#handlings, handling, 1);
  }

  #plus(other: RateCounts): void {
    this.recorded += other.recorded;
    this.correct += other.correct;
    this.#scored += other.#scored;
    this.#unjudged += other.#unjudged;
    this.#caused += other.#caused;
    this.#notRepaired += other.#notRepaired;
    this.#causedWithoutCap += other.#causedWithoutCap;
    this.#notRepairedWithoutCap += other.#notRepairedWithoutCap;
    this.#atCap += other.#atCap;
    this.#infrastructure += other.#infrastructure;
    for (const [code, n] of other.#codes) raise(this.#codes, code, n);
    for (const [handling, n] of other.#handlings) raise(this.#handlings, handling, n);
  }

  /** An answer that nobody could judge (a split whose truths are not public) makes accuracy unknown, not zero. */
  get isJudged(): boolean {
    return this.#unjudged === 0;
  }

  /** @param planned trials of the plan in this part. @param trials how often each task is tried: repeats are a cluster, so intervals count tasks */
  rates(planned: number, trials: number): Rates {
    const share = (count: number) => (this.recorded === 0 ? undefined : percentOf(count, planned, planned / trials));
    return {
      planned,
      recorded: this.recorded,
      correct: this.correct,
      ...known({
        accuracyPercent: this.isJudged ? share(this.correct) : undefined,
        causedPercent: share(this.#caused),
        notRepairedPercent: share(this.#notRepaired),
        causedWithoutCapPercent: share(this.#causedWithoutCap),
        notRepairedWithoutCapPercent: share(this.#notRepairedWithoutCap),
        accuracyOfScoredPercent: percentOf(this.correct, this.#scored, this.#scored / trials),
      }),
      atCap: this.#atCap,
      infrastructure: this.#infrastructure,
      codes: sorted(this.#codes),
      handlings: sorted(this.#handlings),
    };
  }
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

function raise(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
