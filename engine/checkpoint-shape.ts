// What makes two builds of a workflow one version, as far as data can tell: its description without what only says how to run it. What a function does
// is not seen; `workflow(name, { version })` speaks for that. Kept by names, so that a difference can be told and not only noticed.
import { createHash } from 'node:crypto';
import type { Plan } from './plan.ts';
import { describeWorkflow, type NodeDescription } from './workflow-json.ts';

/** Facets by name for the workflow, each node and each key. Long ones stand as their digest. */
export interface Shape {
  readonly workflow: Facets;
  readonly nodes: Readonly<Record<string, Facets>>;
  readonly keys: Readonly<Record<string, Facets>>;
}

type Facets = Readonly<Record<string, string>>;

const LONGEST_FACET = 120;

export function shapeOf(plan: Plan): Shape {
  const { name, version, takes, gives, state, nodes, edges, finishes } = describeWorkflow(plan);
  const edgesTo = new Map<string, string[]>();
  for (const { from, to, data, port } of edges) {
    const told = data === undefined ? `after ${from}` : port === undefined ? from : `${from} as ${port}`;
    const all = edgesTo.get(to);
    if (all === undefined) edgesTo.set(to, [told]);
    else all.push(told);
  }
  return {
    workflow: facets({ name, version, input: takes, output: gives, finish: finishes }),
    nodes: Object.fromEntries(nodes.map((node) => [node.id, facets({ ...lasting(node), edges: edgesTo.get(node.id)?.sort() })])),
    keys: Object.fromEntries(state.map(({ key, merge, schema }) => [key, facets({ merge, schema })])),
  };
}

/** Without what may change between two executions of one run: patience, bounds and classes. */
function lasting({ id: _, retry: _r, timeoutMs: _t, resource: _c, map, ...rest }: NodeDescription): Readonly<Record<string, unknown>> {
  return map === undefined ? rest : { ...rest, map: { ...lasting(map.node), onItemFailure: map.onItemFailure } };
}

function facets(of: Readonly<Record<string, unknown>>): Facets {
  const told: Record<string, string> = {};
  for (const [name, value] of Object.entries(of)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    told[name] = text.length <= LONGEST_FACET ? text : `sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  }
  return told;
}

/** What differs between the version that was saved and the one at hand, a sentence each; empty when they are the same. */
export function differences(saved: Shape, now: Shape): string[] {
  return [
    ...compareFacets('the workflow', saved.workflow, now.workflow),
    ...compareAll('node', saved.nodes, now.nodes),
    ...compareAll('state key', saved.keys, now.keys),
  ];
}

function compareAll(what: string, saved: Readonly<Record<string, Facets>>, now: Readonly<Record<string, Facets>>): string[] {
  const told: string[] = [];
  for (const [name, before] of Object.entries(saved)) {
    const after = Object.hasOwn(now, name) ? now[name] : undefined;
    if (after === undefined) told.push(`${what} "${name}" is gone`);
    else told.push(...compareFacets(`${what} "${name}"`, before, after));
  }
  for (const name of Object.keys(now)) if (!Object.hasOwn(saved, name)) told.push(`${what} "${name}" is new`);
  return told;
}

function compareFacets(what: string, saved: Facets, now: Facets): string[] {
  const names = new Set([...Object.keys(saved), ...Object.keys(now)]);
  return [...names].flatMap((name) => (saved[name] === now[name] ? [] : [`${what} had ${name} ${saved[name] ?? 'none'} and has ${now[name] ?? 'none'}`]));
}
