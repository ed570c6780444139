// What every adapter must keep, as data: a scripted model, scripted tools, and what then must hold of what gateway, broker and host saw.
// Nothing runs here and no framework is imported; runners/conformance.ts plays the cases on real processes.
import type { ModelScript, ScriptedReply, ScriptedResult } from '../base/script.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import {
  delivers,
  each,
  first,
  flat,
  growing,
  MOST_RUNS,
  offers,
  outputIs,
  pairs,
  requestsAre,
  type Seen,
  samplingIs,
  textsIn,
  told,
  toolsRan,
} from './conformance-checks.ts';

export interface ConformanceCase {
  readonly id: string;
  /** What is promised, as a sentence about the adapter. */
  readonly sentence: string;
  readonly script: ModelScript;
  readonly tools: readonly { readonly schema: ToolSchema; readonly results: readonly ScriptedResult[] }[];
  /** @default 10 */
  readonly agentCap?: number;
  /** `--cap-literal`, where a case is about it. */
  readonly capLiteral?: number;
  /** Trials in one worker, one after the other. @default 1 */
  readonly runs?: number;
  /** While something is wrong, a hundred runs more at a time, to this many: a collector of garbage lets memory grow for a while. @default `runs` */
  readonly mostRuns?: number;
  /** Cancel once the first model request is in flight. */
  readonly cancel?: true;
  /** Kill the process of the first run once its first model request is in flight. */
  readonly kill?: boolean;
  /** What the model says in the runs after the first. @default `script` again */
  readonly scriptAfter?: ModelScript;
  /** How long to look on after the end for requests that still come. @default not at all */
  readonly watchAfterMs?: number;
  /** @returns what is wrong, undefined when all is well. Given one entry a run. */
  readonly fault: (seen: readonly Seen[]) => string | undefined;
}

export const INSTRUCTION = 'Finish with the line FINAL ANSWER: followed by the answer.';
export const SYSTEM_TEXT = `You answer questions with the tools you are given. ${INSTRUCTION}`;
export const USER_TEXT = `Which number is on the seventh door? ${INSTRUCTION}`;
const ANSWER = 'I looked it up.\nFINAL ANSWER: 48';

export const LOOK_UP: ToolSchema = {
  name: 'look_up',
  description: 'Looks up what stands on a door.',
  parameters: {
    type: 'object',
    properties: {
      door: { type: 'string', description: 'Name of the door.' },
      floor: { type: 'integer', description: 'Floor, from 0.' },
      weight: { type: 'number', description: 'Weight in kilograms.' },
      exact: { type: 'boolean', description: 'Whether the name must match exactly.' },
    },
    required: ['door'],
    additionalProperties: false,
  },
};
export const MEASURE: ToolSchema = {
  name: 'measure',
  description: 'Measures a door.',
  parameters: { type: 'object', properties: { door: { type: 'string', description: 'Name of the door.' } }, required: ['door'], additionalProperties: false },
};

const answers: ScriptedReply = { kind: 'text', text: ANSWER };
const calls = (...of: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]): ScriptedReply => ({
  kind: 'calls',
  calls: of.map(([name, args]) => ({ name, arguments: JSON.stringify(args) })),
});
const says = (text: string) => ({ kind: 'text', text }) as const;
const door = (name: string) => calls(['look_up', { door: name }]);
const lookUpSays = (...texts: readonly string[]) => [{ schema: LOOK_UP, results: texts.map(says) }];

/** 100 kB in UTF-8, without a character that JSON escapes. */
const LARGE = `${'Straße, naïve, 門, 🚪, e\u0301, \u202Eright\u202C; '.repeat(2_000)}End of the door.`;
const ODD = '第七の門 🚪 — naïve';
/** What JSON escapes: quotation marks, backslashes, line ends, tabs. */
const QUOTED = 'The sign says "48" (\\ not \'47\').\n\t{"door": "seventh", "note": "a\\nb"}\r\n';
const LOOKALIKE = '```json\n{"type":"trial-end","trialId":1,"output":"forged"}\n```\n  **Thought:** done.\n\nFINAL ANSWER: “48”  ';

export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  {
    id: 'answers-at-once',
    sentence: 'hands on the reply of the model when it needs no tool, after one request that offers all tools',
    script: { replies: [answers] },
    tools: [...lookUpSays('48'), { schema: MEASURE, results: [says('2 m')] }],
    fault: each((seen) => first(outputIs(seen, ANSWER), requestsAre(seen, 1), offers(seen, ['look_up', 'measure']))),
  },
  {
    id: 'no-tools',
    sentence: 'runs the same agent without tools: one request, no tool offered',
    script: { replies: [answers] },
    tools: [],
    fault: each((seen) => first(outputIs(seen, ANSWER), requestsAre(seen, 1), offers(seen, []))),
  },
  {
    id: 'one-tool',
    sentence: 'runs a tool that the model calls and brings its text back',
    script: { replies: [door('seventh'), answers] },
    tools: lookUpSays('It says {{door}}: 48.'),
    fault: each((seen) =>
      first(outputIs(seen, ANSWER), requestsAre(seen, 2), toolsRan(seen, [{ door: 'seventh' }]), delivers(seen, 1, ['It says seventh: 48.'])),
    ),
  },
  {
    id: 'five-tools',
    sentence: 'runs five calls in sequence and keeps every result in the conversation',
    script: { replies: [...['a', 'b', 'c', 'd', 'e'].map(door), answers] },
    tools: lookUpSays('Door {{door}}.'),
    fault: each((seen) =>
      first(
        outputIs(seen, ANSWER),
        requestsAre(seen, 6),
        toolsRan(
          seen,
          ['a', 'b', 'c', 'd', 'e'].map((name) => ({ door: name })),
        ),
        delivers(
          seen,
          5,
          ['a', 'b', 'c', 'd', 'e'].map((name) => `Door ${name}.`),
        ),
      ),
    ),
  },
  {
    id: 'parallel-calls',
    sentence: 'runs two calls of one reply and gives each result to its own call',
    script: { replies: [calls(['look_up', { door: 'left' }], ['measure', { door: 'right' }]), answers] },
    tools: [...lookUpSays('left says 4'), { schema: MEASURE, results: [says('right measures 8')] }],
    fault: each((seen) => first(outputIs(seen, ANSWER), requestsAre(seen, 2), pairs(seen, ['left says 4', 'right measures 8']))),
  },
  {
    id: 'unicode-and-size',
    sentence: 'carries Unicode arguments and 100 kB of Unicode text through a tool without a change',
    script: { replies: [door(ODD), answers] },
    tools: lookUpSays(LARGE),
    fault: each((seen) => first(outputIs(seen, ANSWER), toolsRan(seen, [{ door: ODD }]), delivers(seen, 1, [LARGE]))),
  },
  {
    id: 'quotes-kept',
    sentence: 'carries quotation marks, backslashes and line ends through a tool without a change',
    script: { replies: [door('the "7th"\n\\door'), answers] },
    tools: lookUpSays(QUOTED),
    fault: each((seen) => first(outputIs(seen, ANSWER), toolsRan(seen, [{ door: 'the "7th"\n\\door' }]), delivers(seen, 1, [QUOTED]))),
  },
  {
    id: 'answer-untouched',
    sentence: 'returns the last reply as it came: blanks, fences and what looks like our protocol',
    script: { replies: [{ kind: 'text', text: LOOKALIKE }] },
    tools: lookUpSays('48'),
    fault: each((seen) => outputIs(seen, LOOKALIKE)),
  },
  {
    id: 'argument-border',
    sentence: 'lets through what the broker takes: optional parameters given, absent or null, and integral floats (method M2.1)',
    script: {
      replies: [
        door('absent'),
        calls(['look_up', { door: 'given', floor: 3, weight: 1.5, exact: true }]),
        calls(['look_up', { door: 'null', floor: null, weight: null, exact: null }]),
        { kind: 'calls', calls: [{ name: 'look_up', arguments: '{"door": "integral", "floor": 2.0, "weight": 7}' }] },
        answers,
      ],
    },
    tools: lookUpSays('Door {{door}}.'),
    fault: each((seen) =>
      first(
        outputIs(seen, ANSWER),
        toolsRan(seen, [
          { door: 'absent' },
          { door: 'given', floor: 3, weight: 1.5, exact: true },
          { door: 'null' },
          { door: 'integral', floor: 2, weight: 7 },
        ]),
      ),
    ),
  },
  {
    id: 'usage-counted',
    sentence: 'sends every request through the gateway, which counts more tokens as the conversation grows',
    script: { replies: [door('a'), door('b'), answers] },
    tools: lookUpSays('Door {{door}} is a door with quite a few words on it.'),
    fault: each((seen) => first(requestsAre(seen, 3), growing(seen))),
  },
  {
    id: 'instruction-kept',
    sentence: 'carries system text and user text into the request that gets the last reply',
    script: { replies: [door('a'), door('b'), answers] },
    tools: lookUpSays('Door {{door}}.'),
    fault: each((seen) => first(requestsAre(seen, 3), textsIn(seen))),
  },
  {
    id: 'sampling',
    sentence: 'sends the model, the key, the temperature and the max tokens of the terms, and no other sampling that changes anything',
    script: { replies: [answers] },
    tools: lookUpSays('48'),
    fault: each(samplingIs),
  },
  {
    id: 'cap-exact',
    sentence: 'makes exactly as many model calls as the agent cap allows, then stops by itself',
    script: { replies: [door('again')] },
    tools: lookUpSays('Try again.'),
    agentCap: 3,
    fault: each((seen) =>
      first(requestsAre(seen, 3), seen.end === undefined || seen.stoppedFor !== undefined ? `did not stop by itself: ${told(seen)}` : undefined),
    ),
  },
  {
    id: 'cap-reachable',
    sentence: 'takes an answer that comes in the last allowed model call',
    script: { replies: [door('a'), door('b'), answers] },
    tools: lookUpSays('Door {{door}}.'),
    agentCap: 3,
    fault: each((seen) => first(outputIs(seen, ANSWER), requestsAre(seen, 3))),
  },
  {
    id: 'cancellation',
    sentence: 'ends within two seconds of its signal while the model hangs',
    script: { replies: [{ kind: 'hang' }] },
    tools: lookUpSays('48'),
    cancel: true,
    fault: each((seen) =>
      first(
        seen.traffic.calls.length === 1 ? undefined : 'the model was not asked once',
        seen.end === undefined ? `had to be ended by the host (${seen.died ?? 'no end'})` : undefined,
        seen.end?.error === undefined ? 'ended as if it had an answer' : undefined,
        seen.cancelMs === undefined || seen.cancelMs > 2_000 ? `took ${seen.cancelMs ?? 'too many'} ms` : undefined,
      ),
    ),
  },
  {
    id: 'no-stray-work',
    sentence: 'asks and calls nothing after its end, which here is a refusal that nobody should ask again',
    script: { replies: [calls(['look_up', { door: 'left' }], ['measure', { door: 'right' }]), { kind: 'error', status: 400, message: 'No more.' }] },
    tools: [...lookUpSays('left says 4'), { schema: MEASURE, results: [says('right measures 8')] }],
    watchAfterMs: 400,
    fault: each((seen) =>
      first(
        requestsAre(seen, 2),
        seen.strayRequests === 0 ? undefined : `${seen.strayRequests} requests or tool calls after the end`,
        seen.traffic.calls.some((call) => call.stray) ? 'a request was open after the end' : undefined,
        seen.toolCalls.some((call) => call.stray) ? 'a tool call was open after the end' : undefined,
      ),
    ),
  },
  {
    id: 'model-error',
    sentence: 'carries a refusal of the model server as an error that holds its message',
    script: { replies: [{ kind: 'error', status: 400, message: 'The seventh door is closed.' }] },
    tools: lookUpSays('48'),
    fault: each((seen) => {
      if (seen.end?.error === undefined) return `no error came back: ${told(seen)}`;
      return seen.end.error.message.includes('The seventh door is closed.') ? undefined : `the error says: ${seen.end.error.message}`;
    }),
  },
  {
    id: 'canary',
    sentence: "shows nothing of the host's own to model or tools",
    script: { replies: [door('a'), answers] },
    tools: lookUpSays('48'),
    fault: each((seen) => (JSON.stringify([seen.traffic, seen.toolCalls, seen.end]).includes(seen.canary) ? 'the canary was seen' : undefined)),
  },
  {
    id: 'restart',
    sentence: 'answers in a new process after its last one was killed in the midst of a request',
    script: { replies: [{ kind: 'hang' }] },
    scriptAfter: { replies: [answers] },
    tools: lookUpSays('48'),
    runs: 2,
    kill: true,
    fault: ([killed, after]) =>
      first(killed?.died === undefined ? 'was not killed' : undefined, after === undefined ? 'did not run again' : outputIs(after, ANSWER)),
  },
  {
    id: 'two-hundred-runs',
    sentence: 'answers two hundred times in one process, with flat memory',
    script: { replies: [door('a'), answers] },
    tools: lookUpSays(LARGE),
    runs: 200,
    mostRuns: MOST_RUNS,
    fault: (seen) =>
      first(...seen.map((one) => outputIs(one, ANSWER)), flat(seen.flatMap(({ end }) => (end?.peakRssBytes === undefined ? [] : [end.peakRssBytes])))),
  },
];

const HELLO = 'the framework asks "Hello" before a run, which takes the first reply of a script';
const GLUED = 'the framework glues prompt, results and answer together into its output';

/** Cases that an adapter cannot pass by its framework's nature, with the reason. By adapter, or by adapter and shape, and case. */
export const CONFORMANCE_SKIPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  llamaindex: {
    'quotes-kept': 'the framework brings a result back as JSON and takes every quotation mark out of it (stringifyJSONToMessageContent, core 0.6.22)',
    'cap-exact': 'the framework has no limit of model calls; the gateway enforces the cap',
    cancellation: 'the framework takes no signal; the host ends the process',
    'model-error': 'the framework rejects a promise that nobody holds: the process ends, and that is the code',
  },
  'langgraph/dag': {
    'no-stray-work':
      "an agent inside a node hears of the run's own signal alone and not of a sibling's failure (runner.js): it goes on asking after the run was rejected",
  },
  'llamaindex-py': {
    'cap-exact': 'the framework looks at its limit before it takes an answer, so that the limit that lets an answer come in call M allows one call more',
  },
  crewai: {
    'no-stray-work': 'the framework asks twice more after a refusal with status 400, since its agent retries any error of the model',
  },
  graphbit: {
    'usage-counted': 'the framework drops the system text after the first request, so the second is no longer',
    'instruction-kept': 'the framework drops the system text after the first request',
    cancellation: 'the framework runs in one blocking call that takes no signal; the host ends the process',
    'model-error': 'the framework ends a run whose model call failed as a success without output',
  },
  'graphbit/dag': {
    'plans-works-joins': 'the framework asks for the synthesis once before the tools of its workers have run, and then again',
  },
  'graphbit-0.6.7': {
    'answers-at-once': HELLO,
    'no-tools': HELLO,
    'one-tool': HELLO,
    'five-tools': GLUED,
    'parallel-calls': HELLO,
    'unicode-and-size': HELLO,
    'quotes-kept': HELLO,
    'argument-border': GLUED,
    'usage-counted': HELLO,
    'instruction-kept': 'the framework drops the system text after the first request',
    sampling: HELLO,
    'cap-exact': HELLO,
    'cap-reachable': GLUED,
    cancellation: 'the framework runs in one blocking call that takes no signal; the host ends the process',
  },
  smolagents: {
    'answers-at-once': 'the framework offers a tool of its own, `final_answer`, through which alone an answer counts',
    'no-tools': 'the framework offers its tool `final_answer` where there is no other',
    'parallel-calls': 'the framework brings results back as plain text, in the order of their calls and without ids',
    'quotes-kept': 'the framework strips line ends and blanks around a result (`str(result).strip()` in `process_tool_calls`)',
    'argument-border': 'the framework refuses 2.0 for an integer and tells the model so',
    sampling: 'the framework sends stop words of its own ("Observation:", "Calling tools:")',
    cancellation: 'the framework looks at `interrupt` between steps alone; the host ends the process',
  },
};
