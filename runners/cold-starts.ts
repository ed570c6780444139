// Which fresh processes a study starts for memory, import and set-up times, and on which task each. Rows in turn, so that drift meets every row alike.
import { seededRandom } from '../base/random.ts';
import { TASK_TYPES, type Task } from '../tasks/task.ts';
import type { ResolvedPlan } from './resolved-plan.ts';
import type { RunnableRow } from './rows.ts';

export interface ColdStart {
  readonly row: RunnableRow;
  readonly task: Task;
  /** Counts a row's cold starts from 0: what a resume goes on from. */
  readonly round: number;
}

/** The same tasks for every row; by default drawn over all types, with `coldStartsByTaskType` so many for each type. */
export function coldStartsOf(plan: ResolvedPlan): ColdStart[] {
  const { coldStarts, coldStartsByTaskType, seed } = plan.spec;
  const drawn = seededRandom('cold-tasks', seed).shuffle(plan.tasks);
  const tasks = coldStartsByTaskType
    ? TASK_TYPES.flatMap((type) =>
        cycled(
          drawn.filter((task) => task.type === type),
          coldStarts,
        ),
      )
    : cycled(drawn, coldStarts);
  return tasks.flatMap((task, round) =>
    seededRandom('cold-order', seed, round)
      .shuffle(plan.rows)
      .map((row) => ({ row, task, round })),
  );
}

function cycled(tasks: readonly Task[], count: number): Task[] {
  return tasks.length === 0 ? [] : Array.from({ length: count }, (_, i) => tasks[i % tasks.length] as Task);
}
