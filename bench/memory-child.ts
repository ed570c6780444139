// Entry of a process for the bench `engine`: many runs of a wide graph on one signal, as a server has them, and what is left of them. Argument: runs.
import { getEventListeners } from 'node:events';
import { execute, merge, workflow } from '../engine/index.ts';
import { heldBytes } from './held-bytes.ts';
import { answer } from './measuring-child.ts';

export interface MemoryCost {
  /** Over what was held after a first tenth of the runs. */
  readonly grownBytes: number;
  readonly listenersLeft: number;
}

const WIDTH = 20;
const runs = Number(process.argv[2]);
const flow = workflow('wide', { state: { total: merge.sum() } });
const end = flow.node('end', { reads: ['total'], run: (_: unknown, { get }) => get('total') });
for (let i = 0; i < WIDTH; i++) {
  // A promise and a look at the signal each: what a node that talks to something does.
  const node = flow.node(`n${i}`, { run: async (_: unknown, { signal }) => (signal.aborted ? 0 : 1), writes: 'total' });
  flow.after(flow.start, node).after(node, end);
}
flow.finish(end);
const checked = flow.build();
const { signal } = new AbortController();

async function runMany(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const result = await execute(checked, undefined, { signal }).result;
    if (result.status !== 'completed' || result.output !== WIDTH) throw new Error(`a run ended as ${result.status}`);
  }
}

await runMany(runs / 10);
const before = heldBytes();
await runMany(runs);
answer({ grownBytes: heldBytes() - before, listenersLeft: getEventListeners(signal, 'abort').length } satisfies MemoryCost);
