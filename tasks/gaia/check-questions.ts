// What must hold of a set before any tool is asked: composition, levels, chains, uniqueness, and no truth where the agent could read it beforehand.
import type { SolutionPlan } from '../plan.ts';
import { kindOf, type Task, type TaskSetFacts } from '../task.ts';
import { levelOf } from './compose.ts';
import { masked } from './mask.ts';
import { similarity, trigramsOf } from './similarity.ts';

export interface SetProblem {
  /** kebab-case: `composition`, `level`, `chains`, `twin-questions`, `twin-sentences`, `twin-labels`, `truth-given-away`, … */
  readonly code: string;
  readonly taskId?: string;
  readonly message: string;
}

export interface SetContents {
  readonly facts: TaskSetFacts;
  readonly tasks: readonly Task[];
  readonly warmUps: readonly Task[];
  readonly targets: ReadonlyMap<string, string>;
  readonly plans: readonly SolutionPlan[];
}

const MOST_ALIKE = 0.8;
/** Tasks of one template in open68, of one masked wording in every set. */
const MOST_TASKS_A_TEMPLATE = 3;
const OPEN68_SIZE = 68;
/** Of these; every set has this mix, rounded by largest remainders. */
const TYPES = { 'zero-tool': 7, document: 19, web: 42 } as const;
const LEVELS = { 1: 29, 2: 36, 3: 3 } as const;
/** Below this a level holds too few tasks to speak of halves. */
const SMALLEST_MIX = 12;

export function checkQuestions({ facts, tasks, warmUps, targets, plans }: SetContents): SetProblem[] {
  const kind = kindOf(facts);
  const all = [...tasks, ...warmUps];
  const planOf = new Map(plans.map((plan) => [plan.question, plan]));
  return [
    ...(kind === 'open68' ? checkComposition(tasks, OPEN68_SIZE) : kind === 'generated' ? checkComposition(tasks, facts.tasks) : []),
    ...checkTemplates(kind, tasks),
    ...all.flatMap((task) => checkTask(task, planOf.get(task.question), targets.get(task.id))),
    ...checkTwins(all, plans, kind === 'generated'),
  ];
}

/** Does the text give the truth away, or (`entries`) one entry of a list? Numbers count as whole numbers, with or without thousands marks. */
export function givesAway(text: string, truth: string, lists: 'entries' | 'whole' = 'entries'): boolean {
  const plain = text.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, '');
  return (lists === 'whole' ? [truth] : truth.split(/[,;]/))
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => new RegExp(`(?<![\\p{L}\\p{N}.])${entry.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}]|\\.\\d)`, 'u').test(plain));
}

function checkComposition(tasks: readonly Task[], total: number): SetProblem[] {
  const problems: SetProblem[] = [];
  for (const [type, wanted] of roundedShares(TYPES, total)) {
    const found = tasks.filter((task) => task.type === type).length;
    if (found !== wanted) problems.push({ code: 'composition', message: `${wanted} ${type} tasks are due, and there are ${found}` });
  }
  for (const [level, wanted] of roundedShares(LEVELS, total)) {
    const found = tasks.filter((task) => task.level === Number(level)).length;
    if (found !== wanted) problems.push({ code: 'composition', message: `${wanted} tasks of level ${level} are due, and there are ${found}` });
  }
  const second = tasks.filter(({ level }) => level === 2);
  if (tasks.length >= SMALLEST_MIX && second.filter(({ width }) => width > 1).length * 2 < second.length)
    problems.push({ code: 'chains', message: 'fewer than half of level 2 have two or more chains' });
  for (const task of tasks)
    if (task.level === 3 && task.width < 2) problems.push({ code: 'chains', taskId: task.id, message: 'a task of level 3 has a single chain' });
  return problems;
}

/** Own arithmetic, so that the check does not rest on what made the set. */
function roundedShares(of68: Readonly<Record<string, number>>, total: number): [name: string, count: number][] {
  const shares = Object.entries(of68).map(([name, of], at) => ({ name, at, whole: Math.floor((of * total) / OPEN68_SIZE), rest: (of * total) % OPEN68_SIZE }));
  const missing = total - shares.reduce((sum, { whole }) => sum + whole, 0);
  const served = new Set(
    [...shares]
      .sort((a, b) => b.rest - a.rest || a.at - b.at)
      .slice(0, missing)
      .map(({ name }) => name),
  );
  return shares.map(({ name, whole }) => [name, whole + (served.has(name) ? 1 : 0)]);
}

/** Open68 takes three tasks of a template at most; in every set three at most are alike once their slots are masked. */
function checkTemplates(set: string, tasks: readonly Task[]): SetProblem[] {
  const groups = [
    ...(set === 'generated' ? [] : [...Map.groupBy(tasks, ({ template }) => `template ${template}`)]),
    ...Map.groupBy(tasks, ({ question }) => `the wording ${JSON.stringify(masked(question))}`),
  ];
  return groups.flatMap(([what, of]) =>
    of.length > MOST_TASKS_A_TEMPLATE
      ? [{ code: 'template', message: `${of.length} tasks share ${what}; at most ${MOST_TASKS_A_TEMPLATE} may (${of.map(({ id }) => id).join(', ')})` }]
      : [],
  );
}

function checkTask(task: Task, plan: SolutionPlan | undefined, truth: string | undefined): SetProblem[] {
  const problem = (code: string, message: string): SetProblem => ({ code, taskId: task.id, message });
  if (!plan) return [problem('plan', 'no plan has this question')];
  if (truth === undefined) return [problem('target', 'there is no truth for this task')];
  const problems: SetProblem[] = [];
  if (task.steps !== plan.steps.length || task.level !== levelOf(plan.steps.length))
    problems.push(problem('level', `level ${task.level} with ${task.steps} steps, and the plan has ${plan.steps.length}`));
  if (task.width !== plan.chains.length) problems.push(problem('chains', `width ${task.width}, and the plan has ${plan.chains.length} chains`));
  problems.push(...chainProblems(plan).map((message) => problem('chains', message)));
  if (plan.steps.filter(({ associative }) => associative).length > 1) problems.push(problem('associative', 'more than one step is marked associative'));
  if (givesAway(task.question, truth)) problems.push(problem('truth-given-away', 'the truth stands in the question'));
  for (const { sentence } of plan.chains)
    if (givesAway(sentence, truth)) problems.push(problem('truth-given-away', `the truth stands in the sentence ${JSON.stringify(sentence)}`));
  for (const { name, path } of task.attachments) {
    if (givesAway(name.replace(/[-_.]/g, ' '), truth) || givesAway(path.replace(/[-_./]/g, ' '), truth))
      problems.push(problem('truth-given-away', `the truth stands in the file name ${path}`));
  }
  return problems;
}

/** Each step belongs to one chain, needs only earlier steps of that chain, and is tied to the rest of it: else it would be a chain of its own. */
function chainProblems(plan: SolutionPlan): string[] {
  const problems: string[] = [];
  const inChains = plan.chains.flatMap(({ steps }) => steps);
  if (inChains.length !== plan.steps.length || new Set(inChains).size !== plan.steps.length) problems.push('the chains do not part the steps');
  const earlier = new Set<string>();
  const byId = new Map(plan.steps.map((step) => [step.id, step]));
  for (const step of plan.steps) {
    const chain = plan.chains.find(({ steps }) => steps.includes(step.id));
    for (const need of step.needs) {
      if (!earlier.has(need)) problems.push(`step ${step.id} needs ${need}, which is not before it`);
      if (!chain?.steps.includes(need)) problems.push(`step ${step.id} needs ${need} of another chain`);
    }
    earlier.add(step.id);
  }
  for (const { steps, sentence } of plan.chains) {
    if (steps.some((id) => byId.get(id)?.call === undefined)) continue;
    const reached = new Set(steps.slice(0, 1));
    for (let grown = true; grown; ) {
      grown = false;
      for (const id of steps) {
        const needs = byId.get(id)?.needs ?? [];
        const tied = needs.some((need) => reached.has(need)) || steps.some((other) => reached.has(other) && byId.get(other)?.needs.includes(id));
        if (!reached.has(id) && tied) {
          reached.add(id);
          grown = true;
        }
      }
    }
    if (reached.size < steps.length) problems.push(`the steps of ${JSON.stringify(sentence)} are not tied together`);
  }
  return problems;
}

/** @param withinPlan whether labels need to differ only from those of their own plan: no larger set has words for more */
function checkTwins(tasks: readonly Task[], plans: readonly SolutionPlan[], withinPlan: boolean): SetProblem[] {
  const problems: SetProblem[] = [];
  const trigrams = tasks.map(({ question }) => trigramsOf(question));
  for (const [i, task] of tasks.entries()) {
    for (let j = 0; j < i; j++) {
      const alike = similarity(trigrams[i] as ReadonlySet<string>, trigrams[j] as ReadonlySet<string>);
      if (alike > MOST_ALIKE)
        problems.push({ code: 'twin-questions', taskId: task.id, message: `its question is ${alike.toFixed(2)} like that of ${tasks[j]?.id}` });
    }
  }
  const texts = [...plans.flatMap(({ chains }) => chains.map(({ sentence }) => sentence)), ...plans.map(({ question }) => question)].map((text) =>
    text.toLowerCase(),
  );
  texts.forEach((text, i) => {
    if (texts.some((other, j) => j !== i && other.includes(text)))
      problems.push({ code: 'twin-sentences', message: `a sentence stands twice in the set: ${JSON.stringify(text)}` });
  });
  const labelsOf = (of: readonly SolutionPlan[]) => of.flatMap(({ steps }) => steps.flatMap(({ reads }) => reads.map(({ label }) => label.toLowerCase())));
  for (const labels of withinPlan ? plans.map((plan) => labelsOf([plan])) : [labelsOf(plans)]) {
    labels.forEach((label, i) => {
      if (labels.some((other, j) => j !== i && other.includes(label)))
        problems.push({ code: 'twin-labels', message: `a label stands twice, or within another: ${JSON.stringify(label)}` });
    });
  }
  return problems;
}
