// The builder: what an author says, kept as plain records until `build()` checks all of it at once. Types catch what types can; see checks in `build.ts`.
import { buildWorkflow, type CheckedWorkflow } from './build.ts';
import type { Model } from './model.ts';
import type { RetryPolicy } from './retry.ts';
import type { Schema } from './schema.ts';
import type { Tool, ToolContext } from './tool.ts';

/** State keys by name: a merge rule, or a schema for a key whose writers all follow one another. */
export type StateShape = Readonly<Record<string, { readonly kind: 'merge' } | Schema>>;
type ValueOf<Declared> = Declared extends { readonly types?: { readonly value: infer Value; readonly write: unknown } }
  ? Value
  : Declared extends Schema<infer Value>
    ? Value
    : never;
type WriteOf<Declared> = Declared extends { readonly types?: { readonly value: unknown; readonly write: infer Write } }
  ? Write
  : Declared extends Schema<infer Value>
    ? Value
    : never;
/** What `context.get` returns for a key. Keys without merge rule may not have been written yet. */
export type StateValue<S, Key extends keyof S> = S[Key] extends { readonly kind: 'merge' } ? ValueOf<S[Key]> : ValueOf<S[Key]> | undefined;
export type StateWrite<S, Key extends keyof S> = WriteOf<S[Key]>;

/** A node, as others refer to it. `In` and `Out` exist for the compiler only. */
export interface NodeHandle<in In, out Out> {
  readonly id: string;
  readonly accepts?: (input: In) => void;
  readonly gives?: () => Out;
}

/** What a node function is given besides its input. Valid while the node runs. */
export interface NodeContext<S, Reads extends keyof S = never, Writes extends keyof S = never> extends ToolContext {
  /** Reads a declared key. @throws WorkflowError `UNDECLARED_READ` naming node and key. */
  get<Key extends Reads>(key: Key): StateValue<S, Key>;
  /** Notes a write of a declared key; it is committed with the node's other writes when the node completes, and never otherwise. */
  set<Key extends Writes>(key: Key, value: StateWrite<S, Key>): void;
  /** A map of this attempt's own; gone when the attempt ends, also by failure. */
  readonly scratch: Map<string, unknown>;
  /** From 1. */
  readonly attempt: number;
  readonly nodeId: string;
}

export interface NodePolicy<S, Reads extends keyof S, Writes extends keyof S> {
  /** State keys that the node may read. */
  readonly reads?: readonly Reads[];
  /** One key: the output is written to it. A list: keys for `context.set`. */
  readonly writes?: Writes | readonly Writes[];
  readonly retry?: RetryPolicy;
  /** Longest time of one attempt; work in flight is aborted. */
  readonly timeoutMs?: number;
  /** `stop` ends the run with the first failure; `continue` keeps the failure in its branch. @default 'stop' */
  readonly onFailure?: 'stop' | 'continue';
  /** `all` waits until every predecessor completed; `settled` until every one ended, whatever its outcome. @default 'all' */
  readonly join?: 'all' | 'settled';
}

export interface FunctionNodeOptions<S, In, Out, Reads extends keyof S, Writes extends keyof S> extends NodePolicy<S, Reads, Writes> {
  readonly input?: Schema<In>;
  readonly output?: Schema<Out>;
  readonly run: (input: In, context: NodeContext<S, Reads, Writes>) => Out | Promise<Out>;
}

export interface AgentOptions<In, Out> {
  readonly system?: string;
  readonly input?: Schema<In>;
  /** Without one, the output is the model's text. */
  readonly output?: Schema<Out>;
  readonly tools?: readonly Tool<never, unknown>[];
  /** Model calls in all, re-asks included; the last one is made without tools. @default 16 */
  readonly iterations?: number;
  /** How often an unusable last reply is asked for again. @default 2 */
  readonly reasks?: number;
  /** @default the model given to `execute` */
  readonly model?: Model;
  /** The user text. @default the input (text as it is, other values as JSON), then each key of `reads` with its value */
  readonly prompt?: (input: In) => string;
}

export interface AgentNodeOptions<S, In, Out, Reads extends keyof S, Writes extends keyof S> extends AgentOptions<In, Out>, NodePolicy<S, Reads, Writes> {}

export interface ToolNodeOptions<S, Reads extends keyof S, Writes extends keyof S> extends NodePolicy<S, Reads, Writes> {}

/** An agent apart from any workflow, to be placed with `flow.agent(id, …)`. */
export function agent<In = string, Out = string>(options: AgentOptions<In, Out>): AgentOptions<In, Out> {
  return Object.freeze({ ...options });
}

export interface WorkflowOptions<In, Out, S> {
  readonly input?: Schema<In>;
  readonly output?: Schema<Out>;
  readonly state?: S;
}

/** @internal What the builder keeps of a node. */
export interface NodeRecord {
  readonly id: string;
  readonly kind: 'function' | 'agent' | 'tool';
  readonly options: Readonly<Record<string, unknown>>;
}

/** @internal What the builder keeps of an edge; -1 is the start, -2 a handle of nobody's. */
export interface EdgeRecord {
  readonly from: number;
  readonly to: number;
  readonly fromId: string;
  readonly toId: string;
  readonly data: boolean;
  readonly port: string | undefined;
  readonly transform: ((value: never) => unknown) | undefined;
}

/** @internal */
export interface Draft {
  readonly name: string;
  readonly options: WorkflowOptions<unknown, unknown, StateShape>;
  readonly nodes: NodeRecord[];
  readonly edges: EdgeRecord[];
  readonly finishes: { readonly index: number; readonly id: string }[];
}

const START_ID = 'start';

export class WorkflowBuilder<In, Out, S extends StateShape> {
  readonly start: NodeHandle<never, In>;
  readonly #draft: Draft;
  readonly #indexOf = new Map<object, number>();

  constructor(name: string, options: WorkflowOptions<In, Out, S>) {
    this.start = Object.freeze({ id: START_ID });
    this.#draft = { name, options: options as WorkflowOptions<unknown, unknown, StateShape>, nodes: [], edges: [], finishes: [] };
    this.#indexOf.set(this.start, -1);
  }

  /** A function as a node. One that returns no promise costs none. */
  node<NodeIn = unknown, NodeOut = unknown, Reads extends keyof S & string = never, Writes extends keyof S & string = never>(
    id: string,
    options: FunctionNodeOptions<S, NodeIn, NodeOut, Reads, Writes>,
  ): NodeHandle<NodeIn, NodeOut> {
    return this.#add(id, 'function', options);
  }

  /** An agent: the engine runs its tool loop. */
  agent<NodeIn = string, NodeOut = string, Reads extends keyof S & string = never, Writes extends keyof S & string = never>(
    id: string,
    options: AgentNodeOptions<S, NodeIn, NodeOut, Reads, Writes>,
  ): NodeHandle<NodeIn, NodeOut> {
    return this.#add(id, 'agent', options);
  }

  /** A tool as a node of its own, with its own time-out and retry; its input is checked like an agent's call. */
  tool<NodeIn, NodeOut, Reads extends keyof S & string = never, Writes extends keyof S & string = never>(
    id: string,
    what: Tool<NodeIn, NodeOut>,
    options: ToolNodeOptions<S, Reads, Writes> = {},
  ): NodeHandle<NodeIn, NodeOut> {
    return this.#add(id, 'tool', { ...options, tool: what });
  }

  /** Carries the output of `from` to `to`, as its input or as one named part of it. */
  connect<Value>(from: NodeHandle<never, Value>, to: NodeHandle<Value, unknown>): this;
  connect<Value, Wanted>(from: NodeHandle<never, Value>, to: NodeHandle<Wanted, unknown>, options: { readonly transform: (value: Value) => Wanted }): this;
  connect<Wanted, Port extends keyof Wanted & string>(
    from: NodeHandle<never, Wanted[Port]>,
    to: NodeHandle<Wanted, unknown>,
    options: { readonly port: Port },
  ): this;
  connect<Value, Wanted, Port extends keyof Wanted & string>(
    from: NodeHandle<never, Value>,
    to: NodeHandle<Wanted, unknown>,
    options: { readonly port: Port; readonly transform: (value: Value) => Wanted[Port] },
  ): this;
  connect(
    from: NodeHandle<never, unknown>,
    to: NodeHandle<never, unknown>,
    options: { readonly port?: string; readonly transform?: (value: never) => unknown } = {},
  ): this {
    this.#draft.edges.push({ ...this.#ends(from, to), data: true, port: options.port, transform: options.transform });
    return this;
  }

  /** `to` runs after `from`; nothing is carried. */
  after(from: NodeHandle<never, unknown>, to: NodeHandle<never, unknown>): this {
    this.#draft.edges.push({ ...this.#ends(from, to), data: false, port: undefined, transform: undefined });
    return this;
  }

  /** The workflow's output is that of the first of these nodes, in the order given, that completed. */
  finish(...nodes: readonly NodeHandle<never, Out>[]): this {
    for (const node of nodes) this.#draft.finishes.push({ index: this.#indexOf.get(node) ?? -2, id: idOf(node) });
    return this;
  }

  /** Checks everything and freezes it. @throws WorkflowError `INVALID_WORKFLOW` that lists every problem. */
  build(): CheckedWorkflow<In, Out, S> {
    return buildWorkflow(this.#draft);
  }

  #add<NodeIn, NodeOut>(id: string, kind: NodeRecord['kind'], options: object): NodeHandle<NodeIn, NodeOut> {
    const handle: NodeHandle<NodeIn, NodeOut> = Object.freeze({ id });
    this.#indexOf.set(handle, this.#draft.nodes.length);
    this.#draft.nodes.push({ id, kind, options: options as Readonly<Record<string, unknown>> });
    return handle;
  }

  #ends(from: NodeHandle<never, unknown>, to: NodeHandle<never, unknown>): { from: number; to: number; fromId: string; toId: string } {
    return { from: this.#indexOf.get(from) ?? -2, to: this.#indexOf.get(to) ?? -2, fromId: idOf(from), toId: idOf(to) };
  }
}

/** Starts a workflow. Types of input, output and state follow from the schemas. */
export function workflow<In = unknown, Out = unknown, const S extends StateShape = Readonly<Record<never, never>>>(
  name: string,
  options: WorkflowOptions<In, Out, S> = {},
): WorkflowBuilder<In, Out, S> {
  return new WorkflowBuilder(name, options);
}

function idOf(handle: unknown): string {
  const id = handle !== null && typeof handle === 'object' ? (handle as { readonly id?: unknown }).id : handle;
  return typeof id === 'string' ? id : String(id);
}
