// The builder: what an author says, kept as plain records until `build()` checks all of it at once. Types catch what types can; see checks in `build.ts`.

import { buildWorkflow, type CheckedWorkflow } from './build.ts';
import type { ConnectorDeclaration } from './connector.ts';
import type { Model } from './model.ts';
import type { RetryPolicy } from './retry.ts';
import type { Schema } from './schema.ts';
import type { Tool, ToolContext } from './tool.ts';
import { show } from './workflow-error.ts';

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
  /** Connectors that the node may `use`, in its function or in its tools. */
  readonly connectors?: readonly ConnectorDeclaration[];
  readonly retry?: RetryPolicy;
  /** Longest time of one attempt; work in flight is aborted. */
  readonly timeoutMs?: number;
  /** `stop` ends the run with the first failure; `continue` keeps the failure in its branch. @default 'stop' */
  readonly onFailure?: 'stop' | 'continue';
  /**
   * `all` waits until every predecessor completed; `any` starts with the first that completes; `settled` waits until every one has ended, whatever
   * its outcome, and needs one that no branch left out. The start is no predecessor: its edge only carries the input. @default 'all'
   */
  readonly join?: Join;
  /** Class that `limits` of `execute` bounds. @default `model` for agents, none for others */
  readonly resource?: string;
}

/** What takes a node's place once its attempts are used up: a value, or another body with the same input. The node completes with what that gives. */
export type Fallback<In, Out> =
  | { readonly value: Out }
  | { readonly node: AgentOptions<In, Out> | Tool<In, Out> | CheckedWorkflow<In, Out> | ((input: In, context: NodeContext<unknown>) => Out | Promise<Out>) };

export type Join = 'all' | 'any' | 'settled';

export interface FunctionNodeOptions<S, In, Out, Reads extends keyof S, Writes extends keyof S> extends NodePolicy<S, Reads, Writes> {
  readonly input?: Schema<In>;
  readonly output?: Schema<Out>;
  readonly run: (input: In, context: NodeContext<S, Reads, Writes>) => Out | Promise<Out>;
  readonly fallback?: Fallback<In, Out>;
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

export interface AgentNodeOptions<S, In, Out, Reads extends keyof S, Writes extends keyof S> extends AgentOptions<In, Out>, NodePolicy<S, Reads, Writes> {
  readonly fallback?: Fallback<In, Out>;
}

export interface ToolNodeOptions<S, In, Out, Reads extends keyof S, Writes extends keyof S> extends NodePolicy<S, Reads, Writes> {
  readonly fallback?: Fallback<In, Out>;
}

export interface BranchOptions<In, Cases extends Readonly<Record<string, string>>> {
  readonly input?: Schema<In>;
  /** A predicate over the state for each way. Every way whose predicate holds is taken; `otherwise` when none does. */
  readonly cases: Cases;
  readonly join?: Join;
}

/** A branch and its ways: `enough.yes`, `enough.otherwise`. What flows in flows on along each way that is taken. */
export type BranchHandle<In, Ways extends string> = NodeHandle<In, In> & { readonly [Way in Ways | 'otherwise']: NodeHandle<never, In> };

/** What a map does with each item. */
export type MapBody<S, Item, Result, Reads extends keyof S> =
  | (Omit<AgentOptions<Item, Result>, 'input'> & { readonly input?: Schema })
  | Tool<Item, Result>
  | CheckedWorkflow<Item, Result>
  | ((item: Item, context: NodeContext<S, Reads>) => Result | Promise<Result>);

export interface MapOptions<S, Item, Result, Reads extends keyof S, Writes extends keyof S>
  extends Omit<NodePolicy<S, Reads, Writes>, 'writes' | 'retry' | 'timeoutMs'> {
  /** Schema of one item. */
  readonly input?: Schema<Item>;
  /** Schema of one result. */
  readonly output?: Schema<Result>;
  readonly node: MapBody<S, Item, Result, Reads>;
  /** Items at work at once. @default 8 */
  readonly concurrency?: number;
  /** A longer list fails the node with `too-many-items` before any item is begun. @default 10000 */
  readonly maxItems?: number;
  /** `stop` fails the node with the first item that fails; `drop` leaves the item out of the results. @default 'stop' */
  readonly onItemFailure?: 'stop' | 'drop';
  /** Each result becomes one write of this key, in the order of the list, when the node completes. */
  readonly writes?: Writes;
  /** Of one item. */
  readonly retry?: RetryPolicy;
  /** Longest time of one attempt at one item. */
  readonly timeoutMs?: number;
}

export interface AggregateOptions<S, Item, Out, Reads extends keyof S, Writes extends keyof S> extends NodePolicy<S, Reads, Writes> {
  /** Schema of what one edge carries. */
  readonly input?: Schema<Item>;
  readonly output?: Schema<Out>;
  /** Gets what the edges carry, in the order in which they were connected. @default the list itself */
  readonly run?: (items: readonly Item[], context: NodeContext<S, Reads, Writes>) => Out | Promise<Out>;
}

export interface WaitOptions<In, Answer> {
  readonly input?: Schema<In>;
  /** Checks the answer. */
  readonly output?: Schema<Answer>;
  /** What the person is asked. */
  readonly question?: string | ((input: In) => string);
  readonly join?: Join;
}

/** An agent apart from any workflow, to be placed with `flow.agent(id, …)`. */
export function agent<In = unknown, Out = string>(options: AgentOptions<In, Out>): AgentOptions<In, Out> {
  return Object.freeze({ ...options });
}

export interface WorkflowOptions<In, Out, S> {
  readonly input?: Schema<In>;
  readonly output?: Schema<Out>;
  readonly state?: S;
  /** Change it when a function does something else than before: checkpoints of another version are refused. */
  readonly version?: string;
}

/** A `way` is what a branch or the predicate of an edge becomes: a node that passes its input on, or is left out. */
export type NodeKind = 'function' | 'agent' | 'tool' | 'branch' | 'way' | 'map' | 'aggregate' | 'wait' | 'subgraph';

/** @internal What the builder keeps of a node. */
export interface NodeRecord {
  readonly id: string;
  readonly kind: NodeKind;
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
  /** How many edges with a predicate lead from one node to another. */
  readonly #edgeWays = new Map<string, number>();

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
    options: ToolNodeOptions<S, NodeIn, NodeOut, Reads, Writes> = {},
  ): NodeHandle<NodeIn, NodeOut> {
    return this.#add(id, 'tool', { ...options, tool: what });
  }

  /** Takes every way whose predicate holds, and `otherwise` when none does. */
  branch<NodeIn = unknown, const Cases extends Readonly<Record<string, string>> = Readonly<Record<string, string>>>(
    id: string,
    options: BranchOptions<NodeIn, Cases>,
  ): BranchHandle<NodeIn, keyof Cases & string> {
    const { cases, ...rest } = options;
    const handle: NodeHandle<NodeIn, NodeIn> & Record<string, unknown> = Object.create(null);
    Object.defineProperty(handle, 'id', { value: id, enumerable: true });
    const branch = this.#draft.nodes.length;
    this.#register(handle, id, 'branch', { ...rest, ways: Object.keys(cases ?? {}) });
    for (const [way, when] of [...Object.entries(cases ?? {}), ['otherwise', undefined] as const]) {
      const wayId = `${id}.${way}`;
      const gate: NodeHandle<never, NodeIn> = Object.freeze({ id: wayId });
      const to = this.#draft.nodes.length;
      this.#register(gate, wayId, 'way', { when, of: branch, way });
      this.#draft.edges.push({ from: branch, to, fromId: id, toId: wayId, data: true, port: undefined, transform: undefined });
      // A way whose name is taken is told by build().
      if (!Object.hasOwn(handle, way)) Object.defineProperty(handle, way, { value: gate, enumerable: true });
    }
    return Object.freeze(handle) as unknown as BranchHandle<NodeIn, keyof Cases & string>;
  }

  /** Does the same with each item of a list, so many at once; the results stand in the order of the list. */
  map<Item = unknown, Result = unknown, Reads extends keyof S & string = never, Writes extends keyof S & string = never>(
    id: string,
    options: MapOptions<S, Item, Result, Reads, Writes>,
  ): NodeHandle<readonly Item[], Result[]> {
    return this.#add(id, 'map', options);
  }

  /** Gathers what several edges carry into one list: connect it as often as you like. */
  aggregate<Item = unknown, Out = Item[], Reads extends keyof S & string = never, Writes extends keyof S & string = never>(
    id: string,
    options: AggregateOptions<S, Item, Out, Reads, Writes> = {},
  ): NodeHandle<Item, Out> {
    return this.#add(id, 'aggregate', options);
  }

  /** A human gate: its output is the answer that `execute` is given (`answers`, `onWait`). Without one the run stops with status `waiting`. */
  wait<NodeIn = unknown, Answer = unknown>(id: string, options: WaitOptions<NodeIn, Answer> = {}): NodeHandle<NodeIn, Answer> {
    return this.#add(id, 'wait', options);
  }

  /** A checked workflow as a node, with state of its own. */
  subgraph<NodeIn, NodeOut, Writes extends keyof S & string = never>(
    id: string,
    what: CheckedWorkflow<NodeIn, NodeOut>,
    options: Omit<NodePolicy<S, never, Writes>, 'reads'> = {},
  ): NodeHandle<NodeIn, NodeOut> {
    return this.#add(id, 'subgraph', { ...options, workflow: what });
  }

  /** Carries the output of `from` to `to`, as its input or as one named part of it. With `when` the edge is taken only if the predicate holds. */
  connect<Value>(from: NodeHandle<never, Value>, to: NodeHandle<Value, unknown>, options?: { readonly when?: string }): this;
  connect<Value, Wanted>(
    from: NodeHandle<never, Value>,
    to: NodeHandle<Wanted, unknown>,
    options: { readonly transform: (value: Value) => Wanted; readonly when?: string },
  ): this;
  connect<Wanted, Port extends keyof Wanted & string>(
    from: NodeHandle<never, Wanted[Port]>,
    to: NodeHandle<Wanted, unknown>,
    options: { readonly port: Port; readonly when?: string },
  ): this;
  connect<Value, Wanted, Port extends keyof Wanted & string>(
    from: NodeHandle<never, Value>,
    to: NodeHandle<Wanted, unknown>,
    options: { readonly port: Port; readonly transform: (value: Value) => Wanted[Port]; readonly when?: string },
  ): this;
  connect(
    from: NodeHandle<never, unknown>,
    to: NodeHandle<never, unknown>,
    options: { readonly port?: string; readonly transform?: (value: never) => unknown; readonly when?: string } = {},
  ): this {
    return this.#edge(from, to, true, options.port, options.transform, options.when);
  }

  /** `to` runs after `from`; nothing is carried. With `when` the edge is taken only if the predicate holds. */
  after(from: NodeHandle<never, unknown>, to: NodeHandle<never, unknown>, options: { readonly when?: string } = {}): this {
    return this.#edge(from, to, false, undefined, undefined, options.when);
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

  #add<NodeIn, NodeOut>(id: string, kind: NodeKind, options: object): NodeHandle<NodeIn, NodeOut> {
    const handle: NodeHandle<NodeIn, NodeOut> = Object.freeze({ id });
    this.#register(handle, id, kind, options);
    return handle;
  }

  #register(handle: object, id: string, kind: NodeKind, options: object): void {
    this.#indexOf.set(handle, this.#draft.nodes.length);
    this.#draft.nodes.push({ id, kind, options: options as Readonly<Record<string, unknown>> });
  }

  #edge(
    from: NodeHandle<never, unknown>,
    to: NodeHandle<never, unknown>,
    data: boolean,
    port: string | undefined,
    transform: EdgeRecord['transform'],
    when: string | undefined,
  ): this {
    const ends = this.#ends(from, to);
    if (when === undefined) this.#draft.edges.push({ ...ends, data, port, transform });
    else {
      // An edge with a predicate is a branch with one way.
      const way = this.#draft.nodes.length;
      const pair = `${ends.fromId} → ${ends.toId}`;
      const times = (this.#edgeWays.get(pair) ?? 0) + 1;
      this.#edgeWays.set(pair, times);
      const id = times === 1 ? pair : `${pair} (${times})`;
      this.#draft.nodes.push({ id, kind: 'way', options: { when, of: ends.from } });
      this.#draft.edges.push({ from: ends.from, to: way, fromId: ends.fromId, toId: id, data, port: undefined, transform: undefined });
      this.#draft.edges.push({ from: way, to: ends.to, fromId: id, toId: ends.toId, data, port, transform });
    }
    return this;
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
  return typeof id === 'string' ? id : show(id);
}
