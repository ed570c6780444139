import { beforeAll, describe, expect, test } from 'vitest';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { INSTRUCTION, INVENTED, type InventedTask, oneHarbour, riddle, runInvented, TOOLS, twoHarbours } from './fixtures/invented-set.ts';
import { alikeInAllShapes, LOOP_SHAPES, type LoopShape, type LoopTerms, runLoop } from './fixtures/loop-shapes.ts';
import { type Profile, profileOf, type SlipKind } from './rates.ts';
import { readRequest } from './read-request.ts';
import type { AssistantMessage, SourceAnswer, SourceTrial } from './reply-source.ts';
import { createSimulatedModel } from './simulated.ts';

let tokens: TokenCounter;
beforeAll(async () => {
  tokens = await loadTokenCounter();
});

const MINI = profileOf('gpt-4o-mini');
const always = (kind: SlipKind, change: Partial<Profile> = {}): Profile => ({ ...profileOf('clean'), slips: [[kind, 1]], ...change });

function open(profile: Profile | 'clean' = 'clean', trialIndex = 0, enforce: 'honoured' | 'ignored' = 'honoured'): SourceTrial {
  const model = createSimulatedModel({ plans: INVENTED.map((task) => task.plan), profile, enforce, tokens });
  return model.open({ trialId: 1, seed: 1, trialIndex, instruction: INSTRUCTION });
}

function terms(task: InventedTask, change: Partial<LoopTerms> = {}): LoopTerms {
  const needsTools = task.plan.steps.some((step) => step.call);
  return {
    systemText: `Be careful.\n${INSTRUCTION}`,
    userText: `${task.plan.question}\n\n${INSTRUCTION}`,
    tools: needsTools ? TOOLS : [],
    run: runInvented,
    ...change,
  };
}

/** One request, answered and accepted. */
async function ask(trial: SourceTrial, body: object): Promise<AssistantMessage & { facts: Extract<SourceAnswer, { kind: 'message' }>['facts'] }> {
  const answer = await trial.reply(
    readRequest('chat.completions', { model: 'm', ...body }, (text) => text),
    new AbortController().signal,
  );
  if (answer.kind !== 'message') throw new Error(answer.kind);
  answer.settled?.(true);
  return { ...answer.message, facts: answer.facts };
}

const user = (content: string) => ({ role: 'user', content });
const offered = TOOLS.map((tool) => ({ type: 'function', function: tool }));
const marked = (answer: string) => expect.stringMatching(new RegExp(`\\nFINAL ANSWER: ${answer}$`));

describe('in the profile clean', () => {
  test.each(INVENTED.map((task) => [task.plan.question, task] as const))('it walks the plan, one call a turn: %s', async (_, task) => {
    const trial = open();
    const end = await runLoop('chat', trial, terms(task));
    expect(end.output).toMatch(new RegExp(`FINAL ANSWER: ${task.truth}$`));
    expect(end.steps).toEqual([...task.plan.steps.filter((step) => step.call).map((step) => `${step.id}/0`), 'answer/0']);
    expect(trial.facts()).toMatchObject({ harnessErrors: [], undisturbed: true, misses: [], planSteps: task.plan.steps.map((step) => step.id) });
  });

  test('it replies with a sentence and no mark when the instruction is not in the request', async () => {
    const end = await runLoop('chat', open(), terms(oneHarbour, { systemText: 'Be careful.', userText: oneHarbour.plan.question }));
    expect(end.output).toBe('It comes to 40.');
  });

  test('it never knows what does not stand in the request', async () => {
    const end = await runLoop('chat', open(), terms(oneHarbour, { run: () => 'Nothing here.' }));
    expect(end.output).not.toContain('40');
    expect(end.output).toMatch(/FINAL ANSWER: unknown$/);
    expect(end.steps).toEqual(['s1/0', 's1/1', 'answer/0']);
  });

  test('it tries once as a person would when a result shows no evidence, and goes on when that helps', async () => {
    const run = (name: string, given: Readonly<Record<string, unknown>>) =>
      String(given.query).includes('Harbour Book') ? 'No results.' : runInvented(name, given);
    const trial = open();
    const end = await runLoop('chat', trial, terms(oneHarbour, { run }));
    expect(end.output).toMatch(/FINAL ANSWER: 40$/);
    expect(end.steps).toEqual(['s1/0', 's1/1', 's2/0', 'answer/0']);
    expect(trial.facts().misses).toEqual([]);
  });

  test('a value that the question itself states is no evidence', async () => {
    const reply = await ask(open(), { messages: [user(`${oneHarbour.plan.question} Title: Alder Quay - Harbour Book | Berths today | 99`)], tools: offered });
    expect(reply.calls[0]?.name).toBe('web_search');
  });

  test('it reads label and value from a short message of another agent, and not from a long one or from system text', async () => {
    const report = 'berths of Alder Quay: 77';
    const told = await ask(open(), { messages: [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`), user(report)] });
    expect(told.text).toEqual(marked('77'));
    const buried = await ask(open(), {
      messages: [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`), user(`${'word '.repeat(100)}${report}${' word'.repeat(100)}`)],
    });
    expect(buried.text).not.toContain('77');
    const system = await ask(open(), { messages: [{ role: 'system', content: report }, user(`${oneHarbour.plan.question}\n${INSTRUCTION}`)] });
    expect(system.text).not.toContain('77');
  });

  test('asked for one subtask only, it answers with label and value of each of its steps', async () => {
    const end = await runLoop('chat', open(), terms(twoHarbours, { userText: twoHarbours.plan.chains[0]?.sentence ?? '' }));
    expect(end.output).toBe('address of the page on Birch Lock: http://harbours.example/Birch-Lock\nberths of Birch Lock: 47');
    expect(end.facts[0]?.role).toBe('subtask-worker');
  });

  test('when the tools are taken away it answers with what it knows, which is not the truth', async () => {
    const search = { role: 'tool', tool_call_id: 'a', content: runInvented('web_search', { query: 'Alder Quay' }) };
    const reply = await ask(open(), { messages: [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`), search] });
    expect(reply.text).toEqual(marked('12'));
    expect(reply.facts?.role).toBe('agent');
    const none = await ask(open(), { messages: [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`), search], tools: offered, tool_choice: 'none' });
    expect(none.text).toEqual(marked('12'));
    const last = await ask(open(), {
      messages: [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`), search, user('This is your last turn.')],
      tools: offered,
    });
    expect(last.text).toEqual(marked('12'));
  });

  test('it fills a response schema, with the answer in its field', async () => {
    const schema = {
      type: 'object',
      properties: {
        reasoning: { type: 'string' },
        answer: { type: 'string' },
        value: { type: 'number' },
        sure: { type: 'boolean' },
        confidence: { type: 'number' },
      },
      required: ['reasoning', 'answer', 'value', 'sure', 'confidence'],
      additionalProperties: false,
    };
    const reply = await ask(open(), {
      messages: [user(`${riddle.plan.question}\n${INSTRUCTION}`)],
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    });
    expect(JSON.parse(reply.text ?? '')).toEqual({ reasoning: expect.any(String), answer: marked('5'), value: 5, sure: true, confidence: 0.9 });
    expect(reply.facts?.role).toBe('schema-filler');
  });

  test('it says that it cannot tell its part when a request is about no known task', async () => {
    const trial = open();
    await ask(trial, { messages: [user('Give this conversation a title.')] });
    expect(trial.facts().harnessErrors).toEqual(['unclassified-role']);
  });

  test('a greeting before the work is no part, and says nothing of the task', async () => {
    const trial = open();
    expect((await ask(trial, { messages: [user('Hello')] })).text).toBe('Nothing here says what is wanted of me.');
    expect(trial.facts().harnessErrors).toEqual([]);
    await ask(trial, { messages: [user('Hello')], tools: offered });
    expect(trial.facts().harnessErrors).toEqual(['unclassified-role']);
  });

  test('a history that was cut down until the question was gone is the loss of whoever cut it', async () => {
    const trial = open();
    const first = await ask(trial, { messages: [user(oneHarbour.plan.question)], tools: offered });
    const call = first.calls[0];
    const rest = [
      { role: 'assistant', content: '', tool_calls: [{ id: call?.id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: call?.id, content: 'No results.' },
    ];
    expect((await ask(trial, { messages: rest, tools: offered })).text).not.toBe('');
    expect(trial.facts().harnessErrors).toEqual([]);
  });

  test.each<[string, (text: string) => string]>([
    ['as the text of a JSON string', (text) => JSON.stringify(text)],
    ['as a JSON string inside one', (text) => JSON.stringify(JSON.stringify(text))],
    ['as a list of parts', (text) => JSON.stringify([{ type: 'text', text }])],
    ['as a JSON string without its quotation marks', (text) => JSON.stringify(text).replaceAll('"', '')],
    ['behind other words', (text) => `Result: ${text}`],
    ['with typographic dashes and hard blanks', (text) => text.replaceAll(' - ', ' – ').replaceAll(' ', '\u00a0')],
  ])('it reads a result that comes %s', async (_, wrap) => {
    const trial = open();
    const quoted = (name: string, given: Readonly<Record<string, unknown>>) =>
      wrap(runInvented(name, given).replace('Title:', '"noted": {\n  "next": 4 }\nTitle:'));
    const plan: InventedTask['plan'] = {
      ...oneHarbour.plan,
      steps: oneHarbour.plan.steps.map((step) =>
        step.id === 's2' ? { ...step, reads: [...step.reads, { name: 'next', label: 'what is next', after: ['"noted":', '"next":'], kind: 'number' }] } : step,
      ),
      answer: { op: 'add', of: [{ value: 's2.berths' }, { value: 's2.next' }] },
    };
    const model = createSimulatedModel({ plans: [plan], profile: 'clean', enforce: 'honoured', tokens });
    const end = await runLoop(
      'chat',
      model.open({ trialId: 1, seed: 1, trialIndex: 0, instruction: INSTRUCTION }),
      terms({ ...oneHarbour, plan }, { run: quoted }),
    );
    expect(end.output).toMatch(/FINAL ANSWER: 44$/);
    expect(trial.facts().harnessErrors).toEqual([]);
  });

  test('evidence that is there and cannot be read is a harness error, not a miss', async () => {
    const run = (name: string, given: Readonly<Record<string, unknown>>) =>
      runInvented(name, given).replace('Berths today', 'B-e-r-t-h-s today').replace('| 40 |', '; 40');
    const trial = open();
    await runLoop('chat', trial, terms(oneHarbour, { run }));
    expect(trial.facts().harnessErrors).toEqual(['matcher-miss']);
  });

  test('a tool offered under a name space is called by its offered name, and a strict schema gets null for what the plan leaves out', async () => {
    const tool = {
      type: 'function',
      function: {
        name: 'browser__web_search',
        parameters: { type: 'object', properties: { query: { type: 'string' }, count: { type: ['number', 'null'] } }, required: ['query', 'count'] },
      },
    };
    const reply = await ask(open(), { messages: [user(oneHarbour.plan.question)], tools: [tool] });
    expect(reply.calls[0]).toMatchObject({ name: 'browser__web_search', arguments: '{"query":"Alder Quay Harbour Book","count":null}' });
  });
});

describe('M4.1: the task is found', () => {
  const { question } = twoHarbours.plan;
  test.each([
    ['as it stands', question],
    ['re-flowed', question.replaceAll(' ', '\n  ')],
    ['with another number form', question.replace('1,200', '1200')],
    ['with curly quotes', question.replace('"Birch Lock"', '“Birch Lock”').replace("'", '’')],
    ['inside JSON', JSON.stringify({ task: question })],
    ['inside JSON inside JSON', JSON.stringify(JSON.stringify({ task: question }))],
    ['as Python prints it', `{'task': '${question.replaceAll("'", "\\'")}'}`],
    ['between tags', `<task>${question}</task>`],
  ])('%s', async (_, content) => {
    const reply = await ask(open(), { messages: [user(content)], tools: offered });
    expect(reply.calls[0]?.arguments).toBe('{"query":"Birch Lock Harbour Book"}');
  });

  test('not by half of its question', async () => {
    const trial = open();
    await ask(trial, { messages: [user(question.slice(0, 60))] });
    expect(trial.facts().harnessErrors).toEqual(['unclassified-role']);
  });
});

describe('slips', () => {
  test.each<[SlipKind, (reply: AssistantMessage) => void]>([
    ['unknown-tool', (reply) => expect(TOOLS.map((tool) => tool.name)).not.toContain(reply.calls[0]?.name)],
    ['malformed-arguments', (reply) => expect(['{"query":"Alder Qu', '', 'null']).toContain(reply.calls[0]?.arguments)],
    ['schema-violation', (reply) => expect(reply.calls[0]?.arguments).not.toBe('{"query":"Alder Quay Harbour Book"}')],
    ['empty-reply', (reply) => expect(reply).toMatchObject({ text: '', calls: [] })],
    ['early-answer', (reply) => expect(reply.text).toEqual(marked('12'))],
  ])('%s is what its name says, and is reported', async (kind, check) => {
    const reply = await ask(open(always(kind)), { messages: [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`)], tools: offered });
    check(reply);
    expect(reply.facts).toMatchObject({ step: 's1', ask: 0, slip: kind });
  });

  test('a repeated call repeats the call before; with none before there is nothing to repeat', async () => {
    const end = await runLoop('chat', open(always('repeated-call', { correction: 1 })), terms(oneHarbour));
    expect(end.steps).toEqual(['s1/0', 's2/0 repeated-call', 's2/1', 'answer/0']);
  });

  test('M4.7: a fault that the request shows is mended with the correction probability, else made again', async () => {
    expect((await runLoop('chat', open(always('unknown-tool', { correction: 1 })), terms(oneHarbour))).steps).toEqual([
      's1/0 unknown-tool',
      's1/1',
      's2/0 unknown-tool',
      's2/1',
      'answer/0',
    ]);
    const never = await runLoop('chat', open(always('unknown-tool', { correction: 0 })), terms(oneHarbour, { mostTurns: 4 }));
    expect(never.steps).toEqual(['s1/0 unknown-tool', 's1/1 unknown-tool', 's1/2 unknown-tool', 's1/3 unknown-tool']);
  });

  test('M4.7: the same request again is a fresh draw, whatever the correction probability', async () => {
    const half: Profile = { ...profileOf('clean'), slips: [['empty-reply', 0.5]], correction: 1 };
    const slipsOf = async (trialIndex: number) => {
      const trial = open(half, trialIndex);
      const slips = [];
      for (let at = 0; at < 6; at++) slips.push((await ask(trial, { messages: [user(oneHarbour.plan.question)], tools: offered })).facts?.slip);
      return slips.map((slip) => slip !== undefined);
    };
    const drawn = [];
    for (let index = 0; index < 20; index++) drawn.push(...(await slipsOf(index)));
    const share = drawn.filter(Boolean).length / drawn.length;
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });

  test('a wrong value is knowledge: it is asked once, its result shows it, and it is mended when it is noticed', async () => {
    const wrong: Profile = { ...profileOf('clean'), askedWrongly: 1 };
    const end = await runLoop('chat', open(wrong), terms(oneHarbour));
    expect(end.steps).toEqual(['s1/0 wrong-value', 's1/1', 's2/0 wrong-value', 's2/1', 'answer/0']);
    expect(end.output).toMatch(/FINAL ANSWER: 40$/);
    const trial = open({ ...wrong, correction: 0 });
    expect((await runLoop('chat', trial, terms(oneHarbour))).output).toMatch(/FINAL ANSWER: unknown$/);
    expect(trial.facts().misses).toEqual([{ step: 's1', kind: 'not-noticed' }]);
    expect(trial.facts().undisturbed).toBe(false);
  });

  test('a result read wrongly yields another value from the request, and no further call', async () => {
    const trial = open({ ...profileOf('clean'), readWrongly: 1 });
    const end = await runLoop('chat', trial, terms(oneHarbour));
    expect(end.turns).toBe(3);
    const said = /FINAL ANSWER: (.*)$/.exec(end.output)?.[1];
    expect(said).not.toBe('40');
    expect(['1', '1903', '12', '43', '9', '17']).toContain(said);
  });

  test('a request that nobody answered is the same ask again', async () => {
    const trial = open();
    const body = { model: 'm', messages: [user(oneHarbour.plan.question)], tools: offered };
    const dropped = await trial.reply(
      readRequest('chat.completions', body, (text) => text),
      new AbortController().signal,
    );
    if (dropped.kind === 'message') dropped.settled?.(false);
    expect((await ask(trial, body)).facts?.ask).toBe(0);
    expect((await ask(trial, body)).facts?.ask).toBe(1);
  });

  test('requests of one asker that are open at once share an ask, and neither the order nor the time of their ends changes the next one', async () => {
    const body = { model: 'm', messages: [user(oneHarbour.plan.question)], tools: offered };
    const request = () => readRequest('chat.completions', body, (text) => text);
    const next: unknown[] = [];
    for (const ended of [[0, 1], [1, 0], [0], [1]]) {
      const trial = open(MINI);
      const pair = [await trial.reply(request(), new AbortController().signal), await trial.reply(request(), new AbortController().signal)];
      for (const answer of pair) expect(answer).toMatchObject({ facts: { ask: 0 } });
      for (const at of ended) {
        const answer = pair[at];
        if (answer?.kind === 'message') answer.settled?.(true);
      }
      next.push(await ask(trial, body));
    }
    expect(next[0]).toMatchObject({ facts: { ask: 1 } });
    for (const other of next) expect(other).toEqual(next[0]);
  });

  test('subtasks asked in either order draw the same', async () => {
    const sentences = twoHarbours.plan.chains.map((chain) => chain.sentence);
    const busy: Profile = { ...MINI, slips: MINI.slips.map(([kind]) => [kind, 0.3] as const) };
    const steps = async (order: readonly string[]) => {
      const trial = open(busy);
      const ends = new Map<string, readonly string[]>();
      for (const sentence of order) ends.set(sentence, (await runLoop('chat', trial, terms(twoHarbours, { userText: sentence }))).steps);
      return sentences.map((sentence) => ends.get(sentence));
    };
    expect(await steps(sentences)).toEqual(await steps([...sentences].reverse()));
  });

  test('three trial indices are three different draws, and each is the same every time', async () => {
    const busy: Profile = { ...MINI, slips: [['unknown-tool', 0.4]], correction: 1 };
    const run = async (trialIndex: number) => (await runLoop('chat', open(busy, trialIndex), terms(twoHarbours))).steps.join(', ');
    const first = [await run(0), await run(1), await run(2)];
    expect(new Set(first).size).toBe(3);
    expect([await run(0), await run(1), await run(2)]).toEqual(first);
  });
});

describe('what a provider enforces', () => {
  const strict = TOOLS.map((tool) => ({ type: 'function', function: { ...tool, strict: true } }));
  test.each<SlipKind>(['malformed-arguments', 'schema-violation'])('a strict closed schema prevents %s, unless enforcement is ignored', async (kind) => {
    const body = { messages: [user(oneHarbour.plan.question)], tools: strict };
    expect((await ask(open(always(kind)), body)).facts?.slip).toBeUndefined();
    expect((await ask(open(always(kind), 0, 'ignored'), body)).facts?.slip).toBe(kind);
    expect((await ask(open(always(kind)), { ...body, tools: offered })).facts?.slip).toBe(kind);
  });

  test('a required call is a call: no empty reply, no early answer', async () => {
    for (const kind of ['empty-reply', 'early-answer'] as const) {
      const reply = await ask(open(always(kind)), { messages: [user(oneHarbour.plan.question)], tools: offered, tool_choice: 'required' });
      expect(reply.calls[0]?.name).toBe('web_search');
    }
  });

  test('a named tool is the one that is called', async () => {
    const reply = await ask(open(), {
      messages: [user(riddle.plan.question)],
      tools: offered,
      tool_choice: { type: 'function', function: { name: 'calculator' } },
    });
    expect(reply.calls[0]?.name).toBe('calculator');
  });

  test('a stop sequence cuts the text, and the most tokens end it as cut off', async () => {
    const messages = [user(`${riddle.plan.question}\n${INSTRUCTION}`)];
    expect((await ask(open(), { messages, stop: ['FINAL'] })).text).not.toContain('FINAL');
    expect(await ask(open(), { messages, max_tokens: 6 })).toMatchObject({ finishReason: 'length' });
  });
});

describe('context rot', () => {
  const rot: Profile = { ...profileOf('clean'), rot: true };
  const associative: InventedTask['plan'] = {
    ...oneHarbour.plan,
    steps: oneHarbour.plan.steps.map((step) => (step.id === 's2' ? { ...step, associative: true } : step)),
  };
  /** Which of forty trials come out right when each result is followed by so many sentences (five tokens each). */
  const right = async (filler: number, plan = oneHarbour.plan) => {
    const model = createSimulatedModel({ plans: [plan], profile: rot, enforce: 'honoured', tokens });
    const run = (name: string, given: Readonly<Record<string, unknown>>) => `${runInvented(name, given)}\n${'The gulls were loud. '.repeat(filler)}`;
    const solved: number[] = [];
    for (let trialIndex = 0; trialIndex < 40; trialIndex++) {
      const trial = model.open({ trialId: 1, seed: 1, trialIndex, instruction: INSTRUCTION });
      const { output, turns } = await runLoop('chat', trial, terms({ ...oneHarbour, plan }, { run }));
      expect(turns).toBe(3);
      if (output.endsWith(': 40')) solved.push(trialIndex);
      else expect(trial.facts().misses).toContainEqual({ step: expect.any(String), kind: 'context-rot' });
    }
    return solved;
  };

  test('a short history loses nothing, a long one some, and what is lost is never found again in a longer one', async () => {
    expect(await right(1)).toHaveLength(40);
    const long = await right(6_000);
    const longer = await right(12_000);
    expect(longer.length).toBeLessThan(36);
    expect(longer.length).toBeGreaterThan(15);
    expect(long).toEqual(expect.arrayContaining(longer));
  });

  test('an associative step is lost earlier than a lexical one', async () => {
    const lexical = await right(1_000);
    const distant = await right(1_000, associative);
    // Ten thousand tokens: RULER keeps 98 % of each look-up, NoLiMa 43 %.
    expect(lexical.length).toBeGreaterThan(32);
    expect(distant.length).toBeLessThan(25);
  });
});

describe('placebo rows', () => {
  const busy: Profile = { ...MINI, rot: false, slips: alikeInAllShapes(MINI).map(([kind]) => [kind, 0.12] as const), askedWrongly: 0.15, readWrongly: 0.1 };
  test.each(INVENTED.map((task) => [task.plan.question, task] as const))('seven wire shapes get the same faults, answers and calls: %s', async (_, task) => {
    let faults = 0;
    for (let index = 0; index < 25; index++) {
      const ends = new Map<LoopShape, unknown>();
      for (const shape of LOOP_SHAPES) {
        const trial = open(busy, index);
        const { output, steps } = await runLoop(shape, trial, terms(task));
        // How long a text is depends on how a shape writes it: with rot off nothing follows from that.
        const { readings = [], ...facts } = trial.facts();
        ends.set(shape, { output, steps, facts, readings: readings.map(({ step, how }) => `${step} ${how}`) });
        if (shape === 'chat') faults += steps.filter((step) => step.includes(' ')).length;
      }
      for (const shape of LOOP_SHAPES) expect(ends.get(shape), `${shape}, trial ${index}`).toEqual(ends.get('chat'));
    }
    expect(faults).toBeGreaterThan(0);
  });
});
