// LlamaIndex workflow-core: an event and a handler for each node. It has no join, so a handler counts what arrives and acts on the last, as its fan-in example does by
// hand; the run is over when every node has sent its end.
import { createWorkflow, workflowEvent } from '@llamaindex/workflow-core';

/** @param {{ size: number, edges: readonly (readonly [number, number])[] }} graph */
export function build({ size, edges }) {
  const flow = createWorkflow();
  const arrives = Array.from({ length: size }, () => workflowEvent());
  const stop = workflowEvent();
  const next = Array.from({ length: size }, () => []);
  const predecessors = new Int32Array(size);
  for (const [from, to] of edges) {
    next[from].push(to);
    predecessors[to]++;
  }
  let waiting = predecessors;
  let ran = 0;
  for (let node = 0; node < size; node++) {
    flow.handle([arrives[node]], async (context) => {
      if (--waiting[node] > 0) return;
      ran += 1;
      if (ran === size) return stop.with();
      // An async handler that returns its event is followed without recursion; events sent within one another end at the depth of the stack.
      const [last, ...others] = next[node].toReversed();
      for (const to of others) context.sendEvent(arrives[to].with());
      return last === undefined ? undefined : arrives[last].with();
    });
  }
  return async () => {
    waiting = predecessors.slice();
    ran = 0;
    const { stream, sendEvent } = flow.createContext();
    sendEvent(arrives[0].with());
    await stream.until(stop).toArray();
    return { ran, finished: undefined };
  };
}
