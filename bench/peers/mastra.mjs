// Mastra: workflows are chains of steps and of parallel steps, not graphs, so every level of the graph is one `.parallel([…])` behind the level above; a level of
// one is a `.then`. That is a barrier a level, which a graph would not have, and the nearest that it can say.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

/** @param {{ size: number, edges: readonly (readonly [number, number])[] }} graph */
export function build({ size, edges }) {
  const any = z.any();
  let ran = 0;
  const execute = async () => {
    ran += 1;
    return 1;
  };
  let flow = createWorkflow({ id: 'graph', inputSchema: any, outputSchema: any });
  for (const level of levelsOf(size, edges)) {
    const steps = level.map((node) => createStep({ id: `n${node}`, inputSchema: any, outputSchema: any, execute }));
    flow = steps.length === 1 ? flow.then(steps[0]) : flow.parallel(steps);
  }
  flow.commit();
  return async () => {
    ran = 0;
    const run = await flow.createRun();
    const { status, error } = await run.start({ inputData: 1 });
    if (status !== 'success') throw new Error(`the run ended as ${status}: ${error?.message ?? error}`);
    return { ran, finished: run };
  };
}

/** Nodes by the length of the longest path to them; edges run from lower to higher numbers. */
function levelsOf(size, edges) {
  const depth = new Int32Array(size);
  const sorted = edges.toSorted((a, b) => a[0] - b[0]);
  for (const [from, to] of sorted) depth[to] = Math.max(depth[to], depth[from] + 1);
  const levels = [];
  for (let node = 0; node < size; node++) {
    levels[depth[node]] ??= [];
    levels[depth[node]].push(node);
  }
  return levels;
}
