// Where a trial stands in the plan, as a number: columns are indexed by it and rows are paired by it. Every row has the same places.
import type { ManifestPlan, TrialRecord } from './record.ts';

type PlanTask = ManifestPlan['tasks'][number];
type TrialKey = Pick<TrialRecord, 'taskId' | 'trialIndex'>;

export class PlanPlaces {
  readonly tasks: readonly PlanTask[];
  readonly trials: number;
  readonly #indexOf: ReadonlyMap<string, number>;

  constructor({ tasks, trials }: Pick<ManifestPlan, 'tasks' | 'trials'>) {
    this.tasks = tasks;
    this.trials = trials;
    this.#indexOf = new Map(tasks.map(({ taskId }, index) => [taskId, index]));
  }

  get size(): number {
    return this.tasks.length * this.trials;
  }

  /** @returns `undefined` for a trial that is not in the plan */
  of({ taskId, trialIndex }: TrialKey): number | undefined {
    const task = this.#indexOf.get(taskId);
    if (task === undefined || !Number.isInteger(trialIndex) || trialIndex < 0 || trialIndex >= this.trials) return undefined;
    return task * this.trials + trialIndex;
  }

  taskAt(place: number): PlanTask {
    const task = this.tasks[Math.floor(place / this.trials)];
    if (task === undefined) throw new RangeError(`place ${place} is not in a plan of ${this.size} trials a row`);
    return task;
  }

  nameAt(place: number): string {
    return trialName({ taskId: this.taskAt(place).taskId, trialIndex: place % this.trials });
  }
}

/** How reports name a trial: its task, and which of the task's trials it is. */
export function trialName({ taskId, trialIndex }: TrialKey): string {
  return `${taskId}#${trialIndex}`;
}
