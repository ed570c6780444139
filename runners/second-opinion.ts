// The second opinion of `tasks check`: each truth of a generated set against solvers that know the question and the world, or what the reading tools say of the
// attachments, and nothing of templates, plans or formulas.
import { GaugeError, messageOf } from '../base/error.ts';
import type { SetProblem } from '../tasks/gaia/check-questions.ts';
import { scoreAnswer } from '../tasks/gaia/score.ts';
import { solveFromDocuments } from '../tasks/gaia/solver/solve-document.ts';
import { solveFromWorld } from '../tasks/gaia/solver/solve-from-world.ts';
import type { World } from '../tasks/gaia/world/world.ts';
import type { Attachment, Task } from '../tasks/task.ts';
import type { WalkTools } from './walk-plan.ts';

export interface SecondOpinion {
  /** Whether one answer was found, and it is the truth. */
  readonly agrees: boolean;
  readonly problem?: SetProblem;
}

export async function secondOpinion(task: Task, truth: string, world: World, tools: WalkTools): Promise<SecondOpinion> {
  const not = (code: string, message: string): SecondOpinion => ({ agrees: false, problem: { code, taskId: task.id, message } });
  let answers: readonly string[] | undefined;
  try {
    answers = await answersTo(task, world, tools);
  } catch (thrown) {
    return not('solver-stuck', `the second solver finds no answer: ${messageOf(thrown)}`);
  }
  if (answers === undefined) return not('no-solver', `the second solver knows no questions of ${task.template}`);
  if (answers.length === 0) return not('solver-stuck', 'the second solver finds no answer that fits');
  if (answers.length > 1) return not('not-unique', `${answers.length} answers fit: ${JSON.stringify(answers.slice(0, 5))}`);
  const [answer = ''] = answers;
  if (scoreAnswer(answer, truth).correct) return { agrees: true };
  return not('solver-disagrees', `the second solver finds ${JSON.stringify(answer)}, and the truth is ${JSON.stringify(truth)}`);
}

/** Documents hold figures of their own, which the world does not know. */
async function answersTo({ type, template, question, attachments }: Task, world: World, tools: WalkTools): Promise<readonly string[] | undefined> {
  if (type !== 'document') return solveFromWorld(template, question, world);
  const names = attachments.map(({ name }) => name);
  return await solveFromDocuments(template, question, names, (tool, given) => wholeText(tools, tool, given, attachments));
}

/** All parts of what a tool says, as one text. @throws GaugeError TOOL_FAILED */
async function wholeText(
  tools: WalkTools,
  tool: string,
  given: Readonly<Record<string, string | number>>,
  attachments: readonly Attachment[],
): Promise<string> {
  const parts: string[] = [];
  for (let part = 1; ; part++) {
    const { status, text } = await tools.run(tool, part === 1 ? given : { ...given, part }, { attachments });
    if (status !== 200) throw new GaugeError('TOOL_FAILED', `${tool} ${JSON.stringify(given)} answered ${status}: ${text.slice(0, 200)}`);
    const more = /\n\[part \d+ of (\d+): characters [^\]]*\]$/.exec(text);
    parts.push(more ? text.slice(0, more.index) : text);
    if (!more || part >= Number(more[1])) return parts.join('\n');
  }
}
