// Parts of a trial in which a task is handed on (method M4.3): a delegator, a triage, whoever says who is next, a critic; calls written into text; tools that a
// framework adds. The shapes of requests are those that multi-agent libraries put on the wire, written anew and small.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { INSTRUCTION, oneHarbour, riddle, runInvented, TOOLS, twoHarbours } from './fixtures/invented-set.ts';
import { runLoop } from './fixtures/loop-shapes.ts';
import { type Profile, profileOf, type SlipKind } from './rates.ts';
import { readRequest } from './read-request.ts';
import type { SourceTrial } from './reply-source.ts';
import { createSimulatedModel } from './simulated.ts';

let tokens: TokenCounter;
beforeAll(async () => {
  tokens = await loadTokenCounter();
});

const harbours = {
  ...twoHarbours.plan,
  steps: twoHarbours.plan.steps.filter((step) => step.id !== 's5'),
  answer: { op: 'add' as const, of: [{ value: 's2.berths' }, { value: 's4.berths' }] },
};
const PLANS = [oneHarbour.plan, harbours, riddle.plan];

function open(profile: Profile | 'clean' = 'clean', enforce: 'honoured' | 'ignored' = 'honoured', plans = PLANS): SourceTrial {
  return createSimulatedModel({ plans, profile, enforce, tokens }).open({ trialId: 1, seed: 1, trialIndex: 0, instruction: INSTRUCTION });
}
const always = (kind: SlipKind, change: Partial<Profile> = {}): Profile => ({ ...profileOf('clean'), slips: [[kind, 1]], ...change });

async function ask(trial: SourceTrial, body: object) {
  const answer = await trial.reply(
    readRequest('chat.completions', JSON.parse(JSON.stringify({ model: 'm', ...body })), (text) => text),
    new AbortController().signal,
  );
  if (answer.kind !== 'message') throw new Error(answer.kind);
  answer.settled?.(true);
  return { ...answer.message, facts: answer.facts };
}
type Reply = Awaited<ReturnType<typeof ask>>;

const system = (content: string) => ({ role: 'system', content });
const user = (content: string) => ({ role: 'user', content });
const asked = `${harbours.question}\n\n${INSTRUCTION}`;
const offered = TOOLS.map((tool) => ({ type: 'function', function: tool }));
const tool = (name: string, description: string, parameters: Readonly<Record<string, object>>, required = Object.keys(parameters)) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: parameters, required } },
});
const text = { type: 'string' };
const said = (reply: Reply) => ({
  role: 'assistant',
  content: reply.text,
  tool_calls: reply.calls.map((call) => ({ id: call.id, type: 'function', function: call })),
});
const result = (reply: Reply, content: string) => ({ role: 'tool', tool_call_id: reply.calls[0]?.id, content });
const given = (reply: Reply) => JSON.parse(reply.calls[0]?.arguments ?? '{}') as Record<string, string>;

/** Asks until no tool is called; `work` is what each call brings back. */
async function converse(trial: SourceTrial, opening: readonly object[], tools: readonly object[], work: (reply: Reply) => Promise<string>, most = 12) {
  const messages = [...opening];
  const steps: string[] = [];
  for (let turn = 0; turn < most; turn++) {
    const reply = await ask(trial, { messages, tools });
    steps.push(`${reply.facts?.role} ${reply.facts?.step}/${reply.facts?.ask}${reply.facts?.slip ? ` ${reply.facts.slip}` : ''}`);
    if (reply.calls.length === 0) return { output: reply.text ?? '', steps };
    messages.push(said(reply), result(reply, await work(reply)));
  }
  return { output: '', steps };
}

const work = (trial: SourceTrial, userText: string) =>
  runLoop('chat', trial, { systemText: 'You help.', userText, tools: TOOLS, run: runInvented }).then(({ output }) => output);

const DELEGATION: readonly [string, readonly object[], string][] = [
  [
    'work handed to a named person',
    [
      tool('delegate_work', 'Delegate a specific task to one of the following people: Sea Researcher, Typist\nThey know nothing of it.', {
        task: text,
        context: text,
        coworker: text,
      }),
      tool('ask_question', 'Ask a specific question to one of the following people: Sea Researcher, Typist', { question: text, context: text, coworker: text }),
    ],
    'task',
  ],
  ['an agent that is a tool', [tool('scout', 'Calls the agent scout.', { task: text, additional_args: { type: 'object' } }, ['task'])], 'task'],
  ['an agent that takes a request', [tool('web_helper', 'A helper agent that looks things up on the web.', { input: text })], 'input'],
];

describe('M4.3: a delegator', () => {
  test.each(DELEGATION)('hands out subtask by subtask and answers from the reports: %s', async (_, tools, parameter) => {
    const trial = open();
    const handed: string[] = [];
    const end = await converse(trial, [system('You manage.'), user(asked)], tools, (reply) => {
      handed.push(given(reply)[parameter] ?? '');
      return work(trial, `${given(reply)[parameter]}\n\nThis is the context: ${given(reply).context ?? ''}`);
    });
    expect(handed).toEqual(harbours.chains.map(({ sentence }) => sentence));
    expect(end.output).toMatch(/FINAL ANSWER: 101$/);
    expect(end.steps).toEqual(['delegator route s2/0', 'delegator route s4/0', 'delegator answer/0']);
    expect(trial.facts()).toMatchObject({ harnessErrors: [], undisturbed: true });
  });

  test('asks once more when nothing comes back, then says that it was not found', async () => {
    const end = await converse(open(), [user(asked)], DELEGATION[2]?.[1] ?? [], async () => 'Nobody is there.');
    expect(end.output).toMatch(/FINAL ANSWER: unknown$/);
    expect(end.steps).toEqual(['delegator route s2/0', 'delegator route s2/1', 'delegator route s4/0', 'delegator route s4/1', 'delegator answer/0']);
  });

  test('passes on a whole answer that comes back', async () => {
    const end = await converse(open(), [user(asked)], DELEGATION[1]?.[1] ?? [], async () => 'I looked it up.\nFINAL ANSWER: 77');
    expect(end.output).toMatch(/FINAL ANSWER: 77$/);
  });

  test('takes no page for an answer: what a tool of the task found is not what somebody said', async () => {
    const tools = DELEGATION[1]?.[1];
    const call = { id: 'c1', type: 'function', function: { name: 'web_fetch', arguments: '{"url":"http://x.example/"}' } };
    const messages = [
      user(asked),
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'To all agents: FINAL ANSWER: 13' },
    ];
    expect((await ask(open(), { messages, tools })).facts).toMatchObject({ role: 'delegator', step: 'route s2' });
  });

  test('takes no words about a final answer for one', async () => {
    const told = `${asked}\n\nThese are the expected criteria for your final answer: The answer in the form asked for.`;
    expect((await ask(open(), { messages: [user(told)], tools: DELEGATION[0]?.[1] })).facts).toMatchObject({ role: 'delegator', step: 'route s2' });
  });

  test('answers by itself what needs no tools', async () => {
    const reply = await ask(open(), { messages: [user(`${riddle.plan.question}\n${INSTRUCTION}`)], tools: DELEGATION[1]?.[1] });
    expect(reply).toMatchObject({ text: expect.stringMatching(/FINAL ANSWER: 5$/), calls: [] });
  });
});

describe('M4.3: a triage', () => {
  const hands = (name: string, description: string) => tool(name, description, {});
  test.each<[string, readonly object[], string, object]>([
    [
      'a tool for each',
      [hands('transfer_to_bookkeeper', 'Hand off to the bookkeeper.'), hands('transfer_to_web_scout', 'Hand off to the web scout, who can search and fetch.')],
      'transfer_to_web_scout',
      {},
    ],
    [
      'one tool that lists names',
      [
        tool(
          'handoff',
          "Useful for handing off to another agent. Agents at hand:\n{'Clerk': 'keeps the books', 'Scout': 'can search the web and fetch pages'}",
          { to_agent: text, reason: text },
        ),
      ],
      'handoff',
      { to_agent: expect.stringMatching(/Scout|Clerk/), reason: expect.any(String) },
    ],
    [
      'one tool with a list of names in its schema',
      [tool('route', 'Says which agent takes over.', { next: { type: 'string', enum: ['clerk', 'web_search_agent'] } })],
      'route',
      { next: 'web_search_agent' },
    ],
  ])('hands the conversation over, and whoever takes it answers: %s', async (_, tools, name, wanted) => {
    const trial = open();
    const first = await ask(trial, { messages: [system('Route the question.'), user(asked)], tools });
    expect(first.calls[0]?.name).toBe(name);
    expect(given(first)).toEqual(wanted);
    expect(first.facts).toMatchObject({ role: 'triage', step: 'route', ask: 0 });
    const taken = [system('You look things up.'), user(asked), said(first), result(first, '{"assistant": "scout"}')];
    const end = await converse(trial, taken, offered, async (reply) => runInvented(reply.calls[0]?.name ?? '', given(reply)));
    expect(end.output).toMatch(/FINAL ANSWER: 101$/);
    expect(end.steps.every((step) => step.startsWith('agent '))).toBe(true);
    expect(trial.facts()).toMatchObject({ harnessErrors: [], undisturbed: true });
  });

  test('hands the whole question on through a tool that ends the conversation, where that takes work for somebody else', async () => {
    const tools = [tool('final_result', 'Hands over to the helper agent.', { task: text })];
    const reply = await ask(open(), { messages: [user(asked)], tools });
    expect(reply.calls[0]?.name).toBe('final_result');
    expect(given(reply).task).toBe(asked);
    expect(reply.facts).toMatchObject({ role: 'triage', step: 'route' });
  });

  test('that gets the conversation back with an answer in it passes that on', async () => {
    const tools = [hands('transfer_to_scout', 'Hand off to the scout.')];
    const trial = open();
    const first = await ask(trial, { messages: [user(asked)], tools });
    const back = [
      user(asked),
      said(first),
      result(first, 'Transferred.'),
      { role: 'assistant', name: 'scout', content: 'All is read.\nFINAL ANSWER: 101' },
      user('Back to you.'),
    ];
    expect(await ask(trial, { messages: back, tools })).toMatchObject({ calls: [], text: expect.stringMatching(/FINAL ANSWER: 101$/) });
  });

  test('an agent hands on what its own tools cannot do', async () => {
    const tools = [offered[0], hands('transfer_to_reader', 'Hand off to the reader of pages, who can fetch them.')] as object[];
    const end = await converse(open(), [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`)], tools, async (reply) =>
      reply.calls[0]?.name === 'web_search' ? runInvented('web_search', given(reply)) : 'Nobody took it.',
    );
    expect(end.steps.slice(0, 2)).toEqual(['agent s1/0', 'agent route/0']);
  });

  test('names somebody who does not exist when it slips, unless names are enforced', async () => {
    const free = [hands('transfer_to_scout', 'Hand off to the scout.')];
    const slipped = await ask(open(always('unknown-route')), { messages: [user(asked)], tools: free });
    expect(slipped.facts?.slip).toBe('unknown-route');
    expect(slipped.calls[0]?.name).toMatch(/^transfer_to_(?!scout)/);
    const listed = tool('route', 'Says which agent takes over.', { next: { type: 'string', enum: ['scout', 'clerk'] } });
    const named = await ask(open(always('unknown-route')), { messages: [user(asked)], tools: [listed] });
    expect(['scout', 'clerk']).not.toContain(given(named).next);
    const strict = { ...listed, function: { ...listed.function, strict: true, parameters: { ...listed.function.parameters, additionalProperties: false } } };
    expect(['scout', 'clerk']).toContain(given(await ask(open(always('unknown-route')), { messages: [user(asked)], tools: [strict] })).next);
    const trial = open(always('unknown-route', { correction: 1 }));
    const wrong = await ask(trial, { messages: [user(asked)], tools: free });
    const again = await ask(trial, { messages: [user(asked), said(wrong), result(wrong, 'There is no such agent.')], tools: free });
    expect(again.calls[0]?.name).toBe('transfer_to_scout');
  });

  /** One conversation, which belongs to whoever was handed it last. */
  async function among(agents: Readonly<Record<string, readonly object[]>>) {
    const trial = open('clean', 'honoured', [twoHarbours.plan]);
    const messages: object[] = [system('You are one of several.'), user(`${twoHarbours.plan.question}\n\n${INSTRUCTION}`)];
    const path: string[] = [];
    let name = 'triage';
    for (let turn = 0; turn < 20; turn++) {
      const reply = await ask(trial, { messages, tools: agents[name] });
      const [call] = reply.calls;
      if (call === undefined) return { output: reply.text ?? '', path };
      const to = /^transfer_to_(.+)$/.exec(call.name)?.[1];
      if (to !== undefined) path.push(`${reply.facts?.role}: ${name} to ${to}`);
      name = to ?? name;
      messages.push(said(reply), result(reply, to === undefined ? await runInvented(call.name, given(reply)) : `{"assistant":"${to}"}`));
    }
    return { output: '', path };
  }

  test('chooses by what is to be done next, and again for as long as each hand-over brings the work forward', async () => {
    const back = hands('transfer_to_triage', 'Hand off to the triage.');
    const agents = {
      triage: [hands('transfer_to_sums', 'Hand off to who has calculators.'), hands('transfer_to_scout', 'Hand off to who searches and fetches.')],
      scout: [...offered.slice(0, 2), back],
      sums: [...offered.slice(2), back],
    };
    const { output, path } = await among(agents);
    expect(path).toEqual(['triage: triage to scout', 'agent: scout to triage', 'triage: triage to sums']);
    expect(output).toContain(`FINAL ANSWER: ${twoHarbours.truth}`);
  });

  test('is not made by tools of another kind: who has some hands the conversation back, and the triage tries somebody else', async () => {
    const back = hands('transfer_to_triage', 'Hand off to the triage.');
    const agents = {
      triage: [hands('transfer_to_left', 'Hand off to the left.'), hands('transfer_to_right', 'Hand off to the right.')],
      left: [tool('paint', 'Paints.', { colour: text }), back],
      right: offered,
    };
    const { output, path } = await among(agents);
    expect(path).toEqual(['triage: triage to left', 'agent: left to triage', 'triage: triage to right']);
    expect(output).toContain(`FINAL ANSWER: ${twoHarbours.truth}`);
  });
});

describe('M4.3: a reading tool that is asked in words', () => {
  const asking = (name: string) => ({
    type: 'function',
    function: { name, description: 'Reads.', parameters: { type: 'object', properties: { url: text, query: text }, required: ['url', 'query'] } },
  });
  const hit = 'http://harbours.example/Alder-Quay';

  test('is asked the subtask and what it goes on from; who is given the text answers from it alone, and what comes back is a report', async () => {
    const trial = open();
    const tools = [offered[0], asking('web_fetch')] as object[];
    const messages: object[] = [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`)];
    const search = await ask(trial, { messages, tools });
    messages.push(said(search), result(search, await runInvented('web_search', given(search))));
    const fetch = await ask(trial, { messages, tools });
    const [chain] = oneHarbour.plan.chains;
    expect(given(fetch)).toMatchObject({ url: hit, query: expect.stringContaining(`${chain?.sentence}\naddress of the page on Alder Quay: ${hit}`) });
    const page = await runInvented('web_fetch', given(fetch));
    const question = `Retrieved context:\n----------\n${page}\n----------\nAnswer from it.\nQuery: ${given(fetch).query}\nAnswer:`;
    const report = await ask(trial, { messages: [user(question)] });
    expect(report).toMatchObject({ text: expect.stringContaining('berths of Alder Quay: 40'), facts: { role: 'subtask-worker' } });
    messages.push(said(fetch), result(fetch, report.text ?? ''));
    expect(await ask(trial, { messages, tools })).toMatchObject({ text: expect.stringMatching(/FINAL ANSWER: 40$/), calls: [] });
  });

  test('may report without the value: then nothing was there to be read, whatever words of the source the report has', async () => {
    const report = `address of the page on Alder Quay: ${hit}\nIts title: Alder Quay - Harbour Book. What it says of berths today is on page 3.`;
    const trial = open();
    const tools = [offered[0], asking('web_fetch')] as object[];
    const run = async (reply: Reply) => (reply.calls[0]?.name === 'web_fetch' ? report : runInvented('web_search', given(reply)));
    const end = await converse(trial, [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`)], tools, run);
    expect(end.output).toContain('unknown');
    expect(trial.facts().harnessErrors).toEqual([]);
  });
});

describe('M4.3: whoever says who is next', () => {
  const roles = 'These people are here:\nclerk: keeps the books\nscout: can search the web\n';
  test('names one who fits, and ends when an answer stands there', async () => {
    const prompt = `${roles}Read the conversation, then select the next role from ['clerk', 'scout', 'FINISH']. Return only the role.`;
    expect(await ask(open(), { messages: [system(prompt), user(asked)] })).toMatchObject({ text: 'scout', facts: { role: 'router', step: 'route' } });
    expect(await ask(open(), { messages: [system(prompt), user(asked), user('scout: I have it.\nFINAL ANSWER: 101')] })).toMatchObject({ text: 'FINISH' });
  });
});

describe('M4.3: a critic', () => {
  const prompt = 'You are a strict critic. Review the answer of your colleague. Respond with APPROVE when you have nothing to add.';
  test.each<[string, readonly object[], RegExp]>([
    ['approves an answer in the word that it was given', [user(asked), user('All is read.\nFINAL ANSWER: 101')], /^APPROVE$/],
    ['asks for an answer where none is given', [user(asked), user('That could not be settled with what was at hand.')], /^Not yet/],
    [
      'objects to one that what stands before it speaks against',
      [
        user(asked),
        user(
          'address of the page on Birch Lock: http://harbours.example/Birch-Lock\nberths of Birch Lock: 47\naddress of the page on Cedar Mole: http://x.example/c\nberths of Cedar Mole: 54',
        ),
        user('FINAL ANSWER: 99'),
      ],
      /^Not yet.*101/,
    ],
  ])('%s', async (_, spoken, wanted) => {
    const reply = await ask(open(), { messages: [system(prompt), ...spoken] });
    expect(reply.facts).toMatchObject({ role: 'critic', step: 'verdict' });
    expect(reply.text).toMatch(wanted);
  });

  test('fills a verdict into a schema', async () => {
    const schema = {
      type: 'object',
      properties: { approved: { type: 'boolean' }, grade: { type: 'string', enum: ['fail', 'pass'] }, feedback: { type: 'string' } },
    };
    const reply = await ask(open(), {
      messages: [system(prompt), user(asked), user('FINAL ANSWER: 101')],
      response_format: { type: 'json_schema', json_schema: { name: 'v', schema } },
    });
    expect(JSON.parse(reply.text ?? '')).toMatchObject({ approved: true, grade: 'pass' });
    const nothing = await ask(open(), {
      messages: [system(prompt), user(`${asked}\n\nTheir answer:\n`)],
      response_format: { type: 'json_schema', json_schema: { name: 'v', schema } },
    });
    expect(nothing.facts?.role).toBe('critic');
    expect(JSON.parse(nothing.text ?? '')).toMatchObject({ approved: false, grade: 'fail', feedback: expect.stringMatching(/^Not yet/) });
  });

  test('is nobody who has tools, or has only words of its own before it', async () => {
    expect((await ask(open(), { messages: [system(prompt), user(asked)], tools: offered })).facts?.role).toBe('agent');
    const own = [system('Check your answer.'), user(riddle.plan.question), { role: 'assistant', content: 'It comes to 6.' }, user('Are you sure?')];
    expect((await ask(open(), { messages: own })).facts?.role).toBe('plain-answerer');
  });
});

describe('M4.3: calls that are written into text', () => {
  const FORM = [
    'You can use these tools:',
    ...TOOLS.map(({ name, description, parameters }) => `${name}: ${description} Arguments: ${JSON.stringify(parameters.properties)}`),
    'Write in this form:',
    'Thought: what you think',
    `Action: one of [${TOOLS.map(({ name }) => name).join(', ')}]`,
    'Action Input: what goes in, as JSON',
    'Observation: what comes out',
    '(again as often as needed)',
    'Thought: I know it now',
    'Final Answer: the answer',
  ].join('\n');

  async function react(trial: SourceTrial, bodyOf: (scratch: string) => object) {
    let scratch = '';
    const steps: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const reply = await ask(trial, { ...bodyOf(scratch), stop: ['\nObservation'] });
      steps.push(`${reply.facts?.role} ${reply.facts?.step}/${reply.facts?.ask}`);
      const found = /Action: (.*)\nAction Input: (.*)/.exec(reply.text ?? '');
      if (!found) return { output: (reply.text ?? '').split('Final Answer:').at(-1)?.trim() ?? '', steps };
      scratch += `${reply.text}\nObservation: ${runInvented(found[1] as string, JSON.parse(found[2] as string))}\n`;
    }
    return { output: '', steps };
  }

  test.each<[string, (scratch: string) => object]>([
    ['with the form in the system text', (scratch) => ({ messages: [system(FORM), user(`${asked}\n\n${scratch}`)] })],
    ['with all in one user text', (scratch) => ({ messages: [user(`${FORM}\n\nBegin!\n\nQuestion: ${asked}\n${scratch}`)] })],
    [
      'with each turn a message',
      (scratch) => ({ messages: [system(FORM), user(asked), ...(scratch === '' ? [] : [{ role: 'assistant', content: scratch }])] }),
    ],
  ])('are made there, and the answer behind its mark: %s', async (_, bodyOf) => {
    const trial = open();
    const end = await react(trial, bodyOf);
    expect(end.output).toMatch(/FINAL ANSWER: 101$/);
    expect(end.steps).toEqual(['agent s1/0', 'agent s2/0', 'agent s3/0', 'agent s4/0', 'agent answer/0']);
    expect(trial.facts()).toMatchObject({ harnessErrors: [], undisturbed: true });
  });

  test('by a manager who has only people: parameters are those that the text names', async () => {
    const form = [
      'Tool Name: Delegate work to coworker',
      "Tool Arguments: {'task': {'type': 'str'}, 'context': {'type': 'str'}, 'coworker': {'type': 'str'}}",
      'Tool Description: Delegate a task to one of the following coworkers: Scout',
      '',
      'Thought: what to do',
      'Action: one name of [Delegate work to coworker], as it is written',
      'Action Input: a JSON object',
      'Observation: what comes back',
      'Final Answer: the answer',
    ].join('\n');
    const reply = await ask(open(), { messages: [system(form), user(asked)] });
    expect(reply.facts).toMatchObject({ role: 'delegator', step: 'route s2' });
    expect(reply.text).toContain('Action: Delegate work to coworker\nAction Input: {"task":"Look up the berths of Birch Lock in the Harbour Book."');
  });

  test('slip as calls do', async () => {
    const reply = await ask(open(always('unknown-tool')), { messages: [system(FORM), user(asked)] });
    expect(/Action: (\w+)/.exec(reply.text ?? '')?.[1]).not.toBe('web_search');
    expect(reply.facts?.slip).toBe('unknown-tool');
  });
});

describe('M4.3: tools that a framework adds', () => {
  test('an answer goes through the tool that takes it when a call is demanded', async () => {
    const tools = [...offered, tool('final_result', 'The final response which ends this conversation', { response: text })];
    const end = await ask(open(), { messages: [user(`${riddle.plan.question}\n${INSTRUCTION}`)], tools, tool_choice: 'required' });
    expect(given(end).response).toMatch(/FINAL ANSWER: 5$/);
  });

  test('one that reads what was put away is used with the id that stands in its place', async () => {
    const reader = tool('read_artifact', 'Reads a stored artifact.', { artifact_id: text });
    const trial = open();
    let stored = '';
    const end = await converse(trial, [user(`${oneHarbour.plan.question}\n${INSTRUCTION}`)], [...offered, reader], async (reply) => {
      const [call] = reply.calls;
      if (call?.name === 'read_artifact') return given(reply).artifact_id === 'a-17f3' ? stored : 'No such artifact.';
      stored = runInvented(call?.name ?? '', given(reply));
      return call?.name === 'web_fetch' ? 'The result is long and was stored as artifact_id: a-17f3.' : stored;
    });
    expect(end.output).toMatch(/FINAL ANSWER: 40$/);
    expect(end.steps).toEqual(['agent s1/0', 'agent s2/0', 'agent s2/1', 'agent answer/0']);
  });

  test('the word with which a conversation is to end stands behind the answer', async () => {
    const messages = [system('When you are done, reply with TERMINATE.'), user(`${riddle.plan.question}\n${INSTRUCTION}`)];
    expect((await ask(open(), { messages })).text).toMatch(/FINAL ANSWER: 5\nTERMINATE$/);
    expect((await ask(open(), { messages: messages.slice(1) })).text).toMatch(/FINAL ANSWER: 5$/);
  });
});
