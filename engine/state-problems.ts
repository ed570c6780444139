// What can be wrong between nodes and keys: writers that no path orders, and readers that no path orders with a writer.
// Both would make a value depend on timing. Nodes on a cycle, and those behind one, are left out: their order is told as its own problem.
// Cost: one or two walks per reader, over the part of the graph above and below it.
import type { Compiled } from './compile.ts';
import type { Exclusion } from './exclusion.ts';
import type { KeyDefinition } from './state.ts';
import type { Problem } from './workflow-error.ts';

interface Access {
  readonly id: string;
  readonly reads: ReadonlyMap<string, number>;
  readonly writeOutput: number;
  readonly writes: ReadonlyMap<string, number>;
  readonly when?: unknown;
}

export function stateProblems(nodes: readonly Access[], keys: readonly KeyDefinition[], compiled: Compiled, exclusion: Pick<Exclusion, 'excludes'>): Problem[] {
  if (keys.length === 0) return [];
  const problems: Problem[] = [];
  const writers: number[][] = keys.map(() => []);
  for (const node of compiled.order) {
    const access = nodes[node] as Access;
    if (access.writeOutput >= 0) writers[access.writeOutput]?.push(node);
    for (const key of access.writes.values()) if (key !== access.writeOutput) writers[key]?.push(node);
  }
  const whole = compiled.order.length === nodes.length;
  const idOf = (node: number) => (nodes[node] as Access).id;

  for (const [key, definition] of keys.entries()) {
    if (definition.merge !== undefined) continue;
    // In the order of the graph all are ordered as soon as each is ordered with the next; only writers that never meet need a look at every pair.
    const inOrder = writers[key] as number[];
    const loose: (readonly [number, number])[] = [];
    let meeting = true;
    for (let i = 1; i < inOrder.length; i++) {
      const [a, b] = [inOrder[i - 1] as number, inOrder[i] as number];
      if (above(compiled, b, compiled.rank[a] as number).has(a)) continue;
      if (exclusion.excludes(a, b)) meeting = false;
      else loose.push([a, b]);
    }
    if (!meeting) {
      for (const [at, a] of inOrder.entries()) {
        for (const b of inOrder.slice(at + 2)) if (!exclusion.excludes(a, b) && !above(compiled, b, compiled.rank[a] as number).has(a)) loose.push([a, b]);
      }
    }
    for (const [a, b] of loose) {
      problems.push({
        code: 'unordered-writers',
        message: `nodes "${idOf(a)}" and "${idOf(b)}" both write "${definition.name}" and no path orders them; give the key a merge rule, or say after(…)`,
        nodes: [idOf(a), idOf(b)],
      });
    }
  }

  for (const node of compiled.order) {
    const { reads } = nodes[node] as Access;
    if (reads.size === 0) continue;
    let higher: ReadonlySet<number> | undefined;
    let lower: ReadonlySet<number> | undefined;
    for (const [name, key] of reads) {
      if (key < 0) continue;
      higher ??= above(compiled, node, 0);
      const inOrder = (writers[key] as number[]).filter((writer) => writer !== node);
      const { when } = nodes[node] as Access;
      // A predicate over the initial value of a merge would always say the same.
      if (whole && (keys[key]?.merge === undefined || when !== undefined) && !inOrder.some((writer) => higher?.has(writer))) {
        const what = when === undefined ? 'reads' : 'has a predicate over';
        problems.push({
          code: when === undefined ? 'never-written' : 'predicate-unwritten',
          message: `node "${idOf(node)}" ${what} "${name}", which no node before it writes`,
          nodes: [idOf(node)],
        });
      }
      for (const writer of inOrder) {
        if (higher.has(writer)) continue;
        lower ??= below(compiled, node);
        if (lower.has(writer) || exclusion.excludes(node, writer)) continue;
        problems.push({
          code: 'unordered-read',
          message: `node "${idOf(node)}" reads "${name}" and node "${idOf(writer)}" writes it, and no path orders them; say after(…)`,
          nodes: [idOf(node), idOf(writer)],
        });
      }
    }
  }
  return problems;
}

/** Nodes from which a path leads to `node`, as far back as `lowestRank`. */
function above(compiled: Compiled, node: number, lowestRank: number): ReadonlySet<number> {
  const found = new Set<number>();
  const walk = [node];
  for (let current = walk.pop(); current !== undefined; current = walk.pop()) {
    for (let at = compiled.sourceOffsets[current] as number; at < (compiled.sourceOffsets[current + 1] as number); at++) {
      const source = compiled.sources[at] as number;
      if ((compiled.rank[source] as number) < lowestRank || found.has(source)) continue;
      found.add(source);
      walk.push(source);
    }
  }
  return found;
}

/** Nodes to which a path leads from `node`. */
function below(compiled: Compiled, node: number): ReadonlySet<number> {
  const { offsets, targets } = compiled.topology;
  const found = new Set<number>();
  const walk = [node];
  for (let current = walk.pop(); current !== undefined; current = walk.pop()) {
    for (let edge = offsets[current] as number; edge < (offsets[current + 1] as number); edge++) {
      const target = targets[edge] as number;
      if (found.has(target)) continue;
      found.add(target);
      walk.push(target);
    }
  }
  return found;
}
