// Edges whose ends have schemas that do not fit, and those that can only be judged at run time.
import type { JsonSchema } from './json-schema-check.ts';
import type { ReadyNode } from './ready-node.ts';
import { type Fit, schemaFit, schemaOfMember } from './schema-fit.ts';
import type { Problem } from './workflow-error.ts';

interface Flow {
  readonly nodes: readonly ReadyNode[];
  readonly finishes: Int32Array;
  readonly takes: JsonSchema | undefined;
  readonly gives: JsonSchema | undefined;
}

/** An edge with a transform is left to run time, and so is an end without a schema: nothing is said of it. */
export function fitProblems(flow: Flow, problems: Problem[], notes: string[]): void {
  for (const node of flow.nodes) {
    if (node.takes === undefined) continue;
    for (const { from, port, transform } of node.inputs) {
      const wanted = port === undefined ? node.takes : schemaOfMember(node.takes, port);
      const source = from < 0 ? 'start' : (flow.nodes[from]?.id ?? '');
      if (wanted === undefined) {
        if (node.takes.additionalProperties === false)
          problems.push({
            code: 'unknown-part',
            message: `node "${node.id}" takes no part "${port}", which the edge from "${source}" carries`,
            nodes: [node.id, source],
          });
        continue;
      }
      const given = transform === undefined ? givenBy(flow, from) : undefined;
      if (given !== undefined) judge(schemaFit(given, wanted), source, `${node.id}${port === undefined ? '' : `.${port}`}`, [source, node.id]);
    }
  }
  for (const number of flow.finishes) {
    const given = number < 0 ? undefined : givenBy(flow, number);
    if (given !== undefined && flow.gives !== undefined)
      judge(schemaFit(given, flow.gives), flow.nodes[number]?.id ?? '', 'the workflow’s output', [flow.nodes[number]?.id ?? '']);
  }

  function judge(fit: Fit, from: string, to: string, nodes: readonly string[]): void {
    if (fit.fits === 'yes') return;
    if (fit.fits === 'no')
      problems.push({ code: 'schema-misfit', message: `what "${from}" puts out does not fit ${to}: ${fit.why}; give the edge a transform`, nodes });
    else notes.push(`edge ${from} → ${to} is checked at run time: ${fit.why}`);
  }
}

/** What a node puts out; a branch and its ways put out what flows into them. */
function givenBy(flow: Flow, from: number): JsonSchema | undefined {
  let number = from;
  // A chain of ways is as long as the graph at most, and a cycle is told elsewhere.
  for (let steps = 0; steps <= flow.nodes.length; steps++) {
    if (number < 0) return flow.takes;
    const node = flow.nodes[number] as ReadyNode;
    if (node.gives !== undefined || (node.kind !== 'branch' && node.kind !== 'way')) return node.gives;
    if (node.takes !== undefined) return node.takes;
    const [edge, ...others] = node.inputs;
    if (edge === undefined || others.length > 0 || edge.port !== undefined || edge.transform !== undefined) return undefined;
    number = edge.from;
  }
  return undefined;
}
