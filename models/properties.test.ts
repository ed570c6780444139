// Properties of the simulated model, each under its rule of method M4, over generated contexts from the built set: every template that the set has, its real tools'
// results, and requests that no framework was asked to write. A failing case prints its seed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../base/random.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { normalizeText, readValue } from '../tasks/evidence.ts';
import { evaluate, fillArguments, valuesNeeded } from '../tasks/formula.ts';
import { extractAnswer } from '../tasks/gaia/extract-answer.ts';
import { gaiaPrompt } from '../tasks/gaia/prompt.ts';
import { scoreAnswer } from '../tasks/gaia/score.ts';
import type { PlanStep, SolutionPlan } from '../tasks/plan.ts';
import type { Task } from '../tasks/task.ts';
import { ensureTaskSet, loadPlans, loadTasks } from '../tasks/task-set.ts';
import { toolSchemas } from '../tools/schemas.ts';
import { createToolbox, type Toolbox } from '../tools/toolbox.ts';
import { toolsForTaskType } from '../tools/toolset.ts';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { WORKER } from './fixtures/divided-walk.ts';
import { INVENTED, runInvented, TOOLS } from './fixtures/invented-set.ts';
import { type LoopTerms, runLoop } from './fixtures/loop-shapes.ts';
import { type Profile, profileOf, profileWith } from './rates.ts';
import { readRequest } from './read-request.ts';
import type { ReplySource, SourceTrial } from './reply-source.ts';
import { createSimulatedModel, type SimulatedOptions } from './simulated.ts';

let toolbox: Toolbox;
let tokens: TokenCounter;
/** Every task that needs tools, with what each of its steps' calls really brings, and what is right. */
let walks: { readonly task: Task; readonly plan: SolutionPlan; readonly results: ReadonlyMap<string, Found>; readonly truth: string }[];

interface Found {
  readonly step: PlanStep;
  readonly tool: string;
  readonly arguments: string;
  readonly text: string;
}

beforeAll(async () => {
  const directory = await ensureTaskSet({ name: 'open68', seed: 1, cacheDirectory: cacheDirectory() });
  const plans = loadPlans(directory);
  toolbox = await createToolbox({ taskSetDirectory: directory, cacheDirectory: cacheDirectory() });
  tokens = await loadTokenCounter();
  walks = [];
  for (const task of loadTasks(directory).filter(({ type }) => type !== 'zero-tool')) {
    const plan = plans.find(({ question }) => question === task.question) as SolutionPlan;
    const { values, results } = await walk(task, plan);
    walks.push({ task, plan, results, truth: evaluate(plan.answer, values) ?? '' });
  }
}, 120_000);
afterAll(() => toolbox.close());

/** As a study offers them. */
const toolsOf = (task: Task) => toolSchemas(toolsForTaskType(task.type));

/** Tools are asked once for the same thing: pages and files do not change. */
const told = new Map<string, string>();
async function runTool(task: Task, name: string, given: unknown): Promise<string> {
  const key = `${task.id} ${name} ${JSON.stringify(given)}`;
  const known = told.get(key) ?? (await toolbox.run(name, given, { attachments: task.attachments })).text;
  told.set(key, known);
  return known;
}

const normalizedTexts = new Map<string, string>();
function normalized(text: string): string {
  const known = normalizedTexts.get(text) ?? normalizeText(text);
  normalizedTexts.set(text, known);
  return known;
}

async function walk(task: Task, plan: SolutionPlan) {
  const values: Record<string, string | number> = {};
  const results = new Map<string, Found>();
  for (const step of plan.steps) {
    for (const planned of [step.call, step.secondTry]) {
      const given = planned && fillArguments(planned.arguments, values);
      if (!planned || !given) continue;
      const text = await runTool(task, planned.tool, given);
      results.set(step.id, { step, tool: planned.tool, arguments: JSON.stringify(given), text });
      for (const read of step.reads) {
        const value = readValue(normalized(text), read, values);
        if (value !== undefined) values[`${step.id}.${read.name}`] = value;
      }
      if (step.reads.every((read) => values[`${step.id}.${read.name}`] !== undefined)) break;
    }
  }
  return { values, results };
}

const promptOf = (task: Task) => gaiaPrompt({ question: task.question, attachments: task.attachments, instruction: 'both' });
const models = new Map<string, ReplySource>();
function model(profile: Profile, options: Partial<SimulatedOptions> = {}): ReplySource {
  const key = JSON.stringify([profile, options]);
  const known = models.get(key) ?? createSimulatedModel({ plans: walks.map(({ plan }) => plan), profile, enforce: 'honoured', tokens, ...options });
  models.set(key, known);
  return known;
}
const opened = (profile: Profile, trialIndex = 0, options: Partial<SimulatedOptions> = {}): SourceTrial =>
  model(profile, options).open({ trialId: 1, seed: 1, trialIndex, instruction: promptOf(walks[0]?.task as Task).instruction });

async function reply(trial: SourceTrial, body: object) {
  const answer = await trial.reply(
    readRequest('chat.completions', JSON.parse(JSON.stringify({ model: 'm', ...body })), (text) => text),
    new AbortController().signal,
  );
  if (answer.kind !== 'message') throw new Error(answer.kind);
  answer.settled?.(true);
  return { ...answer.message, facts: answer.facts };
}

/** A history that holds these results, in a wire shape that `random` chooses. */
function history(random: Random, task: Task, shown: readonly Found[]): object[] {
  const { systemText, userText } = promptOf(task);
  const calls = shown.map(({ tool, arguments: given, text }, at) => ({ id: `c${at}`, tool, given, text }));
  switch (random.integer(0, 3)) {
    case 0:
      return [
        { role: 'system', content: systemText },
        { role: 'user', content: userText },
        ...calls.flatMap(({ id, tool, given, text }) => [
          { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: { name: tool, arguments: given } }] },
          { role: 'tool', tool_call_id: id, content: text },
        ]),
      ];
    case 1:
      return [
        { role: 'user', content: [userText, ...calls.map(({ tool, given, text }) => `Tool call: ${tool}(${given})\nTool result:\n${text}`)].join('\n\n') },
      ];
    case 2:
      return [{ role: 'user', content: userText }, ...calls.map(({ text }) => ({ role: 'user', content: `Observation: ${text}` }))];
    default:
      return [
        { role: 'user', content: userText },
        ...calls.map(({ text }) => ({ role: 'tool', tool_call_id: 'x', content: JSON.stringify({ result: text }) })),
      ];
  }
}

describe('M4.2: it reads', () => {
  test('where evidence that the answer needs is absent, the answer is never right: 2,000 generated contexts', async () => {
    const wrong: string[] = [];
    let answered = 0;
    for (let seed = 0; seed < 2_000; seed++) {
      const random = seededRandom('absent', seed);
      const { task, plan, results, truth } = random.pick(walks);
      const inFormula = new Set(valuesNeeded(plan.answer).map((name) => name.split('.')[0]));
      const needed = [...results.values()];
      // At least one result is missing, and with it all that says the same; results of another task stand in its place.
      const missing = random.pick(needed.filter(({ step }) => inFormula.has(step.id)));
      const kept = needed.filter((found) => found.text !== missing.text && random.next() < 0.8);
      const foreign = [...random.pick(walks).results.values()].filter(({ step }) => !plan.steps.includes(step)).slice(0, 2);
      const shown = random.shuffle([...kept, ...foreign]);
      // Another result may hold the value too, as a second page of the same facts does: then nothing is absent.
      if (isThere(plan, missing.step, shown)) continue;
      const taken = random.next() < 0.5;
      const said = await reply(opened(profileOf('clean'), seed), {
        messages: history(random, task, shown),
        ...(taken
          ? {}
          : { tools: toolsOf(task).map((tool) => ({ type: 'function', function: tool })), ...(random.next() < 0.3 ? { tool_choice: 'none' } : {}) }),
      });
      if (said.calls.length > 0) continue;
      answered++;
      const { answer } = extractAnswer(said.text ?? '');
      if (scoreAnswer(answer ?? null, truth).correct) wrong.push(`seed ${seed} ${task.id}: ${answer}`);
    }
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(800);
  }, 60_000);

  /** Whether some value of the step can be read, by the anchors alone, from what is shown. */
  function isThere(plan: SolutionPlan, step: PlanStep, shown: readonly Found[]): boolean {
    const values: Record<string, string | number> = {};
    const readAll = (one: PlanStep) =>
      one.reads.map((read) => {
        const value = shown.map(({ text }) => readValue(normalized(text), read, values)).find((found) => found !== undefined);
        if (value !== undefined) values[`${one.id}.${read.name}`] = value;
        return value;
      });
    for (const one of plan.steps) {
      const found = readAll(one);
      if (one === step) return found.every((value) => value !== undefined);
    }
    return false;
  }

  test('with all evidence there it answers rightly, whatever the shape and the order of the results', async () => {
    for (const { task, results, truth } of walks) {
      const random = seededRandom('present', task.id);
      const said = await reply(opened(profileOf('clean')), { messages: history(random, task, random.shuffle([...results.values()])) });
      expect(extractAnswer(said.text ?? '').answer, task.id).toBe(truth);
    }
  });
});

describe('M4.5: what a provider enforces is kept in every turn of every task, whatever the model is prone to', () => {
  const prone = profileWith('clean', {
    'unknown-tool': 0.15,
    'malformed-arguments': 0.15,
    'schema-violation': 0.15,
    'empty-reply': 0.1,
    prose: 0.15,
    refusal: 0.1,
    'cut-reply': 0.1,
  });

  test('strict closed tools get calls that fit them, unless the most tokens cut them; a demanded call is one', async () => {
    let calls = 0;
    let cut = 0;
    for (const { task, results } of walks) {
      const random = seededRandom('strict', task.id);
      const tools = toolsOf(task).map((tool) => {
        const names = Object.keys(tool.parameters.properties);
        return { type: 'function', function: { ...tool, strict: true, parameters: { ...tool.parameters, required: names } } };
      });
      const shown = [...results.values()].slice(0, random.integer(0, results.size - 1));
      for (let at = 0; at < 6; at++) {
        const said = await reply(opened(prone, at), { messages: history(random, task, shown), tools, tool_choice: 'required', parallel_tool_calls: false });
        expect(said.calls, `${task.id} ${at}`).toHaveLength(1);
        const [call] = said.calls;
        const offered = tools.find(({ function: { name } }) => name === call?.name)?.function;
        if (said.facts?.slip === 'unknown-tool') continue;
        if (said.facts?.slip === 'cut-reply') {
          cut++;
          expect(said.finishReason).toBe('length');
          continue;
        }
        calls++;
        expect(Object.keys(JSON.parse(call?.arguments ?? '')).sort()).toEqual([...(offered?.parameters.required ?? [])].sort());
        expect(said.finishReason).toBe('tool_calls');
      }
    }
    expect(calls).toBeGreaterThan(200);
    expect(cut).toBeGreaterThan(10);
  }, 30_000);

  test('in haste too: one call where parallel ones are forbidden', async () => {
    const { task } = walks.find(({ task: { width } }) => width > 1) as (typeof walks)[number];
    const ask = (parallel: boolean) =>
      reply(opened(profileOf('clean'), 0, { policy: 'impatient' }), {
        messages: [{ role: 'user', content: promptOf(task).userText }],
        tools: toolsOf(task).map((tool) => ({ type: 'function', function: tool })),
        parallel_tool_calls: parallel,
      });
    expect((await ask(false)).calls).toHaveLength(1);
    expect((await ask(true)).calls.length).toBeGreaterThan(1);
  });
});

describe('M4.6: draws are paired', () => {
  const busy: Profile = { ...profileOf('gpt-4o-mini'), rot: false, slips: profileOf('gpt-4o-mini').slips.map(([kind]) => [kind, 0.2] as const) };
  const plans = INVENTED.map(({ plan }) => plan);
  const sentences = plans.flatMap(({ chains }) => chains).map(({ sentence }) => sentence);

  test('at every ask of an asker, in whatever order the asks of several are answered: 60 interleavings', async () => {
    const asked = sentences.slice(1, 3);
    const ends = new Set<string>();
    for (let seed = 0; seed < 60; seed++) ends.add(JSON.stringify(await interleaved(seededRandom('order', seed), asked)));
    expect(ends.size).toBe(1);
  });

  /** Each worker's turns, with turns of the others between them as `random` has it, and replies that arrive in another order than requests. */
  async function interleaved(random: Random, asked: readonly string[]) {
    const trial = createSimulatedModel({ plans, profile: busy, enforce: 'honoured', tokens }).open({
      trialId: 1,
      seed: 4,
      trialIndex: 2,
      instruction: 'Say FINAL ANSWER.',
    });
    const workers = asked.map((sentence) => ({
      messages: [{ role: 'system', content: WORKER } as object, { role: 'user', content: sentence }],
      said: [] as unknown[],
      over: false,
    }));
    while (workers.some(({ over }) => !over)) {
      const at = random.pick(workers.filter(({ over }) => !over));
      const tools = TOOLS.map((tool) => ({ type: 'function', function: tool }));
      const answer = await trial.reply(
        readRequest('chat.completions', JSON.parse(JSON.stringify({ model: 'm', messages: at.messages, tools })), (text) => text),
        new AbortController().signal,
      );
      if (answer.kind !== 'message') throw new Error(answer.kind);
      answer.settled?.(true);
      const { message } = answer;
      at.said.push([message.text, message.calls, answer.facts]);
      const [call] = message.calls;
      if (!call || at.said.length > 12) {
        at.over = true;
        continue;
      }
      let given: unknown;
      try {
        given = JSON.parse(call.arguments);
      } catch {
        given = undefined; // A slip: the tool says so.
      }
      const text = typeof given === 'object' && given !== null ? runInvented(call.name, given as Record<string, unknown>) : 'Error: no arguments.';
      at.messages.push(
        { role: 'assistant', content: '', tool_calls: [{ id: call.id, type: 'function', function: call }] },
        { role: 'tool', tool_call_id: call.id, content: text },
      );
    }
    return workers.map(({ said }) => said);
  }
});

describe('M4.8: no dead ends', () => {
  test('with any one result gone for good, every task ends, with no call made a third time', async () => {
    for (const { task, results } of walks) {
      const random = seededRandom('dead', task.id);
      const gone = random.pick([...results.values()]);
      const made = new Map<string, number>();
      const run = async (name: string, given: Readonly<Record<string, unknown>>) => {
        const key = `${name} ${JSON.stringify(given)}`;
        made.set(key, (made.get(key) ?? 0) + 1);
        if (key === `${gone.tool} ${gone.arguments}`) return 'Nothing was found.';
        return await runTool(task, name, given);
      };
      const terms: LoopTerms = { ...promptOf(task), tools: toolsOf(task), run, mostTurns: 2 * results.size + 4 };
      const end = await runLoop('chat', opened(profileOf('clean')), terms);
      expect(end.output, task.id).not.toBe('');
      expect(Math.max(...made.values()), task.id).toBeLessThanOrEqual(2);
    }
  }, 30_000);
});

describe('M4.10: more context only ever loses more', () => {
  test.each(['gpt-4o-mini', 'gpt-4o'] as const)(
    'with the errors of %s, for every task: what is wrong in a short history is wrong in a longer one',
    async (name) => {
      const profile: Profile = { ...profileOf('clean'), rot: true, curves: profileOf(name).curves };
      let lost = 0;
      // Every third task: long histories are counted token by token.
      for (const { task, results, truth } of walks.filter((_, at) => at % 3 === 0)) {
        for (let trialIndex = 0; trialIndex < 2; trialIndex++) {
          let before = true;
          for (const filler of [0, 600, 6_000]) {
            const shown = [...results.values()].map((found) => ({ ...found, text: `${found.text}\n${'The gulls were loud. '.repeat(filler / results.size)}` }));
            const said = await reply(opened(profile, trialIndex), { messages: history(seededRandom('chat', 0), task, shown) });
            const right = extractAnswer(said.text ?? '').answer === truth;
            expect(before || !right, `${task.id} trial ${trialIndex}: right again among ${filler} sentences more`).toBe(true);
            if (before && !right) lost++;
            before = right;
          }
        }
      }
      expect(lost).toBeGreaterThan(name === 'gpt-4o' ? 1 : 8);
    },
    60_000,
  );
});

describe('M4.11: the second policy', () => {
  test('in haste solves what careful solves when nothing goes wrong, in fewer turns, and tries nothing twice', async () => {
    const turns = { careful: 0, impatient: 0 };
    for (const { task, truth, results } of walks) {
      for (const policy of ['careful', 'impatient'] as const) {
        const run = (name: string, given: Readonly<Record<string, unknown>>) => runTool(task, name, given);
        const end = await runLoop('chat', opened(profileOf('clean'), 0, { policy }), { ...promptOf(task), tools: toolsOf(task), run });
        turns[policy] += end.turns;
        const twice = [...results.values()].some(({ step, arguments: given }) => step.secondTry && JSON.stringify(step.secondTry.arguments) === given);
        if (policy === 'careful' || !twice) expect(extractAnswer(end.output).answer, `${task.id} ${policy}`).toBe(truth);
      }
    }
    expect(turns.impatient).toBeLessThan(turns.careful * 0.95);
  }, 30_000);

  test('in haste it answers as soon as one look-up has failed', async () => {
    const { task } = walks.find(({ task: { type } }) => type === 'web') as (typeof walks)[number];
    const end = await runLoop('chat', opened(profileOf('clean'), 0, { policy: 'impatient' }), {
      ...promptOf(task),
      tools: toolsOf(task),
      run: () => 'Nothing was found.',
    });
    expect(end.turns).toBe(2);
    expect(extractAnswer(end.output).answer).toBeDefined();
  });
});
