// Dials, turned one at a time (method M2.3, M3.3, M9): what each of them does to every row, and which rows it turns round. An order that a dial turns round is no finding.
// And the literal cap: how many failures the meaning of each framework's own option makes alone, beside the rate that the paper prints.
import { type DialPoint, type Flips, flipsOf } from '../../metrics/dial-flips.ts';
import type { Manifest } from '../../metrics/record.ts';
import { rowId } from '../../metrics/row-counts.ts';
import type { Rates, RowSummary, RunSummary, SummaryValue } from '../../metrics/summary.ts';
import { publishedFigure } from '../published.ts';
import type { Cell, Column, Row, Table } from '../report.ts';
import { captionOf, WILSON } from './caption.ts';
import { exactColumn, rounded } from './exact.ts';
import { sectionOf } from './frame-table.ts';

export interface DialRun {
  /** The dial and where it stands, such as `broker lenient`. */
  readonly dial: string;
  readonly manifest: Manifest;
  readonly summary: RunSummary;
}

/** @param usual the run with every dial in its usual place */
export function dialTable(usual: DialRun, turned: readonly DialRun[]): Table {
  const columns: Column[] = [
    exactColumn('accuracyPercent', 'accuracy %', 'percent'),
    exactColumn('usualAccuracyPercent', 'accuracy %, usual', 'percent'),
    exactColumn('causedPercent', 'caused %', 'percent'),
    exactColumn('usualCausedPercent', 'caused %, usual', 'percent'),
    exactColumn('notRepairedPercent', 'not repaired %', 'percent'),
    exactColumn('usualNotRepairedPercent', 'not repaired %, usual', 'percent'),
    exactColumn('overFloorPoints', 'points over its floor', 'mean'),
    exactColumn('usualOverFloorPoints', 'points over its floor, usual', 'mean'),
    exactColumn('flips', 'turned round, accuracy', 'text'),
    exactColumn('notRepairedFlips', 'turned round, not repaired', 'text'),
  ];
  return {
    id: 'dials',
    title: 'Dials: what turning one of them changes',
    caption: captionOf(
      usual,
      { denominator: `Each dial is turned alone; the other runs have the same seed, tasks and rows. ${DENOMINATOR}`, interval: WILSON },
      NOTHING,
    ),
    runs: 1 + turned.length,
    trials: [usual, ...turned].reduce((sum, { summary }) => sum + summary.recorded, 0),
    excluded: [],
    columns,
    rows: turned.flatMap((run) => rowsOf(usual, run)),
    notes: [
      'Turned round: pairs of rows of one shape and settings that change places, and a row that changes sides of the floor of its language and settings. A tie is no order, so it cannot turn round.',
      'One seed: a flip shows that an order hangs on the dial, and no flip shows nothing.',
    ],
  };
}

function rowsOf(usual: DialRun, { dial, summary, manifest }: DialRun): Row[] {
  const pairs = summary.rows.flatMap((now): { now: RowSummary; before: RowSummary }[] => {
    const before = usual.summary.rows.find(({ key }) => rowId(key) === rowId(now.key));
    return before === undefined || !before.publishable || !now.publishable ? [] : [{ now, before }];
  });
  const flipsIn = (rate: Rate) => flipsOf(pairs.flatMap((pair) => pointOf(pair, pairs, rate) ?? []));
  const [right, open] = [flipsIn('accuracyPercent'), flipsIn('notRepairedPercent')];
  return pairs.map(({ now, before }): Row => {
    const found = right.get(rowId(now.key));
    const beside = open.get(rowId(now.key));
    const n = now.rates.planned;
    return {
      key: { ...now.key, configuration: dial },
      section: unranked(sectionOf(now, manifest.plan)),
      cells: known({
        ...ratesOf(now.rates),
        ...Object.fromEntries(Object.entries(ratesOf(before.rates)).map(([id, cell]) => [`usual${id[0]?.toUpperCase()}${id.slice(1)}`, cell])),
        overFloorPoints: found?.overFloor && { value: rounded(found.overFloor.turned), n },
        usualOverFloorPoints: found?.overFloor && { value: rounded(found.overFloor.usual), n },
        flips: found && { value: flipWords(found) || 'nothing', n },
        notRepairedFlips: beside && { value: flipWords(beside) || 'nothing', n },
      }),
    };
  });
}

type Rate = 'accuracyPercent' | 'notRepairedPercent';

function pointOf({ now, before }: { now: RowSummary; before: RowSummary }, all: readonly { now: RowSummary }[], rate: Rate): DialPoint | undefined {
  const [usual, turned] = [before.rates[rate]?.value, now.rates[rate]?.value];
  if (usual === undefined || turned === undefined) return undefined;
  const { shape, settings } = now.key;
  const floor = all.find(({ now: { key, row } }) => row.floor && row.language === now.row.language && key.shape === shape && key.settings === settings);
  const isOwn = floor === undefined || now.row.floor;
  return { row: rowId(now.key), group: `${shape} ${settings}`, ...(isOwn ? {} : { floor: rowId(floor.now.key) }), usual, turned };
}

function flipWords({ overtakes, fallsBehind, changesSign }: Flips): string {
  const nameOf = (row: string) => row.split('/')[0] ?? row;
  return [
    overtakes.length > 0 && `above ${overtakes.map(nameOf).join(', ')}`,
    fallsBehind.length > 0 && `below ${fallsBehind.map(nameOf).join(', ')}`,
    changesSign && 'other side of its floor',
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param clean profile `clean` and the number 3 for each framework's own option: nothing else can fail. */
export function literalCapTable(clean: DialRun): Table {
  return {
    id: 'literalCap',
    title: `The literal cap: failures that the number ${clean.manifest.plan.capLiteral} makes alone`,
    caption: captionOf(clean, { denominator: DENOMINATOR, interval: WILSON }, NOTHING),
    runs: 1,
    trials: clean.summary.recorded,
    excluded: [],
    columns: [
      exactColumn('notRepairedPercent', 'not repaired %', 'percent'),
      exactColumn('modelCalls', 'model calls', 'mean'),
      exactColumn('accuracyPercent', 'accuracy %', 'percent'),
    ],
    rows: clean.summary.rows.map((of): Row => {
      const { publishedAs, publishedIsClaim } = of.row;
      const isBeside = publishedAs !== undefined && of.key.settings === 'default' && of.key.shape === 'single';
      const published = isBeside ? publishedFigure('table1', publishedAs, 'notRepairedPercent') : undefined;
      const rates = ratesOf(of.rates);
      const beside = published === undefined ? {} : { published, ...(publishedIsClaim === true && { publishedIsClaim }) };
      return {
        key: of.key,
        section: unranked(sectionOf(of, clean.manifest.plan)),
        cells: of.publishable
          ? known({
              ...rates,
              notRepairedPercent: rates['notRepairedPercent'] && { ...rates['notRepairedPercent'], ...beside },
              modelCalls: cellOf(of.tokens.modelCalls),
              causedPercent: undefined,
            })
          : {},
      };
    }),
    notes: [
      'The model makes no mistake here, and every task is solved by a bare loop that may go on: what is not repaired is the number alone, handed to each framework as it stands. Options count model calls, graph steps, turns or rounds of tools, so the same number allows different work.',
      'The paper prints rates for a limit of 3 and does not say what it counts.',
    ],
  };
}

const DENOMINATOR = 'Rates: planned trials.';
const NOTHING = { excluded: [], cited: undefined } as const;

function ratesOf({ accuracyPercent, causedPercent, notRepairedPercent }: Rates): Record<string, Cell | undefined> {
  return { accuracyPercent: cellOf(accuracyPercent), causedPercent: cellOf(causedPercent), notRepairedPercent: cellOf(notRepairedPercent) };
}

function cellOf(value: SummaryValue | undefined): Cell | undefined {
  return value && { value: rounded(value.value), n: value.n };
}

function unranked(section: Row['section']): Row['section'] {
  return section === 'ranked' ? 'by-name' : section;
}

function known(cells: Readonly<Record<string, Cell | undefined>>): Row['cells'] {
  return Object.fromEntries(Object.entries(cells).filter((entry): entry is [string, Cell] => entry[1] !== undefined));
}
