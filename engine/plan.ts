// What `build()` leaves and `execute` takes: a frozen face for the author, and behind it all that a run needs. Only `build()` makes one.
import type { Compiled } from './compile.ts';
import type { JsonSchema } from './json-schema-check.ts';
import type { ReadyNode } from './ready-node.ts';
import type { KeyDefinition } from './state.ts';
import { WorkflowError } from './workflow-error.ts';
import type { WorkflowDescription } from './workflow-json.ts';

/** What `execute` takes. Frozen; made by `build()` only. */
export interface CheckedWorkflow<in In, out Out, out S = unknown> {
  readonly name: string;
  /** Ids in the order of declaration; each way of a branch is a node of its own (`enough.yes`). */
  readonly nodeIds: readonly string[];
  /** What could not be checked here and is checked, or left, at run time. */
  readonly notes: readonly string[];
  /** SHA-256 of `toJSON()`, as hex: the same for the same workflow, in whatever process. Functions count by name, not by text. */
  readonly hash: string;
  /** The whole workflow as plain data. Functions stand in it by name. */
  toJSON(): WorkflowDescription;
  readonly takes?: (input: In) => void;
  readonly gives?: () => Out;
  readonly keeps?: () => S;
}

/** @internal All that a run needs. */
export interface Plan extends Compiled {
  readonly name: string;
  readonly version: string | undefined;
  /** By rank. */
  readonly nodes: readonly ReadyNode[];
  /** Numbers of the nodes in the order of their declaration. */
  readonly declared: Int32Array;
  readonly keys: readonly KeyDefinition[];
  readonly finishes: Int32Array;
  readonly inputCheck: ReadyNode['inputCheck'];
  readonly outputCheck: ReadyNode['inputCheck'];
  readonly takes: JsonSchema | undefined;
  readonly gives: JsonSchema | undefined;
  /** Names of the resource classes; class n of the topology is `resources[n - 1]`. */
  readonly resources: readonly string[];
  /** `any` joins of which more than one predecessor may complete: there timing decides, so such a run has no trace hash. */
  readonly races: readonly string[];
}

const plans = new WeakMap<object, Plan>();

export function keepPlan(checked: object, plan: Plan): void {
  plans.set(checked, plan);
}

export function planFound(checked: unknown): Plan | undefined {
  return checked !== null && typeof checked === 'object' ? plans.get(checked) : undefined;
}

/** @throws WorkflowError `INVALID_OPTIONS` for anything that `build()` did not make. */
export function planOf(checked: unknown): Plan {
  const plan = planFound(checked);
  if (plan === undefined)
    throw new WorkflowError('INVALID_OPTIONS', 'execute takes what build() returned', { remedy: 'Call flow.build() and pass its result.' });
  return plan;
}
