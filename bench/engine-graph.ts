// Graphs of no-op nodes through the public `execute` with default settings: one shared key with a `sum` merge that every node writes, no schema.
// The floor beside it is a ready queue of thirty lines over the same edges that calls the same functions and knows no failure, bound or state.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { execute, merge, workflow } from '../engine/index.ts';
import { GRAPH_FAMILIES, type GraphFamily } from './graph-families.ts';
import { medianOf } from './median.ts';

export interface GraphFigure {
  readonly family: string;
  readonly nodes: number;
  readonly rounds: number;
  readonly engineUsPerNode: number;
  /** The same with `traceHash`. */
  readonly hashedUsPerNode: number;
  readonly queueUsPerNode: number;
  readonly buildUsPerNode: number;
  /** heapUsed and arrayBuffers after a forced collection, finished run still referenced, minus before build; absent for small graphs. */
  readonly heapBytesPerNode?: number;
}

const one = () => 1;
const collect = exposedCollector();
/** Below this many nodes what the collector leaves behind is larger than the graph. */
const SMALLEST_HEAP_FIGURE = 10_000;

export async function measureGraphs(sizes: readonly number[], quick: boolean, nowMs: () => number): Promise<GraphFigure[]> {
  const figures: GraphFigure[] = [];
  for (const family of GRAPH_FAMILIES) for (const size of sizes) figures.push(await measureGraph(family, size, quick, nowMs));
  return figures;
}

/** One graph in a frame of its own, so that nothing of it is left when the next one's heap is weighed. */
async function measureGraph({ name, edges }: GraphFamily, size: number, quick: boolean, nowMs: () => number): Promise<GraphFigure> {
  const pairs = edges(size);
  const before = heapBytes();
  const buildStartMs = nowMs();
  const checked = buildGraph(size, pairs);
  const buildMs = nowMs() - buildStartMs;
  const rounds = Math.max(3, Math.min(quick ? 20 : 300, Math.round((quick ? 1e5 : 2e6) / size)));
  const engineMs: number[] = [];
  const hashedMs: number[] = [];
  const queueMs: number[] = [];
  const finished: unknown[] = [];
  for (let round = 0; round < rounds; round++) {
    let startMs = nowMs();
    const run = execute(checked, undefined);
    const result = await run.result;
    engineMs.push(nowMs() - startMs);
    if (result.status !== 'completed' || result.state.total !== size) throw new Error(`${name} ${size}: ${result.status}`);
    finished[0] = run;
    if (round % 2 === 0) {
      startMs = nowMs();
      await execute(checked, undefined, { traceHash: true }).result;
      hashedMs.push(nowMs() - startMs);
    }
    startMs = nowMs();
    if (runQueue(size, pairs) !== size) throw new Error('the queue lost nodes');
    queueMs.push(nowMs() - startMs);
  }
  const after = heapBytes();
  const perNode = (samples: readonly number[]) => (medianOf(samples.slice(Math.floor(samples.length / 2))) * 1000) / size;
  return {
    family: name,
    nodes: size,
    rounds,
    engineUsPerNode: perNode(engineMs),
    hashedUsPerNode: perNode(hashedMs),
    queueUsPerNode: perNode(queueMs),
    buildUsPerNode: (buildMs * 1000) / size,
    ...(size < SMALLEST_HEAP_FIGURE || finished.length === 0 ? {} : { heapBytesPerNode: (after - before) / size }),
  };
}

function buildGraph(size: number, pairs: readonly (readonly [number, number])[]) {
  const flow = workflow('graph', { state: { total: merge.sum() } });
  const handles = Array.from({ length: size }, (_, i) => flow.node(`n${i}`, { run: one, writes: 'total' }));
  const [first] = handles;
  if (first !== undefined) flow.after(flow.start, first);
  for (const [from, to] of pairs) flow.after(handles[from] as (typeof handles)[number], handles[to] as (typeof handles)[number]);
  return flow.build();
}

function runQueue(size: number, pairs: readonly (readonly [number, number])[]): number {
  const waiting = new Int32Array(size);
  const next: number[][] = Array.from({ length: size }, () => []);
  for (const [from, to] of pairs) {
    next[from]?.push(to);
    waiting[to] = (waiting[to] as number) + 1;
  }
  const ready: number[] = [];
  for (let node = 0; node < size; node++) if (waiting[node] === 0) ready.push(node);
  let total = 0;
  for (let head = 0; head < ready.length; head++) {
    total += one();
    for (const to of next[ready[head] as number] as number[]) {
      waiting[to] = (waiting[to] as number) - 1;
      if (waiting[to] === 0) ready.push(to);
    }
  }
  return total;
}

/** The collector, without a flag on the command line. */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function heapBytes(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
