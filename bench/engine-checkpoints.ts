// What keeping a checkpoint costs: a chain of no-op nodes writes one line a commit, a fan writes what ends together in one go. Each store in a fresh folder, and all
// of them in turn in every round.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckpointStore, execute, fileCheckpoints, memoryCheckpoints, merge, type NodeHandle, sqliteCheckpoints, workflow } from '../engine/index.ts';
import { medianOf } from './median.ts';
import type { Section } from './section.ts';

export interface CheckpointFigure {
  readonly store: string;
  readonly graph: 'chain' | 'fan';
  readonly nodes: number;
  readonly rounds: number;
  readonly nodesPerSecond: number;
  /** Of the slowest and the fastest round. */
  readonly low: number;
  readonly high: number;
}

export const checkpointSection: Section<readonly CheckpointFigure[]> = {
  name: 'checkpoints',
  measures: 'checkpoints of no-op nodes a second, each durable before the next node starts, by store',
  takes: '30 seconds, quick 5',
  measure: async ({ quick, nowMs, say }) => {
    const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
    const sqlite = sqliteCheckpoints(join(folder, 'runs.db'));
    const stores: readonly (readonly [string, CheckpointStore])[] = [
      ['memory', memoryCheckpoints()],
      ['file, flushed', fileCheckpoints(join(folder, 'flushed'))],
      ['file, not flushed', fileCheckpoints(join(folder, 'not-flushed'), { sync: false })],
      ['sqlite', sqlite],
    ];
    const [nodes, rounds] = quick ? [100, 3] : [500, 9];
    try {
      const figures: CheckpointFigure[] = [];
      for (const graph of ['chain', 'fan'] as const) {
        say(`checkpoints: ${graph} of ${nodes} nodes`);
        const checked = build(graph, nodes);
        const samples = new Map<string, number[]>(stores.map(([name]) => [name, []]));
        // The first round warms up.
        for (let round = 0; round <= rounds; round++) {
          for (const [name, store] of stores) {
            const run = `${graph}-${round}`;
            const startMs = nowMs();
            const result = await execute(checked, undefined, { checkpoint: { store, run } }).result;
            if (round > 0) samples.get(name)?.push((nodes * 1000) / (nowMs() - startMs));
            if (result.status !== 'completed') throw new Error(`${name}: ${result.status}`);
            await store.delete(run);
          }
        }
        for (const [store, rates] of samples)
          figures.push({ store, graph, nodes, rounds, nodesPerSecond: medianOf(rates), low: Math.min(...rates), high: Math.max(...rates) });
      }
      return figures;
    } finally {
      await sqlite.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  textOf: (figures) => [
    'checkpoints of no-op nodes, durable before the next node starts: nodes a second [least, most]',
    ...figures.map(
      ({ store, graph, nodes, rounds, nodesPerSecond, low, high }) =>
        `  ${store.padEnd(18)} ${graph.padEnd(6)} ${Math.round(nodesPerSecond)} [${Math.round(low)}, ${Math.round(high)}]  (${rounds} rounds of ${nodes})`,
    ),
  ],
};

function build(graph: CheckpointFigure['graph'], nodes: number) {
  const flow = workflow(graph, { state: { total: merge.sum() } });
  let before: NodeHandle<never, unknown> = flow.start;
  for (let i = 0; i < nodes; i++) {
    const node = flow.node(`n${i}`, { run: () => 1, writes: 'total' });
    flow.after(before, node);
    if (graph === 'chain') before = node;
  }
  return flow.build();
}
