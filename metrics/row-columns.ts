// One row's figures by place in the plan: whatever a quantile, an interval or a pairing with another row has to see trial by trial.
import { Column } from './column.ts';
import { whyNotMeasured } from './measured.ts';
import { type ModelTime, timeOf } from './model-time.ts';
import type { PlanPlaces } from './plan-places.ts';
import { isCorrect } from './rates.ts';
import type { TrialRecord } from './record.ts';

const READERS = {
  block: ({ block }) => block,
  cpuMs: ({ cpuMs }) => cpuMs,
  forced: ({ forced }) => forced,
  /** Replies that one agent's work was handed on by: plans and reports. */
  handOvers: handOversOf,
  inputTokens: ({ usage }) => usage.inputTokens,
  modelCalls: ({ usage }) => usage.modelCalls,
  outputTokens: ({ usage }) => usage.outputTokens,
  overheadMs: ({ overheadMs }) => overheadMs,
  overheadUpperMs: ({ overheadUpperMs }) => overheadUpperMs,
  setupMs: ({ setupMs }) => setupMs,
  stubMs: ({ stubMs }) => stubMs,
  toolCalls: ({ usage }) => usage.toolCalls,
  toolMs: ({ toolMs }) => toolMs,
  wallMs: ({ wallMs }) => wallMs,
  width: ({ width }) => width,
} satisfies Record<string, (record: TrialRecord) => number | undefined>;

export type Figure = keyof typeof READERS | 'endToEndSeconds' | 'outputTokensPerSecond';

const FIGURES = Object.keys(READERS) as (keyof typeof READERS)[];
/** What a place says of its trial besides figures; added up. */
const [RAN, CORRECT, CUT, USABLE] = [1, 2, 4, 8] as const;

export class RowColumns {
  readonly places: PlanPlaces;
  readonly #time: ModelTime;
  readonly #marks: Uint8Array;
  readonly #columns: Readonly<Record<Figure, Column>>;

  constructor(places: PlanPlaces, time: ModelTime) {
    this.places = places;
    this.#time = time;
    this.#marks = new Uint8Array(places.size);
    const names: Figure[] = [...FIGURES, 'endToEndSeconds', 'outputTokensPerSecond'];
    this.#columns = Object.fromEntries(names.map((name) => [name, new Column(places.size)])) as Record<Figure, Column>;
  }

  put(place: number, record: TrialRecord): void {
    const isUsable = whyNotMeasured(record) === undefined;
    this.#marks[place] = RAN + (isCorrect(record) ? CORRECT : 0) + (record.cut === true ? CUT : 0) + (isUsable ? USABLE : 0);
    for (const figure of FIGURES) this.#columns[figure].put(place, READERS[figure](record));
    const { endToEndSeconds, outputTokensPerSecond } = timeOf(record, this.#time);
    this.#columns.endToEndSeconds.put(place, endToEndSeconds);
    this.#columns.outputTokensPerSecond.put(place, outputTokensPerSecond);
  }

  /** Whether there is a record. */
  has(place: number): boolean {
    return this.#is(place, RAN);
  }

  isCorrect(place: number): boolean {
    return this.#is(place, CORRECT);
  }

  isCut(place: number): boolean {
    return this.#is(place, CUT);
  }

  /** Efficiency may be measured on it. */
  isUsable(place: number): boolean {
    return this.#is(place, USABLE);
  }

  /** Places with a record for which this holds, in the order of the plan. */
  where(holds: (place: number) => boolean = () => true): number[] {
    const found: number[] = [];
    for (let place = 0; place < this.#marks.length; place++) if (this.has(place) && holds(place)) found.push(place);
    return found;
  }

  at(figure: Figure, place: number): number | undefined {
    return this.#columns[figure].at(place);
  }

  /** What is known of these places, in their order. */
  among(figure: Figure, places: readonly number[]): number[] {
    return this.#columns[figure].among(places);
  }

  #is(place: number, mark: number): boolean {
    return ((this.#marks[place] ?? 0) & mark) !== 0;
  }
}

export function handOversOf({ parts }: TrialRecord): number {
  return (parts?.planner?.answers ?? 0) + (parts?.['subtask-worker']?.answers ?? 0);
}
