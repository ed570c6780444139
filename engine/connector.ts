// The border between a run and connectors: what a node is lent, what a run keeps and tells of them. Types only, so a run without connectors loads nothing.
import type { RunEvent } from './events.ts';

/** A managed interface to something outside, as `engine/connectors` makes them. `Client` is what `use(connector)` gives to a node. */
export interface Connector<out Client = unknown> {
  readonly kind: 'connector';
  readonly name: string;
  open(link: ConnectorLink): Client;
  /** Where a run keeps the results whose handles it has shown. A connector brings it along. */
  newShelf(): Shelf;
}

/** A connector whose results a node wants whole in its prompts: `inPrompt(connector)`. */
export interface ConnectorInPrompt<out Client = unknown> {
  readonly kind: 'connector-in-prompt';
  readonly connector: Connector<Client>;
}

export type ConnectorDeclaration = Connector | ConnectorInPrompt;

/** What a connector gave. Wherever it would become text for a model, its summary stands there, with a handle, unless the node asks for more. */
export interface Held<out Value = unknown> {
  readonly connector: string;
  /** Name of the connector and a digest of request and result: the same for the same, whatever the timing. */
  readonly handle: string;
  /** Shared by all who asked for the same: not to be changed. */
  readonly value: Value;
  /** The value as a model would read it. */
  readonly text: string;
  /** The summary. */
  toJSON(): unknown;
}

/** What a run lends to a connector for one attempt of one node. */
export interface ConnectorLink {
  /** Path of the node. */
  readonly node: string;
  /** Runs take turns at a pool. */
  readonly run: object;
  readonly signal: AbortSignal;
  readonly counts: CallCounts;
  readonly standIn: StandIn | Playback | undefined;
  readonly listening: boolean;
  emit(event: ConnectorEvent): void;
}

/** Results whose handles a run has shown. */
export interface Shelf {
  /** What stands in a prompt for a result of a connector, which is kept; `undefined` for any other value. */
  show(value: unknown, isWhole: (connector: string) => boolean): unknown;
  find(handle: string): Held | undefined;
  /** Bytes of text that it holds. */
  readonly bytes: number;
}

/** Answers in the place of a connector, for tests: the value for a request. What it throws is the call's failure. */
export type StandIn = (request: never, scope: { readonly node: string; readonly signal: AbortSignal }) => unknown;

/** A recording in the place of all connectors, made by `replay`. */
export interface Playback {
  readonly kind: 'playback';
  play(connector: string, request: string, scope: { readonly node: string; readonly signal: AbortSignal }): Promise<RecordedCall>;
}

type Told<Type> = Omit<Extract<RunEvent, { readonly type: Type }>, 'atMs' | 'node'>;
export type ConnectorEvent = Told<'connector-start'> | Told<'connector-retry'> | Told<'connector-end'>;
export type RecordedCall = Told<'connector-end'>;

/** What was counted of the calls to one connector. */
export interface CallCounts {
  requests: number;
  /** Answered from the cache. */
  hits: number;
  /** Answered by a call of its own. */
  misses: number;
  /** Answered by the call of an equal request that was under way. */
  shared: number;
  retries: number;
  timeouts: number;
  /** Requests that failed for good. */
  errors: number;
  /** Calls that found no place free and had to wait for one. */
  waited: number;
  /** Of the answers to misses. */
  bytes: number;
}
