// `tasks check`: proves that a built set can be solved with the real tools, cannot be solved by luck, and gives nothing away.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkQuestions, givesAway, type SetProblem } from '../tasks/gaia/check-questions.ts';
import { measureFor } from '../tasks/gaia/compose-set.ts';
import { scoreAnswer } from '../tasks/gaia/score.ts';
import { solveFromWorld } from '../tasks/gaia/solver/solve-from-world.ts';
import { createWorld, type World } from '../tasks/gaia/world/world.ts';
import type { Task, TaskSetFacts } from '../tasks/task.ts';
import { loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps } from '../tasks/task-set.ts';
import { type WalkTools, walkPlan } from './walk-plan.ts';

export interface CheckedTask {
  readonly taskId: string;
  readonly type: Task['type'];
  readonly level: Task['level'];
  readonly steps: number;
  readonly answer?: string;
  /** The official scorer's verdict on what the walk reached. */
  readonly correct: boolean;
  /** Whether a reader who takes the first hit and the first match is right too. */
  readonly carelessCorrect: boolean;
}

export interface TaskSetCheck {
  readonly facts: TaskSetFacts;
  readonly tasks: readonly CheckedTask[];
  readonly problems: readonly SetProblem[];
  /** Share of web tasks that the careless reader gets right, in percent. */
  readonly carelessWebPercent: number;
}

/** The careless reader must stay below this on web tasks, or the wrong copies are decoration. */
const CARELESS_LIMIT_PERCENT = 60;

export async function checkTaskSet(directory: string, toolbox: WalkTools): Promise<TaskSetCheck> {
  const contents = {
    facts: loadFacts(directory),
    tasks: loadTasks(directory),
    warmUps: loadWarmUps(directory),
    targets: loadTargets(directory),
    plans: loadPlans(directory),
  };
  const problems: SetProblem[] = [...checkQuestions(contents), ...(await brokenLinks(directory))];
  // Only generated sets have a world; questions of one's own have none.
  const { facts } = contents;
  const world = facts.name === 'open68' || facts.name === 'generated' ? createWorld(facts.seed, measureFor(facts.tasks)) : undefined;
  const planOf = new Map(contents.plans.map((plan) => [plan.question, plan]));
  const checked: CheckedTask[] = [];
  for (const task of [...contents.tasks, ...contents.warmUps]) {
    const plan = planOf.get(task.question);
    const truth = contents.targets.get(task.id);
    if (!plan || truth === undefined) continue;
    const walk = await walkPlan(plan, toolbox, task.attachments);
    problems.push(...secondOpinion(task, truth, world));
    const correct = walk.answer !== undefined && scoreAnswer(walk.answer, truth).correct;
    if (!correct)
      problems.push({
        code: 'unreachable',
        taskId: task.id,
        message: walk.stuck ?? `the plan leads to ${JSON.stringify(walk.answer)}, and the truth is ${JSON.stringify(truth)}`,
      });
    if (plan.steps[0]?.call?.tool === 'web_search' && givesAway(snippetsOf(walk.firstText ?? ''), truth, 'whole'))
      problems.push({ code: 'truth-given-away', taskId: task.id, message: 'the truth stands in what the first search shows' });
    for (const miss of plan.nearMisses)
      if (scoreAnswer(miss, truth).correct)
        problems.push({ code: 'near-miss', taskId: task.id, message: `the near miss ${JSON.stringify(miss)} is scored as right` });
    const careless = task.type === 'web' ? await walkPlan(plan, toolbox, task.attachments, 'careless') : walk;
    const carelessCorrect = careless.answer !== undefined && scoreAnswer(careless.answer, truth).correct;
    checked.push({
      taskId: task.id,
      type: task.type,
      level: task.level,
      steps: task.steps,
      ...(walk.answer === undefined ? {} : { answer: walk.answer }),
      correct,
      carelessCorrect,
    });
  }
  const web = checked.filter(({ type, taskId }) => type === 'web' && contents.tasks.some(({ id }) => id === taskId));
  const carelessWebPercent = web.length === 0 ? 0 : (100 * web.filter(({ carelessCorrect }) => carelessCorrect).length) / web.length;
  if (carelessWebPercent >= CARELESS_LIMIT_PERCENT) {
    problems.push({
      code: 'no-pitfalls',
      message: `the first hit and the first match are right in ${carelessWebPercent.toFixed(0)} % of the web tasks; below ${CARELESS_LIMIT_PERCENT} % is due`,
    });
  }
  return { facts: contents.facts, tasks: checked, problems, carelessWebPercent };
}

/** What a solver finds that knows the world and the question, and nothing of templates, plans or pages. Documents hold figures of their own. */
function secondOpinion({ id, type, template, question }: Task, truth: string, world: World | undefined): SetProblem[] {
  if (world === undefined || type === 'document') return [];
  const answers = solveFromWorld(template, question, world);
  const problem = (code: string, message: string): SetProblem[] => [{ code, taskId: id, message }];
  if (answers === undefined) return problem('no-solver', `the solver knows no questions of ${template}`);
  if (answers.length !== 1) return problem('not-unique', `${answers.length} answers fit: ${JSON.stringify(answers.slice(0, 5))}`);
  return scoreAnswer(answers[0] as string, truth).correct
    ? []
    : problem('solver-disagrees', `the solver finds ${JSON.stringify(answers[0])}, and the truth is ${JSON.stringify(truth)}`);
}

/** Titles and snippets of search results, without addresses and numbering. */
function snippetsOf(text: string): string {
  return text.replace(/https?:\/\/\S+|^\d+\. /gm, '');
}

/** Every address that a page links to must be a page of the set. */
async function brokenLinks(directory: string): Promise<SetProblem[]> {
  const pages = new Set<string>();
  const linked = new Map<string, string>();
  const lines = createInterface({ input: createReadStream(join(directory, 'web', 'pages.jsonl'), 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line === '') continue;
    const { url, body } = JSON.parse(line) as { url: string; body: string };
    pages.add(url);
    for (const [, href] of body.matchAll(/href="([^"#]+)"/g)) linked.set(new URL(href as string, url).href, url);
  }
  return [...linked]
    .filter(([href]) => !pages.has(href))
    .map(([href, from]) => ({ code: 'broken-link', message: `${from} links to ${href}, which is no page of the set` }));
}
