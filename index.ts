// The package's front door: run a plan from code. The parts have doors of their own: agentgauge/engine, /adapters, /tasks, /metrics, /reports.

export { GaugeError, UsageError } from './base/error.ts';
export type { PlanSpec, PlanSpecInput, RowSpec } from './runners/plan-spec.ts';
export { parsePlanSpec, planJsonSchema } from './runners/plan-spec.ts';
export type { Progress, ProgressOptions } from './runners/progress.ts';
export { createProgress } from './runners/progress.ts';
export type { ResolvedPlan, ResolveOptions } from './runners/resolved-plan.ts';
export { resolvePlan } from './runners/resolved-plan.ts';
export type { FinishedStudy, StudyRequest } from './runners/start-study.ts';
export { startStudy } from './runners/start-study.ts';
export type { StudyOutcome } from './runners/study.ts';
