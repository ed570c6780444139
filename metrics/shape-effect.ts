// What dividing a question changes (method M1.4): exposures of a row, accuracy by the width of a task's plan, and the paired difference to the same shape by hand.
// Rows of other shapes than `single` are never ranked; these figures stand beside them instead.
import { isCorrect } from './rates.ts';
import type { TrialRecord } from './record.ts';
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

export function shapeEffectOf(
  records: readonly TrialRecord[],
  dagFloor: readonly TrialRecord[] | undefined,
  single: readonly TrialRecord[] | undefined,
): ShapeEffect {
  // Zero-tool tasks are one agent in every shape and stand in no comparison of shapes (method M1.3).
  const divided = records.filter(({ taskType }) => taskType !== 'zero-tool');
  const exact = divided.filter(({ cut }) => !cut);
  return {
    ...known({
      modelCalls: meanOf(exact.map(({ usage }) => usage.modelCalls)),
      toolCalls: meanOf(exact.map(({ usage }) => usage.toolCalls)),
      handOvers: meanOf(exact.map(handOversOf)),
      overDagFloorPoints: difference(divided, dagFloor ?? []),
      overSinglePoints: difference(
        divided.filter(({ width }) => width > 1),
        single ?? [],
      ),
    }),
    accuracyByWidth: Object.fromEntries(
      WIDTHS.flatMap((width) => {
        const of = divided.filter((record) => widthOf(record) === width);
        const share = plain((100 * of.filter(isCorrect).length) / of.length, of.length);
        return share === undefined ? [] : [[width, share]];
      }),
    ),
  };
}

export function handOversOf({ parts }: TrialRecord): number {
  return (parts?.planner?.answers ?? 0) + (parts?.['subtask-worker']?.answers ?? 0);
}

export function widthOf({ width }: TrialRecord): Width {
  return width >= 3 ? '3+' : width === 2 ? '2' : '1';
}

/** Mean of the paired difference in points; a single run has no interval for it (method M9.1). */
function difference(records: readonly TrialRecord[], others: readonly TrialRecord[]): SummaryValue | undefined {
  const other = new Map(others.map((record) => [pairOf(record), record]));
  const pairs = records.flatMap((record): number[] => {
    const beside = other.get(pairOf(record));
    return beside === undefined ? [] : [100 * (Number(isCorrect(record)) - Number(isCorrect(beside)))];
  });
  const mean = meanOf(pairs);
  return mean && { value: mean.value, n: mean.n };
}

function pairOf({ taskId, trialIndex }: TrialRecord): string {
  return `${taskId}#${trialIndex}`;
}
