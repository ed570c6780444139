// The engine through its public `execute` with default settings: one shared key with a `sum` merge that every node writes. Beside the plain way one with the trace
// hash, and one where every node has a number schema at both ends and takes the output of its first predecessor.
import { type CheckedWorkflow, execute, jsonSchema, merge, type NodeHandle, workflow } from '../../engine/index.ts';
import type { Graph, GraphContestant, GraphRun } from './contestant.ts';

type Handle = NodeHandle<number, number>;

const number = jsonSchema<number>({ type: 'number' });
const one = () => 1;
const same = (given: number) => given;
const state = { total: merge.sum() };

export const engine: GraphContestant = (graph) => runsOf(buildPlain(graph));
export const hashed: GraphContestant = (graph) => runsOf(buildPlain(graph), { traceHash: true });
export const withSchemas: GraphContestant = (graph) => runsOf(buildWithSchemas(graph));

function runsOf(checked: CheckedWorkflow<number, unknown, typeof state>, options?: { readonly traceHash: true }): GraphRun {
  return async () => {
    const run = execute(checked, 1, options);
    const result = await run.result;
    if (result.status !== 'completed') throw new Error(`the run ended as ${result.status}`);
    return { ran: result.state.total ?? 0, finished: run };
  };
}

function buildPlain({ size, edges }: Graph) {
  const flow = workflow<number, unknown, typeof state>('graph', { state });
  const nodes = Array.from({ length: size }, (_, i) => flow.node(`n${i}`, { run: one, writes: 'total' }));
  flow.after(flow.start, nodes[0] as Handle);
  for (const [from, to] of edges) flow.after(nodes[from] as Handle, nodes[to] as Handle);
  return flow.build();
}

function buildWithSchemas({ size, edges }: Graph) {
  const flow = workflow<number, unknown, typeof state>('graph', { state, input: number });
  const nodes = Array.from({ length: size }, (_, i) => flow.node(`n${i}`, { input: number, output: number, run: same, writes: 'total' }));
  flow.connect(flow.start, nodes[0] as Handle);
  const fed = new Uint8Array(size);
  for (const [from, to] of edges) {
    if (fed[to] === 0) flow.connect(nodes[from] as Handle, nodes[to] as Handle);
    else flow.after(nodes[from] as Handle, nodes[to] as Handle);
    fed[to] = 1;
  }
  return flow.build();
}
