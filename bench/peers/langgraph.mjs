// LangGraph: a node for each node and an edge for each edge; a node with several predecessors has one edge from all of them, which waits for all.
// One shared key with a reducer that adds.
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

/** @param {{ size: number, edges: readonly (readonly [number, number])[] }} graph */
export function build({ size, edges }) {
  const flow = new StateGraph(Annotation.Root({ total: Annotation({ reducer: (sum, write) => sum + write, default: () => 0 }) }));
  const predecessors = Array.from({ length: size }, () => []);
  const isEnd = new Uint8Array(size).fill(1);
  for (const [from, to] of edges) {
    predecessors[to].push(`n${from}`);
    isEnd[from] = 0;
  }
  for (let node = 0; node < size; node++) flow.addNode(`n${node}`, () => ({ total: 1 }));
  flow.addEdge(START, 'n0');
  for (let node = 1; node < size; node++) flow.addEdge(predecessors[node].length === 1 ? predecessors[node][0] : predecessors[node], `n${node}`);
  for (let node = 0; node < size; node++) if (isEnd[node] === 1) flow.addEdge(`n${node}`, END);
  const compiled = flow.compile();
  return async () => {
    const finished = await compiled.invoke({}, { recursionLimit: size + 10 });
    return { ran: finished.total, finished };
  };
}
