// A workflow from JSON: the other way round of `workflow-json.ts`. Structure comes from the data, what runs from the caller, found by name.
// Nothing in the data is trusted: its shape is checked here, and `build()` then checks all that it checks of any workflow.
import { buildWorkflow } from './build.ts';
import type { Connector, ConnectorDeclaration } from './connector.ts';
import type { JsonSchema } from './json-schema-check.ts';
import { type MergeRule, merge } from './merge.ts';
import type { CheckedWorkflow } from './plan.ts';
import { jsonSchema, type Schema, type StandardSchema } from './schema.ts';
import type { Tool } from './tool.ts';
import type { Draft, EdgeRecord, NodeKind, NodeRecord } from './workflow.ts';
import { type Problem, show, WorkflowError } from './workflow-error.ts';

/** What the data names. */
export interface WorkflowParts {
  /** By the name that the JSON has: a function's own, or for one written in place the node's id, `from → to` of a transform, `id prompt` of a prompt. */
  readonly functions?: Readonly<Record<string, (...given: never[]) => unknown>>;
  readonly tools?: readonly Tool<never, unknown>[];
  readonly connectors?: readonly Connector[];
  /** Merge rules of your own, by name. */
  readonly merges?: Readonly<Record<string, MergeRule<unknown, never>>>;
}

const FORMAT = 'agentgauge-workflow-1';
const DEEPEST = 64;
const KINDS: readonly NodeKind[] = ['function', 'agent', 'tool', 'branch', 'way', 'map', 'aggregate', 'wait', 'subgraph'];

type Fields = Readonly<Record<string, unknown>>;

/** @throws WorkflowError `INVALID_WORKFLOW` that lists every problem, of the data as of the workflow that it tells. */
export function workflowFromJson<In = unknown, Out = unknown>(json: unknown, parts: WorkflowParts = {}): CheckedWorkflow<In, Out> {
  return load(json, parts, 0) as CheckedWorkflow<In, Out>;
}

function load(json: unknown, parts: WorkflowParts, depth: number): CheckedWorkflow<never, unknown> {
  if (depth > DEEPEST) throw refused([`it nests deeper than ${DEEPEST} workflows`]);
  const reader = new Reader(parts, depth);
  const draft = reader.draft(json);
  if (reader.faults.length > 0) throw refused(reader.faults);
  return buildWorkflow(draft);
}

class Reader {
  readonly faults: string[] = [];
  readonly #parts: WorkflowParts;
  readonly #depth: number;

  constructor(parts: WorkflowParts, depth: number) {
    this.#parts = parts;
    this.#depth = depth;
  }

  draft(json: unknown): Draft {
    const { format, name, version, takes, gives, state, nodes, edges, finishes } = this.#fields(json, 'the workflow');
    if (format !== FORMAT) this.faults.push(`its format is ${show(format)}; "${FORMAT}" can be read`);
    const records = this.#list(nodes, 'nodes').map((node) => this.#node(node));
    const numberOf = new Map<unknown, number>([['start', -1]]);
    for (const [number, { id }] of records.entries()) if (!numberOf.has(id)) numberOf.set(id, number);
    const options = {
      ...given('version', version, this.#text(version, 'version')),
      ...given('input', takes, this.#schema(takes, 'takes')),
      ...given('output', gives, this.#schema(gives, 'gives')),
      state: Object.fromEntries(this.#list(state, 'state').map((key) => this.#key(key))),
    };
    return {
      name: this.#text(name, 'name'),
      options: options as Draft['options'],
      nodes: records,
      edges: this.#list(edges, 'edges').map((edge) => this.#edge(edge, numberOf)),
      finishes: this.#list(finishes, 'finishes').map((id) => ({ index: numberOf.get(id) ?? -2, id: this.#text(id, 'a finish') })),
    };
  }

  #key(json: unknown): [string, unknown] {
    const { key, merge: rule, schema } = this.#fields(json, 'a state key');
    const name = this.#text(key, 'the name of a state key');
    if (rule === undefined) return [name, schema === undefined ? ANYTHING : this.#schema(schema, `the schema of "${name}"`)];
    const own = member(this.#parts.merges, rule);
    if (own !== undefined) return [name, own];
    if (rule === 'append') {
      const items = schema === undefined ? undefined : this.#fields(schema, `the schema of "${name}"`).items;
      return [name, merge.append(items === undefined ? ANYTHING : (this.#schema(items, `the schema of "${name}"`) as Schema))];
    }
    if (rule === 'sum' || rule === 'max' || rule === 'min') return [name, merge[rule]()];
    this.faults.push(`state key "${name}" has the merge rule ${show(rule)}, which is not among \`merges\``);
    return [name, ANYTHING];
  }

  #edge(json: unknown, numberOf: ReadonlyMap<unknown, number>): EdgeRecord {
    const { from, to, data, port, transform } = this.#fields(json, 'an edge');
    const [fromId, toId] = [this.#text(from, 'the start of an edge'), this.#text(to, 'the end of an edge')];
    return {
      from: numberOf.get(from) ?? -2,
      to: numberOf.get(to) ?? -2,
      fromId,
      toId,
      data: data === true,
      port: port === undefined ? undefined : this.#text(port, `the port of ${fromId} → ${toId}`),
      transform: transform === undefined ? undefined : (this.#function(transform, `the transform of ${fromId} → ${toId}`) as EdgeRecord['transform']),
    };
  }

  #node(json: unknown): NodeRecord {
    const fields = this.#fields(json, 'a node');
    const id = this.#text(fields.id, 'the id of a node');
    const kind = fields.kind as NodeKind;
    if (!KINDS.includes(kind)) {
      this.faults.push(`node "${id}" is of kind ${show(kind)}; there are ${KINDS.join(', ')}`);
      return { id, kind: 'function', options: {} };
    }
    return { id, kind, options: { ...this.#policy(fields, id), ...this.#body(fields, kind, id) } };
  }

  #policy(fields: Fields, id: string): Fields {
    const policy: Record<string, unknown> = {};
    for (const name of ['join', 'onFailure', 'timeoutMs', 'resource']) if (fields[name] !== undefined) policy[name] = fields[name];
    if (fields.retry !== undefined) policy.retry = this.#fields(fields.retry, `the retry of "${id}"`);
    if (fields.reads !== undefined) policy.reads = this.#list(fields.reads, `the reads of "${id}"`).map((key) => this.#text(key, 'a key'));
    if (fields.connectors !== undefined)
      policy.connectors = this.#list(fields.connectors, `the connectors of "${id}"`).map((declared) => this.#connector(declared, id));
    if (typeof fields.writes === 'string') policy.writes = fields.writes;
    else if (fields.writes !== undefined) policy.writes = this.#list(fields.writes, `the writes of "${id}"`).map((key) => this.#text(key, 'a key'));
    if (fields.fallback !== undefined) policy.fallback = { node: this.#standIn(fields.fallback, `the fallback of "${id}"`) };
    return policy;
  }

  #body(fields: Fields, kind: NodeKind, id: string): Fields {
    const ports = {
      ...given('input', fields.takes, this.#schema(fields.takes, `what "${id}" takes`)),
      ...given('output', fields.gives, this.#schema(fields.gives, `what "${id}" gives`)),
    };
    switch (kind) {
      case 'function':
        return { ...ports, run: this.#function(fields.run, `node "${id}"`) };
      case 'aggregate':
        return fields.run === undefined ? given('input', ports.input, ports.input) : { ...ports, run: this.#function(fields.run, `node "${id}"`) };
      case 'branch':
        return ports;
      case 'way':
        return { when: this.#text(fields.when, `the predicate of "${id}"`) };
      case 'wait': {
        const question = fields.prompt === undefined ? undefined : (member(this.#parts.functions, fields.prompt) ?? this.#text(fields.prompt, 'a question'));
        return { ...ports, ...given('question', question, question) };
      }
      case 'tool':
        return { tool: this.#tool(fields.tool, id) };
      case 'agent':
        return this.#agent(fields, ports, id);
      case 'subgraph':
        return { workflow: load(fields.workflow, this.#parts, this.#depth + 1) };
      case 'map': {
        const { node, ...rest } = this.#fields(fields.map, `the map of "${id}"`);
        return { ...rest, node: this.#standIn(node, `what map "${id}" does`) };
      }
      default:
        return kind satisfies never;
    }
  }

  #agent(fields: Fields, ports: { readonly input?: unknown; readonly output?: unknown }, id: string): Fields {
    const { system, tools, iterations, reasks, answers } = this.#fields(fields.agent, `agent "${id}"`);
    const prompt = fields.prompt === undefined ? undefined : this.#function(fields.prompt, `the prompt of "${id}"`);
    return {
      ...given('input', ports.input, ports.input),
      ...given('output', answers === 'json' ? ports.output : undefined, ports.output),
      ...given('system', system, this.#text(system, 'a system text')),
      ...given('iterations', iterations, iterations),
      ...given('reasks', reasks, reasks),
      ...given('prompt', prompt, prompt),
      tools: this.#list(tools, `the tools of "${id}"`).map((name) => this.#tool(name, id)),
    };
  }

  /** A body without a place of its own in the graph: of a map, or of a fallback. */
  #standIn(json: unknown, what: string): unknown {
    const { kind, options } = this.#node(this.#fields(json, what));
    const { run, tool, workflow, ...rest } = options;
    if (kind === 'function') return run;
    return kind === 'tool' ? tool : kind === 'subgraph' ? workflow : rest;
  }

  #tool(name: unknown, id: string): unknown {
    const found = this.#parts.tools?.find((tool) => tool.name === name);
    if (found === undefined) this.faults.push(`node "${id}" names the tool ${show(name)}, which is not among \`tools\``);
    return found;
  }

  #connector(json: unknown, id: string): ConnectorDeclaration | undefined {
    const inPrompt = typeof json === 'object';
    const name = inPrompt ? this.#fields(json, `a connector of "${id}"`).inPrompt : json;
    const connector = this.#parts.connectors?.find((one) => one.name === name);
    if (connector === undefined) this.faults.push(`node "${id}" names the connector ${show(name)}, which is not among \`connectors\``);
    return connector !== undefined && inPrompt ? { kind: 'connector-in-prompt', connector } : connector;
  }

  #function(name: unknown, what: string): unknown {
    const found = member(this.#parts.functions, name);
    if (typeof found !== 'function') this.faults.push(`${what} runs ${show(name)}, which is not among \`functions\``);
    return found;
  }

  #schema(json: unknown, what: string): StandardSchema | undefined {
    return json === undefined ? undefined : jsonSchema(this.#fields(json, what) as JsonSchema);
  }

  #fields(json: unknown, what: string): Fields {
    if (json !== null && typeof json === 'object' && !Array.isArray(json)) return json as Fields;
    this.faults.push(`${what} must be an object, found ${show(json)}`);
    return {};
  }

  #list(json: unknown, what: string): readonly unknown[] {
    if (Array.isArray(json)) return json;
    this.faults.push(`${what} must be a list, found ${show(json)}`);
    return [];
  }

  #text(json: unknown, what: string): string {
    if (typeof json === 'string') return json;
    if (json !== undefined) this.faults.push(`${what} must be a text, found ${show(json)}`);
    return '';
  }
}

/** A value of which nothing is known. */
const ANYTHING: StandardSchema = { '~standard': { version: 1, vendor: 'agentgauge', validate: (value) => ({ value }) } };

function given(name: string, if_: unknown, value: unknown): Record<string, unknown> {
  return if_ === undefined ? {} : { [name]: value };
}

/** An own member by a name from outside. */
function member<Value>(from: Readonly<Record<string, Value>> | undefined, name: unknown): Value | undefined {
  return from !== undefined && typeof name === 'string' && Object.hasOwn(from, name) ? from[name] : undefined;
}

function refused(faults: readonly string[]): WorkflowError {
  const problems: Problem[] = faults.map((message) => ({ code: 'invalid-json', message, nodes: [] }));
  const shown = faults.slice(0, 50).map((fault) => `  invalid-json: ${fault}`);
  return new WorkflowError('INVALID_WORKFLOW', `the workflow cannot be read from JSON:\n${shown.join('\n')}`, {
    problems,
    remedy: 'Pass what toJSON() gave, with the functions, tools and merge rules that it names.',
  });
}
