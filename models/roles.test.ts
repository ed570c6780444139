// The parts of a divided trial (method M4.3): planner, subtask worker and synthesis, told by what a request holds, with slips and draws of their own.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { PLANNER, WORKER, walkDivided } from './fixtures/divided-walk.ts';
import { INSTRUCTION, INVENTED, oneHarbour, riddle, runInvented, TOOLS, twoHarbours } from './fixtures/invented-set.ts';
import { alikeInAllShapes, LOOP_SHAPES, runLoop } from './fixtures/loop-shapes.ts';
import { type Profile, profileOf, type SlipKind } from './rates.ts';
import { readRequest } from './read-request.ts';
import type { ReplySource, SourceTrial } from './reply-source.ts';
import { createSimulatedModel } from './simulated.ts';

let tokens: TokenCounter;
beforeAll(async () => {
  tokens = await loadTokenCounter();
});

/** Two subtasks whose values a formula joins: what joins chains is no step. */
const harbours = {
  ...twoHarbours.plan,
  steps: twoHarbours.plan.steps.filter((step) => step.id !== 's5'),
  answer: { op: 'add' as const, of: [{ value: 's2.berths' }, { value: 's4.berths' }] },
};
const PLANS = [oneHarbour.plan, harbours, riddle.plan];
const SENTENCES = harbours.chains.map(({ sentence }) => sentence);

/** One model for all trials of a kind, as in a study: it reads a text that comes again once. */
const models = new Map<string, ReplySource>();

function open(profile: Profile | 'clean' = 'clean', trialIndex = 0, enforce: 'honoured' | 'ignored' = 'honoured', plans = PLANS): SourceTrial {
  const key = JSON.stringify([profile, enforce, plans]);
  const model = models.get(key) ?? createSimulatedModel({ plans, profile, enforce, tokens });
  models.set(key, model);
  return model.open({ trialId: 1, seed: 1, trialIndex, instruction: INSTRUCTION });
}

const system = (content: string) => ({ role: 'system', content });
const user = (content: string) => ({ role: 'user', content });
const offered = TOOLS.map((tool) => ({ type: 'function', function: tool }));
const asked = `${harbours.question}\n\n${INSTRUCTION}`;
const reports = 'address of the page on Birch Lock: http://harbours.example/Birch-Lock\nberths of Birch Lock: 47';
const others = 'address of the page on Cedar Mole: http://harbours.example/Cedar-Mole\nberths of Cedar Mole: 54';

async function ask(trial: SourceTrial, body: object) {
  const answer = await trial.reply(
    readRequest('chat.completions', { model: 'm', ...body }, (text) => text),
    new AbortController().signal,
  );
  if (answer.kind !== 'message') throw new Error(answer.kind);
  answer.settled?.(true);
  return { ...answer.message, facts: answer.facts };
}

const schemaOf = (properties: object) => ({
  type: 'json_schema',
  json_schema: { name: 'x', strict: true, schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } },
});
const terms = { question: harbours.question, instruction: INSTRUCTION, tools: TOOLS, run: runInvented };
const always = (kind: SlipKind, change: Partial<Profile> = {}): Profile => ({ ...profileOf('clean'), slips: [[kind, 1]], ...change });

describe('a planner', () => {
  test.each<[string, string, string]>([
    ['as a JSON list where JSON is asked for', PLANNER, JSON.stringify(SENTENCES)],
    [
      'in the schema that stands in the words',
      `Write down who does what, as a JSON object of this schema: ${JSON.stringify(schemaOf({ tasks: { type: 'array', items: { type: 'string' } } }).json_schema.schema)}. Nothing else {please}.`,
      JSON.stringify({ tasks: SENTENCES }),
    ],
    ['as a numbered list otherwise', 'Break the question into steps, one a line.', SENTENCES.map((sentence, at) => `${at + 1}. ${sentence}`).join('\n')],
    ['when it is called a planner', 'You are a planner.', SENTENCES.map((sentence, at) => `${at + 1}. ${sentence}`).join('\n')],
  ])('answers with the sentences of the plan, %s', async (_, words, text) => {
    const reply = await ask(open(), { messages: [system(words), user(asked)] });
    expect(reply).toMatchObject({ text, calls: [], facts: { role: 'planner', step: 'plan', ask: 0 } });
  });

  test.each<[string, object, unknown]>([
    ['a list of texts', { subtasks: { type: 'array', items: { type: 'string' } } }, { subtasks: SENTENCES }],
    [
      'a list of objects beside a thought',
      {
        reasoning: { type: 'string' },
        steps: {
          type: 'array',
          items: { type: 'object', properties: { id: { type: 'integer' }, task: { type: 'string' }, needs: { type: 'array', items: { type: 'string' } } } },
        },
      },
      { reasoning: expect.any(String), steps: SENTENCES.map((task, at) => ({ id: at + 1, task, needs: [] })) },
    ],
  ])('fills a response schema that wants %s, whatever the words are', async (_, properties, wanted) => {
    const reply = await ask(open(), { messages: [system('Be careful.'), user(asked)], response_format: schemaOf(properties) });
    expect(reply.facts?.role).toBe('planner');
    expect(JSON.parse(reply.text ?? '')).toEqual(wanted);
  });

  test('gives the plan through a tool that takes it', async () => {
    const parameters = { type: 'object', properties: { tasks: { type: 'array', items: { type: 'string' } } }, required: ['tasks'] };
    const reply = await ask(open(), {
      messages: [user(asked)],
      tools: [{ type: 'function', function: { name: 'set_plan', parameters } }],
      tool_choice: { type: 'function', function: { name: 'set_plan' } },
    });
    expect(reply.calls).toMatchObject([{ name: 'set_plan', arguments: JSON.stringify({ tasks: SENTENCES }) }]);
  });

  test.each<[string, object, string]>([
    ['tools are there to work with', { messages: [system('Make a plan of steps, then follow it.'), user(asked)], tools: offered }, 'agent'],
    ['nothing asks for a plan', { messages: [system(INSTRUCTION), user(asked)] }, 'plain-answerer'],
    ['the schema wants an answer', { messages: [user(asked)], response_format: schemaOf({ answer: { type: 'string' } }) }, 'schema-filler'],
    ['others have worked on it already', { messages: [system(PLANNER), user(`${asked}\n${reports}`)] }, 'synthesis'],
    ['the task needs no tools and is to be thought out', { messages: [system('Make a plan, then answer.'), user(riddle.plan.question)] }, 'plain-answerer'],
  ])('is nobody when %s', async (_, body, role) => {
    expect((await ask(open(), body)).facts?.role).toBe(role);
  });

  test('that slips leaves a subtask out, or breaks the form, and an enforced schema prevents the second', async () => {
    const body = { messages: [system(PLANNER), user(asked)] };
    const left = await ask(open(always('missing-subtask')), body);
    expect(left.facts).toMatchObject({ role: 'planner', slip: 'missing-subtask' });
    expect(SENTENCES.filter((sentence) => left.text?.includes(sentence))).toHaveLength(1);
    const broken = await ask(open(always('malformed-plan')), body);
    expect(broken.facts?.slip).toBe('malformed-plan');
    expect(() => JSON.parse(broken.text ?? '')).toThrow();
    const strict = { ...body, response_format: schemaOf({ subtasks: { type: 'array', items: { type: 'string' } } }) };
    expect((await ask(open(always('malformed-plan')), strict)).facts?.slip).toBeUndefined();
    expect((await ask(open(always('malformed-plan'), 0, 'ignored'), strict)).facts?.slip).toBe('malformed-plan');
    // A plan of one subtask has none to leave out.
    expect((await ask(open(always('missing-subtask')), { messages: [system(PLANNER), user(oneHarbour.plan.question)] })).facts?.slip).toBeUndefined();
  });

  test('that is shown its broken plan mends it with the correction probability', async () => {
    const trial = open(always('malformed-plan', { correction: 1 }));
    const first = await ask(trial, { messages: [system(PLANNER), user(asked)] });
    const again = await ask(trial, {
      messages: [system(PLANNER), user(asked), { role: 'assistant', content: first.text }, user('That is no JSON. Once more.')],
    });
    expect(again).toMatchObject({ text: JSON.stringify(SENTENCES), facts: { step: 'plan', ask: 1 } });
  });
});

describe('a subtask worker', () => {
  test('does the steps of its chain and hands over label and value of each, as a step of its own', async () => {
    const end = await runLoop('chat', open(), { ...terms, systemText: WORKER, userText: SENTENCES[0] ?? '' });
    expect(end.output).toBe(reports);
    expect(end.steps).toEqual(['s1/0', 's2/0', 'hand-over s2/0']);
    expect(end.facts.map(({ role }) => role)).toEqual(Array(3).fill('subtask-worker'));
  });

  test('works on the sentence that it is given when others are quoted after it', async () => {
    const text = `${SENTENCES[1]}\n\nAll subtasks: ${JSON.stringify(SENTENCES)}`;
    const reply = await ask(open(), { messages: [user(text)], tools: offered });
    expect(reply.facts).toMatchObject({ role: 'subtask-worker', step: 's3' });
  });

  test('in a conversation that all share goes by who asked last', async () => {
    const shared = [user(asked), { role: 'assistant', content: JSON.stringify(SENTENCES) }, user(SENTENCES[1] ?? '')];
    expect((await ask(open(), { messages: shared, tools: offered })).facts).toMatchObject({ role: 'subtask-worker', step: 's3' });
    const joining = [...shared, { role: 'assistant', content: others }, user(`${asked}\n\n${JSON.stringify([reports, others])}`)];
    expect(await ask(open(), { messages: joining })).toMatchObject({ text: expect.stringMatching(/FINAL ANSWER: 101$/), facts: { role: 'synthesis' } });
  });

  test('that finds nothing says so, and a yes-or-no field about that says no', async () => {
    const run = () => 'Nothing here.';
    const end = await runLoop('chat', open(), { ...terms, run, systemText: WORKER, userText: SENTENCES[0] ?? '' });
    expect(end.output).toBe('Nothing of this turned up.');
    const format = schemaOf({ report: { type: 'string' }, complete: { type: 'boolean' } });
    const none = await ask(open(), { messages: [user(SENTENCES[0] ?? '')], response_format: format });
    expect(JSON.parse(none.text ?? '')).toEqual({ report: 'Nothing of this turned up.', complete: false });
  });

  test('draws the slips of its steps in its own part', async () => {
    const half: Profile = { ...profileOf('clean'), slips: [['unknown-tool', 0.5]], correction: 1 };
    const slipsAs = async (userText: string) => {
      const drawn: boolean[] = [];
      for (let index = 0; index < 30; index++)
        drawn.push((await ask(open(half, index), { messages: [user(userText)], tools: offered })).facts?.slip !== undefined);
      return drawn;
    };
    expect(await slipsAs(SENTENCES[0] ?? '')).not.toEqual(await slipsAs(harbours.question));
  });
});

describe('a synthesis', () => {
  test.each<[string, string]>([
    ['a list of texts as JSON', JSON.stringify([reports, others])],
    [
      'objects of sentence and report',
      JSON.stringify(
        [
          { subtask: SENTENCES[0], report: reports },
          { subtask: SENTENCES[1], report: others },
        ],
        null,
        2,
      ),
    ],
    ['plain paragraphs behind their sentences', `${SENTENCES[0]}\n${reports}\n\n${SENTENCES[1]}\n${others}`],
    ['a line that begins with its sentence', `${SENTENCES[0]} ${reports.replace('\n', '; ')}\n${SENTENCES[1]} ${others.replace('\n', '; ')}`],
    ['a numbered list', `1. ${reports}\n2. ${others}`],
  ])('computes the answer from values that are told as %s', async (_, told) => {
    for (const text of [`${told}\n\n${asked}`, `${asked}\n\n${told}`]) {
      const reply = await ask(open(), { messages: [system(INSTRUCTION), user(text)] });
      expect(reply).toMatchObject({ text: expect.stringMatching(/FINAL ANSWER: 101$/), facts: { role: 'synthesis', step: 'answer' } });
      expect(reply.facts?.stepsDone).toEqual(['s1', 's2', 's3', 's4']);
    }
  });

  test('goes by reports, a line a value, also where the results that they come from are told as well', async () => {
    const results = ['Birch Lock', 'Cedar Mole'].map(
      (place) => `Result of web_fetch:\n${runInvented('web_fetch', { url: `http://harbours.example/${place.replace(' ', '-')}` })}`,
    );
    const changed = JSON.stringify([reports.replace('47', '48'), others]);
    const reply = await ask(open(), { messages: [system(INSTRUCTION), user(`${asked}\n\n${changed}\n\n${results.join('\n')}`)] });
    expect(reply).toMatchObject({ text: expect.stringMatching(/FINAL ANSWER: 102$/), facts: { role: 'synthesis' } });
  });

  test('does not know what nobody found', async () => {
    const reply = await ask(open(), {
      messages: [user(`${asked}\n\n${JSON.stringify([{ subtask: SENTENCES[1], report: 'Nothing of this turned up.' }])}\n${reports}`)],
    });
    expect(reply).toMatchObject({ text: expect.stringMatching(/FINAL ANSWER: unknown$/), facts: { role: 'synthesis' } });
  });

  test('that slips overlooks a value', async () => {
    const reply = await ask(open(always('missing-value')), { messages: [user(`${asked}\n\n${reports}\n${others}`)] });
    expect(reply.facts?.slip).toBe('missing-value');
    expect(reply.text).not.toContain('101');
  });

  test('with tools at hand goes on where others stopped', async () => {
    const reply = await ask(open(), { messages: [user(`${asked}\n\n${reports}`)], tools: offered });
    expect(reply.facts).toMatchObject({ role: 'agent', step: 's3' });
  });
});

describe('a divided trial', () => {
  test('comes to the answer, without a slip, a miss or a harness error', async () => {
    const trial = open();
    const end = await walkDivided('chat', trial, terms);
    expect(end.output).toMatch(/FINAL ANSWER: 101$/);
    const { readings = [], ...facts } = trial.facts();
    expect(facts).toEqual({ harnessErrors: [], undisturbed: true, misses: [], planSteps: harbours.steps.map(({ id }) => id) });
    // Each step is read twice: by its worker, and by whoever joins.
    expect(readings.map(({ step, how }) => `${step} ${how}`)).toEqual(['s1', 's2', 's3', 's4'].flatMap((step) => [`${step} handed-over`, `${step} lexical`]));
    expect(readings.every(({ tokens: length }) => length > 0)).toBe(true);
  });

  test('is the same in whatever order its subtasks are worked on', async () => {
    const mini = profileOf('gpt-4o-mini');
    const busy: Profile = { ...mini, slips: mini.slips.map(([kind]) => [kind, 0.2] as const), askedWrongly: 0.2, readWrongly: 0.2 };
    for (let index = 0; index < 25; index++) {
      const [forth, back] = [open(busy, index), open(busy, index)];
      const first = await walkDivided('chat', forth, terms);
      const second = await walkDivided('chat', back, { ...terms, order: (sentences) => [...sentences].reverse() });
      expect(second).toEqual(first);
      expect(back.facts().undisturbed).toBe(forth.facts().undisturbed);
    }
  });

  test('gets the same faults, answers and calls in seven wire shapes, with rot off', async () => {
    const mini = profileOf('gpt-4o-mini');
    const busy: Profile = { ...mini, rot: false, slips: alikeInAllShapes(mini).map(([kind]) => [kind, 0.12] as const), askedWrongly: 0.15, readWrongly: 0.1 };
    let faults = 0;
    for (let index = 0; index < 15; index++) {
      const chat = await walkDivided('chat', open(busy, index), terms);
      faults += chat.ends.flatMap(({ steps }) => steps).filter((step) => step.includes(' ') && !/^hand-over s\d+\/\d+$/.test(step)).length;
      for (const shape of LOOP_SHAPES) {
        const end = await walkDivided(shape, open(busy, index), terms);
        expect({ ...end, ends: end.ends.map(({ steps }) => steps) }, `${shape}, trial ${index}`).toEqual({
          ...chat,
          ends: chat.ends.map(({ steps }) => steps),
        });
      }
    }
    expect(faults).toBeGreaterThan(5);
  });

  test('whose worker misreads a value ends in what follows from the misread value', async () => {
    const wrong: Profile = { ...profileOf('clean'), readWrongly: 1 };
    const end = await walkDivided('chat', open(wrong), terms);
    const handed = end.reports.map((report) => Number(/^berths of [^:]*: (\d+)/m.exec(report)?.[1]));
    expect(handed).not.toEqual([47, 54]);
    expect(end.output).toMatch(new RegExp(`FINAL ANSWER: ${handed.reduce((sum, value) => sum + value, 0)}$`));
  });

  test('whose report is changed on its way answers from what came through', async () => {
    const end = await walkDivided('chat', open(), { ...terms, carry: (report) => report.replace('47', '48') });
    expect(end.output).toMatch(/FINAL ANSWER: 102$/);
  });

  test('loses handed-over values among much else, by draws of their own, and never more in less', async () => {
    const rot: Profile = { ...profileOf('clean'), rot: true };
    const right = async (filler: number) => {
      const solved: number[] = [];
      for (let index = 0; index < 24; index++) {
        const trial = open(rot, index);
        const tell = (found: readonly { readonly report: string }[]) =>
          found.map(({ report }) => `${report}\n${'The gulls were loud. '.repeat(filler)}`).join('\n');
        const { output } = await walkDivided('chat', trial, { ...terms, tell });
        if (output.endsWith(': 101')) solved.push(index);
        else expect(trial.facts().misses).toContainEqual({ step: expect.any(String), kind: 'context-rot' });
      }
      return solved;
    };
    expect(await right(1)).toHaveLength(24);
    const long = await right(1_500);
    const longer = await right(4_000);
    expect(longer.length).toBeLessThan(24);
    expect(long).toEqual(expect.arrayContaining(longer));
  });

  test('of a task that needs no tools is planned and joined as well', async () => {
    expect(INVENTED).toContain(riddle);
    const end = await walkDivided('chat', open(), { ...terms, question: riddle.plan.question });
    expect(end.sentences).toEqual(riddle.plan.chains.map(({ sentence }) => sentence));
  });
});
