// `tasks check`: proves that a built set can be solved with the real tools, cannot be solved by luck, and gives nothing away.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkQuestions, givesAway, type SetProblem } from '../tasks/gaia/check-questions.ts';
import { checkChecksum } from '../tasks/gaia/checksums.ts';
import { measureFor } from '../tasks/gaia/compose-set.ts';
import { scoreAnswer } from '../tasks/gaia/score.ts';
import { createWorld } from '../tasks/gaia/world/world.ts';
import { kindOf, type Task, type TaskSetFacts } from '../tasks/task.ts';
import { loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps } from '../tasks/task-set.ts';
import { secondOpinion } from './second-opinion.ts';
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
  /** Tasks whose truth a second solver reached too, warm-ups included. Absent for a set that is not made from a world. */
  readonly solvedTwice?: { readonly tasks: number; readonly kindsNot: readonly string[] };
}

/** The careless reader must stay below this on web tasks, or the wrong copies are decoration. */
const CARELESS_LIMIT_PERCENT = 60;

/** @param onTask told as each task is done: a large set takes minutes */
export async function checkTaskSet(directory: string, toolbox: WalkTools, onTask?: (taskId: string) => void): Promise<TaskSetCheck> {
  const contents = {
    facts: loadFacts(directory),
    tasks: loadTasks(directory),
    warmUps: loadWarmUps(directory),
    targets: loadTargets(directory),
    plans: loadPlans(directory),
  };
  const problems: SetProblem[] = [...checkChecksum(contents.facts), ...checkQuestions(contents), ...(await brokenLinks(directory))];
  // Only generated sets have a world; questions of one's own have none.
  const { facts } = contents;
  const world = ['open68', 'generated'].includes(kindOf(facts)) ? createWorld(facts.seed, measureFor(facts.tasks)) : undefined;
  const planOf = new Map(contents.plans.map((plan) => [plan.question, plan]));
  const checked: CheckedTask[] = [];
  const kindsNot = new Set<string>();
  let agreed = 0;
  for (const task of [...contents.tasks, ...contents.warmUps]) {
    const plan = planOf.get(task.question);
    const truth = contents.targets.get(task.id);
    if (!plan || truth === undefined) continue;
    const walk = await walkPlan(plan, toolbox, task.attachments);
    if (world) {
      const second = await secondOpinion(task, truth, world, toolbox);
      if (second.agrees) agreed += 1;
      else kindsNot.add(task.template);
      if (second.problem) problems.push(second.problem);
    }
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
    onTask?.(task.id);
  }
  const web = checked.filter(({ type, taskId }) => type === 'web' && contents.tasks.some(({ id }) => id === taskId));
  const carelessWebPercent = web.length === 0 ? 0 : (100 * web.filter(({ carelessCorrect }) => carelessCorrect).length) / web.length;
  if (carelessWebPercent >= CARELESS_LIMIT_PERCENT) {
    problems.push({
      code: 'no-pitfalls',
      message: `the first hit and the first match are right in ${carelessWebPercent.toFixed(0)} % of the web tasks; below ${CARELESS_LIMIT_PERCENT} % is due`,
    });
  }
  return {
    facts: contents.facts,
    tasks: checked,
    problems,
    carelessWebPercent,
    ...(world === undefined ? {} : { solvedTwice: { tasks: agreed, kindsNot: [...kindsNot].sort() } }),
  };
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
