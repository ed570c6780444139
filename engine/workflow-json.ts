// A checked workflow as plain data, and its hash. Serves versions, storage and diagrams; what a function does is not in it, only its name.
import type { JsonSchema } from './json-schema-check.ts';
import type { Plan } from './plan.ts';
import { printPredicate } from './predicate.ts';
import type { ReadyNode } from './ready-node.ts';
import { ANY, SETTLED } from './transition.ts';

export interface NodeDescription {
  readonly id: string;
  readonly kind: ReadyNode['kind'];
  readonly join?: 'any' | 'settled';
  readonly onFailure?: 'continue';
  readonly reads?: readonly string[];
  readonly writes?: string | readonly string[];
  readonly connectors?: readonly (string | { readonly inPrompt: string })[];
  readonly retry?: { readonly attempts: number; readonly backoffMs?: number; readonly maxBackoffMs?: number };
  readonly timeoutMs?: number;
  readonly resource?: string;
  readonly takes?: JsonSchema;
  readonly gives?: JsonSchema;
  /** Name of its function. */
  readonly run?: string;
  readonly tool?: string;
  readonly agent?: {
    readonly system?: string;
    readonly tools: readonly string[];
    readonly iterations: number;
    readonly reasks: number;
    readonly answers?: 'json';
  };
  /** Name of the function that makes the user text of an agent or the question of a gate; a fixed question stands here itself. */
  readonly prompt?: string;
  readonly fallback?: NodeDescription;
  /** Of a way. */
  readonly when?: string;
  readonly map?: {
    readonly node: NodeDescription;
    readonly concurrency: number;
    readonly maxItems: number;
    readonly onItemFailure: 'stop' | 'drop';
    readonly retry?: NodeDescription['retry'];
    readonly timeoutMs?: number;
  };
  readonly workflow?: WorkflowDescription;
}

export interface EdgeDescription {
  readonly from: string;
  readonly to: string;
  /** Absent where the edge only orders. */
  readonly data?: true;
  readonly port?: string;
  /** Name of its function. */
  readonly transform?: string;
}

export interface WorkflowDescription {
  readonly format: 'agentgauge-workflow-1';
  readonly name: string;
  readonly version?: string;
  readonly takes?: JsonSchema;
  readonly gives?: JsonSchema;
  readonly state: readonly { readonly key: string; readonly merge?: string; readonly schema?: JsonSchema }[];
  readonly nodes: readonly NodeDescription[];
  readonly edges: readonly EdgeDescription[];
  readonly finishes: readonly string[];
}

/** O(nodes + edges); edges in the order of their nodes, each once, so that saying a thing twice changes nothing. */
export function describeWorkflow(plan: Plan): WorkflowDescription {
  const { nodes, keys, topology } = plan;
  const edges: EdgeDescription[] = [];
  for (const to of plan.declared) {
    const node = nodes[to] as ReadyNode;
    const carried = new Set<number>();
    for (const { from, port, transform } of node.inputs) {
      carried.add(from);
      const source = from < 0 ? 'start' : (nodes[from]?.id as string);
      edges.push({ from: source, to: node.id, data: true, ...given({ port, transform: nameOf(transform, `${source} → ${node.id}`) }) });
    }
    const before = topology.sources.subarray(topology.sourceOffsets[to], topology.sourceOffsets[to + 1]);
    for (const from of before) if (!carried.has(from)) edges.push({ from: nodes[from]?.id as string, to: node.id });
    if (before.length === 0 && !carried.has(-1)) edges.push({ from: 'start', to: node.id });
  }
  return {
    format: 'agentgauge-workflow-1',
    name: plan.name,
    ...given({ version: plan.version, takes: plan.takes, gives: plan.gives }),
    state: keys.map(({ name, merge, json }) => ({ key: name, ...given({ merge: merge?.name, schema: json }) })),
    nodes: Array.from(plan.declared, (number) => describeNode(plan, nodes[number] as ReadyNode, number)),
    edges,
    finishes: [...plan.finishes].map((number) => nodes[number]?.id as string),
  };
}

function describeNode(plan: Plan, node: ReadyNode, number: number): NodeDescription {
  const { keys, topology } = plan;
  const join = topology.join[number] === ANY ? 'any' : topology.join[number] === SETTLED ? 'settled' : undefined;
  const { agent, map } = node;
  return {
    id: node.id,
    kind: node.kind,
    ...given({
      join: number < 0 ? undefined : join,
      onFailure: topology.continues[number] === 1 ? ('continue' as const) : undefined,
      connectors:
        node.connectors.size === 0
          ? undefined
          : [...node.connectors.values()].map(({ connector, inPrompt }) => (inPrompt ? { inPrompt: connector.name } : connector.name)),
      reads: node.reads.size === 0 ? undefined : [...node.reads.keys()],
      writes: node.writeOutput >= 0 ? keys[node.writeOutput]?.name : node.writes.size === 0 ? undefined : [...node.writes.keys()],
      retry: retryOf(node),
      timeoutMs: node.timeoutMs,
      resource: node.resource,
      takes: node.takes,
      gives: node.gives,
      run: nameOf(node.run, node.id),
      tool: node.tool?.name,
      prompt: nameOf(node.prompt, `${node.id} prompt`),
      agent: agent === undefined ? undefined : describeAgent(agent),
      fallback: node.fallback === undefined ? undefined : describeNode(plan, node.fallback, -1),
      when: node.when === undefined ? undefined : printPredicate(node.when),
      map:
        map === undefined
          ? undefined
          : {
              node: describeNode(plan, map.body, -1),
              concurrency: map.concurrency,
              maxItems: map.maxItems,
              onItemFailure: map.dropFailed ? ('drop' as const) : ('stop' as const),
              ...given({ retry: retryOf(map), timeoutMs: map.timeoutMs }),
            },
      workflow: node.workflow === undefined ? undefined : describeWorkflow(node.workflow),
    }),
  };
}

function describeAgent({ brief, iterations, reasks }: NonNullable<ReadyNode['agent']>): NonNullable<NodeDescription['agent']> {
  const tools = brief.tools.map(({ name }) => name);
  return { ...given({ system: brief.system }), tools, iterations, reasks, ...(brief.output === undefined ? {} : { answers: 'json' as const }) };
}

function retryOf({ retry }: Pick<ReadyNode, 'retry'>): NodeDescription['retry'] {
  if (retry === undefined) return undefined;
  return { attempts: retry.attempts, ...given({ backoffMs: retry.backoffMs, maxBackoffMs: retry.maxBackoffMs }) };
}

/** A function written in place has the name of its option, which says nothing: it is called after its place. */
function nameOf(run: unknown, place: string): string | undefined {
  if (typeof run !== 'function') return undefined;
  return run.name === '' || OPTIONS.has(run.name) ? place : run.name;
}

const OPTIONS: ReadonlySet<string> = new Set(['run', 'node', 'transform', 'prompt', 'question']);

/** Without what was not given. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}

/** SHA-256 over the description with sorted names. */
export function hashOf(description: WorkflowDescription): string {
  // Asked for when needed: loading it would be a sixth of what importing the engine costs.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(sortedJson(description)).digest('hex');
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
