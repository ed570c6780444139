// Starts runs: checks the options and hands them to a shell.
import type { CheckpointOptions } from './checkpoint.ts';
import { isPlayback } from './connector-link.ts';
import { type CheckedWorkflow, type Plan, planOf } from './plan.ts';
import { ResourcePool } from './resource-pool.ts';
import type { ExecuteOptions, Run } from './run.ts';
import { Shell } from './shell.ts';
import { show, WorkflowError } from './workflow-error.ts';

const DEFAULT_CONCURRENCY = 64;

/** Starts a run. @throws WorkflowError `INVALID_OPTIONS` for options that make no sense; nothing else is thrown. */
export function execute<In, Out, S>(checked: CheckedWorkflow<In, Out, S>, input: In, options: ExecuteOptions = {}): Run<Out, S> {
  return start(checked, { input }, options);
}

function start<In, Out, S>(checked: CheckedWorkflow<In, Out, S>, given: { readonly input: unknown } | undefined, options: ExecuteOptions): Run<Out, S> {
  const { concurrency = DEFAULT_CONCURRENCY } = options;
  if (!(concurrency >= 1) || (concurrency !== Number.POSITIVE_INFINITY && !Number.isInteger(concurrency))) {
    throw new WorkflowError('INVALID_OPTIONS', `concurrency must be a whole number from 1, found ${show(concurrency)}`, {
      remedy: 'Leave it out for 64, or pass Infinity for no bound.',
    });
  }
  const plan = planOf(checked);
  checkLimits(plan, options.limits);
  checkMemory(options);
  checkStandIns(plan, options);
  return new Shell(plan, given, options, concurrency, undefined) as unknown as Run<Out, S>;
}

/** A class that no node has is a slip of the pen; `model` may stand in a setting for many workflows. */
function checkLimits(plan: Plan, limits: ExecuteOptions['limits']): void {
  if (limits === undefined || limits instanceof ResourcePool) return;
  const strange = Object.keys(limits).filter((resource) => resource !== 'model' && !plan.resources.includes(resource));
  if (strange.length === 0) return;
  throw new WorkflowError('INVALID_OPTIONS', `limits names "${strange.join('", "')}", and no node of workflow "${plan.name}" is of that class`, {
    remedy: `Its classes: ${plan.resources.join(', ') || 'none'}. Give a node one with \`resource\`.`,
  });
}

/** A stand-in that stands for nothing would leave the real thing at work. */
function checkStandIns(plan: Plan, { connectors }: ExecuteOptions): void {
  if (connectors === undefined || isPlayback(connectors)) return;
  const declared = connectorsOf(plan);
  const strange = Object.keys(connectors).filter((name) => !declared.has(name));
  if (strange.length === 0) return;
  throw new WorkflowError('INVALID_OPTIONS', `connectors names "${strange.join('", "')}", which no node of workflow "${plan.name}" declares`, {
    remedy: `Its connectors: ${[...declared].join(', ') || 'none'}.`,
  });
}

function connectorsOf({ nodes }: Plan): Set<string> {
  const names = new Set<string>();
  for (const { connectors, workflow, map, fallback } of nodes) {
    for (const name of connectors.keys()) names.add(name);
    for (const inner of [workflow, map?.body.workflow, fallback?.workflow]) if (inner !== undefined) for (const name of connectorsOf(inner)) names.add(name);
  }
  return names;
}

/** Goes on with a run from its checkpoint, with the input that it began with. Without a checkpoint the result is a failure `no-checkpoint`. */
export function resume<In, Out, S>(checked: CheckedWorkflow<In, Out, S>, options: ExecuteOptions & { readonly checkpoint: CheckpointOptions }): Run<Out, S> {
  return start(checked, undefined, options);
}

/** What agents leave behind in place of a tier is in no checkpoint, so a resumed run would be another one. */
function checkMemory({ memory, checkpoint }: ExecuteOptions): void {
  if (checkpoint === undefined || memory === undefined) return;
  if (memory !== 'single-tier' && !Object.values(memory).includes(false)) return;
  throw new WorkflowError('INVALID_OPTIONS', `\`checkpoint\` and \`memory\` with a tier switched off (${JSON.stringify(memory)}) exclude each other`, {
    remedy: 'Leave one of them out.',
  });
}
