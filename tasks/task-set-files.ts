// What a built set looks like on disk, and its readers. Each reader opens one file, so that a process loads only what it may see: the gateway plans,
// the broker files and pages, the host tasks and targets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GaugeError } from '../base/error.ts';
import type { SolutionPlan } from './plan.ts';
import type { ScorerName, Target, Task, TaskSetFacts } from './task.ts';

/** Raised by any change to a byte of a built set; sets of another version are built anew. */
export const GENERATOR_VERSION = 8;

/** The planned tasks, in order. */
export function loadTasks(directory: string): Task[] {
  return readJson(directory, 'tasks.json') as Task[];
}

/** Three extra tasks, one a type, that are never planned. */
export function loadWarmUps(directory: string): Task[] {
  return readJson(directory, 'warm-ups.json') as Task[];
}

/** Truths by task id, warm-ups included. Only the host may call this. */
export function loadTargets(directory: string): Map<string, string> {
  return new Map((readJson(directory, 'targets.json') as Target[]).map(({ taskId, truth }) => [taskId, truth]));
}

/** Scorers by task id, where a question names another than the official one. */
export function loadScorers(directory: string): Map<string, ScorerName> {
  const targets = readJson(directory, 'targets.json') as Target[];
  return new Map(targets.flatMap(({ taskId, scorer }) => (scorer === undefined ? [] : [[taskId, scorer] as const])));
}

/** Plans of tasks and warm-ups. A plan is found by its question; it names no id. */
export function loadPlans(directory: string): SolutionPlan[] {
  return readJson(directory, 'plans.json') as SolutionPlan[];
}

export function loadFacts(directory: string): TaskSetFacts {
  return readJson(directory, 'set.json') as TaskSetFacts;
}

/** @throws GaugeError TASK_SET_MISSING or TASK_SET_BROKEN */
function readJson(directory: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(join(directory, file), 'utf8');
  } catch (cause) {
    throw new GaugeError('TASK_SET_MISSING', `no built task set in ${directory}: ${file} cannot be read`, {
      remedy: 'Name a directory that holds a built set, or let agentgauge build it.',
      cause,
    });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GaugeError('TASK_SET_BROKEN', `${join(directory, file)} is no JSON`, {
      remedy: 'Delete the directory; the set is built again from its seed.',
      cause,
    });
  }
}
