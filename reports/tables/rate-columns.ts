// The rate columns that tables 1, 2 and 5 share, so that one rate has one name and one title everywhere (method M5.2).
import type { Rates, SummaryValue } from '../../metrics/summaries.ts';
import type { ColumnDraft } from './frame-table.ts';

export const ACCURACY: ColumnDraft = { id: 'accuracyPercent', title: 'accuracy %', unit: 'percent', exact: true };

const fault = (id: string, title: string): ColumnDraft => ({ id, title, unit: 'percent', exact: true, leavesWithCut: true });

export const CAUSED = fault('causedPercent', 'caused %');
export const NOT_REPAIRED = fault('notRepairedPercent', 'not repaired %');
export const CAUSED_WITHOUT_CAP = fault('causedWithoutCapPercent', 'caused % without cap');
export const NOT_REPAIRED_WITHOUT_CAP = fault('notRepairedWithoutCapPercent', 'not repaired % without cap');

export const FAULT_COLUMNS: readonly ColumnDraft[] = [CAUSED, NOT_REPAIRED, CAUSED_WITHOUT_CAP, NOT_REPAIRED_WITHOUT_CAP];

export const FAULT_NOTE =
  'caused = concealed + lost + failures without any fault of the model; not repaired = caused + reported, nearest to the paper\'s "hallucination". Only the first may be called framework-induced. "Without cap" takes iteration-cap and forced-answer out of the numerator, never out of the denominator.';

/** Under the tables that follow the first. */
export const FAULT_NOTE_SHORT = 'caused, not repaired, without cap: as under table 1; only caused may be called framework-induced.';

/** @param scored false for a row none of whose trials reached the model: it has no score, and its denominators stay */
export function rateCells(rates: Rates | undefined, scored: boolean): Readonly<Record<string, SummaryValue | undefined>> {
  return {
    accuracyPercent: scored ? rates?.accuracyPercent : undefined,
    causedPercent: rates?.causedPercent,
    notRepairedPercent: rates?.notRepairedPercent,
    causedWithoutCapPercent: rates?.causedWithoutCapPercent,
    notRepairedWithoutCapPercent: rates?.notRepairedWithoutCapPercent,
  };
}
