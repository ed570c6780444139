// The task types that a plan holds, in the paper's order.
import type { ManifestPlan } from '../../metrics/record.ts';
import type { TaskType } from '../../metrics/summaries.ts';

const TASK_TYPES: readonly TaskType[] = ['zero-tool', 'document', 'web'];

export function typesOf(plan: ManifestPlan): TaskType[] {
  return TASK_TYPES.filter((taskType) => plan.tasks.some((task) => task.taskType === taskType));
}
