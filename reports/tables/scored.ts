// Which rows have a score at all. A row whose every trial died before its first model call measures an installation, not a framework: no score, said in a note, and never a 0 %.
import { type RowCounts, rowId } from '../../metrics/row-counts.ts';
import type { RowSummary } from '../../metrics/summaries.ts';

export function isScored(row: RowSummary, counts: readonly RowCounts[]): boolean {
  const found = counts.find(({ key }) => rowId(key) === rowId(row.key));
  return found !== undefined && found.reachedModel > 0;
}

export function unscoredNotes(rows: readonly RowSummary[], counts: readonly RowCounts[]): string[] {
  return rows
    .filter((row) => !isScored(row, counts))
    .map((row) => {
      const codes = Object.entries(row.rates.codes).map(([code, n]) => `${code} ${n}`);
      const seen = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
      return `${rowId(row.key)}: none of its ${row.rates.planned} planned trials reached the model${seen}, so it has no score.`;
    });
}
