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
/** Turns of each row, given so many tasks. */
const FEWEST_BLOCKS = 4;
/** Where times are compared a block is their unit, and an interval needs enough of them (method M6.4). */
const FEWEST_TIMED_BLOCKS = 8;

export interface Order {
  readonly rows: number;
  readonly tasks: readonly Task[];
  readonly trials: number;
  readonly seed: number;
  /** Whether times are compared: nothing else is at work beside a trial. */
  readonly timed: boolean;
}

/**
 * Cuts the shuffled tasks into blocks of equal size and lets every row run each block. Rows come in a fresh seeded order, and for the next block in its reverse: so drift
 * cancels within each pair of blocks, and the workers that were used last serve again before they make room.
 */
export function interleave({ rows, tasks, trials, seed, timed }: Order): Block[] {
  const blocks: Block[] = [];
  const fewest = Math.max(FEWEST_BLOCKS, timed ? Math.ceil(FEWEST_TIMED_BLOCKS / trials) : 0, Math.ceil(tasks.length / LARGEST_BLOCK));
  const parts = Math.min(tasks.length, fewest);
  for (let trialIndex = 0; trialIndex < trials; trialIndex++) {
    const shuffled = seededRandom('task-order', seed, trialIndex).shuffle(tasks);
    let order: number[] = [];
    for (let part = 0; part < parts; part++) {
      const turn = shuffled.slice(Math.floor((part * tasks.length) / parts), Math.floor(((part + 1) * tasks.length) / parts));
      order = part % 2 === 0 ? seededRandom('row-order', seed, trialIndex, part).shuffle([...Array(rows).keys()]) : order.toReversed();
      for (const row of order) {
        const block = blocks.length;
        blocks.push({ row, trials: turn.map((task) => ({ row, block, taskId: task.id, trialIndex })) });
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
