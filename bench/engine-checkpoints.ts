// What keeping a checkpoint costs: a chain of no-op nodes writes one line a commit, a fan writes what ends together in one go. Each store in a fresh folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckpointStore, execute, fileCheckpoints, memoryCheckpoints, merge, type NodeHandle, sqliteCheckpoints, workflow } from '../engine/index.ts';
import { medianOf } from './median.ts';

export interface CheckpointFigure {
  readonly store: string;
  readonly graph: 'chain' | 'fan';
  readonly nodes: number;
  readonly rounds: number;
  readonly nodesPerSecond: number;
}

export async function measureCheckpoints(quick: boolean, nowMs: () => number): Promise<CheckpointFigure[]> {
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
      const checked = build(graph, nodes);
      for (const [name, store] of stores) {
        const samples: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const run = `${graph}-${round}`;
          const startMs = nowMs();
          const result = await execute(checked, undefined, { checkpoint: { store, run } }).result;
          samples.push((nodes * 1000) / (nowMs() - startMs));
          if (result.status !== 'completed') throw new Error(`${name}: ${result.status}`);
          await store.delete(run);
        }
        figures.push({ store: name, graph, nodes, rounds, nodesPerSecond: medianOf(samples) });
      }
    }
    return figures;
  } finally {
    await sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

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
