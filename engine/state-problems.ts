// What can be wrong between nodes and keys: writers that no path orders, and readers that no path orders with a writer.
// Both would make a value depend on timing. Nodes on a cycle, and those behind one, are left out: their order is told as its own problem.
// Cost: one look at the graph a key where its readers and writers follow one another; else a walk or two for each of its readers or writers, whichever are fewer.
import type { Compiled } from './compile.ts';
import type { Exclusion } from './exclusion.ts';
import type { KeyDefinition } from './state.ts';
import { ANY } from './transition.ts';
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
  const readers: number[][] = keys.map(() => []);
  for (const node of compiled.order) {
    const access = nodes[node] as Access;
    if (access.writeOutput >= 0) writers[access.writeOutput]?.push(node);
    for (const key of access.reads.values()) readers[key]?.push(node);
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

  problems.push(...readProblems());
  return problems;

  /** A path there is may lead through an `any` join. */
  function racing(reader: number, writer: number): string {
    if (!compiled.topology.races || (!above(compiled, reader, 0).has(writer) && !above(compiled, writer, 0).has(reader))) return '';
    return 'a join "any" on the way may start before all above it has ended; ';
  }

  /** By reader in the order of the graph. */
  function readProblems(): Problem[] {
    const told: { readonly reader: number; readonly problem: Problem }[] = [];
    for (const [key, definition] of keys.entries()) {
      const readersOfKey = readers[key] as number[];
      if (readersOfKey.length === 0) continue;
      const ordered = orderBetween(compiled, exclusion, readersOfKey, writers[key] as number[]);
      for (const reader of readersOfKey) {
        const { when } = nodes[reader] as Access;
        // A predicate over the initial value of a merge would always say the same.
        if (!whole || ordered.written.has(reader) || (definition.merge !== undefined && when === undefined)) continue;
        const what = when === undefined ? 'reads' : 'has a predicate over';
        told.push({
          reader,
          problem: {
            code: when === undefined ? 'never-written' : 'predicate-unwritten',
            message: `node "${idOf(reader)}" ${what} "${definition.name}", which no node before it writes`,
            nodes: [idOf(reader)],
          },
        });
      }
      for (const [reader, writer] of ordered.loose) {
        if (exclusion.excludes(reader, writer)) continue;
        told.push({
          reader,
          problem: {
            code: 'unordered-read',
            message: `node "${idOf(reader)}" reads "${definition.name}" and node "${idOf(writer)}" writes it, and no path orders them; ${racing(reader, writer)}say after(…)`,
            nodes: [idOf(reader), idOf(writer)],
          },
        });
      }
    }
    return told.sort((a, b) => (compiled.rank[a.reader] as number) - (compiled.rank[b.reader] as number)).map(({ problem }) => problem);
  }
}

interface Order {
  /** Readers that have a writer above them. */
  readonly written: ReadonlySet<number>;
  /** Pairs of reader and writer that no path orders. */
  readonly loose: readonly (readonly [number, number])[];
}

/** Both lists in the order of the graph. Nodes in one line are told from their ranks; else the shorter list is walked from. */
function orderBetween(compiled: Compiled, exclusion: Pick<Exclusion, 'excludes'>, readers: readonly number[], writers: readonly number[]): Order {
  if (compiled.topology.races) return orderWithRaces(compiled, exclusion, readers, writers);
  const { rank } = compiled;
  const rankOf = (node: number) => rank[node] as number;
  const written = new Set<number>();
  const loose: [number, number][] = [];
  const all = [...new Set([...readers, ...writers])].sort((a, b) => rankOf(a) - rankOf(b));
  // Each walk stays between two neighbours, so that all of them together look at the graph about once.
  if (all.every((node, at) => at === 0 || above(compiled, node, rankOf(all[at - 1] as number)).has(all[at - 1] as number))) {
    const [first] = writers;
    if (first !== undefined) for (const reader of readers) if (rankOf(first) < rankOf(reader)) written.add(reader);
    return { written, loose };
  }
  if (readers.length <= writers.length) {
    for (const reader of readers) {
      const higher = above(compiled, reader, 0);
      let lower: ReadonlySet<number> | undefined;
      for (const writer of writers) {
        if (higher.has(writer)) written.add(reader);
        else if (writer !== reader) {
          lower ??= below(compiled, reader);
          if (!lower.has(writer)) loose.push([reader, writer]);
        }
      }
    }
    return { written, loose };
  }
  for (const writer of writers) {
    const lower = below(compiled, writer);
    let higher: ReadonlySet<number> | undefined;
    for (const reader of readers) {
      if (lower.has(reader)) written.add(reader);
      else if (writer !== reader) {
        higher ??= above(compiled, writer, 0);
        if (!higher.has(reader)) loose.push([reader, writer]);
      }
    }
  }
  return { written, loose };
}

/** Where there are `any` joins a path does not do: the join may start before the writer has ended. */
function orderWithRaces(compiled: Compiled, exclusion: Pick<Exclusion, 'excludes'>, readers: readonly number[], writers: readonly number[]): Order {
  const written = new Set<number>();
  const loose: [number, number][] = [];
  const cache = new Map<number, ReadonlySet<number>>();
  const after = (node: number) => {
    const known = cache.get(node) ?? surelyAfter(compiled, exclusion, node);
    cache.set(node, known);
    return known;
  };
  for (const reader of readers) {
    const higher = above(compiled, reader, 0);
    for (const writer of writers) {
      if (higher.has(writer)) written.add(reader);
      if (writer !== reader && !after(writer).has(reader) && !after(reader).has(writer)) loose.push([reader, writer]);
    }
  }
  return { written, loose };
}

/** Nodes that never start before `node` has ended. An `any` join is one only if each of its predecessors is, or never completes in a run in which `node` runs. */
function surelyAfter(compiled: Compiled, exclusion: Pick<Exclusion, 'excludes'>, node: number): ReadonlySet<number> {
  const { rank, sources, sourceOffsets, topology } = compiled;
  const found = new Set([node]);
  for (const candidate of [...below(compiled, node)].sort((a, b) => (rank[a] as number) - (rank[b] as number))) {
    const before = [...sources.subarray(sourceOffsets[candidate], sourceOffsets[candidate + 1])];
    const sure =
      topology.join[candidate] === ANY
        ? before.every((source) => found.has(source) || exclusion.excludes(source, node))
        : before.some((source) => found.has(source));
    if (sure) found.add(candidate);
  }
  found.delete(node);
  return found;
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
