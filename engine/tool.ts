// A tool: a named function with a schema, as an agent may call it or a node may run it.

import type { Connector, Held } from './connector.ts';
import type { JsonSchema } from './json-schema-check.ts';
import type { RetryPolicy } from './retry.ts';
import type { StandardSchema } from './schema.ts';
import { WorkflowError } from './workflow-error.ts';

export interface ToolContext {
  /** Aborts with the node, the run, or the tool's own time-out. */
  readonly signal: AbortSignal;
  /** What a connector offers, for as long as the attempt lasts. @throws WorkflowError `UNDECLARED_CONNECTOR` naming node and connector unless the node's `connectors` has it */
  readonly use: <Client>(connector: Connector<Client>) => Client;
  /** The result behind a handle that a model of this run was shown. @throws WorkflowError `unknown-handle` */
  readonly held: (handle: string) => Held;
}

export interface ToolOptions<Input, Output> {
  /** Letters, digits, `_` and `-`, at most 64: what model servers accept. */
  readonly name: string;
  readonly description: string;
  /** A Standard Schema that offers JSON Schema, or plain JSON Schema (then `run` gets what was checked, typed as you annotate it). */
  readonly input: StandardSchema<unknown, Input> | JsonSchema;
  readonly run: (input: Input, context: ToolContext) => Output | Promise<Output>;
  /** Longest time of one attempt. Unbounded when not given. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** Longest result text that a model is shown, in UTF-16 units. @default 100000 */
  readonly resultLimit?: number;
}

/** A tool of any types, as a list of tools holds it. */
export interface Tool<Input = never, Output = unknown> {
  readonly kind: 'tool';
  readonly name: string;
  readonly description: string;
  readonly input: unknown;
  readonly run: (input: Input, context: ToolContext) => Output | Promise<Output>;
  readonly timeoutMs: number | undefined;
  readonly retry: RetryPolicy | undefined;
  readonly resultLimit: number;
}

const DEFAULT_RESULT_LIMIT = 100_000;

/** Defines a tool. @throws WorkflowError `INVALID_TOOL` for a name that no model server accepts. */
export function tool<Input, Output>(options: ToolOptions<Input, Output>): Tool<Input, Output> {
  if (typeof options.name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(options.name)) {
    throw new WorkflowError('INVALID_TOOL', `a tool's name must be 1 to 64 letters, digits, "_" or "-"; found ${JSON.stringify(options.name)}`, {
      remedy: 'Rename the tool; the description may say anything.',
    });
  }
  const { name, description, input, run, timeoutMs, retry, resultLimit = DEFAULT_RESULT_LIMIT } = options;
  return Object.freeze({ kind: 'tool', name, description, input, run, timeoutMs, retry, resultLimit });
}
