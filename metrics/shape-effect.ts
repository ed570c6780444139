// What dividing a question changes (method M1.4): exposures of a row, accuracy by the width of a task's plan, and the paired difference to the same shape by hand.
// Rows of other shapes than `single` are never ranked; these figures stand beside them instead.
import type { Figure, RowColumns } from './row-columns.ts';
import type { SummaryValue } from './summary.ts';
import { known, meanOf, plain } from './summary-value.ts';

export const WIDTHS = ['1', '2', '3+'] as const;
export type Width = (typeof WIDTHS)[number];

export interface ShapeEffect {
  readonly modelCalls?: SummaryValue;
  readonly toolCalls?: SummaryValue;
  /** Replies that one agent's work was handed on by: plans and reports. */
  readonly handOvers?: SummaryValue;
  /** Percent of recorded trials, by how many independent chains a task's plan has. */
  readonly accuracyByWidth: Readonly<Partial<Record<Width, SummaryValue>>>;
  /** Points of accuracy over the floor in shape `dag`, on trials that both have. */
  readonly overDagFloorPoints?: SummaryValue;
  /** Points over the same framework in shape `single`, on tasks with two or more chains. */
  readonly overSinglePoints?: SummaryValue;
}

/** @param recorded places with a record. @param beside rows that this one is held against, where there are such */
export function shapeEffectOf(
  row: RowColumns,
  recorded: readonly number[],
  { dagFloor, single }: { readonly dagFloor?: RowColumns | undefined; readonly single?: RowColumns | undefined },
): ShapeEffect {
  // Zero-tool tasks are one agent in every shape and stand in no comparison of shapes (method M1.3).
  const divided = recorded.filter((place) => row.places.taskAt(place).taskType !== 'zero-tool');
  const exact = divided.filter((place) => !row.isCut(place));
  const mean = (figure: Figure) => meanOf(row.among(figure, exact));
  const widthAt = (place: number) => widthOf(row.at('width', place) ?? 0);
  return {
    ...known({
      modelCalls: mean('modelCalls'),
      toolCalls: mean('toolCalls'),
      handOvers: mean('handOvers'),
      overDagFloorPoints: difference(row, dagFloor, divided),
      overSinglePoints: difference(
        row,
        single,
        divided.filter((place) => widthAt(place) !== '1'),
      ),
    }),
    accuracyByWidth: Object.fromEntries(
      WIDTHS.flatMap((width) => {
        const of = divided.filter((place) => widthAt(place) === width);
        const share = plain((100 * of.filter((place) => row.isCorrect(place)).length) / of.length, of.length);
        return share === undefined ? [] : [[width, share]];
      }),
    ),
  };
}

export function widthOf(width: number): Width {
  return width >= 3 ? '3+' : width === 2 ? '2' : '1';
}

/** Mean of the paired difference in points; a single run has no interval for it (method M9.1). */
function difference(row: RowColumns, other: RowColumns | undefined, places: readonly number[]): SummaryValue | undefined {
  const pairs = places.filter((place) => other?.has(place));
  const mean = meanOf(pairs.map((place) => 100 * (Number(row.isCorrect(place)) - Number(other?.isCorrect(place)))));
  return mean && { value: mean.value, n: mean.n };
}
