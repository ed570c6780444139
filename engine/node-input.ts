// What flows into a node when it starts: what its edges carry, as one value, as named parts, or as a list.
import type { InputEdge, ReadyNode } from './ready-node.ts';
import { COMPLETED, type RunState } from './transition.ts';

/** An input has been given by every edge that carries one; a predecessor without output gives `undefined`. */
export function inputOf(node: number, ready: ReadyNode, run: RunState, given: unknown, outputs: readonly unknown[]): unknown {
  const { inputs } = ready;
  const first = inputs[0];
  if (first === undefined) return undefined;
  if (ready.gathers) return inputs.filter(({ from }) => from < 0 || run.phase[from] === COMPLETED).map((edge) => carried(edge, run, given, outputs));
  if (first.port === undefined) return carried(inputs.length === 1 ? first : firing(node, inputs, run), run, given, outputs);
  const parts = Object.create(null) as Record<string, unknown>;
  for (const edge of inputs) {
    const value = carried(edge, run, given, outputs);
    if (value !== undefined) parts[edge.port as string] = value;
  }
  return parts;
}

/** Of an `any` join the edge from the predecessor that came first. */
function firing(node: number, inputs: readonly InputEdge[], run: RunState): InputEdge {
  const by = run.firedBy?.[node];
  return inputs.find(({ from }) => from === by) ?? (inputs[0] as InputEdge);
}

function carried(edge: InputEdge, run: RunState, given: unknown, outputs: readonly unknown[]): unknown {
  const value = edge.from < 0 ? given : outputs[edge.from];
  if (edge.transform === undefined) return value;
  return edge.from >= 0 && run.phase[edge.from] !== COMPLETED ? undefined : edge.transform(value);
}
