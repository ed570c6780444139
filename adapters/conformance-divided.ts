// What an adapter must keep in the shapes in which several agents share a question, as data like conformance.ts: `dag` and our engine's `idiomatic` divide it among
// planner, subtask workers and synthesis, the `idiomatic` of other rows goes the way that conformance-idioms.ts says.
// Scripts answer requests in their order; where two workers ask at once, both get the same words.
import type { ScriptedReply } from '../base/script.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { ShapeName } from './adapter.ts';
import { CONFORMANCE_CASES, type ConformanceCase, INSTRUCTION, LOOK_UP, MEASURE } from './conformance.ts';
import { each, first, flat, MOST_RUNS, outputIs, requestsAre, type Seen, samplingIs, told, toolsRan } from './conformance-checks.ts';
import { ANSWER, CALCULATOR, DOCUMENT, DOCUMENT_IDIOMS, IDIOMS, lookUp, READ_TEXT, text, type Way } from './conformance-idioms.ts';

const SUBTASKS = ['Read what stands on the seventh door.', 'Measure the eighth door.'] as const;
const REPORT = 'number on the seventh door: 48';

/** Fits a worker that is asked for text and one whose answer has a schema. */
const reports = text(JSON.stringify({ report: REPORT, complete: true }));
const refused: ScriptedReply = { kind: 'error', status: 400, message: 'No more.' };
const plan = (...subtasks: readonly string[]) => text(JSON.stringify({ subtasks }));
const TOOLS = [
  { schema: LOOK_UP, results: [{ kind: 'text', text: 'It says 48.' }] },
  { schema: MEASURE, results: [{ kind: 'text', text: '2 m' }] },
] as const;

const COMPUTES = { schema: CALCULATOR, results: [{ kind: 'text', text: '40 + 8 = 48' }] } as const;
const WAY_TOOLS: ConformanceCase['tools'] = [TOOLS[0], COMPUTES];
const DOCUMENT_TOOLS: ConformanceCase['tools'] = [{ schema: READ_TEXT, results: [{ kind: 'text', text: DOCUMENT }] }, COMPUTES];

/** The cases of a row's shape. An `idiomatic` of which no way is known, such as a user's own, must keep what holds on any way. */
export function casesOf(framework: string, shape: ShapeName): readonly ConformanceCase[] {
  if (shape === 'single') return CONFORMANCE_CASES;
  const way = IDIOMS[framework];
  if (shape === 'idiomatic' && way !== undefined) {
    const withDocuments = DOCUMENT_IDIOMS[framework];
    return [
      along('goes-its-way', way, WAY_TOOLS),
      ...(withDocuments === undefined ? [] : [along('with-documents', withDocuments, DOCUMENT_TOOLS)]),
      straysNot([...way.replies.slice(0, -1), refused]),
      ...sharedCases(way.replies),
      twoHundredRuns(way.replies, WAY_TOOLS),
    ];
  }
  if (shape === 'dag' || framework === 'engine') return [...DIVIDED_CASES, ...sharedCases(DIVISION), twoHundredRuns(DIVISION)];
  return sharedCases();
}

const DIVISION: readonly ScriptedReply[] = [plan(SUBTASKS[0]), lookUp, reports, text(ANSWER)];

function along(id: string, { sentence, replies, offers, shows }: Way, tools: ConformanceCase['tools']): ConformanceCase {
  const said = replies.findIndex((reply) => reply.kind === 'text' && reply.text === ANSWER);
  /** Where the answer goes through a tool, that is the end of the way. */
  const answering = said === -1 ? replies.length - 1 : said;
  const ran = replies.flatMap((reply) => (reply.kind === 'calls' ? reply.calls : [])).filter(({ name }) => schemaOf(tools, name) !== undefined);
  return {
    id,
    sentence,
    script: { replies },
    tools,
    fault: each((seen) =>
      first(
        outputIs(seen, ANSWER),
        requestsAre(seen, replies.length),
        toolsRan(
          { ...seen, toolCalls: seen.toolCalls.map((call) => ({ ...call, arguments: own(tools, call.name, call.arguments) })) },
          ran.map((call) => own(tools, call.name, JSON.parse(call.arguments))),
        ),
        offered(seen, offers),
        shows === undefined ? undefined : holds(seen, shows.request, shows.texts),
        instructed(seen, answering),
        holds(seen, answering, [seen.start.systemText, seen.start.userText]),
      ),
    ),
  };
}

function schemaOf(tools: ConformanceCase['tools'], name: string): ToolSchema | undefined {
  return tools.find(({ schema }) => schema.name === name)?.schema;
}

/** What a framework's own tool is asked for beside the tool's parameters is its own affair: the broker ignores it. */
function own(tools: ConformanceCase['tools'], name: string, given: unknown): Readonly<Record<string, unknown>> {
  const parameters = schemaOf(tools, name)?.parameters.properties ?? {};
  return Object.fromEntries(Object.entries(Object(given)).filter(([key]) => key in parameters));
}

const DIVIDED_CASES: readonly ConformanceCase[] = [
  {
    id: 'plans-works-joins',
    sentence: 'plans without tools, works on the subtask with all tools, and joins what was found without tools',
    script: { replies: DIVISION },
    tools: TOOLS,
    fault: each((seen) => first(outputIs(seen, ANSWER), requestsAre(seen, 4), toolsRan(seen, [{ door: 'seventh' }]), offered(seen, [0, 2, 2, 0]))),
  },
  {
    id: 'sees-its-subtask',
    sentence: 'shows a worker its subtask and not the question',
    script: { replies: [plan(SUBTASKS[0]), reports, text(ANSWER)] },
    tools: TOOLS,
    fault: each((seen) => first(outputIs(seen, ANSWER), holds(seen, 1, [SUBTASKS[0]]), lacks(seen, 1, [seen.start.userText, INSTRUCTION]))),
  },
  {
    id: 'all-subtasks',
    sentence: 'works on every subtask once',
    script: { replies: [plan(...SUBTASKS), reports, reports, text(ANSWER)] },
    tools: TOOLS,
    fault: each((seen) => first(outputIs(seen, ANSWER), requestsAre(seen, 4), eachOnce(seen, [1, 2], SUBTASKS))),
  },
  {
    id: 'findings-kept',
    sentence: 'carries every report, the system text and the user text into the request that gets the last reply',
    script: { replies: [plan(...SUBTASKS), reports, reports, text(ANSWER)] },
    tools: TOOLS,
    fault: each((seen) => first(holds(seen, 3, [REPORT, seen.start.systemText, seen.start.userText]), instructed(seen))),
  },
  straysNot([plan(...SUBTASKS), lookUp, refused]),
];

/** What holds in any of these shapes, whatever the way. */
function sharedCases(way: readonly ScriptedReply[] = [text(ANSWER)]): readonly ConformanceCase[] {
  return [
    {
      id: 'no-tools',
      sentence: 'divides nothing where there are no tools: one request',
      script: { replies: [text(ANSWER)] },
      tools: [],
      fault: each((seen) =>
        first(outputIs(seen, ANSWER), requestsAre(seen, 1), holds(seen, 0, [seen.start.systemText, seen.start.userText]), instructed(seen)),
      ),
    },
    {
      id: 'sampling',
      sentence: 'sends the model, the key, the temperature and the max tokens of the terms, and no other sampling that changes anything',
      script: { replies: way },
      tools: TOOLS,
      fault: each(samplingIs),
    },
    {
      id: 'cancellation',
      sentence: 'ends within two seconds of its signal while the model hangs',
      script: { replies: [{ kind: 'hang' }] },
      tools: TOOLS,
      cancel: true,
      fault: each((seen) =>
        first(
          seen.end === undefined ? `had to be ended by the host (${seen.died ?? 'no end'})` : undefined,
          seen.end?.error === undefined ? 'ended as if it had an answer' : undefined,
          seen.cancelMs === undefined || seen.cancelMs > 2_000 ? `took ${seen.cancelMs ?? 'too many'} ms` : undefined,
        ),
      ),
    },
    {
      id: 'model-error',
      sentence: 'carries a refusal of the model server as an error that holds its message',
      script: { replies: [{ kind: 'error', status: 400, message: 'The seventh door is closed.' }] },
      tools: TOOLS,
      fault: each((seen) => {
        if (seen.end?.error === undefined) return `no error came back: ${told(seen)}`;
        return seen.end.error.message.includes('The seventh door is closed.') ? undefined : `the error says: ${seen.end.error.message}`;
      }),
    },
    {
      id: 'canary',
      sentence: "shows nothing of the host's own to model or tools",
      script: { replies: way },
      tools: TOOLS,
      fault: each((seen) => (JSON.stringify([seen.traffic, seen.toolCalls, seen.end]).includes(seen.canary) ? 'the canary was seen' : undefined)),
    },
  ];
}

function straysNot(replies: readonly ScriptedReply[]): ConformanceCase {
  return {
    id: 'no-stray-work',
    sentence: 'asks and calls nothing after its end when it is refused on its way',
    script: { replies },
    tools: TOOLS,
    watchAfterMs: 400,
    fault: each((seen) =>
      first(
        seen.strayRequests === 0 ? undefined : `${seen.strayRequests} requests or tool calls after the end`,
        seen.traffic.calls.some((call) => call.stray) ? 'a request was open after the end' : undefined,
        seen.toolCalls.some((call) => call.stray) ? 'a tool call was open after the end' : undefined,
      ),
    ),
  };
}

function twoHundredRuns(way: readonly ScriptedReply[], tools: ConformanceCase['tools'] = TOOLS): ConformanceCase {
  return {
    id: 'two-hundred-runs',
    sentence: 'answers two hundred times in one process, with flat memory',
    script: { replies: way },
    tools,
    runs: 200,
    mostRuns: MOST_RUNS,
    fault: (seen) =>
      first(...seen.map((one) => outputIs(one, ANSWER)), flat(seen.flatMap(({ end }) => (end?.peakRssBytes === undefined ? [] : [end.peakRssBytes])))),
  };
}

function offered({ traffic }: Seen, counts: readonly number[]): string | undefined {
  const found = traffic.calls.map((call) => call.offeredTools.length);
  return found.join() === counts.join() ? undefined : `the requests offered ${found.join(', ')} tools instead of ${counts.join(', ')}`;
}

function bodyOf({ traffic }: Seen, index: number): string {
  return JSON.stringify(traffic.calls[index]?.requestBody ?? '');
}

/** As JSON has it inside JSON, once or twice: findings may themselves be told as JSON. */
function stands(body: string, wanted: string): boolean {
  const once = JSON.stringify(wanted).slice(1, -1);
  return body.includes(once) || body.includes(JSON.stringify(once).slice(1, -1));
}

function holds(seen: Seen, index: number, wanted: readonly string[]): string | undefined {
  const missing = wanted.filter((one) => !stands(bodyOf(seen, index), one));
  return missing.length === 0 ? undefined : `request ${index + 1} lacks ${JSON.stringify(missing)}`;
}

function lacks(seen: Seen, index: number, unwanted: readonly string[]): string | undefined {
  const there = unwanted.filter((one) => stands(bodyOf(seen, index), one));
  return there.length === 0 ? undefined : `request ${index + 1} holds ${JSON.stringify(there)}`;
}

function eachOnce(seen: Seen, indices: readonly number[], wanted: readonly string[]): string | undefined {
  const bodies = indices.map((index) => bodyOf(seen, index));
  const wrong = wanted.filter((one) => bodies.filter((body) => stands(body, one)).length !== 1);
  return wrong.length === 0 ? undefined : `not in exactly one worker's request: ${JSON.stringify(wrong)}`;
}

function instructed({ traffic }: Seen, index = -1): string | undefined {
  return traffic.calls.at(index)?.instructionSeen === true ? undefined : 'the gateway saw no instruction in the request that gets the answer';
}
