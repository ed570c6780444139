// What stays of the records of one row: counts, figures by place, and the trials that a table lists one by one. A record itself is never kept.
import { whyNotMeasured } from './measured.ts';
import { MemoryTally } from './memory-tiers.ts';
import type { ModelTime } from './model-time.ts';
import type { PlanPlaces } from './plan-places.ts';
import { isCaused, isNotRepaired, RateCounts } from './rates.ts';
import type { ManifestPlan, TrialEvent, TrialRecord } from './record.ts';
import { RowColumns } from './row-columns.ts';
import { RowCounter, type RowCounts } from './row-counts.ts';
import type { Level, TaskType } from './summary.ts';

/** A trial in which something was not repaired: a table lists them. */
export interface OpenTrial {
  readonly place: number;
  readonly ending: OpenEnding;
}

/** What is listed of such a trial. Many end alike, and then share one. */
export interface OpenEnding extends Pick<TrialRecord, 'outcome' | 'code' | 'handling' | 'cut'> {
  readonly isCaused: boolean;
  readonly events: readonly TrialEvent[];
  /** As much of its error as a table has room for. */
  readonly message: string | undefined;
}

/** Of a trial of a run of conditions: asks by place, and what it is listed under when it failed. */
export interface ConditionTrial {
  readonly asks: NonNullable<TrialRecord['asks']>;
  readonly code: string;
}

/** What the rows of a run share. */
export interface TallyTerms {
  readonly plan: ManifestPlan;
  readonly places: PlanPlaces;
  readonly time: ModelTime;
  /** One object for equal values: a million records spell the same few. */
  readonly share: <T>(value: T) => T;
}

export class RowTally {
  readonly row: ManifestPlan['rows'][number];
  readonly columns: RowColumns;
  readonly memory = new MemoryTally();
  /** Each question template alone. */
  readonly byTemplate = new Map<string, RateCounts>();
  /** In the order of the records. */
  readonly open: OpenTrial[] = [];
  /** By place; empty in a run without conditions. */
  readonly conditions = new Map<number, ConditionTrial>();
  /** Records that efficiency is not measured on, by the first reason. */
  readonly leftOut = new Map<string, number>();
  hasHarnessError = false;
  readonly #terms: TallyTerms;
  readonly #rates = new Map<string, { readonly taskType: TaskType; readonly level: Level; readonly counts: RateCounts }>();
  readonly #counter: RowCounter;
  /** What a trial that was cut met depends on the instant, so here it only counts as one that ran. */
  readonly #exactCounter: RowCounter;

  constructor(row: ManifestPlan['rows'][number], terms: TallyTerms) {
    this.row = row;
    this.columns = new RowColumns(terms.places, terms.time);
    this.#terms = terms;
    this.#counter = new RowCounter(row);
    this.#exactCounter = new RowCounter(row);
  }

  /** @param place without a record so far */
  add(record: TrialRecord, place: number): void {
    this.columns.put(place, record);
    this.memory.add(record);
    this.#countRates(record, place);
    countsIn(this.byTemplate, record.template).add(record);
    this.#counter.add(record);
    if (record.cut === true) this.#exactCounter.addRan(record);
    else this.#exactCounter.add(record);
    const whyNot = whyNotMeasured(record);
    if (whyNot !== undefined) this.leftOut.set(whyNot, (this.leftOut.get(whyNot) ?? 0) + 1);
    if (record.events.some(({ code }) => code === 'harness-error')) this.hasHarnessError = true;
    if (isNotRepaired(record)) this.open.push(this.#openTrial(record, place));
    if (this.#terms.plan.conditions !== undefined) this.conditions.set(place, this.#conditionTrial(record));
  }

  /** Of the tasks of the plan for which this holds. */
  rateCounts(holds: (part: { readonly taskType: TaskType; readonly level: Level }) => boolean = () => true): RateCounts {
    return RateCounts.sum([...this.#rates.values()].filter(holds).map(({ counts }) => counts));
  }

  counts({ exactOnly }: { readonly exactOnly: boolean }): RowCounts {
    return (exactOnly ? this.#exactCounter : this.#counter).counts();
  }

  #countRates(record: TrialRecord, place: number): void {
    const { taskType, level } = this.#terms.places.taskAt(place);
    const part = `${taskType} ${level}`;
    let found = this.#rates.get(part);
    if (found === undefined) {
      found = { taskType, level, counts: new RateCounts() };
      this.#rates.set(part, found);
    }
    found.counts.add(record);
  }

  #openTrial(record: TrialRecord, place: number): OpenTrial {
    const { outcome, code, handling, cut, events, failure } = record;
    const ending: OpenEnding = {
      outcome,
      ...(code !== undefined && { code }),
      ...(handling !== undefined && { handling }),
      ...(cut !== undefined && { cut }),
      isCaused: isCaused(record),
      events,
      message: failure && beginning(failure.message),
    };
    return { place, ending: this.#terms.share(ending) };
  }

  #conditionTrial({ asks = {}, code, outcome }: TrialRecord): ConditionTrial {
    const { share } = this.#terms;
    return { asks: share(asks), code: share(code ?? outcome) };
  }
}

function countsIn(byName: Map<string, RateCounts>, name: string): RateCounts {
  const counts = byName.get(name) ?? new RateCounts();
  byName.set(name, counts);
  return counts;
}

function beginning(message: string): string {
  const [line = ''] = message.split('\n', 1);
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE).toWellFormed()}…`;
}

const LONGEST_MESSAGE = 160;
