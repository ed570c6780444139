// What each row makes of the faults that `hardened` aims at (method M1.5): real processes, scripted model and tools, and the outcome of each cell as data.
// `told` = the model is asked again and the new request says what was wrong, in these words; `asked again` = it is asked again without a word.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedReply, ScriptedResult } from '../base/script.ts';
import { runConformance } from '../runners/conformance.ts';
import { type ScriptedServices, startScriptedServices } from '../runners/scripted-services.ts';
import type { SettingsName } from './adapter.ts';
import { CONFORMANCE_CASES, type ConformanceCase } from './conformance.ts';
import type { Seen } from './conformance-checks.ts';
import { adapterModule, findAdapter } from './registry.ts';

const ANSWER = 'FINAL ANSWER: 48';
const CAP = 3;
const GOOD = '{"door":"seventh"}';
const BROKEN = '{"door": "seventh';
const says = (text: string | null): ScriptedReply => ({ kind: 'text', text });
const calls = (...each: readonly (readonly [name: string, args: string])[]): ScriptedReply => ({
  kind: 'calls',
  calls: each.map(([name, text]) => ({ name, arguments: text })),
});

interface Fault {
  readonly replies: readonly ScriptedReply[];
  readonly results?: readonly ScriptedResult[];
  readonly withoutTools?: true;
}

const FAULTS = {
  'unknown tool': { replies: [calls(['open_door', GOOD]), says(ANSWER)] },
  'unknown tool beside a good call': { replies: [calls(['look_up', GOOD], ['open_door', GOOD]), says(ANSWER)] },
  'broken JSON': { replies: [calls(['look_up', BROKEN]), says(ANSWER)] },
  'no arguments at all': { replies: [calls(['look_up', '']), says(ANSWER)] },
  'broken JSON beside a good call': { replies: [calls(['look_up', GOOD], ['look_up', BROKEN]), says(ANSWER)] },
  'null for arguments': { replies: [calls(['look_up', 'null']), says(ANSWER)] },
  'missing argument': { replies: [calls(['look_up', '{}']), says(ANSWER)] },
  'argument of a wrong type': { replies: [calls(['look_up', '{"door":"seventh","floor":"third"}']), says(ANSWER)] },
  'tool error': { replies: [calls(['look_up', GOOD]), says(ANSWER)], results: [{ kind: 'failure', status: 500, message: 'The lift is stuck.' }] },
  'empty last reply': { replies: [calls(['look_up', GOOD]), says(''), says(ANSWER)] },
  'last reply without content': { replies: [calls(['look_up', GOOD]), says(null), says(ANSWER)] },
  'empty reply without tools': { replies: [says(''), says(ANSWER)], withoutTools: true },
  'unknown tool for ever': { replies: [calls(['open_door', GOOD])] },
  'broken JSON for ever': { replies: [calls(['look_up', BROKEN])] },
  'empty for ever': { replies: [says('')] },
  'empty for ever without tools': { replies: [says('')], withoutTools: true },
} satisfies Record<string, Fault>;
type FaultName = keyof typeof FAULTS;
type Cell = readonly [how: string, ...words: string[]];

const SILENT = ['ends with an empty answer'] as const;
const AGAIN = ['asked again'] as const;
const ASK = 'Your reply was empty, or its call could not be read. Call a tool, or answer.';
const STUCK = 'The lift is stuck.';
const OPENAI_JSON = ['told', 'An error occurred while parsing tool arguments. Please try again with valid JSON.'] as const;
const LANGCHAIN: Readonly<Partial<Record<FaultName, Cell>>> = {
  'broken JSON': ['told', `Error: arguments are no JSON: ${BROKEN}`, ASK],
  'no arguments at all': ['told', 'Error: arguments are no JSON: ', ASK],
  'broken JSON beside a good call': ['told', `Error: arguments are no JSON: ${BROKEN}`, 'It says 48.'],
  'null for arguments': ['told', 'Invalid input: expected object, received null'],
  'missing argument': ['told', 'expected string, received undefined', 'at door'],
  'argument of a wrong type': ['told', 'expected number, received string', 'at floor'],
  'tool error': ['told', `Error: ${STUCK}`],
  'empty last reply': ['told', ASK],
  'last reply without content': ['told', ASK],
  'empty reply without tools': ['told', ASK],
  'unknown tool for ever': ['GraphRecursionError at the cap'],
  'broken JSON for ever': ['GraphRecursionError at the cap'],
  'empty for ever': ['GraphRecursionError at the cap'],
  'empty for ever without tools': ['GraphRecursionError at the cap'],
};

/** The ways in which a default and a hardened row differ, and for `hardened` all cells. */
const EXPECTED: readonly (readonly [row: string, settings: SettingsName, cells: Readonly<Partial<Record<FaultName, Cell>>>])[] = [
  [
    'langchain',
    'default',
    {
      'unknown tool': ['told', 'open_door is not a valid tool, try one of [look_up]'],
      'broken JSON': SILENT,
      'broken JSON beside a good call': ['told', 'It says 48.'],
      'missing argument': ['told', 'expected string, received undefined', '    at DynamicStructuredTool.call'],
      'tool error': ['told', STUCK],
      'empty last reply': SILENT,
      'unknown tool for ever': ['GraphRecursionError at the cap'],
    },
  ],
  [
    'langchain',
    'hardened',
    {
      ...LANGCHAIN,
      'unknown tool': ['told', 'open_door is not a valid tool, try one of [look_up]'],
      'unknown tool beside a good call': ['told', 'It says 48.', 'open_door is not a valid tool, try one of [look_up]'],
    },
  ],
  [
    'langgraph',
    'default',
    {
      'unknown tool': ['told', 'Tool "open_door" not found.'],
      'broken JSON': SILENT,
      'broken JSON beside a good call': ['told', 'It says 48.'],
      'missing argument': ['told', 'expected string, received undefined'],
      'tool error': ['told', STUCK],
      'empty last reply': SILENT,
      'unknown tool for ever': ['GraphRecursionError at the cap'],
    },
  ],
  [
    'langgraph',
    'hardened',
    {
      ...LANGCHAIN,
      'unknown tool': ['told', 'Tool "open_door" not found.'],
      'unknown tool beside a good call': ['told', 'It says 48.', 'Tool "open_door" not found.'],
    },
  ],
  [
    'openai-agents',
    'default',
    {
      'unknown tool': ['ModelBehaviorError'],
      'broken JSON': OPENAI_JSON,
      'missing argument': ['told', 'An error occurred while running the tool. Please try again.'],
      'tool error': ['told', 'An error occurred while running the tool. Please try again.'],
      'empty last reply': SILENT,
      'last reply without content': AGAIN,
      'broken JSON for ever': ['MaxTurnsExceededError at the cap'],
    },
  ],
  [
    'openai-agents',
    'hardened',
    {
      'unknown tool': ['told', "Tool 'open_door' not found."],
      'unknown tool beside a good call': ['told', 'It says 48.', "Tool 'open_door' not found."],
      'broken JSON': OPENAI_JSON,
      'no arguments at all': OPENAI_JSON,
      'broken JSON beside a good call': ['told', 'It says 48.', OPENAI_JSON[1]],
      'null for arguments': ['told', 'Invalid input: expected object, received null'],
      'missing argument': ['told', 'Invalid input: expected string, received undefined', '"door"'],
      'argument of a wrong type': ['told', 'Invalid input: expected number, received string', '"floor"'],
      'tool error': ['told', `Error: ${STUCK}`],
      'empty last reply': AGAIN,
      'last reply without content': AGAIN,
      'empty reply without tools': AGAIN,
      'unknown tool for ever': ['MaxTurnsExceededError at the cap'],
      'broken JSON for ever': ['MaxTurnsExceededError at the cap'],
      'empty for ever': ['MaxTurnsExceededError at the cap'],
      'empty for ever without tools': ['MaxTurnsExceededError at the cap'],
    },
  ],
  [
    'llamaindex',
    'default',
    {
      'unknown tool': ['the process ends'],
      'broken JSON': ['the process ends'],
      'missing argument': ['run all the same, refused, told', 'parameter "door" is required (string) and missing'],
      'tool error': ['told', STUCK],
      'empty last reply': SILENT,
    },
  ],
  [
    'llamaindex',
    'hardened',
    {
      'unknown tool': ['told', 'Error: Tools not found: open_door'],
      'unknown tool beside a good call': ['told', 'Error: Tools not found: open_door'],
      'broken JSON': ['told', 'Error: Unterminated string in JSON at position 17'],
      'no arguments at all': ['told', 'Error: Unexpected end of JSON input'],
      'broken JSON beside a good call': ['told', 'Error: Unterminated string in JSON at position 17'],
      'null for arguments': ['told', 'Invalid input: expected object, received null'],
      'missing argument': ['told', 'Invalid input: expected string, received undefined', '"door"'],
      'argument of a wrong type': ['told', 'Invalid input: expected number, received string', '"floor"'],
      'tool error': ['told', STUCK],
      'empty last reply': ['told', 'Your reply was empty. Call a tool, or answer.'],
      'last reply without content': ['told', 'Your reply was empty. Call a tool, or answer.'],
      'empty reply without tools': ['told', 'Your reply was empty. Call a tool, or answer.'],
      'empty for ever': ['stopped by the gateway'],
    },
  ],
];

let services: ScriptedServices;
beforeAll(async () => {
  services = await startScriptedServices();
});
afterAll(() => services.stop());

/** Two hundred runs take their time; `agentgauge conformance ADAPTER --settings hardened` plays them too. */
const RULES = CONFORMANCE_CASES.filter((each) => each.runs === undefined);

test.concurrent.each(EXPECTED)('%s %s meets each fault as its file says, and keeps every rule', async (id, settings, cells) => {
  const { seen, broken } = await play(id, settings, Object.keys(cells) as FaultName[]);
  const found = Object.fromEntries(
    Object.entries(cells).map(([name, [, ...words]]) => {
      const [how, text] = handlingOf(seen.get(name));
      return [name, [how, ...words.map((word) => (text.includes(word) ? word : `not said, but: ${text}`))]];
    }),
  );
  expect(found).toEqual(cells);
  expect(broken).toEqual([]);
  expect([...seen].flatMap(([name, { traffic }]) => traffic.calls.flatMap((call) => unpaired(call.requestBody).map((what) => `${name}: ${what}`)))).toEqual([]);
});

interface Played {
  readonly seen: ReadonlyMap<string, Seen>;
  /** Conformance cases that a hardened row fails. */
  readonly broken: readonly unknown[];
}

async function play(id: string, settings: SettingsName, names: readonly FaultName[]): Promise<Played> {
  const seen = new Map<string, Seen>();
  const offered = CONFORMANCE_CASES.find((each) => each.id === 'one-tool')?.tools ?? [];
  const cases = names.map((name): ConformanceCase => {
    const { replies, results = [{ kind: 'text', text: 'It says 48.' }], withoutTools }: Fault = FAULTS[name];
    const tools = withoutTools ? [] : offered.map(({ schema }) => ({ schema, results }));
    return { id: name, sentence: name, script: { replies }, tools, agentCap: CAP, fault: ([one]) => void (one !== undefined && seen.set(name, one)) };
  });
  const entry = findAdapter(id);
  const row = { ...entry, framework: id, shape: 'single', settings, module: adapterModule(entry) } as const;
  const rules = settings === 'hardened' ? RULES : [];
  const report = await runConformance({ row, cases: [...rules, ...cases], signal: new AbortController().signal, services });
  return { seen, broken: report.cases.filter(({ outcome }) => outcome === 'fail') };
}

/** @returns what became of the trial, and what the last request says that the one before did not, beside the model's own words */
function handlingOf(seen: Seen | undefined): readonly [how: string, text: string] {
  if (seen === undefined) return ['not played', ''];
  const { end, died, stoppedFor, traffic, toolCalls } = seen;
  if (stoppedFor === 'cap') return ['stopped by the gateway', ''];
  if (end === undefined) return [died === undefined ? 'hangs' : 'the process ends', ''];
  if (end.error !== undefined) return [`${end.error.name}${traffic.calls.length === CAP ? ' at the cap' : ''}`, ''];
  if (end.output === '') return ['ends with an empty answer', ''];
  if (end.output !== ANSWER) return [`ends with ${end.output}`, ''];
  const [before = [], last = []] = traffic.calls.slice(-2).map((call) => spoken(call.requestBody));
  const added = last.slice(before.length);
  if (added.length === 0) return ['asked again', ''];
  return [toolCalls.some((call) => call.status === 422) ? 'run all the same, refused, told' : 'told', added.join('\n')];
}

interface WireItem {
  readonly role?: string;
  readonly type?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly call_id?: string;
}

function itemsOf(body: unknown): readonly WireItem[] {
  const { messages, input } = Object(body) as { readonly messages?: readonly WireItem[]; readonly input?: readonly WireItem[] };
  return messages ?? input ?? [];
}

/** What others than the model said, in order. */
function spoken(body: unknown): string[] {
  return itemsOf(body).flatMap(({ role, type, content, output }) => (role === 'assistant' || type === 'function_call' ? [] : [String(content ?? output)]));
}

/** Calls without a result right after them, and results of no call: a real provider refuses a request with either. */
function unpaired(body: unknown): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const { role, type, tool_calls, tool_call_id, call_id } of itemsOf(body)) {
    const result = role === 'tool' ? tool_call_id : type === 'function_call_output' ? call_id : undefined;
    if (result !== undefined) {
      if (!open.delete(result)) problems.push(`a result of no call (${result})`);
    } else if (type === 'function_call' && call_id !== undefined) open.add(call_id);
    else {
      problems.push(...[...open].map((id) => `a call without result (${id})`));
      open.clear();
      for (const { id } of tool_calls ?? []) open.add(id);
    }
  }
  return [...problems, ...[...open].map((id) => `a call without result at the end (${id})`)];
}
