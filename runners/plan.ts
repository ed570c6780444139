// From a checked plan to the ordered list of trials, fixed before the first one starts. Order is seeded and interleaved, so that drift meets every row alike.
import { seededRandom } from '../base/random.ts';
import type { Task, TaskType } from '../tasks/task.ts';

export interface PlannedRow {
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly configuration?: string;
}

export interface PlannedTrial {
  readonly row: number;
  /** Number of its block, in order. */
  readonly block: number;
  readonly taskId: string;
  readonly trialIndex: number;
}

/** Trials of one row that run after each other in one worker. */
export interface Block {
  readonly row: number;
  readonly trials: readonly PlannedTrial[];
}

/** At most this many tasks run in one row before another row has its turn. */
const LARGEST_BLOCK = 17;

/**
 * Cuts the shuffled tasks into blocks and lets every row run each block, rows in a fresh seeded order each time.
 * With 4 or more tasks each row stands in at least four blocks (design section 3.5).
 */
export function interleave(rows: number, tasks: readonly Task[], trials: number, seed: number): Block[] {
  const blocks: Block[] = [];
  for (let trialIndex = 0; trialIndex < trials; trialIndex++) {
    const shuffled = seededRandom('task-order', seed, trialIndex).shuffle(tasks);
    const size = Math.max(1, Math.min(LARGEST_BLOCK, Math.ceil(shuffled.length / 4)));
    for (let from = 0; from < shuffled.length; from += size) {
      const part = shuffled.slice(from, from + size);
      const order = seededRandom('row-order', seed, trialIndex, from).shuffle([...Array(rows).keys()]);
      for (const row of order) {
        const block = blocks.length;
        blocks.push({ row, trials: part.map((task) => ({ row, block, taskId: task.id, trialIndex })) });
      }
    }
  }
  return blocks;
}

/** Each row in one go, for a run whose times nobody compares: its worker stays warm. */
export function rowByRow(rows: number, tasks: readonly Task[], trials: number): Block[] {
  return Array.from({ length: rows }, (_, row) => ({
    row,
    trials: Array.from({ length: trials }, (_unused, trialIndex) => tasks.map((task) => ({ row, block: row, taskId: task.id, trialIndex }))).flat(),
  }));
}

/** A sample that keeps the shares of task types (largest remainders) and, within a type, takes levels in turn. */
export function stratifiedSample(tasks: readonly Task[], size: number, seed: number): Task[] {
  if (size >= tasks.length) return [...tasks];
  const types = [...new Set(tasks.map((task) => task.type))];
  const shares = types.map((type) => {
    const exact = (tasks.filter((task) => task.type === type).length * size) / tasks.length;
    return { type, count: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const missing = size - shares.reduce((sum, share) => sum + share.count, 0);
  for (const share of [...shares].sort((a, b) => b.rest - a.rest).slice(0, missing)) share.count += 1;
  const chosen = new Set(shares.flatMap(({ type, count }) => levelsInTurn(tasks, type, seed).slice(0, count)));
  return tasks.filter((task) => chosen.has(task));
}

function levelsInTurn(tasks: readonly Task[], type: TaskType, seed: number): Task[] {
  const byLevel = ([1, 2, 3] as const).map((level) =>
    seededRandom('sample', seed, type, level).shuffle(tasks.filter((task) => task.type === type && task.level === level)),
  );
  const turns: Task[] = [];
  for (let i = 0; turns.length < byLevel.flat().length; i++) {
    for (const level of byLevel) {
      const task = level[i];
      if (task) turns.push(task);
    }
  }
  return turns;
}

/** The key under which a trial is found again on resume. */
export function trialKey(row: PlannedRow, taskId: string, trialIndex: number): string {
  const configuration = row.configuration === undefined ? [] : [row.configuration];
  return [row.framework, row.shape, row.settings, ...configuration, taskId, trialIndex].join(' ');
}
