// What can be wrong with the shape of a graph: ids, ends of edges, self loops, cycles, nodes that nothing reaches, finishes.
import type { Compiled } from './compile.ts';
import type { Draft } from './workflow.ts';
import type { Problem } from './workflow-error.ts';

const MOST_CYCLES = 20;
const TAKEN_NAMES = new Set(['id', 'accepts', 'gives', 'otherwise']);

export function graphProblems(draft: Draft, compiled: Compiled): Problem[] {
  const problems: Problem[] = [];
  const say = (code: string, message: string, nodes: readonly string[]) => problems.push({ code, message, nodes });
  const ids = new Map<string, number>();
  if (draft.nodes.length === 0) say('no-nodes', 'the workflow has no node', []);
  for (const { id } of draft.nodes) {
    if (typeof id !== 'string' || id === '') say('invalid-id', `a node's id must be a text that is not empty, found ${JSON.stringify(id)}`, []);
    else if (id === 'start') say('reserved-id', 'the id "start" is the workflow’s own start; name the node otherwise', [id]);
    ids.set(id, (ids.get(id) ?? 0) + 1);
  }
  for (const { id, kind, options } of draft.nodes) {
    // A branch that was read from JSON has its ways as nodes only.
    if (kind !== 'branch' || options.ways === undefined) continue;
    const ways = options.ways as readonly string[];
    if (ways.length === 0) say('no-ways', `branch "${id}" has no case: branch(id, { cases: { name: "predicate" } })`, [id]);
    for (const way of ways)
      if (TAKEN_NAMES.has(way)) say('invalid-way', `branch "${id}" has a way named "${way}", which every branch has already; name it otherwise`, [id]);
  }
  for (const [id, times] of ids) if (times > 1) say('duplicate-id', `${times} nodes have the id "${id}"`, [id]);

  const reached: number[] = [];
  const isReached = new Uint8Array(draft.nodes.length);
  for (const edge of draft.edges) {
    if (edge.from === -2) say('unknown-node', `an edge comes from "${edge.fromId}", which is no node of this workflow`, [edge.fromId]);
    if (edge.to === -2) say('unknown-node', `an edge leads to "${edge.toId}", which is no node of this workflow`, [edge.toId]);
    if (edge.to === -1) say('into-start', `an edge leads from "${edge.fromId}" back to the start`, [edge.fromId]);
    if (edge.from >= 0 && edge.from === edge.to) say('self-loop', `node "${edge.fromId}" waits for itself: ${edge.fromId} → ${edge.toId}`, [edge.fromId]);
    if (edge.from === -1 && edge.to >= 0 && isReached[edge.to] === 0) {
      isReached[edge.to] = 1;
      reached.push(edge.to);
    }
  }

  const { offsets, targets } = compiled.topology;
  for (let head = 0; head < reached.length; head++) {
    const node = reached[head] as number;
    for (let edge = offsets[node] as number; edge < (offsets[node + 1] as number); edge++) {
      const target = targets[edge] as number;
      if (isReached[target] === 1) continue;
      isReached[target] = 1;
      reached.push(target);
    }
  }
  const idOf = (node: number) => draft.nodes[node]?.id ?? '?';
  for (const cycle of findCycles(compiled)) {
    const path = [...cycle, cycle[0] as number].map(idOf);
    say('cycle', `the nodes wait for each other: ${path.join(' → ')}`, path.slice(0, -1));
  }
  for (let node = 0; node < draft.nodes.length; node++) {
    if (isReached[node] === 1 || compiled.rank[node] === -1) continue;
    say('unreachable', `nothing leads from the start to node "${idOf(node)}"; connect it, or say after(flow.start, …)`, [idOf(node)]);
  }

  for (const { index, id } of draft.finishes) if (index < 0) say('unknown-node', `finish names "${id}", which is no node of this workflow`, [id]);
  if (draft.options.output !== undefined && draft.finishes.length === 0) say('no-finish', 'the workflow declares an output and finish(…) names no node', []);
  return problems;
}

/** At least one cycle of each knot of nodes, each as its whole path. A walk in depth over the nodes without rank; a way back into the walk is a cycle. */
function findCycles(compiled: Compiled): number[][] {
  const { rank, topology } = compiled;
  const { size, offsets, targets } = topology;
  if (compiled.order.length === size) return [];
  const cycles: number[][] = [];
  const mark = new Uint8Array(size);
  const next = offsets.slice(0, size);
  for (let root = 0; root < size && cycles.length < MOST_CYCLES; root++) {
    if (rank[root] !== -1 || mark[root] !== 0) continue;
    const path = [root];
    mark[root] = 1;
    while (path.length > 0) {
      const node = path.at(-1) as number;
      const edge = next[node] as number;
      if (edge === offsets[node + 1]) {
        mark[node] = 2;
        path.pop();
        continue;
      }
      next[node] = edge + 1;
      const target = targets[edge] as number;
      if (rank[target] !== -1 || mark[target] === 2) continue;
      if (mark[target] === 0) {
        mark[target] = 1;
        path.push(target);
      } else if (cycles.length < MOST_CYCLES) cycles.push(path.slice(path.indexOf(target)));
    }
  }
  return cycles;
}
