// A task of every template through the real tools and the simulated model, in this process: what happens when one value in one tool result is another (method M4.2),
// and whether seven wire shapes get the same (method M4.4).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../base/canonical-json.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { normalizeText, readValue } from '../tasks/evidence.ts';
import { evaluate, fillArguments } from '../tasks/formula.ts';
import { extractAnswer } from '../tasks/gaia/extract-answer.ts';
import { gaiaPrompt } from '../tasks/gaia/prompt.ts';
import type { PlanStep, Read, SolutionPlan, Values } from '../tasks/plan.ts';
import type { Task } from '../tasks/task.ts';
import { loadPlans, loadTasks } from '../tasks/task-set.ts';
import { toolSchemas } from '../tools/schemas.ts';
import { createToolbox, type Toolbox } from '../tools/toolbox.ts';
import { toolsForTaskType } from '../tools/toolset.ts';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { walkDivided } from './fixtures/divided-walk.ts';
import { buildEveryTemplate, oneOfEach } from './fixtures/every-template.ts';
import { alikeInAllShapes, LOOP_SHAPES, type LoopEnd, type LoopShape, runLoop } from './fixtures/loop-shapes.ts';
import { type Profile, profileOf } from './rates.ts';
import type { ReplySource, SourceTrial, TrialFacts } from './reply-source.ts';
import { createSimulatedModel } from './simulated.ts';

let toolbox: Toolbox;
let tokens: TokenCounter;
let plans: SolutionPlan[];
let tasks: Task[];
const scratch = mkdtempSync(join(tmpdir(), 'counterfactual-'));
const results = new Map<string, string>();

beforeAll(async () => {
  const directory = join(scratch, 'set');
  await buildEveryTemplate(directory, cacheDirectory());
  plans = loadPlans(directory);
  tasks = oneOfEach(loadTasks(directory));
  toolbox = await createToolbox({ taskSetDirectory: directory, cacheDirectory: cacheDirectory() });
  tokens = await loadTokenCounter();
}, 120_000);
afterAll(async () => {
  await toolbox?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const model = (profile: Profile): ReplySource => createSimulatedModel({ plans, profile, enforce: 'honoured', tokens });
const planOf = (task: Task) => plans.find((plan) => plan.question === task.question) as SolutionPlan;
const signature = (name: string, given: unknown) => canonicalJson([name, given]);

/** As a study offers them. */
const toolsOf = (task: Task) => toolSchemas(toolsForTaskType(task.type));

/** Tools are asked once for the same thing: pages and files do not change. */
async function runTool(task: Task, name: string, given: unknown): Promise<string> {
  const key = `${task.id} ${signature(name, given)}`;
  const known = results.get(key);
  if (known !== undefined) return known;
  const { status, text } = await toolbox.run(name, given, { attachments: task.attachments });
  const said = status === 200 ? text : `Error: ${text}`;
  results.set(key, said);
  return said;
}

interface Change {
  readonly call: string;
  readonly text: string;
}

async function askModel(task: Task, shape: LoopShape, source: ReplySource, change?: Change) {
  const prompt = gaiaPrompt({ question: task.question, attachments: task.attachments, instruction: 'both' });
  const trial = source.open({ trialId: 1, seed: 1, trialIndex: 0, instruction: prompt.instruction });
  const run = (name: string, given: unknown) => (change?.call === signature(name, given) ? change.text : runTool(task, name, given));
  const end = await runLoop(shape, trial, { ...prompt, tools: toolsOf(task), run });
  return { answer: extractAnswer(end.output).answer, steps: end.steps, done: doneIn([end]), facts: factsOf(trial) };
}

/** Without the lengths at which steps were read: they depend on how a shape writes its texts, and with rot off nothing follows from them. */
function factsOf(trial: SourceTrial): Omit<TrialFacts, 'readings'> {
  const { readings: _, ...facts } = trial.facts();
  return facts;
}

function doneIn(ends: readonly LoopEnd[]): string[] {
  return [...new Set(ends.flatMap(({ facts }) => facts.flatMap(({ stepsDone = [] }) => stepsDone)))].sort();
}

/** The same question, divided among a planner, a worker a subtask and one who joins. */
async function askDivided(task: Task, shape: LoopShape, source: ReplySource, change?: Change) {
  const { instruction } = gaiaPrompt({ question: task.question, attachments: task.attachments, instruction: 'both' });
  const trial = source.open({ trialId: 1, seed: 1, trialIndex: 0, instruction });
  const run = (name: string, given: unknown) => (change?.call === signature(name, given) ? change.text : runTool(task, name, given));
  const end = await walkDivided(shape, trial, { question: task.question, instruction, tools: toolsOf(task), run });
  return {
    answer: extractAnswer(end.output).answer,
    steps: end.ends.map(({ steps }) => steps),
    sentences: end.sentences,
    done: doneIn(end.ends),
    facts: factsOf(trial),
  };
}

const normalizedTexts = new Map<string, string>();
function normalized(text: string): string {
  const known = normalizedTexts.get(text) ?? normalizeText(text);
  normalizedTexts.set(text, known);
  return known;
}

/** An independent walk of the plan. @returns values and what each step's call was and found; values of a step that cannot be read are absent */
async function walk(task: Task, plan: SolutionPlan, change?: Change) {
  const values: Record<string, string | number> = {};
  const found = new Map<string, { readonly call: string; readonly text: string; readonly tries: number }>();
  for (const step of plan.steps) {
    for (const planned of [step.call, step.secondTry]) {
      const given = planned && fillArguments(planned.arguments, values);
      if (!planned || !given) continue;
      const call = signature(planned.tool, given);
      const text = change?.call === call ? change.text : await runTool(task, planned.tool, given);
      found.set(step.id, { call, text, tries: (found.get(step.id)?.tries ?? 0) + 1 });
      for (const read of step.reads) {
        const value = readValue(normalized(text), read, values);
        if (value !== undefined) values[`${step.id}.${read.name}`] = value;
      }
      if (step.reads.every((read) => values[`${step.id}.${read.name}`] !== undefined)) break;
    }
  }
  return { values, found };
}

/**
 * Results in which this read, and nothing before it, finds another value of its kind: one digit of one number in the text is another. Digits that stand where the
 * value may stand are tried first: most texts have hundreds, and each try reads the whole of it.
 */
function changedText(text: string, step: PlanStep, read: Read, values: Values): string | undefined {
  const right = values[`${step.id}.${read.name}`];
  const [likely, others]: [number[], number[]] = [[], []];
  const bare = String(right).replace(/\D/g, '').slice(0, 4);
  for (const { 0: run, index } of text.matchAll(/\d[\d.,-]*/g))
    for (let at = 0; at < run.length; at++) if (/\d/.test(run[at] as string)) (run.replace(/\D/g, '').startsWith(bare) ? likely : others).push(index + at);
  for (const at of [...likely, ...others]) {
    const other = `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`;
    const value = readValue(normalizeText(other), read, values);
    if (value === undefined || value === right) continue;
    if (typeof value === 'string' && Number.isNaN(Date.parse(value))) continue;
    return other;
  }
  return undefined;
}

interface ChangedTask {
  readonly task: Task;
  readonly place: string;
  readonly change: Change;
  readonly truth: string | undefined;
  readonly expected: string;
}

async function changeEach(): Promise<ChangedTask[]> {
  const all: ChangedTask[] = [];
  for (const task of tasks.filter((candidate) => candidate.type !== 'zero-tool')) {
    const plan = planOf(task);
    const before = await walk(task, plan);
    const truth = evaluate(plan.answer, before.values);
    for (const step of plan.steps) {
      const result = before.found.get(step.id);
      for (const read of step.reads.filter((candidate) => candidate.kind === 'number' || candidate.kind === 'date')) {
        const text = result && changedText(result.text, step, read, before.values);
        if (!result || text === undefined) continue;
        const change = { call: result.call, text };
        const after = await walk(task, plan, change);
        let expected: string | undefined;
        try {
          expected = evaluate(plan.answer, after.values);
        } catch {
          continue; // The formula does not apply to the changed value: nothing can be expected.
        }
        if (expected !== undefined) all.push({ task, place: `${task.id} ${step.id}.${read.name}`, change, truth, expected });
      }
    }
  }
  return all;
}

let changes: Promise<ChangedTask[]> | undefined;

test.each<[string, typeof askModel | typeof askDivided]>([
  ['one agent', askModel],
  ['planner, workers and synthesis', askDivided],
])(
  'M4.2: with one value changed in one tool result, the answer of %s is the plan’s formula of the new value',
  async (_, ask) => {
    let pairs = 0;
    let moved = 0;
    const wrong: string[] = [];
    changes ??= changeEach();
    const source = model(profileOf('clean'));
    for (const { task, place, change, truth, expected } of await changes) {
      const { answer } = await ask(task, 'chat', source, change);
      pairs++;
      if (expected !== truth) moved++;
      if (answer !== expected) wrong.push(`${place}: expected ${expected}, said ${answer}`);
    }
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThanOrEqual(200);
    // Most changes change the answer; the rest (a comparison that comes out the same) show nothing but do no harm.
    expect(moved).toBeGreaterThan(pairs / 2);
  },
  60_000,
);

test.each<[string, typeof askModel | typeof askDivided]>([
  ['one agent', askModel],
  ['planner, workers and synthesis', askDivided],
])(
  'M4.2: a step whose result is withheld never leads %s to the right answer',
  async (_, ask) => {
    let pairs = 0;
    const source = model(profileOf('clean'));
    for (const task of tasks.filter((candidate) => candidate.type !== 'zero-tool')) {
      const plan = planOf(task);
      const { values, found } = await walk(task, plan);
      const truth = evaluate(plan.answer, values);
      const needed = plan.steps.at(-1) as PlanStep;
      const result = found.get(needed.id);
      if (!result) continue;
      const { answer } = await ask(task, 'chat', source, { call: result.call, text: 'Nothing was found.' });
      expect(answer, task.id).not.toBe(truth);
      pairs++;
    }
    expect(pairs).toBeGreaterThan(50);
  },
  60_000,
);

test('M4.3: a divided trial of the profile clean takes the same steps as an undivided one, and solves every task that needs tools', async () => {
  const source = model(profileOf('clean'));
  for (const task of tasks.filter(({ type }) => type !== 'zero-tool')) {
    const plan = planOf(task);
    const alone = await askModel(task, 'chat', source);
    const divided = await askDivided(task, 'chat', source);
    expect(divided.answer, task.id).toBe(alone.answer);
    expect(divided.sentences).toEqual(plan.chains.map(({ sentence }) => sentence));
    expect(divided.facts).toMatchObject({ undisturbed: true, misses: [], harnessErrors: [] });
    // Two workers may each open the page that one agent opens once: more calls, never other ones, and the same steps done.
    expect(divided.steps.flat()).toEqual(expect.arrayContaining([...alone.steps]));
    expect([...divided.done].sort()).toEqual([...alone.done].sort());
  }
}, 60_000);

test('M4.4: a divided trial in seven wire shapes meets equal faults and gives equal answers, with rot off', async () => {
  const mini = profileOf('gpt-4o-mini');
  const source = model({ ...mini, rot: false, slips: alikeInAllShapes(mini).map(([kind, rate]) => [kind, 2 * rate] as const) });
  let faults = 0;
  for (const task of tasks.filter(({ type, width }) => type !== 'zero-tool' && width > 1)) {
    const chat = await askDivided(task, 'chat', source);
    faults += chat.steps.flat().filter((step) => / [a-z]+-[a-z]+$/.test(step)).length;
    for (const shape of LOOP_SHAPES.slice(1)) expect(await askDivided(task, shape, source), `${task.id} ${shape}`).toEqual(chat);
  }
  expect(faults).toBeGreaterThan(10);
}, 60_000);

test('every kind of task is solved in the profile clean, without a slip, a miss or a harness error', async () => {
  const source = model(profileOf('clean'));
  for (const task of tasks) {
    const plan = planOf(task);
    const { answer, steps, facts } = await askModel(task, 'chat', source);
    const { values, found } = await walk(task, plan);
    expect(answer, task.id).toBe(evaluate(plan.answer, values));
    // Asked again only where the first look shows nothing to anybody.
    const again = [...found].filter(([, { tries }]) => tries > 1).map(([step]) => `${step}/1`);
    expect(
      steps.filter((step) => !step.endsWith('/0')),
      task.id,
    ).toEqual(again);
    expect(facts).toMatchObject({ undisturbed: true, misses: [], harnessErrors: [] });
  }
}, 60_000);

test('the bare loop in seven wire shapes meets equal faults and gives equal answers, with rot off', async () => {
  const mini = profileOf('gpt-4o-mini');
  const source = model({ ...mini, rot: false, slips: alikeInAllShapes(mini).map(([kind, rate]) => [kind, 2 * rate] as const) });
  let faults = 0;
  for (const task of tasks) {
    const chat = await askModel(task, 'chat', source);
    faults += chat.steps.filter((step) => step.includes(' ')).length;
    for (const shape of LOOP_SHAPES.slice(1)) expect(await askModel(task, shape, source), `${task.id} ${shape}`).toEqual(chat);
  }
  expect(faults).toBeGreaterThan(20);
}, 60_000);
