// The main reliability table (method M7): what each row makes of a fault, by kind, place and burst, and what that implies for rates of the reader's own.
// Responses are conditional: they say nothing of how often a model errs. Rows are never ranked here.
import { BURSTS, PLACES, type Place } from '../../base/forced-fault.ts';
import { burstName, type FaultCell, type Response, type RowReliability, reliabilityOf } from '../../metrics/fault-cells.ts';
import { firstOrderEstimate } from '../../metrics/first-order.ts';
import { rowId } from '../../metrics/row-counts.ts';
import type { Trials } from '../../metrics/run-tally.ts';
import type { Cell, Column, Row, Table } from '../report.ts';
import { captionOf } from './caption.ts';
import { exactColumn, rounded } from './exact.ts';
import { sectionOf, type TableInput } from './frame-table.ts';

/** By kind, in [0, 1] an ask, and `correction`: in place of the rates of the run. What is not named keeps the run's. */
export type OwnRates = Readonly<Record<string, number>>;

const PLACE_WORDS: Readonly<Record<Place, string>> = {
  'first-call': 'first call',
  'later-call': 'a later call',
  'parallel-call': 'one of two parallel calls',
  route: 'handing the task on',
  planner: 'the plan',
  'hand-over': "a subtask's report",
  synthesis: 'joining the reports',
  'last-reply': 'the last reply',
};

/** More, and faults no longer come one at a time, or what they do to each other is no small thing. */
const MOST_FAULTS = 0.3;
const MOST_POINTS = 2;

const UNSEEN =
  'Left out: what no framework can see, so that there is nothing to respond to: a wrong value, a misreading, a wrong thought, an early answer, a missing mark, a subtask or a value left out.';

export function reliability(input: TableInput, trials: Trials, own?: OwnRates): Table[] {
  const rows = reliabilityOf(input.manifest, trials)
    .map((of) => ({ of, summary: input.summary.rows.find(({ key }) => rowId(key) === rowId(of.row)) }))
    .flatMap(({ of, summary }): Rowed[] =>
      summary === undefined ? [] : [{ of, key: summary.key, section: sectionOf(summary, input.manifest.plan), isShown: summary.publishable }],
    )
    .sort((a, b) => (spelled(a) < spelled(b) ? -1 : 1));
  const places = PLACES.filter((place) => rows.some(({ of }) => of.cells.some((cell) => cell.place === place)));
  return [estimates(input, rows, own), ...places.map((place) => responsesAt(place, input, rows)), oneByOne(input, rows)];
}

interface Rowed extends Pick<Row, 'key' | 'section'> {
  readonly of: RowReliability;
  /** A harness error fell into no trial of it. */
  readonly isShown: boolean;
}

function spelled({ key: { framework, shape, settings } }: Rowed): string {
  return [framework, shape, settings].join(' ');
}

function estimates(input: TableInput, rows: readonly Rowed[], own: OwnRates | undefined): Table {
  const { plan } = input.manifest;
  const rates = { ...plan.rates, ...own };
  const q = rates['correction'] ?? 1;
  const asked = PLACES.filter((place) => place !== 'parallel-call').filter((place) => rows.some(({ of }) => of.exposures[place] !== undefined));
  const columns = [
    exactColumn('ownFailuresPercent', 'own failures %', 'percent'),
    ...asked.map((place) => exactColumn(`asks ${place}`, `asks, ${PLACE_WORDS[place]}`, 'mean')),
    exactColumn('faultsPerTrial', 'expected faults a trial', 'ratio'),
    exactColumn('estimatePercent', 'fails, estimate %', 'percent'),
    ...(own === undefined
      ? [exactColumn('drawnPercent', 'fails, simulated %', 'percent'), exactColumn('interactionPoints', 'interaction, points', 'mean')]
      : []),
    exactColumn('stands', 'estimate stands', 'text'),
  ];
  return table(input, {
    id: 'reliability',
    title: 'Reliability: what the responses imply for these rates',
    columns,
    rows: rows.map((row) => ({ ...row, cells: estimateCells(row.of, rates, q, own === undefined) })),
    denominator: 'Own failures: tasks that the row fails without any fault and the floor of its shape solves. Asks: requests a trial without faults, by place.',
    notes: [
      `Estimate: 1 − (1 − own failures) × Π (1 − rate × response)^asks over kinds and places; a response weighs bursts by (1 − q)^(m − 1) × q, forms of a kind alike, and a burst that was not run as the next longer one. ${ratesWords(rates, q, own)}`,
      own === undefined
        ? `Simulated: trials in which the same rates drew faults, on the same tasks. The difference is named interaction: what faults do to each other, and that a fault which is not shown is a fresh draw. The estimate is greyed above ${MOST_POINTS} points, or above ${MOST_FAULTS} expected faults a trial.`
        : `Rates of the reader's own: no trial was run for them. The estimate is greyed above ${MOST_FAULTS} expected faults a trial.`,
      'Rates of your own: agentgauge report RUN --rates kind=percent,… or a JSON file of kind and percent; `correction` is q.',
      UNSEEN,
    ],
  });
}

function estimateCells(of: RowReliability, rates: OwnRates, q: number, withDrawn: boolean): Row['cells'] {
  const { failing, faultsPerTrial } = firstOrderEstimate(of, rates, q);
  const share = ({ failed, of: n }: { failed: number; of: number }): Cell | undefined => (n === 0 ? undefined : { value: rounded((100 * failed) / n), n });
  const estimate = failing === undefined ? undefined : { value: rounded(100 * failing), n: of.own.of };
  const drawn = withDrawn ? share(of.drawn) : undefined;
  const points = estimate === undefined || typeof drawn?.value !== 'number' ? undefined : drawn.value - estimate.value;
  return known({
    ownFailuresPercent: share(of.own),
    ...Object.fromEntries(Object.entries(of.exposures).map(([place, asks]) => [`asks ${place}`, { value: rounded(asks ?? 0), n: of.own.of }])),
    faultsPerTrial: { value: rounded(faultsPerTrial), n: of.own.of },
    estimatePercent: estimate,
    drawnPercent: drawn,
    interactionPoints: points === undefined ? undefined : { value: rounded(points), n: of.drawn.of },
    stands: { value: standing(faultsPerTrial, points), n: of.own.of },
  });
}

function standing(faultsPerTrial: number, points: number | undefined): string {
  if (faultsPerTrial > MOST_FAULTS) return `greyed: ${faultsPerTrial.toFixed(2)} faults a trial`;
  return points !== undefined && Math.abs(points) > MOST_POINTS ? `greyed: interaction ${points.toFixed(1)} points` : 'yes';
}

function ratesWords(rates: OwnRates, q: number, own: OwnRates | undefined): string {
  const words = Object.entries(rates).filter(([kind]) => !kind.startsWith('correction'));
  const named = words.map(([kind, rate]) => `${kind} ${percentWord(rate)}${own?.[kind] === undefined ? '' : ' (given)'}`);
  return `Rates an ask: ${named.join(', ') || 'none'}; q ${percentWord(q)}${own?.['correction'] === undefined ? '' : ' (given)'}.`;
}

function percentWord(share: number): string {
  return `${rounded(100 * share)} %`;
}

/** One column a kind and form: how many tasks fail, by burst. */
function responsesAt(place: Place, input: TableInput, rows: readonly Rowed[]): Table {
  const kinds = [...new Map(rows.flatMap(({ of }) => of.cells.filter((cell) => cell.place === place)).map((cell) => [nameOf(cell), cell])).keys()];
  const bursts = BURSTS.map(burstName).filter((burst) => rows.some(({ of }) => of.cells.some(({ responses }) => responses[burst] !== undefined)));
  const unmet = kinds.filter((name) => rows.every(({ of }) => of.cells.every((cell) => cell.place !== place || nameOf(cell) !== name || isEmpty(cell))));
  return table(input, {
    id: `responses-${place}`,
    title: `Responses to a fault at ${PLACE_WORDS[place]}: tasks that fail, by burst ${bursts.map(burstWord).join(' ')}`,
    columns: kinds.map((name): Column => ({ id: name, title: name.replaceAll('-', ' '), unit: 'text', exact: true })),
    rows: rows.map((row) => ({
      ...row,
      cells: known(Object.fromEntries(row.of.cells.filter((cell) => cell.place === place).map((cell) => [nameOf(cell), byBurst(cell, bursts)]))),
    })),
    denominator: 'Fail: the same task is solved without the fault, and not with it. n: tasks in which the fault was met.',
    notes: [
      ...(unmet.length === 0 ? [] : [`Met nowhere: ${unmet.join(', ')} (it does not fit the calls that these tasks make there, or a provider prevents it).`]),
      'A number between none and all is a mixed cell: table "responses" names the tasks that fail and their codes.',
    ],
  });
}

function byBurst({ responses }: FaultCell, bursts: readonly string[]): Cell | undefined {
  const met = bursts.map((burst) => responses[burst]);
  const most = mostOf({ responses });
  if (most === 0) return undefined;
  return { value: met.map((response) => countWord(response, most)).join(' '), n: most };
}

function mostOf({ responses }: Pick<FaultCell, 'responses'>): number {
  return Math.max(0, ...Object.values(responses).map(({ of }) => of));
}

function countWord(response: Response | undefined, most: number): string {
  if (response === undefined) return '-';
  return response.of === most ? String(response.failed) : `${response.failed}/${response.of}`;
}

/** Every cell as numbers, for a program that reads them. */
function oneByOne(input: TableInput, rows: readonly Rowed[]): Table {
  return table(input, {
    id: 'responses',
    title: 'Responses one by one',
    columns: [
      { id: 'fault', title: 'fault', unit: 'text', exact: true },
      { id: 'place', title: 'place', unit: 'text', exact: true },
      ...BURSTS.map((burst): Column => ({ id: `burst ${burstName(burst)}`, title: `fail at ${burstWord(burstName(burst))}`, unit: 'count', exact: true })),
      { id: 'mixed', title: 'in a mixed cell, who fails', unit: 'text', exact: true },
    ],
    rows: rows.flatMap((row) =>
      row.of.cells
        .filter((cell) => !isEmpty(cell))
        .map((cell) => ({
          ...row,
          cells: known({
            fault: { value: nameOf(cell), n: mostOf(cell) },
            place: { value: PLACE_WORDS[cell.place], n: mostOf(cell) },
            ...Object.fromEntries(Object.entries(cell.responses).map(([burst, { failed, of }]) => [`burst ${burst}`, { value: failed, n: of }])),
            mixed: mixedWords(cell),
          }),
        })),
    ),
    isList: true,
    denominator: 'One line a row, fault and place. n of a figure: tasks whose twin is solved and in which the fault was met.',
    notes: [],
  });
}

function mixedWords({ responses }: Pick<FaultCell, 'responses'>): Cell | undefined {
  const words = BURSTS.map(burstName).flatMap((burst) => {
    const response = responses[burst];
    if (response === undefined || response.failed === 0 || response.failed === response.of) return [];
    return [`${burstWord(burst)}: ${response.failures.map(({ taskId, code }) => `${taskId} ${code}`).join(', ')}`];
  });
  return words.length === 0 ? undefined : { value: words.join('; '), n: mostOf({ responses }) };
}

function table(
  input: TableInput,
  draft: Pick<Table, 'id' | 'title' | 'columns' | 'notes' | 'isList'> & {
    readonly denominator: string;
    readonly rows: readonly (Rowed & Pick<Row, 'cells'>)[];
  },
): Table {
  const { denominator, rows, notes, ...rest } = draft;
  // The rates are said once, beside the estimate: responses hang on none.
  const { rates: _, ...plan } = input.manifest.plan;
  const hidden = [...new Set(rows.filter(({ isShown }) => !isShown).map(({ key }) => rowId(key)))];
  return {
    ...rest,
    caption: captionOf(
      { ...input, manifest: { ...input.manifest, plan } },
      { denominator, interval: 'Counts of chosen tasks, so no interval.' },
      { excluded: [], cited: undefined },
    ),
    runs: 1,
    trials: input.summary.recorded,
    excluded: [],
    rows: rows.map(({ key, section, cells, isShown }) => ({ key, section: section === 'ranked' ? 'by-name' : section, cells: isShown ? cells : {} })),
    notes: [...notes, ...hidden.map((name) => `${name}: a harness error fell into this row, so its cells are left out (method M4.3).`)],
  };
}

function nameOf({ kind, form }: FaultCell): string {
  return form === undefined ? kind : `${kind}, ${form}`;
}

function burstWord(burst: string): string {
  return burst === 'endless' ? '∞' : burst;
}

function isEmpty({ responses }: FaultCell): boolean {
  return Object.keys(responses).length === 0;
}

function known(cells: Readonly<Record<string, Cell | undefined>>): Row['cells'] {
  return Object.fromEntries(Object.entries(cells).filter((entry): entry is [string, Cell] => entry[1] !== undefined));
}

/** Six decimals: more would print the order of a summation. */
