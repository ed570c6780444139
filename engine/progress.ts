// How far a run has come: phase, output, time and attempts of each node, and the state; and what can be asked of that, while it runs and after.
import type { NodeOutcome } from './events.ts';
import type { Plan } from './plan.ts';
import { type Provenance, StateStore } from './state.ts';
import { CANCELLED, COMPLETED, FAILED, type RunState, SKIPPED_AFTER_FAILURE, SKIPPED_BY_BRANCH } from './transition.ts';
import type { NodeHandle } from './workflow.ts';
import { WorkflowError } from './workflow-error.ts';

const MOST_NAMED = 20;

export class Progress {
  readonly plan: Plan;
  readonly run: RunState;
  readonly state: StateStore;
  readonly outputs: unknown[];
  readonly endedAtMs: Float64Array;
  /** Attempt numbers above one. */
  #attempts: Map<number, number> | undefined;
  #numbers: Map<string, number> | undefined;

  constructor(plan: Plan, run: RunState, freeText: boolean) {
    this.plan = plan;
    this.run = run;
    this.state = new StateStore(plan.keys, plan.rank, freeText);
    this.outputs = new Array(plan.topology.size);
    this.endedAtMs = new Float64Array(plan.topology.size);
  }

  noteAttempt(node: number, attempt: number): void {
    if (attempt === 1) return;
    this.#attempts ??= new Map();
    this.#attempts.set(node, attempt);
  }

  idOf(node: number): string {
    return this.plan.nodes[node]?.id ?? '';
  }

  /** @throws WorkflowError `INVALID_OPTIONS` for a node that the workflow does not have */
  numberOf(node: NodeHandle<never, unknown> | string): number {
    this.#numbers ??= new Map(this.plan.nodes.map(({ id }, number) => [id, number]));
    const id = typeof node === 'string' ? node : node.id;
    const number = this.#numbers.get(id);
    if (number === undefined) throw new WorkflowError('INVALID_OPTIONS', `the workflow has no node "${id}"`);
    return number;
  }

  outcomeOf(node: NodeHandle<never, unknown> | string): NodeOutcome | undefined {
    return OUTCOMES[this.run.phase[this.numberOf(node)] as number];
  }

  /** What is the matter with a gate that does not wait. */
  whyNotWaiting(path: string): string {
    const [, node] = [...this.plan.nodes.entries()].find(([, { id }]) => id === path) ?? [];
    if (node === undefined) return /[/[]/.test(path) ? 'no run inside this one waits there' : 'the workflow has no such node';
    if (node.kind !== 'wait') return 'it is no gate';
    return this.outcomeOf(path) === undefined ? 'it has not been reached' : `it has ended: ${this.outcomeOf(path)}`;
  }

  provenanceOf(key: string): readonly Provenance[] {
    const number = this.plan.keys.findIndex(({ name }) => name === key);
    if (number < 0) throw new WorkflowError('INVALID_OPTIONS', `the workflow has no state key "${key}"`);
    return this.state.writersOf(number).map((node) => ({
      node: this.idOf(node),
      attempt: this.#attempts?.get(node) ?? 1,
      inputs: [...this.#sourcesOf(node)].map((source) => this.idOf(source)),
      atMs: this.endedAtMs[node] as number,
    }));
  }

  /** Ids of all nodes above one, in the order of the graph. */
  idsBefore(id: string): readonly string[] {
    const { rank } = this.plan;
    const before = new Set<number>();
    const open = [this.numberOf(id)];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const source of this.#sourcesOf(at)) {
        if (!before.has(source)) open.push(source);
        before.add(source);
      }
    }
    return [...before].sort((a, b) => (rank[a] as number) - (rank[b] as number)).map((source) => this.idOf(source));
  }

  #sourcesOf(node: number): Int32Array {
    const { sourceOffsets, sources } = this.plan;
    return sources.subarray(sourceOffsets[node], sourceOffsets[node + 1]);
  }

  /** Value of each key; one that nobody wrote and that has no merge rule is absent. */
  stateValues(): Record<string, unknown> {
    const values = Object.create(null) as Record<string, unknown>;
    for (const [key, { name, merge }] of this.plan.keys.entries())
      if (merge !== undefined || this.state.writersOf(key).length > 0) values[name] = this.state.read(key);
    return values;
  }

  /** The first finish that completed. Without any finish, `undefined` as the value once every node completed or was left out by a branch. */
  output(): { readonly value: unknown } | undefined {
    const { finishes, topology } = this.plan;
    for (const node of finishes) if (this.run.phase[node] === COMPLETED) return { value: this.outputs[node] };
    if (finishes.length > 0) return undefined;
    for (let node = 0; node < topology.size; node++) {
      const phase = this.run.phase[node];
      if (phase !== COMPLETED && phase !== SKIPPED_BY_BRANCH) return undefined;
    }
    return { value: undefined };
  }

  noOutput(): WorkflowError {
    const ends = [...this.plan.finishes].slice(0, MOST_NAMED).map((node) => `"${this.idOf(node)}" was ${OUTCOMES[this.run.phase[node] as number]}`);
    return new WorkflowError('no-output', `no finish of workflow "${this.plan.name}" completed: ${ends.join(', ')}`);
  }
}

const OUTCOMES: readonly (NodeOutcome | undefined)[] = (() => {
  const names: (NodeOutcome | undefined)[] = [];
  names[COMPLETED] = 'completed';
  names[FAILED] = 'failed';
  names[SKIPPED_AFTER_FAILURE] = 'skipped-after-failure';
  names[SKIPPED_BY_BRANCH] = 'skipped-by-branch';
  names[CANCELLED] = 'cancelled';
  return names;
})();
