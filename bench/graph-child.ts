// Entry of a process for the bench `engine`: one contestant, one graph. Builds it, runs it until the time is up, and says what a node cost.
// Arguments: contestant, family, size, milliseconds to spend on runs.
import { systemClock } from '../base/clock.ts';
import { GRAPH_CONTESTANTS } from './graph/contestants.ts';
import { GRAPH_FAMILIES } from './graph/families.ts';
import { heldBytes } from './held-bytes.ts';
import { answer } from './measuring-child.ts';
import { medianOf } from './median.ts';

export interface GraphCost {
  readonly runs: number;
  /** Median of the later half of the runs. */
  readonly usPerNode: number;
  readonly buildUsPerNode: number;
  /** The whole of the slowest thing that a larger graph would repeat: build and one run. */
  readonly buildAndRunMs: number;
  /** Held with the finished run still referenced, over what was held before the build. Events were not asked for. */
  readonly heldBytesPerNode: number;
}

const MOST_RUNS = 300;
/** So many at least, where they take less than five seconds together: the first runs are not yet compiled. */
const LEAST_RUNS = 7;
const LONGEST_MS = 5_000;
const { nowMs } = systemClock;
const [name, familyName, size, budgetMs] = process.argv.slice(2);
const entry = GRAPH_CONTESTANTS.find((one) => one.name === name);
const family = GRAPH_FAMILIES.find((one) => one.name === familyName);
if (entry === undefined || family === undefined) throw new Error(`there is no ${name} or no ${familyName}`);
const contestant = await entry.load();
const graph = { family: family.name, size: Number(size), edges: family.edges(Number(size)) };

const heldBefore = heldBytes();
const startMs = nowMs();
const run = await contestant(graph);
const buildMs = nowMs() - startMs;
const samples: number[] = [];
let finished: unknown;
for (let spentMs = 0; samples.length < MOST_RUNS && spentMs < (samples.length < LEAST_RUNS ? LONGEST_MS : Number(budgetMs)); ) {
  const runStartMs = nowMs();
  const end = await run();
  const runMs = nowMs() - runStartMs;
  if (end.ran !== graph.size) throw new Error(`${end.ran} of ${graph.size} nodes ran`);
  ({ finished } = end);
  samples.push(runMs);
  spentMs += runMs;
}
const held = heldBytes() - heldBefore;
const runMs = medianOf(samples.slice(Math.floor(samples.length / 2)));
const cost: GraphCost = {
  runs: samples.length,
  usPerNode: (runMs * 1000) / graph.size,
  buildUsPerNode: (buildMs * 1000) / graph.size,
  buildAndRunMs: buildMs + runMs,
  // Both are named here, so that neither is collected before it was weighed.
  heldBytesPerNode: finished === run ? 0 : held / graph.size,
};
answer(cost);
