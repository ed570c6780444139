// `build()`: checks a draft as a whole, lists every problem in one error, and leaves what a run needs: integers, compiled checks, closures.
import { type Compiled, compileGraph } from './compile.ts';
import { graphProblems } from './graph-problems.ts';
import { prepareNode, type ReadyNode } from './ready-node.ts';
import { resolvePort } from './schema.ts';
import { defineKey, type KeyDefinition } from './state.ts';
import { stateProblems } from './state-problems.ts';
import type { Draft } from './workflow.ts';
import { messageOf, type Problem, WorkflowError } from './workflow-error.ts';

/** What `execute` takes. Frozen; made by `build()` only. */
export interface CheckedWorkflow<in In, out Out, out S = unknown> {
  readonly name: string;
  /** Ids in the order of declaration. */
  readonly nodeIds: readonly string[];
  /** What could not be checked here and is checked, or left, at run time. */
  readonly notes: readonly string[];
  readonly takes?: (input: In) => void;
  readonly gives?: () => Out;
  readonly keeps?: () => S;
}

/** @internal All that a run needs. */
export interface Plan extends Compiled {
  readonly name: string;
  readonly nodes: readonly ReadyNode[];
  readonly keys: readonly KeyDefinition[];
  readonly finishes: Int32Array;
  readonly inputCheck: ReadyNode['inputCheck'];
  readonly outputCheck: ReadyNode['inputCheck'];
}

const plans = new WeakMap<object, Plan>();

/** @throws WorkflowError `INVALID_OPTIONS` for anything that `build()` did not make. */
export function planOf(checked: unknown): Plan {
  const plan = checked !== null && typeof checked === 'object' ? plans.get(checked) : undefined;
  if (plan === undefined)
    throw new WorkflowError('INVALID_OPTIONS', 'execute takes what build() returned', { remedy: 'Call flow.build() and pass its result.' });
  return plan;
}

export function buildWorkflow<In, Out, S>(draft: Draft): CheckedWorkflow<In, Out, S> {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const size = draft.nodes.length;

  const keys: KeyDefinition[] = [];
  const keyIndex = new Map<string, number>();
  for (const [name, declared] of Object.entries(draft.options.state ?? {})) {
    keyIndex.set(name, keys.length);
    keys.push(attempt(problems, 'invalid-key', [], () => defineKey(name, declared)) ?? { name, merge: undefined, accepts: undefined, check: undefined });
  }

  const sound = draft.edges.filter((edge) => edge.from >= 0 && edge.to >= 0 && edge.from !== edge.to);
  const settled = Uint8Array.from(draft.nodes, ({ options }) => (options.join === 'settled' ? 1 : 0));
  const continues = Uint8Array.from(draft.nodes, ({ options }) => (options.onFailure === 'continue' ? 1 : 0));
  const compiled = compileGraph(
    size,
    Int32Array.from(sound, (edge) => edge.from),
    Int32Array.from(sound, (edge) => edge.to),
    settled,
    continues,
  );
  problems.push(...graphProblems(draft, compiled));

  const nodes = draft.nodes.map((record) => prepareNode(record, keyIndex, problems, notes));
  wireInputs(draft, nodes, problems);
  problems.push(...stateProblems(nodes, keys, compiled));

  const inputCheck = port(draft.options.input, 'workflow input');
  const outputCheck = port(draft.options.output, 'workflow output');
  if (problems.length > 0) throw invalid(draft.name, problems);

  const checked = Object.freeze({ name: draft.name, nodeIds: Object.freeze(draft.nodes.map(({ id }) => id)), notes: Object.freeze(notes) });
  plans.set(checked, { ...compiled, name: draft.name, nodes, keys, finishes: Int32Array.from(draft.finishes, ({ index }) => index), inputCheck, outputCheck });
  return checked;

  function port(schema: unknown, what: string) {
    if (schema === undefined) return undefined;
    return attempt(problems, 'invalid-schema', [], () => {
      const resolved = resolvePort(schema);
      notes.push(...resolved.unchecked.map((keyword) => `${what}: ${keyword} is not checked`));
      return resolved.check;
    });
  }
}

/** Runs one part of the preparation; what it throws becomes a problem beside the others. */
function attempt<Value>(problems: Problem[], code: string, nodes: readonly string[], run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    problems.push({ code, message: `${nodes.length > 0 ? `node "${nodes.join('", "')}": ` : ''}${messageOf(error)}`, nodes });
    return undefined;
  }
}

/** Says for each node where its input comes from. */
function wireInputs(draft: Draft, nodes: readonly ReadyNode[], problems: Problem[]): void {
  for (const edge of draft.edges) {
    if (!edge.data || edge.to < 0 || edge.from < -1 || edge.from === edge.to) continue;
    const node = nodes[edge.to] as ReadyNode;
    const at = { from: edge.from, port: edge.port, transform: edge.transform as ((value: unknown) => unknown) | undefined };
    const one = node.inputs[0];
    if (one !== undefined && (edge.port === undefined || one.port === undefined)) {
      problems.push({
        code: 'ambiguous-input',
        message: `node "${node.id}" gets its input from more than one edge; name the part that each carries: connect(from, to, { port: "…" })`,
        nodes: [node.id],
      });
    } else if (node.inputs.some(({ port }) => port === edge.port)) {
      problems.push({ code: 'ambiguous-input', message: `node "${node.id}" gets the part "${edge.port}" from more than one edge`, nodes: [node.id] });
    } else node.inputs.push(at);
  }
  for (const node of nodes) {
    if (!node.needsInput) continue;
    if (node.inputs.length === 0) {
      problems.push({ code: 'missing-input', message: `node "${node.id}" needs an input and no edge carries one; connect(…, ${node.id})`, nodes: [node.id] });
    } else if (node.inputs[0]?.port !== undefined) {
      const parts = new Set(node.inputs.map(({ port }) => port));
      const missing = node.requiredParts.filter((part) => !parts.has(part));
      if (missing.length > 0)
        problems.push({ code: 'missing-input', message: `node "${node.id}" needs the parts ${missing.join(', ')}, which no edge carries`, nodes: [node.id] });
    }
  }
}

const SHOWN = 50;

function invalid(name: string, problems: readonly Problem[]): WorkflowError {
  const shown = problems.slice(0, SHOWN).map(({ code, message }) => `  ${code}: ${message}`);
  if (problems.length > SHOWN) shown.push(`  … and ${problems.length - SHOWN} more (see error.problems)`);
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new WorkflowError('INVALID_WORKFLOW', `workflow "${name}" has ${count}:\n${shown.join('\n')}`, {
    problems,
    remedy: 'Mend each of them and build again.',
  });
}
