// The port to a model: what the agent loop needs and no more. A conversation belongs to the model, so that its history is serialised once and only grows.
import type { Clock, Random } from './clock.ts';
import type { JsonSchema } from './json-schema-check.ts';

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** A call as it came: name and arguments may be anything. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface TokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

export interface ModelReply {
  /** Text meant for the reader. Reasoning never stands here. */
  readonly text: string;
  readonly calls: readonly RawCall[];
  /** Whether the reply was cut at its token limit: then nothing in it may be executed or taken as the answer. */
  readonly truncated: boolean;
  /** The model declined, in its own words. */
  readonly refusal?: string;
  readonly reasoning?: string;
  readonly usage?: TokenUsage;
  /** The turn as this model's wire wants it back in the history. */
  readonly wire?: unknown;
}

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

/** What a model tells of its own doings. */
export type ModelNotice =
  | { readonly type: 'request-retry'; readonly attempt: number; readonly delayMs: number; readonly code: string; readonly message: string }
  | { readonly type: 'request-adapted'; readonly change: string; readonly message: string };

/** What stays the same for every conversation of an agent: one frozen object, so that a model may keep what it made of it. */
export interface ConversationBrief {
  readonly system: string | undefined;
  readonly tools: readonly ToolSpec[];
  /** The form that the answer must have. */
  readonly output: JsonSchema | undefined;
}

/** What a conversation may use of the run. Methods are called on the object; none is taken out of it. */
export interface ConversationScope {
  /** Aborts with the node. Made when first asked for. */
  readonly signal: AbortSignal;
  /** Calls back when the node is aborted, without a signal having to be made. Returns what takes the callback away. */
  onAbort(callback: (reason: unknown) => void): () => void;
  readonly clock: Clock;
  readonly random: Random;
  /** Id of the node that asks, as seen from the outermost run. */
  readonly node?: string;
  notice(notice: ModelNotice): void;
}

export interface Conversation {
  addUser(text: string): void;
  addReply(reply: ModelReply): void;
  addResults(results: readonly ToolResult[]): void;
  /** One request. Rejects with a WorkflowError; an abort rejects with the signal's reason. */
  ask(withTools: boolean): Promise<ModelReply>;
  /** Takes its listener off the signal. May be called twice. */
  close(): void;
}

export interface Model {
  readonly name: string;
  open(brief: ConversationBrief, scope: ConversationScope): Conversation;
}
