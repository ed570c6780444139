// `build()`: checks a draft as a whole, lists every problem in one error, and leaves what a run needs: integers, compiled checks, closures.
import { compileGraph, numberByRank } from './compile.ts';
import { type Exclusion, findExclusion } from './exclusion.ts';
import { fitProblems } from './fit-problems.ts';
import { graphProblems } from './graph-problems.ts';
import type { JsonSchema } from './json-schema-check.ts';
import { type CheckedWorkflow, keepPlan, type Plan } from './plan.ts';
import type { Predicate } from './predicate.ts';
import { parsePredicate } from './predicate-parse.ts';
import { type InputEdge, prepareNode, type ReadyNode } from './ready-node.ts';
import { resolvePort } from './schema.ts';
import { defineKey, type KeyDefinition } from './state.ts';
import { stateProblems } from './state-problems.ts';
import { ALL, ANY, SETTLED } from './transition.ts';
import type { Draft, NodeRecord } from './workflow.ts';
import { messageOf, type Problem, WorkflowError } from './workflow-error.ts';
import { describeWorkflow, hashOf, type WorkflowDescription } from './workflow-json.ts';

export type { CheckedWorkflow } from './plan.ts';

export function buildWorkflow<In, Out, S>(draft: Draft): CheckedWorkflow<In, Out, S> {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const size = draft.nodes.length;

  const keys: KeyDefinition[] = [];
  const keyIndex = new Map<string, number>();
  for (const [name, declared] of Object.entries(draft.options.state ?? {})) {
    keyIndex.set(name, keys.length);
    keys.push(
      attempt(problems, 'invalid-key', [], () => defineKey(name, declared)) ?? {
        name,
        merge: undefined,
        accepts: undefined,
        check: undefined,
        json: undefined,
      },
    );
  }

  const sound = draft.edges.filter((edge) => edge.from >= 0 && edge.to >= 0 && edge.from !== edge.to);
  const resources: string[] = [];
  const compiled = compileGraph(
    size,
    Int32Array.from(sound, (edge) => edge.from),
    Int32Array.from(sound, (edge) => edge.to),
    {
      join: Uint8Array.from(draft.nodes, ({ options }) => (options.join === 'settled' ? SETTLED : options.join === 'any' ? ANY : ALL)),
      continues: Uint8Array.from(draft.nodes, ({ options }) => (options.onFailure === 'continue' ? 1 : 0)),
      resource: resourcesOf(draft, resources),
    },
  );
  problems.push(...graphProblems(draft, compiled));

  const around = { keys: keyIndex, schemas: new Map(keys.map(({ name, json }) => [name, json])), cases: casesOf(draft), problems, notes };
  const nodes = prepareInOrder();
  wireInputs(draft, nodes, problems);
  const whens = new Map<number, Predicate>();
  for (const [number, { when }] of nodes.entries()) if (when !== undefined) whens.set(number, when);
  const exclusion = findExclusion(compiled, whens);
  tellExclusion(exclusion);
  problems.push(...stateProblems(nodes, keys, compiled, exclusion));

  const inputPort = port(draft.options.input, 'workflow input', 'input');
  const outputPort = port(draft.options.output, 'workflow output', 'input');
  const finishes = Int32Array.from(draft.finishes, ({ index }) => index);
  fitProblems({ nodes, finishes, takes: inputPort?.json, gives: outputPort?.json }, problems, notes);
  if (problems.length > 0) throw invalid(draft.name, problems);

  for (const { map, workflow, fallback } of nodes) {
    if (map === undefined && workflow === undefined && fallback === undefined) continue;
    for (const resource of [
      ...[map?.body.resource, fallback?.resource],
      ...[workflow, map?.body.workflow, fallback?.workflow].flatMap((inner) => inner?.resources ?? []),
    ])
      if (resource !== undefined && !resources.includes(resource)) resources.push(resource);
  }
  const { rank, order } = compiled;
  const nodeIds = draft.nodes.map(({ id }) => id);
  for (const { inputs } of nodes) for (const edge of inputs) if (edge.from >= 0) edge.from = rank[edge.from] as number;
  return face({
    ...numberByRank(compiled),
    name: draft.name,
    version: draft.options.version,
    declared: rank,
    nodes: Array.from(order, (node) => nodes[node] as ReadyNode),
    keys,
    finishes: finishes.map((node) => rank[node] as number),
    inputCheck: inputPort?.check,
    outputCheck: outputPort?.check,
    takes: inputPort?.json,
    gives: outputPort?.json,
    resources,
    races: exclusion.races.map((node) => nodes[node]?.id ?? ''),
  });

  /** Nodes are made in the order in which a run will meet them, and what is wrong with them is told in the order of declaration. */
  function prepareInOrder(): ReadyNode[] {
    const nodes = new Array<ReadyNode>(size);
    const told: { readonly node: number; readonly problems: readonly Problem[]; readonly notes: readonly string[] }[] = [];
    const before = { problems: problems.splice(0), notes: notes.splice(0) };
    const prepare = (node: number) => {
      nodes[node] = prepareNode(draft.nodes[node] as NodeRecord, around);
      if (problems.length > 0 || notes.length > 0) told.push({ node, problems: problems.splice(0), notes: notes.splice(0) });
    };
    for (const node of compiled.order) prepare(node);
    if (compiled.order.length < size) for (let node = 0; node < size; node++) if (compiled.rank[node] === -1) prepare(node);
    told.sort((a, b) => a.node - b.node);
    problems.push(...before.problems, ...told.flatMap((one) => one.problems));
    notes.push(...before.notes, ...told.flatMap((one) => one.notes));
    return nodes;
  }

  function face(plan: Plan): CheckedWorkflow<In, Out, S> {
    let hash: string | undefined;
    const checked = Object.freeze({
      name: plan.name,
      nodeIds: Object.freeze(nodeIds),
      notes: Object.freeze(notes),
      get hash(): string {
        hash ??= hashOf(describeWorkflow(plan));
        return hash;
      },
      toJSON: (): WorkflowDescription => describeWorkflow(plan),
    });
    keepPlan(checked, plan);
    return checked;
  }

  function tellExclusion({ neverRun, races, told }: Exclusion): void {
    const idOf = (node: number) => nodes[node]?.id ?? '?';
    for (const { node, ways } of neverRun) {
      const [one, other] = ways.map(idOf) as [string, string];
      problems.push({
        code: 'never-fires',
        message: `node "${idOf(node)}" waits for "${one}" and "${other}", which are never both taken; give it join: "any" or "settled"`,
        nodes: [idOf(node), one, other],
      });
    }
    for (const node of races) notes.push(`node ${idOf(node)}: several of its predecessors may complete, and timing decides which of them comes first`);
    if (!told) notes.push('the graph has too many branches to tell joins that can never start');
  }

  function port(schema: unknown, what: string, direction: 'input' | 'output') {
    if (schema === undefined) return undefined;
    return attempt(problems, 'invalid-schema', [], () => {
      const resolved = resolvePort(schema, direction);
      notes.push(...resolved.unchecked.map((keyword) => `${what}: ${keyword} is not checked`));
      return resolved as { readonly check: ReadyNode['inputCheck']; readonly json?: JsonSchema };
    });
  }
}

/** Classes of the nodes as numbers from 1; names are added to `resources`. Agents are of class `model` unless they say otherwise. */
function resourcesOf(draft: Draft, resources: string[]): Uint8Array | undefined {
  let classes: Uint8Array | undefined;
  for (const [node, { kind, options }] of draft.nodes.entries()) {
    // A map takes its class item by item.
    const resource = kind === 'map' ? undefined : ((options.resource as string | undefined) ?? (kind === 'agent' ? 'model' : undefined));
    if (resource === undefined) continue;
    classes ??= new Uint8Array(draft.nodes.length);
    if (!resources.includes(resource)) resources.push(resource);
    classes[node] = resources.indexOf(resource) + 1;
  }
  return classes;
}

/** Predicates of the named ways of each branch; texts that cannot be read are told when the way itself is prepared. */
function casesOf(draft: Draft): ReadonlyMap<unknown, readonly Predicate[]> {
  const cases = new Map<unknown, Predicate[]>();
  for (const { kind, options } of draft.nodes) {
    if (kind !== 'way' || options.way === undefined || typeof options.when !== 'string') continue;
    const list = cases.get(options.of) ?? [];
    cases.set(options.of, list);
    try {
      list.push(parsePredicate(options.when));
    } catch {
      // Told by prepareNode, with the way's id.
    }
  }
  return cases;
}

/** Runs one part of the preparation; what it throws becomes a problem beside the others. */
function attempt<Value>(problems: Problem[], code: string, nodes: readonly string[], run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    problems.push({ code, message: `${nodes.length > 0 ? `node "${nodes.join('", "')}": ` : ''}${messageOf(error)}`, nodes });
    return undefined;
  }
}

/** The list that nodes without inputs share is never added to. */
function addInput(node: ReadyNode, edge: InputEdge): void {
  if (node.inputs.length === 0) node.inputs = [edge];
  else (node.inputs as InputEdge[]).push(edge);
}

/** An aggregate takes as many as there are; of an `any` join the one that comes first counts. */
function mayRepeat(draft: Draft, node: ReadyNode, number: number): boolean {
  return node.gathers || draft.nodes[number]?.options.join === 'any';
}

/** Says for each node where its input comes from. */
function wireInputs(draft: Draft, nodes: readonly ReadyNode[], problems: Problem[]): void {
  for (const edge of draft.edges) {
    if (!edge.data || edge.to < 0 || edge.from < -1 || edge.from === edge.to) continue;
    const node = nodes[edge.to] as ReadyNode;
    const at = { from: edge.from, port: edge.port, transform: edge.transform as ((value: unknown) => unknown) | undefined };
    const one = node.inputs[0];
    if (one !== undefined && edge.port === undefined && one.port === undefined && mayRepeat(draft, node, edge.to)) addInput(node, at);
    else if (one !== undefined && (edge.port === undefined || one.port === undefined)) {
      problems.push({
        code: 'ambiguous-input',
        message: `node "${node.id}" gets its input from more than one edge; name the part that each carries: connect(from, to, { port: "…" })`,
        nodes: [node.id],
      });
    } else if (node.inputs.some(({ port }) => port === edge.port)) {
      problems.push({ code: 'ambiguous-input', message: `node "${node.id}" gets the part "${edge.port}" from more than one edge`, nodes: [node.id] });
    } else addInput(node, at);
  }
  for (const node of nodes) {
    if (node.fallback !== undefined) node.fallback.inputs = node.inputs;
    if (!node.needsInput) continue;
    if (node.inputs.length === 0) {
      problems.push({ code: 'missing-input', message: `node "${node.id}" needs an input and no edge carries one; connect(…, ${node.id})`, nodes: [node.id] });
    } else if (node.inputs[0]?.port !== undefined) {
      const parts = new Set(node.inputs.map(({ port }) => port));
      const missing = node.requiredParts.filter((part) => !parts.has(part));
      if (missing.length > 0)
        problems.push({ code: 'missing-input', message: `node "${node.id}" needs the parts ${missing.join(', ')}, which no edge carries`, nodes: [node.id] });
    }
  }
}

const SHOWN = 50;

function invalid(name: string, problems: readonly Problem[]): WorkflowError {
  const shown = problems.slice(0, SHOWN).map(({ code, message }) => `  ${code}: ${message}`);
  if (problems.length > SHOWN) shown.push(`  … and ${problems.length - SHOWN} more (see error.problems)`);
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new WorkflowError('INVALID_WORKFLOW', `workflow "${name}" has ${count}:\n${shown.join('\n')}`, {
    problems,
    remedy: 'Mend each of them and build again.',
  });
}
