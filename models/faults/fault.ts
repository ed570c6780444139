// What a fault is, as data: a script for the model and its wire, scripted tools, and a sentence. Who meets it and what came of it is said elsewhere.
import type { ModelScript, ScriptedCall, ScriptedReply, ScriptedResult } from '../../base/script.ts';
import type { ToolSchema } from '../../base/tool-schema.ts';

export const FAULT_GROUPS = ['calls', 'results', 'replies', 'limits', 'hand-overs', 'transport'] as const;
export type FaultGroup = (typeof FAULT_GROUPS)[number];

export interface Fault {
  readonly id: string;
  readonly group: FaultGroup;
  /** What the model or its server does. */
  readonly sentence: string;
  readonly script: ModelScript;
  readonly tools: readonly FaultTool[];
}

/** Met where several agents hand a task on: in shape `idiomatic`; every other in shape `single`. */
export function needsSeveral({ group }: Fault): boolean {
  return group === 'hand-overs';
}

export interface FaultTool {
  readonly schema: ToolSchema;
  readonly results: readonly ScriptedResult[];
}

/** What a fault says besides its id; the tools are the two usual ones unless it brings others. */
export type FaultWords = Omit<Fault, 'id' | 'tools' | 'group'> & { readonly tools?: readonly FaultTool[] };

export function faultsOf(group: FaultGroup, words: Readonly<Record<string, FaultWords>>): Fault[] {
  return Object.entries(words).map(([id, { tools = USUAL_TOOLS, ...rest }]) => ({ id, group, tools, ...rest }));
}

export const ADD: ToolSchema = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number', description: 'First number.' }, b: { type: 'number', description: 'Second number.' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};
export const LOOKUP: ToolSchema = {
  name: 'lookup',
  description: 'Tells what is stored under a key.',
  parameters: { type: 'object', properties: { key: { type: 'string', description: 'The key.' } }, required: ['key'], additionalProperties: false },
};

/** Each with a sign that nobody would say by chance: whoever drops a result is seen. */
const SUM = 'The adding machine prints slip QX7: the sum is 5.';
const STORED = 'Drawer ZK4 of {{key}} holds 48.';
export const USUAL_TOOLS: readonly FaultTool[] = [
  { schema: ADD, results: [{ kind: 'text', text: SUM }] },
  { schema: LOOKUP, results: [{ kind: 'text', text: STORED }] },
];
/** The adding tool with other results. */
export const addGives = (...results: readonly ScriptedResult[]): readonly FaultTool[] => [{ schema: ADD, results }, ...USUAL_TOOLS.slice(1)];
export const lookupGives = (...results: readonly ScriptedResult[]): readonly FaultTool[] => [...USUAL_TOOLS.slice(0, 1), { schema: LOOKUP, results }];

/** What a model says that was not disturbed, or that got its second chance. */
export const ANSWER: ScriptedReply = { kind: 'text', text: 'I worked it out with the tools.\nFINAL ANSWER: 5' };
export const CALL: ScriptedReply = callOf('add', '{"a": 2, "b": 3}');

export function callOf(name: string, text: string, odd: Partial<ScriptedCall> = {}): ScriptedReply {
  return { kind: 'calls', calls: [{ name, arguments: text, ...odd }] };
}

export function callsOf(...calls: readonly ScriptedCall[]): ScriptedReply {
  return { kind: 'calls', calls };
}

/** Once, then as if nothing had been: the model calls rightly, and answers. */
export const once = (reply: ScriptedReply): ModelScript => ({ replies: [reply, CALL, ANSWER] });
export const always = (reply: ScriptedReply): ModelScript => ({ replies: [reply] });
