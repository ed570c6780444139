// One node made ready at build: schemas resolved, keys as numbers, tools compiled. What is wrong with it goes to the list of problems.
import type { ReadyAgent } from './agent-node.ts';
import type { RetryPolicy } from './retry.ts';
import { type Check, type Port, resolvePort } from './schema.ts';
import type { Tool } from './tool.ts';
import { buildToolBox } from './tool-calls.ts';
import type { AgentOptions, NodeRecord } from './workflow.ts';
import { messageOf, type Problem } from './workflow-error.ts';

export interface InputEdge {
  /** Node number, or -1 for the start. */
  readonly from: number;
  readonly port: string | undefined;
  readonly transform: ((value: unknown) => unknown) | undefined;
}

/** Every kind has the same fields in the same order, so that the loop that runs them meets one shape. */
export interface ReadyNode {
  readonly id: string;
  readonly kind: NodeRecord['kind'];
  readonly run: ((input: unknown, context: never) => unknown) | undefined;
  readonly agent: ReadyAgent | undefined;
  readonly prompt: ((input: unknown) => string) | undefined;
  readonly tool: Tool | undefined;
  readonly inputs: InputEdge[];
  readonly inputCheck: Check | undefined;
  readonly outputCheck: Check | undefined;
  readonly reads: ReadonlyMap<string, number>;
  /** Key that the output is written to, or -1. */
  readonly writeOutput: number;
  readonly writes: ReadonlyMap<string, number>;
  readonly retry: RetryPolicy | undefined;
  readonly timeoutMs: number | undefined;
  readonly needsInput: boolean;
  readonly requiredParts: readonly string[];
}

const NO_KEYS: ReadonlyMap<string, number> = new Map();
const DEFAULT_ITERATIONS = 16;
const DEFAULT_REASKS = 2;

export function prepareNode(record: NodeRecord, keys: ReadonlyMap<string, number>, problems: Problem[], notes: string[]): ReadyNode {
  const { id, kind, options } = record;
  const say = (code: string, message: string) => problems.push({ code, message: `node "${id}" ${message}`, nodes: [id] });
  const input = port(kind === 'tool' ? (options.tool as Tool | undefined)?.input : options.input, 'input');
  const output = port(options.output, 'output');
  const { writeOutput, writes } = keysWritten();
  if (kind === 'function' && typeof options.run !== 'function') say('no-function', 'has no function to run: node(id, { run })');
  if (kind === 'tool' && (options.tool as Tool | undefined)?.kind !== 'tool') say('no-tool', 'was given no tool: tool(id, tool({ … }))');
  checkPolicy();
  return {
    id,
    kind,
    run: options.run as ReadyNode['run'],
    agent: kind === 'agent' ? agentOf(options as AgentOptions<unknown, unknown>) : undefined,
    prompt: options.prompt as ReadyNode['prompt'],
    tool: options.tool as Tool | undefined,
    inputs: [],
    inputCheck: input?.check,
    // An agent's loop checks its own output, since it may ask again.
    outputCheck: kind === 'agent' ? undefined : output?.check,
    reads: keysRead(),
    writeOutput,
    writes,
    retry: options.retry as RetryPolicy | undefined,
    timeoutMs: options.timeoutMs as number | undefined,
    needsInput: kind === 'function' ? input !== undefined : kind === 'tool' || options.prompt === undefined,
    requiredParts: Array.isArray(input?.json?.required) ? input.json.required.map(String) : [],
  };

  function port(schema: unknown, what: 'input' | 'output'): Port | undefined {
    if (schema === undefined) return undefined;
    try {
      const resolved = resolvePort(schema, what);
      notes.push(...resolved.unchecked.map((keyword) => `node ${id}, ${what}: ${keyword} is not checked`));
      return resolved;
    } catch (error) {
      say('invalid-schema', `has an ${what} schema that cannot be used: ${messageOf(error)}`);
      return undefined;
    }
  }

  function keyNumber(name: string, verb: string): number {
    const number = keys.get(name);
    if (number !== undefined) return number;
    say('undeclared-key', `${verb} "${name}", which the workflow's state does not declare (declared: ${[...keys.keys()].join(', ') || 'none'})`);
    return -1;
  }

  function keysRead(): ReadonlyMap<string, number> {
    const names = (options.reads ?? []) as readonly string[];
    return names.length === 0 ? NO_KEYS : new Map(names.map((name) => [name, keyNumber(name, 'reads')]));
  }

  function keysWritten(): { writeOutput: number; writes: ReadonlyMap<string, number> } {
    const given = options.writes as string | readonly string[] | undefined;
    if (given === undefined) return { writeOutput: -1, writes: NO_KEYS };
    if (typeof given === 'string') return { writeOutput: keyNumber(given, 'writes'), writes: NO_KEYS };
    return { writeOutput: -1, writes: new Map(given.map((name) => [name, keyNumber(name, 'writes')])) };
  }

  function checkPolicy(): void {
    const attempts = (options.retry as RetryPolicy | undefined)?.attempts;
    if (options.retry !== undefined && !(Number.isInteger(attempts) && (attempts as number) >= 1))
      say('invalid-option', `has retry.attempts ${String(attempts)}; it must be a whole number from 1`);
    if (options.timeoutMs !== undefined && !((options.timeoutMs as number) > 0))
      say('invalid-option', `has timeoutMs ${String(options.timeoutMs)}; it must be more than 0`);
    if (options.join !== undefined && options.join !== 'all' && options.join !== 'settled')
      say('invalid-option', `has join ${JSON.stringify(options.join)}; it is "all" or "settled"`);
    if (options.onFailure !== undefined && options.onFailure !== 'stop' && options.onFailure !== 'continue')
      say('invalid-option', `has onFailure ${JSON.stringify(options.onFailure)}; it is "stop" or "continue"`);
  }

  function agentOf(agent: AgentOptions<unknown, unknown>): ReadyAgent | undefined {
    const { iterations = DEFAULT_ITERATIONS, reasks = DEFAULT_REASKS } = agent;
    if (!Number.isInteger(iterations) || iterations < 1) say('invalid-option', `has iterations ${String(iterations)}; it must be a whole number from 1`);
    if (!Number.isInteger(reasks) || reasks < 0) say('invalid-option', `has reasks ${String(reasks)}; it must be a whole number from 0`);
    if (output !== undefined && output.json === undefined) {
      say('invalid-schema', 'has an output schema that offers no JSON Schema, so no model could be shown it: withJsonSchema(schema, { … })');
      return undefined;
    }
    try {
      const box = buildToolBox(agent.tools ?? []);
      notes.push(...box.unchecked.map((keyword) => `node ${id}, ${keyword} is not checked`));
      const brief = Object.freeze({ system: agent.system, tools: box.specs, output: output?.json });
      return { id, brief, box, iterations, reasks, outputCheck: output?.check, model: agent.model };
    } catch (error) {
      say('invalid-tool', `has tools that cannot be used: ${messageOf(error)}`);
      return undefined;
    }
  }
}
