// Runs the programs that the solution plans of a set name before the first trial, so that no row waits for an interpreter that another has already started.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SolutionPlan } from '../tasks/plan.ts';
import type { Task } from '../tasks/task.ts';
import { AttachmentShelf } from './attachment-shelf.ts';
import { runJavaScript } from './run-javascript.ts';
import { runPython } from './run-python.ts';
import type { ToolContext } from './tool.ts';

const RUNNERS = [runPython, runJavaScript];

/** Never rejects: a program that cannot run is the answer of the call that asks for it. */
export async function warmPrograms(taskSetDirectory: string, context: Omit<ToolContext, 'shelf'>): Promise<void> {
  const tasks = new Map((await entriesOf<Task>(taskSetDirectory, 'tasks.json')).map((task) => [task.question, task]));
  for (const { question, steps } of await entriesOf<SolutionPlan>(taskSetDirectory, 'plans.json')) {
    for (const { call } of steps) {
      const tool = RUNNERS.find(({ schema }) => schema.name === call?.tool);
      const code = call?.arguments['code'];
      if (!tool || typeof code !== 'string' || code.includes('{{')) continue;
      const shelf = new AttachmentShelf(taskSetDirectory, tasks.get(question)?.attachments ?? []);
      // A missing package or file is the same for every row, and theirs to hear of.
      await Promise.resolve(tool.run({ code }, { ...context, shelf })).catch(() => {});
    }
  }
}

async function entriesOf<T>(directory: string, file: string): Promise<T[]> {
  try {
    const entries: unknown = JSON.parse(await readFile(path.join(directory, file), 'utf8'));
    return Array.isArray(entries) ? (entries as T[]) : [];
  } catch {
    // A set of one's own has no plans.
    return [];
  }
}
