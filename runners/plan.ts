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
/** Where times are compared a block is their unit, and an interval needs enough of them (method M6.4); a smaller one would be mostly starts of workers. */
const FEWEST_TIMED_BLOCKS = 8;
const SMALLEST_TIMED_BLOCK = 3;
/** As many rows as warm workers may be alive. */
const LARGEST_GROUP = 8;

export interface Order {
  readonly rows: number;
  readonly tasks: readonly Task[];
  readonly trials: number;
  readonly seed: number;
  /** Whether times are compared: nothing else is at work beside a trial. */
  readonly timed: boolean;
}

/**
 * Cuts the shuffled tasks into blocks of equal size and lets every row run each block. Two blocks make a round: in it rows come in a fresh seeded order, in groups, and each
 * group runs the first block and then the second in reverse. So drift within a group cancels, and a worker serves twice before it makes room.
 */
export function interleave({ rows, tasks, trials, seed, timed }: Order): Block[] {
  const blocks: Block[] = [];
  const parts = partsOf(tasks.length, trials, timed);
  for (let trialIndex = 0; trialIndex < trials; trialIndex++) {
    const shuffled = seededRandom('task-order', seed, trialIndex).shuffle(tasks);
    const run = (part: number, order: readonly number[]) => {
      const turn = shuffled.slice(Math.floor((part * tasks.length) / parts), Math.floor(((part + 1) * tasks.length) / parts));
      for (const row of order) {
        const block = blocks.length;
        blocks.push({ row, trials: turn.map((task) => ({ row, block, taskId: task.id, trialIndex })) });
      }
    };
    for (let part = 0; part < parts; part += 2) {
      const order = seededRandom('row-order', seed, trialIndex, part).shuffle([...Array(rows).keys()]);
      for (let from = 0; from < rows; from += LARGEST_GROUP) {
        const group = order.slice(from, from + LARGEST_GROUP);
        run(part, group);
        if (part + 1 < parts) run(part + 1, group.toReversed());
      }
    }
  }
  return blocks;
}

function partsOf(tasks: number, trials: number, timed: boolean): number {
  const forTimes = timed ? Math.min(Math.ceil(FEWEST_TIMED_BLOCKS / trials), Math.floor(tasks / SMALLEST_TIMED_BLOCK)) : 0;
  return Math.min(tasks, Math.max(FEWEST_BLOCKS, forTimes, Math.ceil(tasks / LARGEST_BLOCK)));
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
