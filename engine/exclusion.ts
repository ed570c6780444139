// Which nodes can never both run, told from the ways of branches that each needs. Finds joins that can never start, writers that never meet,
// and `any` joins in which timing decides. A workflow without ways is answered at once.
import type { Compiled } from './compile.ts';
import { type Operand, type Predicate, printPredicate } from './predicate.ts';
import { ALL, ANY } from './transition.ts';

/** Words of 32 ways for all nodes together. Beyond it nothing is claimed. */
const MOST_WORDS = 4_000_000;

export interface Exclusion {
  /** Whether both nodes can never run in one run. False also means: not known. */
  excludes(a: number, b: number): boolean;
  /** Nodes that wait for ways of which never all are taken, the first of each line only, with the two ways. */
  readonly neverRun: readonly { readonly node: number; readonly ways: readonly [number, number] }[];
  /** `any` joins of which two predecessors may complete. */
  readonly races: readonly number[];
  /** False where the graph was too large to tell. */
  readonly told: boolean;
}

/** `whens` has the predicate of each way, by node. */
export function findExclusion(compiled: Compiled, whens: ReadonlyMap<number, Predicate>): Exclusion {
  const { topology, order, sources, sourceOffsets } = compiled;
  const ways = [...whens.keys()];
  const words = Math.ceil(ways.length / 32);
  if (ways.length === 0 || words * topology.size > MOST_WORDS) {
    const races = topology.races ? [...order].filter((node) => topology.join[node] === ANY && beforeOf(node).length > 1) : [];
    return { excludes: () => false, neverRun: [], races, told: ways.length === 0 };
  }
  const numberOf = new Map(ways.map((node, way) => [node, way]));
  const rivals = findRivals();
  /** Ways that must have been taken for the node to run, as bits. */
  const needs = new Uint32Array(words * topology.size);
  const dead = new Uint8Array(topology.size);
  const neverRun: { node: number; ways: readonly [number, number] }[] = [];
  for (const node of order) {
    const before = beforeOf(node);
    const join = topology.join[node];
    if (join === ALL) {
      for (const source of before) for (let word = 0; word < words; word++) add(node, word, needs[source * words + word] as number);
    } else if (join === ANY) {
      const alive = before.filter((source) => dead[source] === 0);
      for (let word = 0; word < words && alive.length > 0; word++)
        add(
          node,
          word,
          alive.map((source) => needs[source * words + word] as number).reduce((all, one) => all & one, -1),
        );
    }
    // A settled join may run whatever its predecessors needed.
    const own = numberOf.get(node);
    if (own !== undefined) add(node, own >>> 5, 1 << (own & 31));
    const inherited = join === ALL ? before.some((source) => dead[source] === 1) : join === ANY && before.every((source) => dead[source] === 1);
    const clash = before.length > 1 || own !== undefined ? clashIn(node, node) : undefined;
    if (clash === undefined && !(inherited && before.length > 0)) continue;
    dead[node] = 1;
    if (!inherited && clash !== undefined) neverRun.push({ node, ways: clash });
  }
  const races = [...order].filter((node) => {
    if (topology.join[node] !== ANY) return false;
    const before = [...beforeOf(node)];
    return before.some((a, at) => before.slice(at + 1).some((b) => clashIn(a, b) === undefined));
  });
  return { excludes: (a, b) => clashIn(a, b) !== undefined, neverRun, races, told: true };

  function beforeOf(node: number): Int32Array {
    return sources.subarray(sourceOffsets[node], sourceOffsets[node + 1]);
  }

  function add(node: number, word: number, bits: number): void {
    needs[node * words + word] = (needs[node * words + word] as number) | bits;
  }

  /** Two ways of which one is needed by `a`, the other by `b`, and never both are taken. */
  function clashIn(a: number, b: number): readonly [number, number] | undefined {
    for (const [way, others] of rivals) {
      if (!isNeeded(a, way)) continue;
      for (const other of others) if (isNeeded(b, other)) return [ways[way] as number, ways[other] as number];
    }
    return undefined;
  }

  function isNeeded(node: number, way: number): boolean {
    return ((needs[node * words + (way >>> 5)] as number) & (1 << (way & 31))) !== 0;
  }

  /** Ways out of one node see the same state; some of their predicates deny each other. */
  function findRivals(): Map<number, number[]> {
    const bySource = new Map<number, number[]>();
    for (const [way, node] of ways.entries()) {
      const [source, ...others] = beforeOf(node);
      if (source === undefined || others.length > 0) continue;
      const group = bySource.get(source);
      if (group === undefined) bySource.set(source, [way]);
      else group.push(way);
    }
    const found = new Map<number, number[]>();
    for (const group of bySource.values()) {
      for (const a of group) {
        const others = group.filter((b) => b !== a && deny(whens.get(ways[a] as number) as Predicate, whens.get(ways[b] as number) as Predicate));
        if (others.length > 0) found.set(a, others);
      }
    }
    return found;
  }
}

/** Whether two predicates can be seen, from their form alone, never to hold together. */
export function deny(a: Predicate, b: Predicate): boolean {
  // A denial of several is one of each: `not (p or q)` and p.
  if (a.kind === 'not') return implies(b, a.part);
  if (b.kind === 'not') return implies(a, b.part);
  if (a.kind === 'and') return a.parts.some((part) => deny(part, b));
  if (b.kind === 'and') return b.parts.some((part) => deny(a, part));
  const [left, right] = [equality(a), equality(b)];
  return left !== undefined && right !== undefined && left.of === right.of && left.value !== right.value;
}

/** Whether `a` alone, as it stands, makes `b` hold. */
function implies(a: Predicate, b: Predicate): boolean {
  if (printPredicate(a) === printPredicate(b)) return true;
  if (a.kind === 'and') return a.parts.some((part) => implies(part, b));
  if (a.kind === 'or') return a.parts.every((part) => implies(part, b));
  if (b.kind === 'or') return b.parts.some((part) => implies(a, part));
  return false;
}

function equality(predicate: Predicate): { readonly of: string; readonly value: unknown } | undefined {
  if (predicate.kind !== 'compare' || predicate.operator !== '==') return undefined;
  const { left, right } = predicate;
  if (left.kind !== 'literal' && right.kind === 'literal') return { of: textOf(left), value: right.value };
  if (left.kind === 'literal' && right.kind !== 'literal') return { of: textOf(right), value: left.value };
  return undefined;
}

function textOf(operand: Operand): string {
  return printPredicate({ kind: 'truth', operand });
}
