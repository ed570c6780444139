// One node made ready at build: schemas resolved, keys as numbers, tools compiled. What is wrong with it goes to the list of problems.

import type { ReadyAgent } from './agent-node.ts';
import type { Connector, ConnectorDeclaration } from './connector.ts';
import type { JsonSchema } from './json-schema-check.ts';
import { areTexts } from './json-schema-check.ts';
import type { OwnClass } from './own-class.ts';
import { type Plan, planFound } from './plan.ts';
import { evaluatePredicate, keysOf, type Predicate, printPredicate, type ReadKey } from './predicate.ts';
import { checkPredicate } from './predicate-check.ts';
import { parsePredicate } from './predicate-parse.ts';
import type { RetryPolicy } from './retry.ts';
import { type Check, type Checked, type Port, resolvePort } from './schema.ts';
import type { Tool } from './tool.ts';
import { buildToolBox } from './tool-calls.ts';
import type { AgentOptions, NodeRecord } from './workflow.ts';
import { messageOf, type Problem, show } from './workflow-error.ts';

export interface InputEdge {
  /** Node number, or -1 for the start. Renumbered once, when the workflow is built. */
  from: number;
  readonly port: string | undefined;
  readonly transform: ((value: unknown) => unknown) | undefined;
}

/** What a map does, made ready. */
export interface MapPlan {
  readonly body: ReadyNode;
  readonly concurrency: number;
  readonly maxItems: number;
  readonly dropFailed: boolean;
  /** Key that gets each result as one write, or -1. */
  readonly writeItems: number;
  readonly retry: RetryPolicy | undefined;
  readonly timeoutMs: number | undefined;
}

export interface DeclaredConnector {
  readonly connector: Connector;
  /** Whether its results stand whole in the node's prompts. */
  readonly inPrompt: boolean;
}

/** Every kind has the same fields in the same order, so that the loop that runs them meets one shape. */
export interface ReadyNode {
  // What every run of a node reads comes first: it shares a cache line or two.
  readonly kind: NodeRecord['kind'];
  readonly inputCheck: Check | undefined;
  readonly run: ((input: unknown, context: never) => unknown) | undefined;
  /** Replaced while the workflow is built; nodes without inputs share one list. */
  inputs: readonly InputEdge[];
  readonly outputCheck: Check | undefined;
  /** Key that the output is written to, or -1. */
  readonly writeOutput: number;
  readonly timeoutMs: number | undefined;
  readonly id: string;
  readonly agent: ReadyAgent | undefined;
  readonly prompt: ((input: unknown) => string) | undefined;
  readonly tool: Tool | undefined;
  readonly map: MapPlan | undefined;
  /** Of a subgraph. */
  readonly workflow: Plan | undefined;
  /** Of a way: the predicate as text in its plain form, and whether it holds. */
  readonly when: Predicate | undefined;
  readonly holds: ((read: ReadKey) => boolean) | undefined;
  /** Whether its input is the list of what its edges carry. */
  readonly gathers: boolean;
  readonly resource: string | undefined;
  /** Schemas of its ports, as far as they are told. */
  readonly takes: JsonSchema | undefined;
  readonly gives: JsonSchema | undefined;
  readonly reads: ReadonlyMap<string, number>;
  readonly writes: ReadonlyMap<string, number>;
  readonly connectors: ReadonlyMap<string, DeclaredConnector>;
  readonly retry: RetryPolicy | undefined;
  /** What takes its place once its attempts are used up. */
  readonly fallback: ReadyNode | undefined;
  /** Of a fallback whose class is another than its node's. */
  readonly ownClass: OwnClass | undefined;
  readonly needsInput: boolean;
  readonly requiredParts: readonly string[];
}

const NO_KEYS: ReadonlyMap<string, number> = new Map();
const NO_CONNECTORS: ReadonlyMap<string, DeclaredConnector> = new Map();
const NO_NAMES: readonly string[] = [];
const NO_INPUTS: readonly InputEdge[] = [];
const DEFAULT_ITERATIONS = 16;
const DEFAULT_REASKS = 2;

const DEFAULT_MAP_CONCURRENCY = 8;
const DEFAULT_MAX_ITEMS = 10_000;
const TEXT: JsonSchema = Object.freeze({ type: 'string' });

/** What preparing a node needs to know of the workflow. */
export interface Surroundings {
  readonly keys: ReadonlyMap<string, number>;
  readonly schemas: ReadonlyMap<string, JsonSchema | undefined>;
  /** Predicates of the ways of each branch, by the branch's number, for its `otherwise`. */
  readonly cases: ReadonlyMap<unknown, readonly Predicate[]>;
  readonly problems: Problem[];
  readonly notes: string[];
}

export function prepareNode(record: NodeRecord, around: Surroundings): ReadyNode {
  const { id, kind, options } = record;
  const { keys, problems, notes } = around;
  const say = (code: string, message: string) => problems.push({ code, message: `node "${id}" ${message}`, nodes: [id] });
  const input = port(kind === 'tool' ? (options.tool as Tool | undefined)?.input : options.input, 'input');
  const output = port(options.output, 'output');
  const { writeOutput, writes } = keysWritten();
  if (kind === 'function' && typeof options.run !== 'function') say('no-function', 'has no function to run: node(id, { run })');
  if (kind === 'aggregate' && options.run !== undefined && typeof options.run !== 'function') say('no-function', 'has a `run` that is no function');
  if (kind === 'tool' && (options.tool as Tool | undefined)?.kind !== 'tool') say('no-tool', 'was given no tool: tool(id, tool({ … }))');
  checkPolicy();
  const workflow = kind === 'subgraph' ? planFound(options.workflow) : undefined;
  if (kind === 'subgraph' && workflow === undefined) say('no-workflow', 'was given no workflow: subgraph(id, inner.build())');
  if (kind === 'subgraph' && typeof options.resource === 'string' && workflow?.resources.includes(options.resource))
    say('invalid-option', `has resource ${JSON.stringify(options.resource)}, which nodes inside it wait for while it holds one; leave it out`);
  const when = kind === 'way' ? predicateOf() : undefined;
  const map = kind === 'map' ? mapOf() : undefined;
  const ready: ReadyNode = {
    kind,
    // What a list holds is checked item by item, and an answer as an output.
    inputCheck: kind === 'map' ? undefined : kind === 'aggregate' ? input && listCheck(input.check) : input?.check,
    run: options.run as ReadyNode['run'],
    inputs: NO_INPUTS,
    // An agent's loop checks its own output, since it may ask again; so does each item of a map.
    outputCheck: kind === 'agent' || kind === 'map' ? undefined : output?.check,
    writeOutput,
    timeoutMs: kind === 'map' ? undefined : (options.timeoutMs as number | undefined),
    id,
    agent: kind === 'agent' ? agentOf(options as AgentOptions<unknown, unknown>) : undefined,
    prompt: kind === 'wait' ? questionOf(options.question) : (options.prompt as ReadyNode['prompt']),
    tool: options.tool as Tool | undefined,
    map,
    workflow,
    when,
    holds: when === undefined ? undefined : (read) => evaluatePredicate(when, read),
    gathers: kind === 'aggregate',
    resource: (options.resource as string | undefined) ?? (kind === 'agent' ? 'model' : undefined),
    takes: takes(),
    gives: gives(),
    reads: when === undefined ? keysRead((options.reads ?? NO_NAMES) as readonly string[]) : keysRead(keysOf(when).filter((key) => keys.has(key))),
    writes,
    connectors: connectorsOf(),
    retry: kind === 'map' ? undefined : (options.retry as RetryPolicy | undefined),
    fallback: undefined,
    ownClass: undefined,
    needsInput: needsInput(),
    requiredParts: areTexts(input?.json?.required) ? input.json.required : NO_NAMES,
  };
  return options.fallback === undefined ? ready : { ...ready, fallback: fallbackOf(ready, options.fallback) };

  /** The same ports, reads and writes, with something else between them. */
  function fallbackOf(ready: ReadyNode, fallback: unknown): ReadyNode | undefined {
    const given = fallback !== null && typeof fallback === 'object' ? (fallback as { readonly value?: unknown; readonly node?: unknown }) : {};
    const { value } = given;
    const record = Object.hasOwn(given, 'value') ? { id, kind: 'function' as const, options: { run: () => value } } : bodyRecord(given.node);
    if (record === undefined || kind === 'map' || kind === 'wait') {
      say(
        'invalid-option',
        `has a fallback that is none: { value } or { node: agent({ … }), a tool, a checked workflow or a function }; map and wait have none`,
      );
      return undefined;
    }
    const body = prepareNode(record, around);
    const { inputs, inputCheck, outputCheck, reads, writes, timeoutMs } = ready;
    return {
      ...body,
      inputs,
      inputCheck: inputCheck ?? body.inputCheck,
      outputCheck: body.agent === undefined ? (outputCheck ?? output?.check) : undefined,
      reads,
      writeOutput,
      writes,
      connectors: ready.connectors,
      timeoutMs,
      ownClass: body.resource === ready.resource ? undefined : { own: body.resource, held: ready.resource },
    };
  }

  function needsInput(): boolean {
    if (kind === 'tool' || kind === 'map' || kind === 'aggregate') return true;
    if (kind === 'agent') return options.prompt === undefined;
    return kind === 'subgraph' ? workflow?.inputCheck !== undefined : input !== undefined;
  }

  function takes(): JsonSchema | undefined {
    if (kind === 'subgraph') return workflow?.takes;
    return kind === 'map' ? listOf(map?.body.takes) : input?.json;
  }

  function gives(): JsonSchema | undefined {
    if (kind === 'subgraph') return workflow?.gives;
    if (kind === 'map') return { type: 'array', ...(map?.body.gives === undefined ? {} : { items: map.body.gives }) };
    if (output !== undefined) return output.json;
    if (kind === 'aggregate' && options.run === undefined) return { type: 'array', ...(input?.json === undefined ? {} : { items: input.json }) };
    return kind === 'agent' ? TEXT : undefined;
  }

  /** A way without a text of its own is an `otherwise`: none of the others holds. */
  function predicateOf(): Predicate | undefined {
    if (options.when === undefined) {
      const others = around.cases.get(options.of) ?? [];
      const [only] = others;
      if (only === undefined) return undefined;
      return negate(others.length === 1 ? only : { kind: 'or', parts: others.flatMap((other) => (other.kind === 'or' ? other.parts : [other])) });
    }
    let predicate: Predicate;
    try {
      predicate = parsePredicate(options.when as string);
    } catch (error) {
      say('predicate-syntax', `has a ${messageOf(error)}`);
      return undefined;
    }
    const { faults, unchecked } = checkPredicate(predicate, around.schemas);
    for (const fault of faults) say(fault.code, `has the predicate ${JSON.stringify(printPredicate(predicate))}: ${fault.message}`);
    for (const path of unchecked) notes.push(`node ${id}: the type of ${path} in its predicate is not known before the run`);
    return predicate;
  }

  function mapOf(): MapPlan | undefined {
    const {
      concurrency = DEFAULT_MAP_CONCURRENCY,
      maxItems = DEFAULT_MAX_ITEMS,
      onItemFailure = 'stop',
    } = options as Partial<MapPlan> & { onItemFailure?: unknown };
    if (!Number.isInteger(concurrency) || concurrency < 1) say('invalid-option', `has concurrency ${show(concurrency)}; it must be a whole number from 1`);
    if (!Number.isInteger(maxItems) || maxItems < 0) say('invalid-option', `has maxItems ${show(maxItems)}; it must be a whole number from 0`);
    if (onItemFailure !== 'stop' && onItemFailure !== 'drop')
      say('invalid-option', `has onItemFailure ${JSON.stringify(onItemFailure)}; it is "stop" or "drop"`);
    const body = bodyRecord(options.node);
    if (body === undefined) {
      say('no-body', 'has nothing to do with an item: map(id, { node: agent({ … }), a tool, a checked workflow or a function })');
      return undefined;
    }
    return {
      body: prepareNode(body, around),
      concurrency,
      maxItems,
      dropFailed: onItemFailure === 'drop',
      writeItems: typeof options.writes === 'string' ? (keys.get(options.writes) ?? -1) : -1,
      retry: options.retry as RetryPolicy | undefined,
      timeoutMs: options.timeoutMs as number | undefined,
    };
  }

  function bodyRecord(node: unknown): NodeRecord | undefined {
    const { input, output, reads, resource, connectors } = options;
    const shared = {
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      ...(reads === undefined ? {} : { reads }),
      ...(resource === undefined ? {} : { resource }),
      ...(connectors === undefined ? {} : { connectors }),
    };
    if (typeof node === 'function') return { id, kind: 'function', options: { ...shared, run: node } };
    if (node === null || typeof node !== 'object') return undefined;
    if ((node as { readonly kind?: unknown }).kind === 'tool') return { id, kind: 'tool', options: { ...shared, tool: node } };
    if (planFound(node) !== undefined) return { id, kind: 'subgraph', options: { ...shared, workflow: node } };
    return { id, kind: 'agent', options: { ...node, ...shared } };
  }

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

  function keysRead(names: readonly string[]): ReadonlyMap<string, number> {
    return names.length === 0 ? NO_KEYS : new Map(names.map((name) => [name, keyNumber(name, 'reads')]));
  }

  function keysWritten(): { writeOutput: number; writes: ReadonlyMap<string, number> } {
    const given = options.writes as string | readonly string[] | undefined;
    if (given === undefined) return { writeOutput: -1, writes: NO_KEYS };
    // A map's results are writes of their own.
    if (typeof given === 'string' && kind === 'map') return { writeOutput: -1, writes: new Map([[given, keyNumber(given, 'writes')]]) };
    if (typeof given === 'string') return { writeOutput: keyNumber(given, 'writes'), writes: NO_KEYS };
    return { writeOutput: -1, writes: new Map(given.map((name) => [name, keyNumber(name, 'writes')])) };
  }

  function connectorsOf(): ReadonlyMap<string, DeclaredConnector> {
    if (options.connectors === undefined) return NO_CONNECTORS;
    const declared = new Map<string, DeclaredConnector>();
    for (const one of Array.isArray(options.connectors) ? (options.connectors as readonly ConnectorDeclaration[]) : [undefined]) {
      const inPrompt = one?.kind === 'connector-in-prompt';
      const connector = inPrompt ? one.connector : one;
      if (connector?.kind !== 'connector') say('invalid-option', `has \`connectors\` that are none: connectors: [fileConnector({ … })]`);
      else if (declared.has(connector.name)) say('invalid-option', `declares two connectors with the name "${connector.name}"`);
      else declared.set(connector.name, { connector, inPrompt });
    }
    return declared;
  }

  function checkPolicy(): void {
    const attempts = (options.retry as RetryPolicy | undefined)?.attempts;
    if (options.retry !== undefined && !(Number.isInteger(attempts) && (attempts as number) >= 1))
      say('invalid-option', `has retry.attempts ${show(attempts)}; it must be a whole number from 1`);
    if (options.timeoutMs !== undefined && !(typeof options.timeoutMs === 'number' && options.timeoutMs > 0))
      say('invalid-option', `has timeoutMs ${show(options.timeoutMs)}; it must be more than 0`);
    if (options.join !== undefined && options.join !== 'all' && options.join !== 'any' && options.join !== 'settled')
      say('invalid-option', `has join ${JSON.stringify(options.join)}; it is "all", "any" or "settled"`);
    if (options.resource !== undefined && (typeof options.resource !== 'string' || options.resource === ''))
      say('invalid-option', `has resource ${JSON.stringify(options.resource)}; it must be a name`);
    if (options.onFailure !== undefined && options.onFailure !== 'stop' && options.onFailure !== 'continue')
      say('invalid-option', `has onFailure ${JSON.stringify(options.onFailure)}; it is "stop" or "continue"`);
  }

  function agentOf(agent: AgentOptions<unknown, unknown>): ReadyAgent | undefined {
    const { iterations = DEFAULT_ITERATIONS, reasks = DEFAULT_REASKS } = agent;
    if (!Number.isInteger(iterations) || iterations < 1) say('invalid-option', `has iterations ${show(iterations)}; it must be a whole number from 1`);
    if (!Number.isInteger(reasks) || reasks < 0) say('invalid-option', `has reasks ${show(reasks)}; it must be a whole number from 0`);
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

function negate(predicate: Predicate): Predicate {
  return predicate.kind === 'not' ? predicate.part : { kind: 'not', part: predicate };
}

function questionOf(question: unknown): ReadyNode['prompt'] {
  if (typeof question !== 'string') return question as ReadyNode['prompt'];
  // A fixed question is named by itself, so that the workflow as JSON has it.
  return Object.defineProperty(() => question, 'name', { value: question });
}

function listOf(items: JsonSchema | undefined): JsonSchema | undefined {
  return items === undefined ? { type: 'array' } : { type: 'array', items };
}

/** One check over all items of a list. */
function listCheck(check: Check): Check {
  return (list) => {
    const all = (list as readonly unknown[]).map(check);
    return all.some((one) => one instanceof Promise) ? Promise.all(all).then(together) : together(all as Checked[]);
  };
}

function together(all: readonly Checked[]): Checked {
  const issues = all.flatMap((one, at) => (one.ok ? [] : one.issues.map((issue) => `[${at}]: ${issue}`)));
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: all.map((one) => (one as { readonly value: unknown }).value) };
}
