// What tables that lay out their own columns share: a column of the exact part, and a figure as it is printed.
import type { Column } from '../report.ts';

export function exactColumn(id: string, title: string, unit: Column['unit']): Column {
  return { id, title, unit, exact: true };
}

/** Six decimals, since more would print the order of a summation, and no negative zero. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}
