// What stands over several seeds (method M9): figures of each row as means over seeds, differences between rows with the simulation interval, and the range of each over our choices.
import { comparisonsOf } from '../../metrics/comparisons.ts';
import { rowId } from '../../metrics/row-counts.ts';
import { pairedDifference, SEEDS_OF_A_SENTENCE, type Standing, simulationInterval, standingOf, type Turned } from '../../metrics/simulation-interval.ts';
import type { Rates, SummaryValue, TaskType } from '../../metrics/summary.ts';
import { PUBLISHED_SOURCE, publishedFigure } from '../published.ts';
import { printNumber } from '../render/print-cell.ts';
import type { NumberCell, Row, Section, Table } from '../report.ts';
import { bySeed, type SeedGroup, type SeedRow } from '../seed-groups.ts';
import { type WithoutTemplate, withoutOneTemplate } from '../template-sensitivity.ts';
import { modelWords, plural } from './caption.ts';
import { exactColumn, rounded } from './exact.ts';

type Read = (rates: Rates) => number | undefined;

const MEASURES = [
  { id: 'accuracyPercent', name: 'accuracy', read: ({ accuracyPercent }) => accuracyPercent?.value },
  { id: 'notRepairedPercent', name: 'not repaired', read: ({ notRepairedPercent }) => notRepairedPercent?.value },
  { id: 'causedPercent', name: 'caused', read: ({ causedPercent }) => causedPercent?.value },
] as const satisfies readonly { id: string; name: string; read: Read }[];
const WITHOUT_CAP = [
  { id: 'notRepairedWithoutCapPercent', name: 'not repaired, without cap', read: (rates: Rates) => rates.notRepairedWithoutCapPercent?.value },
  { id: 'causedWithoutCapPercent', name: 'caused, without cap', read: (rates: Rates) => rates.causedWithoutCapPercent?.value },
];
const ENDINGS: readonly { id: string; name: string; read: Read }[] = [
  ...(['repaired', 'reported', 'concealed', 'lost'] as const).map((handling) => ({
    id: `${handling}Percent`,
    name: `${handling} %`,
    read: ({ handlings, planned }: Rates) => (100 * (handlings[handling] ?? 0)) / planned,
  })),
  { id: 'atCapPercent', name: 'at the cap %', read: ({ atCap, planned }) => (100 * atCap) / planned },
];
const TASK_TYPES: readonly TaskType[] = ['zero-tool', 'document', 'web'];

export function ratesTable(usual: SeedGroup): Table {
  const measures = [...MEASURES, ...WITHOUT_CAP];
  return table(usual, {
    id: 'seeds',
    title: `Rates over ${seedWords(usual)}`,
    columns: measures.map(({ id, name }) => exactColumn(id, `${name} %`, 'percent')),
    rows: usual.rows.map((row) =>
      rowOf(row, {}, Object.fromEntries(measures.map(({ id, read }) => [id, published(row, 'table1', id, simulationInterval(bySeed(row, read)))]))),
    ),
    notes: [],
  });
}

export function taskTypeTable(usual: SeedGroup): Table {
  const measures = MEASURES.filter(({ id }) => id !== 'causedPercent');
  const rows = TASK_TYPES.flatMap((taskType) =>
    usual.rows.map((row) =>
      rowOf(
        row,
        { taskType },
        Object.fromEntries(
          measures.map(({ id, read }) => [
            id,
            published(row, 'table2', id, simulationInterval(bySeed(row, read, ({ byTaskType }) => byTaskType[taskType])), taskType),
          ]),
        ),
      ),
    ),
  );
  return table(usual, {
    id: 'seedsByTaskType',
    title: `Rates by task type over ${seedWords(usual)}`,
    columns: measures.map(({ id, name }) => exactColumn(id, `${name} %`, 'percent')),
    rows,
    notes: [],
  });
}

export function endingsTable(usual: SeedGroup): Table {
  return table(usual, {
    id: 'seedsEndings',
    title: `How faults ended, over ${seedWords(usual)}`,
    columns: [...ENDINGS.map(({ id, name }) => exactColumn(id, name, 'percent')), exactColumn('codes', 'codes, trials of all seeds', 'text')],
    rows: usual.rows.map((row) => {
      const cells = Object.fromEntries(ENDINGS.map(({ id, read }) => [id, simulationInterval(bySeed(row, read))]));
      const drawn = rowOf(row, {}, cells);
      return { ...drawn, cells: { ...drawn.cells, codes: { value: codeWords(row), n: row.seeds.size } } };
    }),
    notes: [
      'A trial has one handling at most, and is at the cap beside it. A code is the first fault of a trial that was not repaired, or what its answer was.',
    ],
  });
}

function codeWords({ seeds }: SeedRow): string {
  const counts = new Map<string, number>();
  for (const { rates } of seeds.values()) for (const [code, n] of Object.entries(rates.codes)) counts.set(code, (counts.get(code) ?? 0) + n);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([code, n]) => `${code} ${n}`)
    .join(', ');
}

/** @returns differences to floors and to own defaults, then between rows; `turned` may be empty */
export function differenceTables(usual: SeedGroup, turned: readonly SeedGroup[]): Table[] {
  const drawn = comparisonsOf(usual.rows).flatMap(({ kind, one, other }) =>
    MEASURES.flatMap(({ name, read }) => {
      const difference = differenceOf(one, other, read);
      if (difference === undefined) return [];
      const others = turned.flatMap(({ choice, rows }): Turned[] => {
        const [here, beside] = [one, other].map((row) => rows.find((found) => rowId(found.row) === rowId(row.row)));
        const found = here && beside && differenceOf(here, beside, read);
        return found === undefined ? [] : [{ choice, difference: found }];
      });
      const against = kind === 'default' ? 'its default' : other.row.framework;
      return [{ kind, one, label: `${name} over ${against}`, difference, others, without: withoutOneTemplate(one, other, read) }];
    }),
  );
  const lines = (kinds: readonly string[]) => drawn.filter(({ kind }) => kinds.includes(kind));
  const words = { columns: [...DIFFERENCE_COLUMNS], notes: differenceNotes(turned) };
  const first = { id: 'differences', title: 'Differences to floors and defaults', rows: lines(['floor', 'default']).map(differenceRow) };
  const pairs = { id: 'pairs', title: 'Differences between rows', rows: lines(['pair']).map(differenceRow), isList: true as const };
  const choices = {
    id: 'choices',
    title: 'Differences under each choice',
    columns: [exactColumn('differencePoints', 'points', 'mean')],
    rows: drawn.flatMap(({ one, label, others }) =>
      others.map(({ choice, difference }) => rowOf(one, { configuration: `${label}; ${choice}` }, { differencePoints: difference })),
    ),
    isList: true as const,
    notes: [],
  };
  return [{ ...first, ...words }, { ...pairs, ...words }, choices].filter(({ rows }) => rows.length > 0).map((draft) => table(usual, draft, turned));
}

interface Line {
  readonly one: SeedRow;
  readonly label: string;
  readonly difference: SummaryValue;
  readonly others: readonly Turned[];
  readonly without: ReturnType<typeof withoutOneTemplate>;
}

const DIFFERENCE_COLUMNS = [
  exactColumn('differencePoints', 'points', 'mean'),
  exactColumn('leastPoints', 'least over choices', 'mean'),
  exactColumn('leastBy', 'with', 'text'),
  exactColumn('mostPoints', 'most over choices', 'mean'),
  exactColumn('mostBy', 'with', 'text'),
  exactColumn('withoutTemplate', 'without one template', 'text'),
  exactColumn('standing', 'standing', 'text'),
];

/** Under a choice too, of its own seeds alone: a sign that no run had must not appear. */
function differenceOf(one: SeedRow, other: SeedRow, read: Read): SummaryValue | undefined {
  return simulationInterval(pairedDifference(bySeed(one, read), bySeed(other, read)));
}

/** The range holds the usual place too. */
function differenceRow({ one, label, difference, others, without }: Line): Row {
  const all = [{ choice: 'nothing turned', difference }, ...others];
  const [least, most] = [1, -1].map((sign) => all.reduce((best, next) => (sign * (next.difference.value - best.difference.value) < 0 ? next : best)));
  const row = rowOf(one, { configuration: label }, { differencePoints: difference });
  const n = difference.n;
  if (least === undefined || most === undefined) return row;
  const range = others.length === 0 ? {} : { ...end('least', least), ...end('most', most) };
  const sensitivity = without && { withoutTemplate: { value: `${withoutWords(without.least)} to ${withoutWords(without.most)}`, n } };
  return {
    ...row,
    cells: { ...row.cells, ...range, ...sensitivity, standing: { value: standingWords(standingOf(difference, others), difference, others.length), n } },
  };
}

function end(name: 'least' | 'most', { choice, difference }: Turned): Row['cells'] {
  const { n } = difference;
  return { [`${name}Points`]: { value: rounded(difference.value), n }, [`${name}By`]: { value: choice, n } };
}

function withoutWords({ template, points }: WithoutTemplate): string {
  return `${printNumber(points, 'mean')} (${template})`;
}

/** How many choices it stood over belongs to the verdict: nobody says that these are all. */
function standingWords({ stands, open, turnedBy }: Standing, { value, n }: SummaryValue, choices: number): string {
  if (stands) return `stands over ${choices} ${plural(choices, 'choice')}: ${value > 0 ? 'above' : 'below'}`;
  switch (open) {
    case 'seeds':
      return `open: ${n} of ${SEEDS_OF_A_SENTENCE} seeds`;
    case 'interval':
      return 'open: the interval holds 0';
    case 'no-choices':
      return 'open: no choice was turned';
    case 'turned':
      return `open: no longer so with ${turnedBy.join(', ')}`;
    case undefined:
      return 'open';
    default:
      return open satisfies never;
  }
}

function differenceNotes(turned: readonly SeedGroup[]): string[] {
  const choices = turned.map(({ choice, seeds }) => `${choice} (${seeds.length} ${plural(seeds.length, 'seed')})`);
  return [
    `Stands: an interval of ${SEEDS_OF_A_SENTENCE} seeds or more that leaves out 0, and a mean of the same sign under every choice that was turned. Everything else is open, and no sentence may be made of it.`,
    choices.length === 0 ? 'No choice was turned, so nothing stands yet.' : `Turned, one at a time but for the last words: ${choices.join('; ')}.`,
    'A choice stands with the mean of the seeds that it was run with (n): with few seeds their noise is in the range.',
    'Points are differences of percentages, paired by seed. A floor is the first one of the language, shape and settings.',
    'Without one template: the least and the most that is left of a difference when all tasks of one question template are taken out.',
  ];
}

type Draft = Pick<Table, 'id' | 'title' | 'columns' | 'rows' | 'notes'> & { readonly isList?: true };

function table(usual: SeedGroup, draft: Draft, turned: readonly SeedGroup[] = []): Table {
  const all = [usual, ...turned];
  const sum = (of: (group: SeedGroup) => number) => all.reduce((total, group) => total + of(group), 0);
  const atCap = usual.rows.flatMap(({ seeds }) => [...seeds.values()]).reduce((total, { rates }) => total + rates.atCap, 0);
  const cited = draft.rows.some(({ cells }) => Object.values(cells).some((cell) => 'published' in cell));
  const sentences = [
    `${modelWords(usual.manifest.plan)}.`,
    `${usual.runs} ${plural(usual.runs, 'run')} of ${seedWords(usual)} on ${usual.manifest.taskSet.name}, ${usual.trials} trials${turned.length === 0 ? '' : `; ${turned.length} ${plural(turned.length, 'choice')} turned, ${sum(({ trials }) => trials) - usual.trials} trials`}.`,
    'Rates: planned trials of a seed; n: seeds.',
    'Interval: 95 % simulation interval, mean over seeds with Student t(S − 1): what other seeds of this simulation would give, and nothing about a real model.',
    'Left out: nothing.',
    `${atCap} ${plural(atCap, 'trial')} ended at the cap of ${usual.manifest.plan.cap} model calls or in a forced answer.`,
    ...(cited ? [`"paper": ${PUBLISHED_SOURCE}; other model and other tasks, so no verdict on the value.`] : []),
  ];
  return { ...draft, caption: sentences.join(' '), runs: sum(({ runs }) => runs), trials: sum(({ trials }) => trials), excluded: [] };
}

function seedWords({ seeds }: SeedGroup): string {
  return seeds.length === 1 ? (seeds[0] ?? '') : `${seeds.length} seeds`;
}

function rowOf(
  { row }: SeedRow,
  part: Pick<Row['key'], 'taskType' | 'configuration'>,
  cells: Readonly<Record<string, SummaryValue | NumberCell | undefined>>,
): Row {
  const { framework, shape, settings, configuration } = row;
  const known = Object.entries(cells).flatMap(([id, cell]) => (cell === undefined ? [] : [[id, roundedCell(cell)] as const]));
  return {
    key: { framework, shape, settings, ...(configuration !== undefined && { configuration }), ...part },
    section: sectionOf(row),
    cells: Object.fromEntries(known),
  };
}

/** Nobody is ranked here: what stands says the differences. */
function sectionOf({ floor }: SeedRow['row']): Section {
  return floor ? 'floor' : 'by-name';
}

/** The paper's figure stands beside what it measured, in default settings and one agent (method M9.3). */
function published({ row }: SeedRow, tableId: string, columnId: string, value: SummaryValue | undefined, part?: string): NumberCell | undefined {
  if (value === undefined || row.publishedAs === undefined || row.settings !== 'default' || row.shape !== 'single') return value;
  const figure = publishedFigure(tableId, row.publishedAs, columnId, part);
  return figure === undefined ? value : { ...value, published: figure, ...(row.publishedIsClaim === true && { publishedIsClaim: true }) };
}

function roundedCell<T extends SummaryValue>(cell: T): T {
  const { low, high } = cell;
  return { ...cell, value: rounded(cell.value), ...(low !== undefined && { low: rounded(low) }), ...(high !== undefined && { high: rounded(high) }) };
}
