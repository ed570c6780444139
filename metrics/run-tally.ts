// The records of a run, added up one by one: all that summaries and tables read of them. What is kept grows by some hundred bytes a trial, whatever a record weighs.
import { modelTimeOf } from './model-time.ts';
import { PlanPlaces } from './plan-places.ts';
import type { Manifest, TrialRecord } from './record.ts';
import { type RowCounts, rowId } from './row-counts.ts';
import { RowTally } from './row-tally.ts';
import type { Rates, RowKey } from './summary.ts';

type PlannedRun = Pick<Manifest, 'plan' | 'latencyTable'>;

export class RunTally {
  readonly places: PlanPlaces;
  readonly #rows: ReadonlyMap<string, RowTally>;
  readonly #templates = new Map<string, string>();
  #recorded = 0;
  #strangers = 0;
  #doubles = 0;

  constructor(manifest: PlannedRun) {
    const { plan } = manifest;
    this.places = new PlanPlaces(plan);
    const terms = { plan, places: this.places, time: modelTimeOf(manifest), share: sharer() };
    this.#rows = new Map(plan.rows.map((row) => [rowId(row), new RowTally(row, terms)]));
  }

  /** A record of no planned trial, or a second one of a trial, is counted as such and nothing else. */
  add(record: TrialRecord): void {
    const row = this.#rows.get(rowId(record));
    const place = this.places.of(record);
    if (row === undefined || place === undefined) this.#strangers += 1;
    else if (row.columns.has(place)) this.#doubles += 1;
    else {
      row.add(record, place);
      this.#templates.set(record.taskId, record.template);
      this.#recorded += 1;
    }
  }

  /** Records that count. */
  get recorded(): number {
    return this.#recorded;
  }

  get strangers(): number {
    return this.#strangers;
  }

  get doubles(): number {
    return this.#doubles;
  }

  /** Tasks of one template are alike. A task without a record stands alone. */
  clusterOf(taskId: string): string {
    return this.#templates.get(taskId) ?? taskId;
  }

  /** Over the planned trials of each template. */
  ratesByTemplate(row: RowKey): Map<string, Rates> {
    const { tasks, trials } = this.places;
    const planned = Map.groupBy(tasks, ({ taskId }) => this.clusterOf(taskId));
    const ofRow = [...this.row(row).byTemplate];
    return new Map(ofRow.map(([template, counts]) => [template, counts.rates((planned.get(template)?.length ?? 0) * trials, trials)]));
  }

  /** @param row of the plan */
  row(row: RowKey): RowTally {
    const tally = this.#rows.get(rowId(row));
    if (tally === undefined) throw new RangeError(`row ${rowId(row)} is not in the plan`);
    return tally;
  }

  /** One entry a row that has records, sorted by framework, shape, settings. With `exactOnly`, codes and wires of cut trials stay out. */
  counts({ exactOnly }: { readonly exactOnly: boolean }): RowCounts[] {
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.map(([, row]) => row.counts({ exactOnly })).filter(({ recorded }) => recorded > 0);
  }
}

/** Records, or what was made of them already. */
export type Trials = RunTally | Iterable<TrialRecord>;

export function tallyOf(manifest: PlannedRun, trials: Trials): RunTally {
  if (trials instanceof RunTally) return trials;
  const tally = new RunTally(manifest);
  for (const record of trials) tally.add(record);
  return tally;
}

/** Equal is what JSON spells alike. */
function sharer(): <T>(value: T) => T {
  const known = new Map<string, unknown>();
  return (value) => {
    const spelt = JSON.stringify(value);
    if (!known.has(spelt)) known.set(spelt, value);
    return known.get(spelt) as typeof value;
  };
}
