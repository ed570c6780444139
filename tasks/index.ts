// The public face of agentgauge/tasks.
export { normalizeText, readValue } from './evidence.ts';
export { answerText, evaluate, fillArguments, fillTemplate, valuesNeeded } from './formula.ts';
export { extractAnswer } from './gaia/extract-answer.ts';
export { scoreAnswer } from './gaia/score.ts';
export type { Chain, Formula, PlannedCall, PlanStep, Read, SolutionPlan, Values } from './plan.ts';
export { type Attachment, type Level, type SetName as TaskSetName, TASK_TYPES, type Target, type Task, type TaskSetFacts, type TaskType } from './task.ts';
export { buildTaskSet, ensureTaskSet, loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps, taskSetName } from './task-set.ts';
