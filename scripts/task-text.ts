// One task as a person reads it on a terminal: question, files, the chains of its plan with the page that each step needs, truth and near misses.
import { answerText } from '../tasks/formula.ts';
import type { PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Task } from '../tasks/task.ts';
import { callText } from './preview-page.ts';
import { wrapped } from './wrapped.ts';

export interface TaskTextParts {
  readonly task: Task;
  readonly files: readonly { readonly name: string; readonly file: string }[];
  readonly truth?: string;
  readonly plan?: SolutionPlan;
}

/** @param columns where lines are broken, at blanks */
export function taskText({ task, files, truth, plan }: TaskTextParts, columns: number): string {
  const width = Math.max(40, Math.min(columns, 110));
  const chains = task.width === 1 ? '1 chain' : `${task.width} chains`;
  const lines = [
    `${task.id}: ${task.type}, level ${task.level}, ${task.steps} steps in ${chains}, template ${task.template}`,
    '',
    ...wrapped(task.question, width),
    '',
    ...files.map(({ name, file }) => `  ${name}  ${file}`),
    ...(files.length > 0 ? [''] : []),
  ];
  for (const { sentence, steps } of plan?.chains ?? []) {
    lines.push(...wrapped(sentence, width));
    for (const id of steps) {
      const step = plan?.steps.find((candidate) => candidate.id === id);
      if (step) lines.push(...stepLines(step, width));
    }
    lines.push('');
  }
  lines.push(`truth: ${truth ?? 'not known'}`);
  if (plan && plan.nearMisses.length > 0) lines.push(...wrapped(`near misses: ${plan.nearMisses.map(answerText).join(' / ')}`, width, '  '));
  return `${lines.join('\n')}\n`;
}

function stepLines(step: PlanStep, width: number): string[] {
  const lines = [`  ${step.id}  ${callText(step)}`];
  for (const { name, label, kind, after } of step.reads) {
    const page = kind === 'url' ? after[0]?.replace(/^(?:\. |Title: )/, '') : undefined;
    lines.push(...wrapped(`      ${step.id}.${name}: ${label.replace(/^\[|\]$/g, '')}${page === undefined ? '' : ` (page: ${page})`}`, width, '        '));
  }
  return lines;
}
