// p-graph: a scheduler of promises and nothing else, so the nearest in kind to the engine's own queue.
import { PGraph } from 'p-graph';

/** @param {{ size: number, edges: readonly (readonly [number, number])[] }} graph */
export function build({ size, edges }) {
  const nodes = new Map();
  let ran = 0;
  const run = async () => {
    ran += 1;
  };
  for (let node = 0; node < size; node++) nodes.set(`n${node}`, { run });
  const graph = new PGraph(
    nodes,
    edges.map(([from, to]) => [`n${from}`, `n${to}`]),
  );
  return async () => {
    ran = 0;
    await graph.run();
    return { ran, finished: graph };
  };
}
