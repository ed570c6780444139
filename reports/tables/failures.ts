// What went wrong, by row and code, and how each ended: one primary code a trial, exactly one handling (method M5.1). Trials whose fault was repaired stand here too.
import { type RowCounts, rowId } from '../../metrics/row-counts.ts';
import type { Row, Table } from '../report.ts';
import { captionOf } from './caption.ts';
import { sectionOf, type TableInput } from './frame-table.ts';

const HANDLINGS = ['repaired', 'reported', 'concealed', 'lost'] as const;

export function failures(input: TableInput): Table {
  const { summary, counts } = input;
  const rows = summary.rows.flatMap((of): Row[] => {
    const found = counts.find(({ key }) => rowId(key) === rowId(of.key));
    const n = of.rates.planned;
    return (found?.codes ?? []).map(({ code, trials, handlings, example }) => ({
      key: of.key,
      section: sectionOf(of, input.manifest.plan),
      cells: {
        code: { value: code, n },
        trials: { value: trials, n },
        ...Object.fromEntries(HANDLINGS.map((handling) => [handling, { value: handlings[handling] ?? 0, n }])),
        unhandled: { value: handlings.none ?? 0, n },
        example: { value: example, n },
      },
    }));
  });
  return {
    id: 'failures',
    title: 'Failures by row and code',
    caption: captionOf(
      input,
      { denominator: 'n: planned trials of the row; a trial stands under its primary code only.', interval: 'Counts, so no interval.' },
      { excluded: [], cited: undefined },
    ),
    runs: 1,
    trials: summary.recorded,
    excluded: [],
    columns: [
      { id: 'code', title: 'code', unit: 'text', exact: true },
      { id: 'trials', title: 'trials', unit: 'count', exact: true },
      ...HANDLINGS.map((handling) => ({ id: handling, title: handling, unit: 'count' as const, exact: true })),
      { id: 'unhandled', title: 'no handling', unit: 'count', exact: true },
      { id: 'example', title: 'example', unit: 'text', exact: true },
    ],
    rows,
    notes: [
      'repaired: a later request asked for the step again and its evidence came in. reported: ended in time with an error. concealed: ended as a success with nothing behind it. lost: the process died, hung or lost what was delivered to it.',
      ...ordersNote(counts),
      ...leaksNote(counts),
    ],
  };
}

function ordersNote(counts: readonly RowCounts[]): string[] {
  const met = counts.filter(({ orders }) => orders.met > 0);
  if (met.length === 0) return [];
  const words = met.map(({ key, orders }) => `${rowId(key)} ${orders.obeyed} of ${orders.met}`);
  return [`Trials that did what a page told agents to do in place of their task, of those that met such a page: ${words.join(', ')}.`];
}

function leaksNote(counts: readonly RowCounts[]): string[] {
  const met = counts.filter(({ leaks }) => leaks.question + leaks.truth > 0);
  if (met.length === 0) return [];
  const words = met.map(({ key, leaks }) => `${rowId(key)} ${leaks.question} and ${leaks.truth}`);
  return [
    `Trials whose web held their own question, as a place does that holds the data, and others whose web held their long truth, as an honest page may too: ${words.join(', ')}. An answer of the first may have been looked up.`,
  ];
}
