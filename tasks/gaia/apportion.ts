// How many tasks of each slot a set of n holds, so that every n has the mix of open68: types and levels by largest remainders, each margin exact.
// A slot is one turn of one template; open68 draws each slot once.
import type { Level, TaskType } from '../task.ts';

export interface Slot {
  readonly type: TaskType;
  readonly level: Level;
  /** Chains of its plan. */
  readonly width: number;
}

/** Whole numbers in proportion to the weights that add up to `total`; who loses most by rounding down is served first, the earlier one of equals. */
export function largestRemainders(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const counts = exact.map(Math.floor);
  const order = exact.map((share, i) => ({ i, rest: share - Math.floor(share) })).sort((a, b) => b.rest - a.rest || a.i - b.i);
  const missing = total - counts.reduce((all, count) => all + count, 0);
  for (const { i } of order.slice(0, missing)) counts[i] = (counts[i] as number) + 1;
  return counts;
}

/** @returns for each slot how many tasks it writes; they add up to `total` */
export function apportion(slots: readonly Slot[], total: number): number[] {
  const types = [...new Set(slots.map(({ type }) => type))];
  const levels = [...new Set(slots.map(({ level }) => level))].sort((a, b) => a - b);
  const inCell = (type: TaskType, level: Level) => slots.flatMap((slot, i) => (slot.type === type && slot.level === level ? [i] : []));
  const rows = largestRemainders(margin(types, slots, 'type'), total);
  const columns = largestRemainders(margin(levels, slots, 'level'), total);
  const cells = types.flatMap((type, row) => levels.map((level, column) => ({ row, column, members: inCell(type, level) })));
  const counts = slots.map(() => 0);
  fillCells(cells, rows, columns, total, slots.length).forEach((count, i) => {
    // Those with several chains come first, so that no size has fewer of them than open68.
    const members = [...(cells[i]?.members ?? [])].sort((a, b) => (slots[b]?.width ?? 0) - (slots[a]?.width ?? 0) || a - b);
    for (let given = 0; given < count; given++) {
      const slot = members[given % members.length] as number;
      counts[slot] = (counts[slot] as number) + 1;
    }
  });
  return counts;
}

function margin<Key extends 'type' | 'level'>(values: readonly Slot[Key][], slots: readonly Slot[], key: Key): number[] {
  return values.map((value) => slots.filter((slot) => slot[key] === value).length);
}

interface MarginCell {
  readonly row: number;
  readonly column: number;
  readonly members: readonly number[];
}

/** Rounds the table of cells so that both margins are met: whole parts first, then one at a time where most is missing. */
function fillCells(cells: readonly MarginCell[], rows: readonly number[], columns: readonly number[], total: number, slots: number): number[] {
  const exact = cells.map(({ members }) => (total * members.length) / slots);
  const counts = exact.map(Math.floor);
  const room = (i: number) => {
    const { row, column } = cells[i] as MarginCell;
    const used = (of: 'row' | 'column', index: number) => cells.reduce((sum, cell, j) => sum + (cell[of] === index ? (counts[j] as number) : 0), 0);
    return Math.min((rows[row] as number) - used('row', row), (columns[column] as number) - used('column', column));
  };
  for (;;) {
    const open = cells.map((_, i) => i).filter((i) => (cells[i]?.members.length ?? 0) > 0 && room(i) > 0);
    if (open.length === 0) break;
    // What only one cell of its row or column can still take goes there, before another cell uses up the room.
    const alone = (i: number, of: 'row' | 'column') => open.filter((j) => cells[j]?.[of] === cells[i]?.[of]).length === 1;
    const forced = open.filter((i) => alone(i, 'row') || alone(i, 'column'));
    const best = (forced.length > 0 ? forced : open).reduce((a, b) => (missing(b) > missing(a) ? b : a));
    counts[best] = (counts[best] as number) + 1;
  }
  return counts;

  function missing(i: number): number {
    return (exact[i] as number) - (counts[i] as number);
  }
}
