// From records to integers: edges in compressed rows, each pair of nodes once, and an order in which every edge runs forward.
import { ANY, type Topology } from './transition.ts';

export interface Compiled {
  readonly topology: Topology;
  /** Position of each node in the order; nodes on a cycle have -1. */
  readonly rank: Int32Array;
  /** Nodes by rank. */
  readonly order: Int32Array;
  /** The topology's own rows of predecessors. */
  readonly sourceOffsets: Int32Array;
  readonly sources: Int32Array;
}

/** What a node is to the scheduler besides its edges. */
export interface NodeMarks {
  readonly join: Uint8Array;
  readonly continues: Uint8Array;
  readonly resource: Uint8Array | undefined;
}

/** Edges as two arrays of node numbers; pairs may repeat. O(nodes + edges). */
export function compileGraph(size: number, from: Int32Array, to: Int32Array, marks: NodeMarks): Compiled {
  const out = rows(size, from, to);
  const inDegree = new Int32Array(size);
  for (const target of out.targets) inDegree[target] = (inDegree[target] as number) + 1;
  const sourceOffsets = new Int32Array(size + 1);
  for (let node = 0; node < size; node++) sourceOffsets[node + 1] = (sourceOffsets[node] as number) + (inDegree[node] as number);
  const sources = new Int32Array(out.targets.length);
  const next = sourceOffsets.slice(0, size);
  for (let node = 0; node < size; node++) {
    for (let edge = out.offsets[node] as number; edge < (out.offsets[node + 1] as number); edge++) {
      const target = out.targets[edge] as number;
      sources[next[target] as number] = node;
      next[target] = (next[target] as number) + 1;
    }
  }
  const topology: Topology = { size, offsets: out.offsets, targets: out.targets, inDegree, races: marks.join.includes(ANY), sourceOffsets, sources, ...marks };
  const order = orderNodes(topology);
  const rank = new Int32Array(size).fill(-1);
  for (let at = 0; at < order.length; at++) rank[order[at] as number] = at;
  return { topology, rank, order, sourceOffsets, sources };
}

/** The same graph with its nodes numbered by rank: a run then meets nodes about in the order in which they stand in memory. For graphs without a cycle. */
export function numberByRank({ topology, rank, order, sourceOffsets, sources }: Compiled): Compiled {
  const { size, offsets, targets, inDegree, join, continues, resource } = topology;
  if (order.every((node, at) => node === at)) return { topology, rank, order, sourceOffsets, sources };
  const move = (offsets: Int32Array, ends: Int32Array) => {
    const movedOffsets = new Int32Array(size + 1);
    const moved = new Int32Array(ends.length);
    let kept = 0;
    for (let at = 0; at < size; at++) {
      const node = order[at] as number;
      for (let edge = offsets[node] as number; edge < (offsets[node + 1] as number); edge++) moved[kept++] = rank[ends[edge] as number] as number;
      movedOffsets[at + 1] = kept;
    }
    return { offsets: movedOffsets, ends: moved };
  };
  const successors = move(offsets, targets);
  const predecessors = move(sourceOffsets, sources);
  const same = Int32Array.from(order, (_, at) => at);
  return {
    topology: {
      ...topology,
      offsets: successors.offsets,
      targets: successors.ends,
      inDegree: Int32Array.from(order, (node) => inDegree[node] as number),
      join: Uint8Array.from(order, (node) => join[node] as number),
      continues: Uint8Array.from(order, (node) => continues[node] as number),
      resource: resource && Uint8Array.from(order, (node) => resource[node] as number),
      sourceOffsets: predecessors.offsets,
      sources: predecessors.ends,
    },
    rank: same,
    order: same,
    sourceOffsets: predecessors.offsets,
    sources: predecessors.ends,
  };
}

/** Successors of each node in the order in which the edges were given, each once. */
function rows(size: number, from: Int32Array, to: Int32Array): { offsets: Int32Array; targets: Int32Array } {
  const offsets = new Int32Array(size + 1);
  for (const node of from) offsets[node + 1] = (offsets[node + 1] as number) + 1;
  for (let node = 0; node < size; node++) offsets[node + 1] = (offsets[node + 1] as number) + (offsets[node] as number);
  const targets = new Int32Array(from.length);
  const next = offsets.slice(0, size);
  for (let edge = 0; edge < from.length; edge++) {
    const node = from[edge] as number;
    targets[next[node] as number] = to[edge] as number;
    next[node] = (next[node] as number) + 1;
  }
  // Repeated pairs are taken out in place; `seen` holds the last source that named a target.
  const seen = new Int32Array(size).fill(-1);
  let kept = 0;
  for (let node = 0; node < size; node++) {
    const first = offsets[node] as number;
    const last = offsets[node + 1] as number;
    offsets[node] = kept;
    for (let edge = first; edge < last; edge++) {
      const target = targets[edge] as number;
      if (seen[target] === node) continue;
      seen[target] = node;
      targets[kept++] = target;
    }
  }
  offsets[size] = kept;
  return { offsets, targets: targets.slice(0, kept) };
}

/** Kahn's order, first declared first. Shorter than the graph when there is a cycle. */
function orderNodes(graph: Topology): Int32Array {
  const waiting = graph.inDegree.slice();
  const order = new Int32Array(graph.size);
  let tail = 0;
  for (let node = 0; node < graph.size; node++) if (waiting[node] === 0) order[tail++] = node;
  for (let head = 0; head < tail; head++) {
    const node = order[head] as number;
    for (let edge = graph.offsets[node] as number; edge < (graph.offsets[node + 1] as number); edge++) {
      const target = graph.targets[edge] as number;
      waiting[target] = (waiting[target] as number) - 1;
      if (waiting[target] === 0) order[tail++] = target;
    }
  }
  return order.slice(0, tail);
}
