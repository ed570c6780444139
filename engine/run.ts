// What a run takes and gives, as types: options, the run under way, and the union that its result is.
import type { CheckpointOptions } from './checkpoint.ts';
import type { Clock, Random } from './clock.ts';
import type { CallCounts, Playback, StandIn } from './connector.ts';
import type { NodeOutcome, RunEvent, RunUsage, TraceEnd } from './events.ts';
import type { OpenGate } from './gates.ts';
import type { MemoryOptions, MemoryUse } from './memory.ts';
import type { Model } from './model.ts';
import type { ResourcePool } from './resource-pool.ts';
import type { Provenance } from './state.ts';
import type { NodeHandle, StateShape, StateValue } from './workflow.ts';
import type { WorkflowError } from './workflow-error.ts';

export interface ExecuteOptions {
  /** For agents that have none of their own. */
  readonly model?: Model;
  /** Aborts the whole run. */
  readonly signal?: AbortSignal;
  /** Most nodes at work at once. @default 64 */
  readonly concurrency?: number;
  /** Most nodes of a class at work at once, for example `{ model: 4 }`; `sharedLimits({ … })` for several runs. Agents are of class `model`. */
  readonly limits?: Readonly<Record<string, number>> | ResourcePool;
  /** Answers to `wait` nodes, by id; inside a subgraph `outer/inner`. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Asked at each `wait` node that `answers` leaves open. A value, or a promise of one, lets the run go on; `undefined` leaves the gate open. */
  readonly onWait?: (gate: OpenGate) => unknown;
  /** Keeps the run open while gates wait, for `run.answer`. @default false: it ends with status `waiting` once nothing else can go on */
  readonly holdGates?: boolean;
  /** Keeps what has finished; a run that the store knows is gone on with. A node counts as finished, and its successors start, once its checkpoint is durable. */
  readonly checkpoint?: CheckpointOptions;
  /** Switches memory tiers off, or counts what they hold (`{}`): `result.memory`. @default all tiers, uncounted */
  readonly memory?: MemoryOptions;
  /** Answers in the place of connectors, by name: for tests, and for `replay`. */
  readonly connectors?: Readonly<Record<string, StandIn>> | Playback;
  /** Digests what every node was told and gave: `result.trace`. @default false */
  readonly traceHash?: boolean;
  /** @default the host's monotonic clock */
  readonly clock?: Clock;
  /** Spreads the waits between attempts. @default a generator with a fixed seed */
  readonly random?: Random;
}

interface RunFacts<S> {
  /** Value of each key at the end; a key that nobody wrote and that has no merge rule is absent. */
  readonly state: Readonly<Partial<S>>;
  /** Failures of nodes in the order in which they happened; those that a `continue` kept in their branch included. */
  readonly failures: readonly WorkflowError[];
  readonly usage: RunUsage;
  /** How often models gave something unusable, by code; each was told to the model or ended its node. */
  readonly faults: Readonly<Record<string, number>>;
  /** What connectors did for this run, by name; absent when none was used. */
  readonly connectors?: Readonly<Record<string, Readonly<CallCounts>>>;
  readonly durationMs: number;
  /** With `memory`: bytes that each tier held. */
  readonly memory?: MemoryUse;
  /** With `traceHash`: the digest, the same for the same inputs and replies whatever the timing; or what made timing matter. */
  readonly trace?: TraceEnd;
}

export type RunResult<Out, S = Record<string, unknown>> =
  | (RunFacts<S> & { readonly status: 'completed'; readonly output: Out })
  | (RunFacts<S> & { readonly status: 'failed'; readonly error: WorkflowError })
  | (RunFacts<S> & { readonly status: 'cancelled'; readonly reason: unknown })
  /** All is done that can be done before these `wait` nodes have an answer. */
  | (RunFacts<S> & { readonly status: 'waiting'; readonly gates: readonly OpenGate[] });

type Values<S> = S extends StateShape ? { readonly [Key in keyof S]: StateValue<S, Key> } : Record<string, unknown>;

/** A run under way. Iterate it for events; whoever asks within the tick of `execute` gets all of them. */
export interface Run<Out, S = unknown> extends AsyncIterable<RunEvent> {
  /** Never rejects. */
  readonly result: Promise<RunResult<Out, Values<S>>>;
  /** How a node ended; `undefined` while it has not. */
  outcomeOf(node: NodeHandle<never, unknown> | string): NodeOutcome | undefined;
  /** What a node put out; `undefined` unless it completed. */
  outputOf<Value>(node: NodeHandle<never, Value>): Value | undefined;
  /** Gates that wait for an answer now, also inside subgraphs and maps, in the order in which they were reached. */
  openGates(): readonly OpenGate[];
  /**
   * Answers a gate that waits, by its handle or by its id (inside a subgraph `outer/inner`): the run goes on from there. `holdGates` keeps a run open that has
   * nothing else left to do. Rejects with `INVALID_ANSWER` for a value that does not fit the gate's schema, which leaves it waiting, and with `NOT_WAITING`.
   */
  answer<Value>(node: NodeHandle<never, Value> | string, value: NoInfer<Value>): Promise<void>;
  /** Who wrote a key so far, in the order of the graph. */
  provenanceOf(key: string): readonly Provenance[];
}
