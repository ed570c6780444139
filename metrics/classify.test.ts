import { describe, expect, it } from 'vitest';
import type { ToolSchema } from '../base/tool-schema.ts';
import { classifyTrial, finishVerdict } from './classify.ts';
import { type Turn, trialWith } from './testing.ts';

const search = (query: string): Turn => ({ asks: [['web_search', { query }]] });
const answer: Turn = { says: 'I read it.\nFINAL ANSWER: 5' };
/** Step s1 asked once, evidence in, then the answer. */
const s1 = (ask: number, turn: Turn): Turn => ({ step: 's1', ask, stepsDone: [], ...turn });
const done: Turn = { ...answer, stepsDone: ['s1'] };
const plan = { planSteps: ['s1', 's2'] };
const onePlan = { planSteps: ['s1'] };
const error = { name: 'Error', message: 'it broke' };
const SEARCH: ToolSchema = {
  name: 'web_search',
  description: '',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: '' }, count: { type: 'integer', description: '' } },
    required: ['query'],
    additionalProperties: false,
  },
};

describe('an undisturbed answer', () => {
  it('has no code, no handling and no event', () => {
    expect(classifyTrial(trialWith([search('boats'), answer]))).toEqual({ outcome: 'completed', events: [] });
  });

  it('may come through a tool, as JSON, in pieces, without its thoughts or with a wrapping', () => {
    const outputs: [Turn[], string][] = [
      [[{ asks: [['final_answer', { text: 'FINAL ANSWER: Riga' }]], offeredTools: ['final_answer'], ran: [] }], 'FINAL ANSWER: Riga'],
      [[answer], '{"final_answer":"5"}'],
      [[answer], 'Result: «I read it. FINAL ANSWER: 5»'],
      [[{ says: '<think>hm</think> FINAL ANSWER: 5' }], 'FINAL ANSWER: 5'],
    ];
    for (const [turns, output] of outputs) expect(classifyTrial(trialWith(turns, { output }))).toEqual({ outcome: 'completed', events: [] });
  });
});

describe('M5.1: faults of the model', () => {
  it('are repaired when a later request asks for the step again and its evidence comes in', () => {
    const turns = [s1(0, { asks: [['web_serach', { query: 'x' }]], ran: [] }), s1(1, search('x')), done];
    expect(classifyTrial(trialWith(turns, { plan: onePlan }))).toEqual({
      outcome: 'completed',
      handling: 'repaired',
      code: 'unknown-tool',
      events: [{ code: 'unknown-tool', source: 'model', step: 's1', ask: 0, repaired: true }],
    });
  });

  it('are not repaired by asking again when no evidence comes in, nor by evidence that nobody asked for again', () => {
    const asked = [s1(0, { asks: [['nope', {}]], ran: [] }), s1(1, search('x')), { ...answer, stepsDone: [] }];
    const came = [s1(0, { asks: [['nope', {}]], ran: [] }), done];
    for (const turns of [asked, came]) expect(classifyTrial(trialWith(turns, { plan: onePlan })).events[0]).not.toHaveProperty('repaired');
  });

  it('name somebody who does not exist: an unknown route, repaired when the task is handed on after all', () => {
    const route = (ask: number, target: string, slip?: string): Turn => ({
      step: 'route',
      ask,
      asks: [[`transfer_to_${target}`, {}]],
      offeredTools: ['transfer_to_scout'],
      stepsDone: [],
      ran: [],
      ...(slip === undefined ? {} : { slip }),
    });
    const lost = route(0, 'archivist', 'unknown-route');
    const event = { code: 'unknown-route', source: 'model', step: 'route', ask: 0 };
    expect(classifyTrial(trialWith([lost, route(1, 'scout'), done], { plan: onePlan })).events).toEqual([{ ...event, repaired: true }]);
    expect(classifyTrial(trialWith([lost], { plan: onePlan, output: '' }))).toMatchObject({ code: 'unknown-route', events: [event, { code: 'silent-empty' }] });
    // Real models bear no slips: a name that begins like those of the offered hand-offs, and is none, must do.
    expect(classifyTrial(trialWith([{ ...route(0, 'archivist') }, done], { isLive: true })).code).toBe('unknown-route');
  });

  it('are repaired, with a real model, when a later valid call of an offered tool was followed by its result', () => {
    const turns: Turn[] = [{ asks: [['web_search', '{"query": ']], delivered: [] }, search('x'), answer];
    expect(classifyTrial(trialWith(turns, { isLive: true }))).toMatchObject({ handling: 'repaired', code: 'malformed-arguments' });
    const ignored: Turn[] = [{ asks: [['web_search', '{"query": ']] }, answer];
    expect(classifyTrial(trialWith(ignored, { isLive: true })).events).toEqual([{ code: 'malformed-arguments', source: 'model' }]);
  });

  it('that end the trial with an error are reported, and are its cause', () => {
    const verdict = classifyTrial(trialWith([s1(0, { asks: [['nope', {}]], ran: [] })], { workerError: error }));
    expect(verdict).toEqual({
      outcome: 'failed',
      failure: { code: 'unknown-tool', message: 'Error: it broke' },
      handling: 'reported',
      code: 'unknown-tool',
      events: [
        { code: 'unknown-tool', source: 'model', step: 's1', ask: 0 },
        { code: 'framework-exception', source: 'framework' },
      ],
    });
  });

  it('that were answered to the model and not mended are reported; that were dropped in silence are concealed', () => {
    const fault: Turn = { asks: [['nope', {}, 'id-1']], ran: [] };
    const told = [search('a'), fault, { ...answer, delivered: [{ callId: 'id-1', text: 'There is no tool nope.' }] }];
    expect(classifyTrial(trialWith(told)).handling).toBe('reported');
    expect(classifyTrial(trialWith([search('a'), fault, answer])).handling).toBe('concealed');
  });

  it.each([
    ['', true],
    ['null', true],
    ['[1]', true],
    ['{"query": "x', true],
    ["{'query': 'x'}", true],
    ['{"query": "x"}', false],
    ['"{\\"query\\": \\"x\\"}"', false],
  ])('count %j as malformed: %j', (args, isMalformed) => {
    const codes = classifyTrial(trialWith([{ asks: [['web_search', args]], ran: [] }, answer], { tools: [SEARCH] })).events.map((event) => event.code);
    expect(codes.includes('malformed-arguments')).toBe(isMalformed);
  });

  it('include arguments that the framework refused before the tool ran', () => {
    const turns = [s1(0, { asks: [['web_search', { query: 5 }]], ran: [] }), s1(1, search('5')), done];
    expect(classifyTrial(trialWith(turns, { plan: onePlan, tools: [SEARCH] }))).toMatchObject({ code: 'invalid-arguments', handling: 'repaired' });
  });

  it('are one event for equal faults of one ask, and ordered by plan step and ask, never by arrival', () => {
    const late: Turn = { step: 's2', ask: 0, asks: [['nope', {}]], ran: [] };
    const early: Turn = {
      step: 's1',
      ask: 1,
      asks: [
        ['nope', {}],
        ['neither', {}],
      ],
      ran: [],
    };
    const events = (turns: Turn[]) => classifyTrial(trialWith(turns, { plan })).events;
    expect(events([late, early, answer])).toEqual(events([early, late, answer]));
    expect(events([late, early, answer]).map((event) => event.step)).toEqual(['s1', 's2']);
  });
});

describe('among several calls of one turn', () => {
  const good = (query: string): [string, object] => ['web_search', { query }];
  const broken: [string, string | object] = ['web_search', '{"query": "x'];
  const steps = ['s1', 's2', 's3'];
  const perStep = { planSteps: steps };
  /** Three steps are called at once, the one at `place` wrongly; then those of `again`; then the answer, with all evidence. */
  const beside = (place: number, faulty: [string, string | object], again: readonly string[], rest: Partial<Turn> = {}): Turn[] => {
    const done = steps.filter((_, at) => at !== place);
    return [
      {
        step: 's1',
        ask: 0,
        callSteps: steps.map((step) => ({ step, ask: 0 })),
        asks: steps.map((step, at) => (at === place ? faulty : good(step))),
        ran: done.map((step) => ({ name: 'web_search', arguments: { query: step } })),
        delivered: [],
        ...rest,
      },
      ...(again.length === 0
        ? []
        : [
            {
              step: again[0] as string,
              ask: again[0] === steps[place] ? 1 : 0,
              ...(again.length > 1 ? { callSteps: again.map((step) => ({ step, ask: step === steps[place] ? 1 : 0 })) } : {}),
              asks: again.map(good),
              stepsDone: done,
            },
          ]),
      { ...answer, stepsDone: again.includes(steps[place] as string) ? steps : done },
    ];
  };

  it.each([0, 1, 2])('a fault at place %i is of its own step, and repaired when that one was asked for again, alone or beside others', (place) => {
    const step = steps[place] as string;
    const faults: [[string, string | object], string][] = [
      [broken, 'malformed-arguments'],
      [['web_serach', {}], 'unknown-tool'],
      [['web_search', { count: 5 }], 'invalid-arguments'],
    ];
    for (const [faulty, code] of faults)
      for (const again of [[step], ['s4', step], [step, 's4']]) {
        const verdict = classifyTrial(trialWith(beside(place, faulty, again), { plan: perStep, tools: [SEARCH] }));
        expect(verdict).toEqual({ outcome: 'completed', handling: 'repaired', code, events: [{ code, source: 'model', step, ask: 0, repaired: true }] });
      }
  });

  it.each([0, 1, 2])('a fault at place %i is not repaired by what came of its neighbours', (place) => {
    for (const again of [[], steps.filter((_, at) => at !== place).slice(0, 1)]) {
      const verdict = classifyTrial(trialWith(beside(place, broken, again), { plan: perStep, tools: [SEARCH] }));
      expect(verdict.events[0]).toEqual({ code: 'malformed-arguments', source: 'model', step: steps[place], ask: 0 });
      expect(verdict.handling).not.toBe('repaired');
    }
  });

  it.each([0, 1, 2])('a result at place %i that stands in no later request is lost, though its neighbours came in', (place) => {
    const step = steps[place] as string;
    const [turn] = beside(place, good(step), []);
    const delivered = steps.flatMap((_, at) => (at === place ? [] : [{ callId: `call-0-${at}`, text: `found ${at}` }]));
    const ran = steps.map((query) => ({ name: 'web_search', arguments: { query } }));
    const end = { ...answer, stepsDone: steps.filter((_, at) => at !== place), delivered };
    const verdict = classifyTrial(trialWith([{ ...turn, ran }, end], { plan: perStep }));
    expect(verdict).toMatchObject({ code: 'lost-result', handling: 'lost', events: [{ step }] });
  });

  it.each([0, 1, 2])('a dead back end at place %i is not mended by a neighbour that answered after it', (place) => {
    const [turn, ...rest] = beside(place, good(steps[place] as string), []);
    const ran = steps.map((query, at) => ({ name: 'web_search', arguments: { query }, ...(at === place ? { status: 503, result: '' } : {}) }));
    const events = classifyTrial(trialWith([{ ...turn, ran }, ...rest], { plan: perStep })).events;
    expect(events).toEqual([{ code: 'tool-backend-down', source: 'infrastructure', step: steps[place], ask: 0 }]);
    // The framework tried this very call again.
    const second = { name: 'web_search', arguments: { query: steps[place] } };
    const again = classifyTrial(trialWith([{ ...turn, ran: [...ran, second] }, ...rest], { plan: perStep })).events;
    expect(again.find(({ code }) => code === 'tool-backend-down')).toHaveProperty('repaired');
  });

  it.each([0, 1])('calls without ids, or of one id, are told apart by their place (%i)', (place) => {
    for (const id of ['', 'twin']) {
      const asks: [string, string | object, string][] = [0, 1].map((at) => ['web_search', at === place ? { query: 5 } : { query: 'x' }, id]);
      const turn: Turn = { asks, ran: [{ name: 'web_search', arguments: { query: 'x' } }], delivered: [] };
      expect(classifyTrial(trialWith([turn, { ...answer, delivered: [] }], { tools: [SEARCH] })).events.map(({ code }) => code)).toEqual(['invalid-arguments']);
    }
    const asks: [string, string | object, string][] = [0, 1].map((at) => ['web_search', at === place ? '{"query":' : { query: 'x' }, 'twin']);
    const fault: Turn = { asks, ran: [{ name: 'web_search', arguments: { query: 'x' } }] };
    const one = { callId: 'twin', text: 'found 0' };
    const told = (delivered: NonNullable<Turn['delivered']>) => classifyTrial(trialWith([fault, { ...answer, delivered }])).handling;
    expect([told([one]), told([one, { callId: 'twin', text: 'no JSON' }])]).toEqual(['concealed', 'reported']);
  });

  it('two broken calls that both ran are two calls that nobody made so', () => {
    const turn: Turn = {
      step: 's1',
      ask: 0,
      callSteps: [
        { step: 's1', ask: 0 },
        { step: 's2', ask: 0 },
      ],
      asks: [
        ['web_search', '{"query": "bo'],
        ['web_search', '{"query": "ha'],
      ],
      ran: [
        { name: 'web_search', arguments: { query: 'bo' } },
        { name: 'web_search', arguments: { query: 'ha' } },
      ],
    };
    const { events } = classifyTrial(trialWith([turn, answer], { plan, tools: [SEARCH] }));
    expect(events.map(({ code, step }) => [code, step])).toEqual([
      ['altered-arguments', 's1'],
      ['altered-arguments', 's2'],
    ]);
  });
});

describe('of a trial that was divided among planner, workers and synthesis', () => {
  const planned: Turn = { role: 'planner', step: 'plan', ask: 0, offeredTools: [], says: '{"subtasks":["a","b"]}', instructionSeen: false };
  const worked = (step: string, rest: Turn = {}): Turn => ({
    role: 'subtask-worker',
    step: `hand-over ${step}`,
    ask: 0,
    says: 'a: 1',
    stepsDone: ['s1', 's2'],
    instructionSeen: false,
    ...rest,
  });
  const joined: Turn = { role: 'synthesis', step: 'answer', ask: 0, offeredTools: [], stepsDone: ['s1', 's2'], says: 'FINAL ANSWER: 2' };

  it('a report that came empty and was passed on is concealed, though others were asked afterwards', () => {
    const verdict = classifyTrial(trialWith([planned, worked('s1', { says: '' }), worked('s2'), joined], { plan }));
    expect(verdict).toMatchObject({ outcome: 'completed', handling: 'concealed', code: 'empty-reply' });
    const again = classifyTrial(trialWith([planned, worked('s1', { says: '' }), worked('s2'), worked('s1', { ask: 1 }), joined], { plan }));
    expect(again).toMatchObject({ handling: 'repaired' });
  });

  it('a plan in a broken form is the model’s, repaired by a whole one, and whoever throws over it reported it', () => {
    const broken: Turn = { ...planned, says: 'First this: a', slip: 'malformed-plan' };
    expect(classifyTrial(trialWith([broken, { ...planned, ask: 1 }, worked('s1'), worked('s2'), joined], { plan }))).toMatchObject({
      handling: 'repaired',
      code: 'malformed-plan',
    });
    const threw = classifyTrial(trialWith([broken], { plan, workerError: { name: 'SyntaxError', message: 'Unexpected token' } }));
    expect(threw).toMatchObject({
      outcome: 'failed',
      handling: 'reported',
      code: 'malformed-plan',
      events: expect.arrayContaining([expect.objectContaining({ source: 'model' })]),
    });
  });

  it('breaking off at a worker loses no instruction, and answering with its report does', () => {
    const threw = classifyTrial(trialWith([planned, worked('s1')], { plan, workerError: { name: 'Error', message: 'no' } }));
    expect(threw.events.map(({ code }) => code)).not.toContain('instruction-lost');
    expect(classifyTrial(trialWith([planned, worked('s1')], { plan })).events.map(({ code }) => code)).toContain('instruction-lost');
  });

  it('orders events of its parts by name and ask, never by arrival', () => {
    const [one, two] = [worked('s1', { says: '' }), worked('s2', { says: '' })];
    const events = (turns: Turn[]) => classifyTrial(trialWith(turns, { plan })).events;
    expect(events([planned, two, one, joined])).toEqual(events([planned, one, two, joined]));
  });

  it('a report that a worker gave when its tools were taken away, with its subtask open, is a forced answer', () => {
    const forced = worked('s2', { offeredTools: [], stepsDone: ['s1'] });
    expect(classifyTrial(trialWith([planned, worked('s1'), forced, joined], { plan }))).toMatchObject({ code: 'forced-answer' });
    expect(classifyTrial(trialWith([planned, worked('s1'), { ...forced, stepsDone: ['s1', 's2'] }, joined], { plan })).code).toBeUndefined();
  });

  it('a result that its worker sent on is not lost, though the broker stamped its end late and nobody else saw it', () => {
    const found: Turn = {
      role: 'subtask-worker',
      step: 's1',
      ask: 0,
      asks: [['web_search', { query: 'x' }, 'c1']],
      ran: [{ name: 'web_search', arguments: { query: 'x' }, endMs: 45 }],
    };
    const verdict = classifyTrial(trialWith([planned, found, worked('s1', { delivered: [{ callId: 'c1', text: 'found 0' }] }), joined], { plan }));
    expect(verdict.events.map(({ code }) => code)).not.toContain('lost-result');
  });
});

describe('at the tools', () => {
  it('M2.4: running a call that no reply holds is altered-arguments, and conceals', () => {
    const cut: Turn = { step: 's1', ask: 0, asks: [['web_search', '{"query": "bo']], ran: [{ name: 'web_search', arguments: { query: 'bo' } }] };
    expect(classifyTrial(trialWith([cut, answer], { plan: onePlan }))).toEqual({
      outcome: 'completed',
      handling: 'concealed',
      code: 'altered-arguments',
      events: [{ code: 'altered-arguments', source: 'framework', step: 's1', ask: 0 }],
    });
  });

  it.each([
    ['a lossless number', { query: '5', count: '3' }, { query: '5', count: 3 }],
    ['a filled-in default', { query: 'x' }, { query: 'x', count: 10 }],
    ['null for absent', { query: 'x', count: null }, { query: 'x' }],
    ['a dropped extra key', { query: 'x', why: 'y' }, { query: 'x' }],
    ['other key order', { count: 1, query: 'x' }, { query: 'x', count: 1 }],
  ])('%s is no alteration', (_, asked, received) => {
    const turn: Turn = { asks: [['web_search', asked]], ran: [{ name: 'web_search', arguments: received }] };
    expect(classifyTrial(trialWith([turn, answer], { tools: [SEARCH] })).events).toEqual([]);
  });

  it.each([
    ['a changed value', { query: 'x' }, { query: 'y' }],
    ['a lossy number', { query: 'x', count: 3.5 }, { query: 'x', count: 3 }],
    ['a lost parameter', { query: 'x', count: 3 }, { query: 'x' }],
    ['an invented required one', { count: 3 }, { query: '', count: 3 }],
  ])('%s is one', (_, asked, received) => {
    const turn: Turn = { asks: [['web_search', asked]], ran: [{ name: 'web_search', arguments: received }] };
    expect(classifyTrial(trialWith([turn, answer], { tools: [SEARCH] })).code).toBe('altered-arguments');
  });

  it('M2.4: a call that the broker refused was executed with invalid arguments, and may be repaired', () => {
    const refused = s1(0, { asks: [['web_search', { query: 5 }]], ran: [{ name: 'web_search', arguments: { query: 5 }, status: 422, result: 'refused' }] });
    expect(classifyTrial(trialWith([refused, s1(1, search('5')), done], { plan: onePlan, tools: [SEARCH] }))).toMatchObject({
      handling: 'repaired',
      events: [{ code: 'invalid-arguments-executed', source: 'framework', step: 's1', ask: 0, repaired: true }],
    });
    expect(classifyTrial(trialWith([refused], { workerError: error, tools: [SEARCH] }))).toMatchObject({
      code: 'invalid-arguments-executed',
      handling: 'reported',
    });
  });

  it('a result that stands in no later request is lost', () => {
    const two: Turn = {
      asks: [
        ['web_search', { query: 'a' }, 'a'],
        ['web_search', { query: 'b' }, 'b'],
      ],
    };
    const half: Turn = { ...answer, delivered: [{ callId: 'a', text: 'found 0' }] };
    expect(classifyTrial(trialWith([two, half]))).toMatchObject({ code: 'lost-result', handling: 'lost' });
    expect(classifyTrial(trialWith([two, answer])).events).toEqual([]);
    expect(classifyTrial(trialWith([search('a'), { ...answer, delivered: [{ callId: 'call-0-0', text: '' }] }]))).toMatchObject({ code: 'lost-result' });
  });

  it('no result is lost that came wrapped, without an id in a text history, or as evidence, nor one after which nobody asked', () => {
    const wrapped: Turn = { ...answer, delivered: [{ callId: 'other', text: '{"output":"harbour \\u00e9 records\\n12"}' }] };
    expect(classifyTrial(trialWith([{ ...search('a'), ran: [{ arguments: { query: 'a' }, result: 'harbour é records\n12' }] }, wrapped])).events).toEqual([]);
    expect(classifyTrial(trialWith([search('a'), { ...answer, delivered: [] }])).events).toEqual([]);
    expect(classifyTrial(trialWith([search('a')], { workerError: error })).events.map((event) => event.code)).toEqual(['framework-exception']);
  });

  it('a dead back end is infrastructure, unless the tool answered later', () => {
    const dead: Turn = { ...search('a'), ran: [{ name: 'web_search', arguments: { query: 'a' }, status: 503, result: '' }] };
    expect(classifyTrial(trialWith([dead], { workerError: error }))).toMatchObject({
      outcome: 'infrastructure',
      code: 'tool-backend-down',
      handling: 'reported',
    });
    expect(classifyTrial(trialWith([dead, search('a'), answer]))).toMatchObject({ outcome: 'completed', handling: 'repaired' });
  });
});

describe('M3.4: at the cap', () => {
  const asking = Array.from({ length: 4 }, (_, index) => search(`q${index}`));
  const limits = { cap: 6, agentCap: 4 };

  it.each([
    ['an exception', { workerError: { name: 'GraphRecursionError', message: 'limit of 8' } }, 'reported'],
    ['a notice', { output: 'Run halted after 4 steps.' }, 'concealed'],
    ['nothing', { output: '' }, 'concealed'],
  ] as const)('the framework that stops with %s has outcome limit', (_, ended, handling) => {
    expect(classifyTrial(trialWith(asking, { ...limits, ...ended }))).toMatchObject({
      outcome: 'limit',
      code: 'iteration-cap',
      stoppedBy: 'framework',
      handling,
    });
  });

  it('the one that asks on is stopped by the gateway', () => {
    const turns = [...asking, search('q5'), search('q6'), { ...search('q7'), capped: true as const, ran: [] }];
    const ended = { hostReason: 'cap' as const, exit: { signal: 'SIGKILL' } };
    expect(classifyTrial(trialWith(turns, { ...limits, ...ended }))).toEqual({
      outcome: 'limit',
      code: 'iteration-cap',
      stoppedBy: 'gateway',
      handling: 'reported',
      events: [{ code: 'iteration-cap', source: 'framework' }],
    });
  });

  it('a limit before the cap is no cap, unless the number was handed on as it stands', () => {
    expect(classifyTrial(trialWith(asking.slice(1), { ...limits, workerError: error }))).toMatchObject({ outcome: 'failed', code: 'framework-exception' });
    expect(classifyTrial(trialWith(asking.slice(1), { ...limits, capLiteral: 3, workerError: error }))).toMatchObject({
      outcome: 'limit',
      stoppedBy: 'framework',
    });
  });

  it('a model that always asks the same is a loop beside the cap', () => {
    const verdict = classifyTrial(trialWith([search('x'), search('x'), search('x'), search('x')], { ...limits, output: 'Run halted after 4 steps.' }));
    expect(verdict).toMatchObject({ outcome: 'limit', code: 'iteration-cap' });
    expect(verdict.events.map((event) => event.code)).toEqual(['loop', 'iteration-cap', 'notice-as-answer']);
  });

  it('a loop that a slip of the model began is the model’s, and equal calls of different steps are none', () => {
    const slip = [0, 1, 2].map((ask): Turn => ({ ...s1(ask, search('x')), slip: 'repeated-call' }));
    expect(classifyTrial(trialWith([...slip, answer], { plan: onePlan })).events).toEqual([
      { code: 'loop', source: 'model', step: 's1', ask: 2, repaired: true },
    ]);
    const steps = ['s1', 's2', 's3'].map((step): Turn => ({ ...search('x'), step, ask: 0 }));
    expect(classifyTrial(trialWith([...steps, answer])).events).toEqual([]);
  });

  it('a loop that ends is repaired, and two equal calls are none', () => {
    expect(classifyTrial(trialWith([search('x'), search('x'), search('x'), answer])).events).toEqual([{ code: 'loop', source: 'framework', repaired: true }]);
    expect(classifyTrial(trialWith([search('x'), search('x'), answer])).events).toEqual([]);
  });

  it('an answer in the last call, or without the tools, while steps are open is forced', () => {
    const last = [...asking.slice(1), { ...answer, stepsDone: ['s1'] }];
    expect(classifyTrial(trialWith(last, { ...limits, plan }))).toMatchObject({ outcome: 'completed', code: 'forced-answer', handling: 'reported' });
    expect(classifyTrial(trialWith(last, { ...limits, plan: onePlan })).events).toEqual([]);
    const taken = [search('a'), { ...answer, stepsDone: [], offeredTools: [] }];
    expect(classifyTrial(trialWith(taken, { plan })).code).toBe('forced-answer');
    expect(classifyTrial(trialWith([search('a'), { ...answer, offeredTools: [] }], { isLive: true })).code).toBe('forced-answer');
    // With a real model a request that nothing came back to is another conversation: a synthesis never had tools.
    expect(classifyTrial(trialWith([search('a'), answer, { ...answer, offeredTools: [] }], { isLive: true })).code).toBeUndefined();
    expect(classifyTrial(trialWith([{ ...answer, stepsDone: [], offeredTools: [] }], { plan })).events).toEqual([]);
  });
});

describe('M5.3: the end of a process', () => {
  it.each([
    [{ code: 42, stderr: 'bye' }, 'worker-exit', 'failed'],
    [{ signal: 'SIGSEGV' }, 'worker-exit', 'failed'],
    [{ signal: 'SIGKILL' }, 'host-signal', 'infrastructure'],
    [{ signal: 'SIGKILL', oomKilled: true }, 'out-of-memory', 'failed'],
    [{ signal: 'SIGABRT', stderr: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory' }, 'out-of-memory', 'failed'],
    [{ code: 1, stderr: 'UnhandledPromiseRejection: This error originated either by' }, 'unhandled-rejection', 'failed'],
    [{ code: 1, stderr: 'Uncaught by unhandledRejection\nTypeError: y' }, 'unhandled-rejection', 'failed'],
  ])('%j is %s', (exit, code, outcome) => {
    expect(classifyTrial(trialWith([search('a')], { exit }))).toMatchObject({ outcome, code, handling: 'lost' });
  });

  it('is the code whatever fault came before, and says no path', () => {
    const verdict = classifyTrial(
      trialWith([{ asks: [['nope', {}]], ran: [] }], { exit: { code: 1, stderr: '/srv/x/y.js:3\nTypeError: no /srv/x/tool at 127.0.0.1:4711\n at z' } }),
    );
    expect(verdict).toMatchObject({ code: 'worker-exit', failure: { message: 'The worker ended with code 1: TypeError: no <path> at 127.0.0.1:<port>' } });
    expect(verdict.events.map((event) => event.code)).toEqual(['unknown-tool', 'worker-exit']);
  });

  it('does not count once the trial has ended', () => {
    expect(classifyTrial(trialWith([answer], { exit: { code: 1 }, output: 'FINAL ANSWER: 5' }))).toEqual({ outcome: 'completed', events: [] });
  });

  it('by the host is what the host saw: memory, protocol', () => {
    expect(classifyTrial(trialWith([], { hostReason: 'memory', exit: { signal: 'SIGKILL' } }))).toMatchObject({ outcome: 'failed', code: 'out-of-memory' });
    expect(classifyTrial(trialWith([], { hostReason: 'protocol', protocolProblem: 'no JSON' }))).toMatchObject({
      outcome: 'failed',
      code: 'worker-exit',
      failure: { message: 'The worker broke the protocol: no JSON' },
    });
  });
});

describe('M3.5: the deadline', () => {
  const ended = { hostReason: 'deadline' as const, exit: { signal: 'SIGTERM' } };

  it('finds a hang when nothing is in flight', () => {
    expect(classifyTrial(trialWith([search('a')], ended))).toMatchObject({ outcome: 'failed', code: 'hang', handling: 'lost', stoppedBy: 'host' });
  });

  it('finds a time-out of the infrastructure while a model or tool call is in flight', () => {
    const evidence = trialWith([search('a'), answer], ended);
    const [first, ...rest] = evidence.traffic.calls;
    const { endMs: _, ...open } = rest[0] as NonNullable<(typeof rest)[0]>;
    const calls = [first as NonNullable<typeof first>, open];
    expect(classifyTrial({ ...evidence, traffic: { ...evidence.traffic, calls } })).toMatchObject({
      outcome: 'infrastructure',
      code: 'timeout',
      stoppedBy: 'host',
    });
    // Whoever obeys the host drops the request at once: it was in flight all the same.
    const dropped = { ...open, endMs: 40, status: 499, reply: { kind: 'error', code: 'unanswered', message: '' } } as const;
    const obeyed = { ...evidence, traffic: { ...evidence.traffic, calls: [first as NonNullable<typeof first>, dropped] } };
    expect(classifyTrial(obeyed)).toMatchObject({ outcome: 'infrastructure', code: 'timeout' });
    // One that was given up earlier, and that something followed, was not.
    const followed = { ...obeyed.traffic, calls: [...obeyed.traffic.calls, { ...(first as NonNullable<typeof first>), startMs: 50, endMs: 60 }] };
    expect(classifyTrial({ ...obeyed, traffic: followed })).toMatchObject({ code: 'hang' });
  });
});

describe('cancelled', () => {
  it.each(['cancelled', 'stopped'] as const)('%s is its own outcome, with no failure', (hostReason) => {
    expect(classifyTrial(trialWith([search('a')], { hostReason }))).toEqual({ outcome: 'cancelled', stoppedBy: 'host', events: [] });
  });
});

describe('what comes back', () => {
  it('text that stands in no reply is a notice, and is not to be scored', () => {
    expect(classifyTrial(trialWith([search('a'), answer], { output: 'Agent stopped: parsing failure.' }))).toMatchObject({
      outcome: 'failed',
      code: 'notice-as-answer',
      handling: 'concealed',
    });
    expect(classifyTrial(trialWith([], { output: 'hello' })).code).toBe('notice-as-answer');
  });

  it('nothing, although the last reply says something, is silent-empty', () => {
    expect(classifyTrial(trialWith([search('a'), answer], { output: ' \n' }))).toMatchObject({
      outcome: 'failed',
      code: 'silent-empty',
      handling: 'concealed',
    });
    expect(classifyTrial(trialWith([search('a')])).code).toBe('silent-empty');
  });

  it('an empty or cut last reply as it came is empty-passed-on', () => {
    expect(classifyTrial(trialWith([search('a'), { says: '' }])).events).toEqual([{ code: 'empty-passed-on', source: 'framework' }]);
    const cut = classifyTrial(trialWith([search('a'), { says: 'so the harbour master', truncated: true }]));
    expect(cut).toMatchObject({ outcome: 'completed', code: 'empty-passed-on', handling: 'concealed' });
  });

  it('nothing after a cut call is a call dropped in silence, as after one that is no JSON', () => {
    const cut = { ...search('b'), truncated: true };
    expect(classifyTrial(trialWith([search('a'), cut], { output: '' }))).toMatchObject({ outcome: 'failed', handling: 'concealed', code: 'truncated' });
  });

  it('an empty reply that was asked again is repaired', () => {
    expect(classifyTrial(trialWith([search('a'), { says: '' }, answer]))).toMatchObject({ outcome: 'completed', handling: 'repaired', code: 'empty-reply' });
  });

  it.each([{ says: '', reasoning: true as const }, { says: '<think>maybe 4' }])('thoughts alone (%j) are reasoning-only', (turn) => {
    expect(classifyTrial(trialWith([turn]))).toMatchObject({ outcome: 'failed', code: 'reasoning-only', handling: 'concealed', events: [{ source: 'model' }] });
  });

  it('a refusal is the model’s', () => {
    const refused = classifyTrial(trialWith([{ says: "I'm sorry, but I can't help with that." }]));
    expect(refused).toEqual({ outcome: 'completed', code: 'refusal', events: [{ code: 'refusal', source: 'model' }] });
    expect(finishVerdict(refused, { correct: false, noMarker: true })).toEqual(refused);
  });

  it('M1.2: an answer to a request without the instruction has lost it', () => {
    expect(classifyTrial(trialWith([search('a'), { ...answer, instructionSeen: false }]))).toMatchObject({ code: 'instruction-lost', handling: 'lost' });
    // With a real model nobody knows whether a trial that broke off was at a part, which has a question of its own.
    const brokeOff = trialWith([{ ...answer, instructionSeen: false }], { isLive: true, workerError: error });
    expect(classifyTrial(brokeOff).events.map(({ code }) => code)).toEqual(['framework-exception']);
    expect(classifyTrial(trialWith([{ ...search('a'), instructionSeen: false }, answer])).events).toEqual([]);
    expect(classifyTrial(trialWith([{ ...answer, instructionSeen: false }], { instruction: '' })).events).toEqual([]);
  });
});

describe('after the end', () => {
  it.each([
    ['a model request', trialWith([answer, { ...search('a'), stray: true, ran: [] }], { output: 'FINAL ANSWER: 5' })],
    ['a tool call', trialWith([{ ...answer, ran: [{ stray: true }] }])],
    ['a late request', trialWith([answer], { strayRequests: 1, output: 'FINAL ANSWER: 5' })],
  ])('%s is stray work', (_, evidence) => {
    expect(classifyTrial(evidence)).toMatchObject({ code: 'stray-work', handling: 'lost' });
  });

  it('branches that were at work make it cut', () => {
    const beside = trialWith([search('a'), { ...answer, startMs: 0, endMs: 30 }], { endMs: 25 });
    expect(classifyTrial(beside).cut).toBe(true);
    expect(classifyTrial(trialWith([search('a'), { ...answer, endMs: 500 }], { endMs: 25 })).cut).toBe(true);
    expect(classifyTrial(trialWith([search('a'), answer], { endMs: 30 })).cut).toBeUndefined();
  });

  it('the death of a process makes it cut where branches were asking side by side, and nowhere else', () => {
    const exit = { code: 1, stderr: 'Error: gone' };
    const alone = trialWith([search('a'), search('b')], { exit });
    expect(classifyTrial(alone)).toMatchObject({ handling: 'lost' });
    expect(classifyTrial(alone).cut).toBeUndefined();
    const beside = trialWith(
      [
        { ...search('a'), startMs: 0, endMs: 9 },
        { ...search('b'), startMs: 5, endMs: 12 },
      ],
      { exit },
    );
    expect(classifyTrial(beside).cut).toBe(true);
    const worker = (step: string, rest: Partial<Turn> = {}): Turn => ({ ...search(step), role: 'subtask-worker', step, delivered: [], ...rest });
    // Answered at once, one after the other, and both were at work.
    expect(classifyTrial(trialWith([worker('s1'), worker('s3')], { exit })).cut).toBe(true);
    expect(
      classifyTrial(trialWith([worker('s1'), worker('s2', { delivered: [{ callId: 'a', text: 'found' }] }), worker('hand-over s2')], { exit })).cut,
    ).toBeUndefined();
  });

  it('the last reply, stamped a little later than the worker read it, does not', () => {
    expect(classifyTrial(trialWith([search('a'), answer], { endMs: 29.5 })).cut).toBeUndefined();
    const lateTool: Turn = { ...search('a'), ran: [{ name: 'web_search', arguments: { query: 'a' }, endMs: 400 }] };
    expect(classifyTrial(trialWith([lateTool, answer], { endMs: 29.5 })).cut).toBeUndefined();
    expect(classifyTrial(trialWith([lateTool, { ...answer, delivered: [] }], { endMs: 29.5 })).cut).toBe(true);
    // The broker's refusal ended the run; the reply that asked for that call was stamped later still, and had ended before the call began.
    const refused = trialWith([{ ...search('a'), endMs: 27, ran: [{ status: 422, startMs: 10, endMs: 26 }] }], {
      endMs: 25,
      workerError: { name: 'Error', message: 'refused' },
    });
    expect(classifyTrial(refused)).toMatchObject({ code: 'invalid-arguments-executed' });
    expect(classifyTrial(refused).cut).toBeUndefined();
  });
});

describe('M5.3: providers', () => {
  it.each([
    [429, 'too_many_requests', 'rate-limit'],
    [500, 'server_error', 'provider-error'],
    [401, 'invalid_api_key', 'provider-error'],
    [504, 'gateway', 'timeout'],
  ])('status %d is %s', (status, fails, code) => {
    expect(classifyTrial(trialWith([{ status, fails }], { workerError: error }))).toMatchObject({ outcome: 'infrastructure', code, handling: 'reported' });
  });

  it('a retry that got an answer repaired it', () => {
    expect(classifyTrial(trialWith([{ status: 500, fails: 'server_error' }, answer]))).toMatchObject({
      outcome: 'completed',
      handling: 'repaired',
      code: 'provider-error',
    });
  });

  it('a refused request is the framework’s: too long is context-overflow, else its exception', () => {
    const run = (fails: string) => classifyTrial(trialWith([{ status: 400, fails }], { workerError: error }));
    expect(run('context_length_exceeded')).toMatchObject({ outcome: 'failed', code: 'context-overflow', handling: 'reported' });
    expect(run('invalid_request')).toMatchObject({ outcome: 'failed', code: 'framework-exception' });
  });

  it('a stated budget that ran out is retries-exhausted', () => {
    const workerError = { name: 'UnexpectedModelBehavior', message: 'Exceeded maximum retries (1) for output validation' };
    expect(classifyTrial(trialWith([answer], { workerError }))).toMatchObject({ code: 'retries-exhausted', handling: 'reported' });
  });

  it('an error of the harness is marked as that', () => {
    expect(classifyTrial(trialWith([answer], { plan: { harnessErrors: ['matcher-miss', 'matcher-miss'] } })).events).toEqual([
      { code: 'harness-error', source: 'infrastructure' },
    ]);
  });
});

describe('finishVerdict', () => {
  const clean = classifyTrial(trialWith([answer]));
  const repaired = classifyTrial(trialWith([s1(0, { asks: [['nope', {}]], ran: [] }), s1(1, search('x')), done], { plan: onePlan }));

  it('gives a wrong answer the code of the model, and no handling', () => {
    expect(finishVerdict(clean, { correct: false, noMarker: false })).toEqual({
      outcome: 'completed',
      code: 'wrong-answer',
      events: [{ code: 'wrong-answer', source: 'model' }],
    });
    expect(finishVerdict(clean, { correct: false, noMarker: true }).code).toBe('no-marker');
  });

  it('leaves a right answer, an unscored one and a failure as they are', () => {
    const failed = classifyTrial(trialWith([answer], { workerError: error }));
    for (const [verdict, correct] of [
      [clean, true],
      [repaired, true],
      [clean, undefined],
      [failed, false],
    ] as const)
      expect(finishVerdict(verdict, { correct, noMarker: false })).toEqual(verdict);
  });

  it('takes the answer for the cause only where no unrepaired event is one', () => {
    expect(finishVerdict(repaired, { correct: false, noMarker: false })).toMatchObject({ code: 'wrong-answer', handling: 'repaired' });
    const lost = classifyTrial(trialWith([{ ...answer, instructionSeen: false }]));
    expect(finishVerdict(lost, { correct: false, noMarker: true })).toMatchObject({ code: 'instruction-lost', handling: 'lost' });
  });
});
