// Graphs of no-op nodes in four families, from a hundred nodes to a million: the engine, two floors, and the peers as far as each goes within a minute.
// Each contestant, family and size is a process of its own; of floors, engine and p-graph there are three up to 10⁴ nodes and two at 10⁵, in turn, and the figure is
// their median.
import { GRAPH_CONTESTANTS, type GraphEntry } from './graph/contestants.ts';
import { GRAPH_FAMILIES, type GraphFamily } from './graph/families.ts';
import type { GraphCost } from './graph-child.ts';
import { askOnce } from './measuring-child.ts';
import { medianOf } from './median.ts';
import { preparePeers } from './prepare-peers.ts';
import type { Section } from './section.ts';

export interface GraphFigure {
  readonly family: string;
  readonly nodes: number;
  readonly contestant: string;
  readonly processes: number;
  /** Median over the processes, and the smallest and largest of them. */
  readonly usPerNode: number;
  readonly low: number;
  readonly high: number;
  readonly buildUsPerNode: number;
  /** Absent for small graphs, where what the collector leaves behind is larger than the graph. */
  readonly heldBytesPerNode?: number;
}

/** The first size that a contestant did not get through; larger ones were not tried. */
export interface GraphLimit {
  readonly family: string;
  readonly nodes: number;
  readonly contestant: string;
  readonly reason: string;
}

export interface GraphFigures {
  readonly figures: readonly GraphFigure[];
  readonly limits: readonly GraphLimit[];
  /** Why no peer was measured, if so. */
  readonly withoutPeers?: string;
}

const DEADLINE_MS = 60_000;
const QUICK_DEADLINE_MS = 20_000;
const SMALLEST_SHARED = 10_000;
const SLOW_MS = 10_000;
const SMALLEST_WEIGHED = 10_000;
/** Room for a million nodes of whoever needs it. */
const NODE_ARGS = ['--max-old-space-size=8192'];

export const graphSection: Section<GraphFigures> = {
  name: 'graph',
  measures:
    'graphs of no-op nodes (chain, fan, lattice, layered) of 10² to 10⁶ nodes: the engine, two floors, and with --peers p-graph, LangGraph, LlamaIndex, Mastra',
  takes: '14 minutes (5 without peers), quick 1 minute (3 with peers)',
  measure: async ({ quick, peers, say }) => {
    const withoutPeers = peers ? await preparePeers(say) : '--no-peers';
    const entries = GRAPH_CONTESTANTS.filter(({ isPeer }) => isPeer === undefined || withoutPeers === undefined);
    const sizes = quick ? [1_000, 10_000] : [100, 1_000, 10_000, 100_000, 1_000_000];
    const figures: GraphFigure[] = [];
    const limits: GraphLimit[] = [];
    for (const family of GRAPH_FAMILIES) {
      let inRace = entries;
      for (const [at, size] of sizes.entries()) {
        const entered = inRace.filter(({ largest = size }) => size <= largest);
        say(`graph: ${family.name}, ${size} nodes, ${entered.map(({ name }) => name).join(', ')}`);
        const cells = await measureCell(family, size, entered, quick);
        for (const { entry, costs, failure } of cells) {
          if (costs.length > 0) figures.push(figureOf(family, size, entry, costs));
          const nextSize = sizes[at + 1];
          const hopeless = nextSize === undefined ? undefined : hopelessness(costs, nextSize / size, quick ? QUICK_DEADLINE_MS : DEADLINE_MS);
          if (failure !== undefined) limits.push({ family: family.name, nodes: size, contestant: entry.name, reason: failure });
          else if (hopeless !== undefined) limits.push({ family: family.name, nodes: nextSize ?? size, contestant: entry.name, reason: hopeless });
          if (failure !== undefined || hopeless !== undefined) inRace = inRace.filter((one) => one !== entry);
        }
      }
    }
    return { figures, limits, ...(withoutPeers === undefined ? {} : { withoutPeers }) };
  },
  textOf: ({ figures, limits, withoutPeers }) => {
    const lines = ['graphs of no-op nodes: µs a node (× engine), [least, most] of the processes'];
    for (const family of new Set(figures.map((one) => one.family))) {
      lines.push(`  ${family}`);
      for (const name of new Set([...figures, ...limits].map((one) => one.contestant))) {
        const own = figures.filter((one) => one.family === family && one.contestant === name);
        const stopped = limits.find((one) => one.family === family && one.contestant === name);
        const cells = own.map((one) => cellText(one, figures));
        if (stopped !== undefined) cells.push(`${powerText(stopped.nodes)}: ${stopped.reason}`);
        if (cells.length > 0) lines.push(`    ${name.padEnd(20)} ${cells.join('   ')}`);
      }
    }
    const engine = figures.filter(({ contestant }) => contestant === 'engine');
    lines.push('  of the engine: build in µs, and bytes held with the finished run, a node');
    for (const { family, nodes, buildUsPerNode, heldBytesPerNode } of engine)
      lines.push(
        `    ${family.padEnd(8)} ${powerText(nodes)}: build ${buildUsPerNode.toFixed(2)}${heldBytesPerNode === undefined ? '' : `, held ${heldBytesPerNode.toFixed(0)}`}`,
      );
    const growth = engine.flatMap(({ family, nodes, usPerNode }) => {
      const small = engine.find((one) => one.family === family && one.nodes === 10_000);
      return nodes === 1_000_000 && small !== undefined ? [`${family} × ${significant(usPerNode / small.usPerNode)}`] : [];
    });
    if (growth.length > 0) lines.push(`  of the engine: a node at 10⁶ over one at 10⁴: ${growth.join(', ')}`);
    if (withoutPeers !== undefined) lines.push(`  no peers: ${withoutPeers}`);
    return lines;
  },
};

interface Cell {
  readonly entry: GraphEntry;
  readonly costs: GraphCost[];
  failure?: string;
}

async function measureCell(family: GraphFamily, size: number, entries: readonly GraphEntry[], quick: boolean): Promise<readonly Cell[]> {
  const cells: Cell[] = entries.map((entry) => ({ entry, costs: [] }));
  const measure = async (cell: Cell) => {
    if (cell.failure !== undefined || cell.costs.some(({ buildAndRunMs }) => buildAndRunMs > SLOW_MS)) return;
    const args = [cell.entry.name, family.name, String(size), String(quick ? 150 : 400)];
    const outcome = await askOnce<GraphCost>('bench/graph-child', args, { deadlineMs: quick ? QUICK_DEADLINE_MS : DEADLINE_MS, nodeArgs: NODE_ARGS });
    if (outcome.ok) cell.costs.push(outcome.value);
    else cell.failure = outcome.reason;
  };
  const processes = quick || size > 100_000 ? 1 : size > 10_000 ? 2 : 3;
  const schedulers = cells.filter(({ entry }) => entry.isFramework === undefined);
  for (let round = 0; round < processes; round++) {
    // Who goes first changes with the round.
    for (const cell of round % 2 === 0 ? schedulers : [...schedulers].reverse()) await measure(cell);
  }
  // Where a run may take a minute, frameworks go two at a time: else most of the bench would be waiting for them.
  const waiting = cells.filter(({ entry }) => entry.isFramework !== undefined);
  const lane = async () => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) await measure(cell);
  };
  await Promise.all(size < SMALLEST_SHARED ? [lane()] : [lane(), lane()]);
  return cells;
}

/** Nobody is sub-linear, so a size that even linear growth puts beyond the deadline is not begun. */
function hopelessness(costs: readonly GraphCost[], growth: number, deadlineMs: number): string | undefined {
  if (costs.length === 0) return undefined;
  const leastMs = Math.min(...costs.map(({ buildAndRunMs }) => buildAndRunMs)) * growth;
  return leastMs > deadlineMs ? `not begun, at least ${Math.round(leastMs / 1000)} s by the size before` : undefined;
}

function figureOf(family: GraphFamily, nodes: number, { name }: GraphEntry, costs: readonly GraphCost[]): GraphFigure {
  const times = costs.map(({ usPerNode }) => usPerNode);
  return {
    family: family.name,
    nodes,
    contestant: name,
    processes: costs.length,
    usPerNode: medianOf(times),
    low: Math.min(...times),
    high: Math.max(...times),
    buildUsPerNode: medianOf(costs.map(({ buildUsPerNode }) => buildUsPerNode)),
    ...(nodes < SMALLEST_WEIGHED ? {} : { heldBytesPerNode: medianOf(costs.map(({ heldBytesPerNode }) => heldBytesPerNode)) }),
  };
}

function cellText({ family, nodes, contestant, processes, usPerNode, low, high }: GraphFigure, all: readonly GraphFigure[]): string {
  const engine = all.find((one) => one.family === family && one.nodes === nodes && one.contestant === 'engine');
  const ratio = engine === undefined || contestant === 'engine' ? '' : ` (× ${significant(usPerNode / engine.usPerNode)})`;
  const spread = processes === 1 ? '' : ` [${significant(low)}, ${significant(high)}]`;
  return `${powerText(nodes)}: ${significant(usPerNode)}${ratio}${spread}`;
}

/** Three significant digits, whatever the size. */
function significant(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

function powerText(nodes: number): string {
  return `10${'⁰¹²³⁴⁵⁶⁷⁸⁹'[Math.round(Math.log10(nodes))]}`;
}
