// Choosing from the official questions. The study's 68 ids were never published, so a selection is either a list of ids, or drawn by a rule that is stated
// here: the quotas of the paper for type and level, and within them the order of a hash of seed and id.
import { createHash } from 'node:crypto';
import { UsageError } from '../../../base/error.ts';
import type { Level, TaskType } from '../../task.ts';

/** The paper's composition of its 68 tasks. */
export const PAPER_SHAPE = {
  types: { 'zero-tool': 7, document: 19, web: 42 },
  levels: { 1: 29, 2: 36, 3: 3 },
} as const satisfies { types: Record<TaskType, number>; levels: Record<Level, number> };

export interface Selectable {
  readonly id: string;
  readonly type: TaskType;
  readonly level: Level;
}

/**
 * @returns 68 of the questions, in their own order, with both margins exact
 * @throws UsageError SELECTION_IMPOSSIBLE with what there is
 */
export function selectPaperShape<T extends Selectable>(questions: readonly T[], seed: number): T[] {
  return paperShapeDrawer(questions)(seed);
}

/** The same for many seeds: the quotas are worked out once. */
export function paperShapeDrawer<T extends Selectable>(questions: readonly T[]): (seed: number) => T[] {
  const cells = cellsOf(questions);
  const wanted = jointQuotas(cells.map((row) => row.map(({ length }) => length)));
  if (wanted === undefined) {
    const there = TYPES.map((type, t) => `${type} ${LEVELS.map((_, l) => cells[t]?.[l]?.length ?? 0).join('/')}`).join(', ');
    throw new UsageError('SELECTION_IMPOSSIBLE', `these ${questions.length} tasks cannot give 7/19/42 by type and 29/36/3 by level`, {
      remedy: `There are, by level 1/2/3: ${there}. Choose from a larger set, or name ids of your own with --ids FILE.`,
    });
  }
  return (seed) => {
    const chosen = new Set(cells.flatMap((row, t) => row.flatMap((cell, l) => inDrawnOrder(cell, seed).slice(0, wanted[t]?.[l] ?? 0))));
    return questions.filter((question) => chosen.has(question));
  };
}

/** @throws UsageError UNKNOWN_IDS when the list names questions that are not there, or names one twice */
export function selectIds<T extends Selectable>(questions: readonly T[], ids: readonly string[], file: string): T[] {
  const known = new Map(questions.map((question) => [question.id, question]));
  const unknown = ids.filter((id) => !known.has(id));
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (unknown.length > 0 || twice.length > 0 || ids.length === 0) {
    const what =
      ids.length === 0 ? 'names no id' : unknown.length > 0 ? `names ${unknown.length} unknown ids, the first ${unknown[0]}` : `names ${twice[0]} twice`;
    throw new UsageError('UNKNOWN_IDS', `${file} ${what}`, { remedy: 'One task_id a line, each of the chosen split.' });
  }
  return ids.map((id) => known.get(id) as T);
}

/** Names a selection whatever its order, so that two people can see that they ran the same: 12 hexadecimal digits. */
export function selectionHash(ids: readonly string[]): string {
  return createHash('sha256')
    .update([...ids].sort().join('\n'))
    .digest('hex')
    .slice(0, 12);
}

const TYPES: readonly TaskType[] = ['zero-tool', 'document', 'web'];
const LEVELS: readonly Level[] = [1, 2, 3];

function cellsOf<T extends Selectable>(questions: readonly T[]): T[][][] {
  return TYPES.map((type) => LEVELS.map((level) => questions.filter((question) => question.type === type && question.level === level)));
}

function inDrawnOrder<T extends Selectable>(cell: readonly T[], seed: number): T[] {
  const keyOf = ({ id }: T) => createHash('sha256').update(`${seed}\n${id}`).digest('hex');
  return cell
    .map((question) => ({ question, key: keyOf(question) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ question }) => question);
}

/**
 * How many of each type and level: of all tables with the paper's margins that the questions allow, the one nearest to independence of the two (least squares).
 * Three by three with fixed margins leaves four free cells, and two of them small, so all are looked at.
 * @param there questions by type and level
 */
function jointQuotas(there: readonly (readonly number[])[]): number[][] | undefined {
  const rows = TYPES.map((type) => PAPER_SHAPE.types[type]);
  const columns = LEVELS.map((level) => PAPER_SHAPE.levels[level]);
  const total = rows.reduce((sum, count) => sum + count, 0);
  const expected = rows.map((row) => columns.map((column) => (row * column) / total));
  let best: { readonly table: number[][]; readonly distance: number } | undefined;
  for (const first of splits(rows[0] ?? 0)) {
    for (const second of splits(rows[1] ?? 0)) {
      const table = [first, second, columns.map((column, l) => column - (first[l] ?? 0) - (second[l] ?? 0))];
      if (!table.every((row, t) => row.every((count, l) => count >= 0 && count <= (there[t]?.[l] ?? 0)))) continue;
      const distance = table.flatMap((row, t) => row.map((count, l) => (count - (expected[t]?.[l] ?? 0)) ** 2)).reduce((sum, part) => sum + part, 0);
      if (best === undefined || distance < best.distance) best = { table, distance };
    }
  }
  return best?.table;
}

function splits(sum: number): number[][] {
  const all: number[][] = [];
  for (let a = 0; a <= sum; a++) for (let b = 0; a + b <= sum; b++) all.push([a, b, sum - a - b]);
  return all;
}
