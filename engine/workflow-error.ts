// The one error class of the engine. Identity is `code`, never the class. What an author did wrong is thrown with a SCREAMING_SNAKE code;
// what went wrong in a node is data of the result and has a kebab-case code.

/** What the author of a workflow or caller of the engine did wrong: thrown at once. */
export type MistakeCode =
  | 'INVALID_WORKFLOW'
  | 'INVALID_OPTIONS'
  | 'INVALID_TOOL'
  | 'INVALID_SCHEMA'
  | 'UNDECLARED_READ'
  | 'UNDECLARED_WRITE'
  | 'UNDECLARED_CONNECTOR'
  | 'NOT_WAITING'
  | 'INVALID_ANSWER';

/** Why a node or a run failed: found in `result.error` and in `result.failures`, never thrown at the caller. */
export type FailureCode =
  | 'node-error'
  | 'timeout'
  | 'cancelled'
  | 'stalled'
  | 'invalid-input'
  | 'invalid-output'
  | 'invalid-write'
  | 'no-output'
  | 'no-model'
  | 'iteration-cap'
  | 'empty-reply'
  | 'reasoning-only'
  | 'truncated-reply'
  | 'refusal'
  | 'context-overflow'
  | 'rate-limit'
  | 'unauthorized'
  | 'bad-request'
  | 'provider-error'
  | 'model-unreachable'
  | 'not-json'
  | 'incomplete-reply'
  | 'unknown-handle'
  | 'connector-refused'
  | 'connector-failed'
  | 'too-large';

export type WorkflowErrorCode = MistakeCode | FailureCode | (string & {});

/** One thing that `build()` found, with the ids that it concerns. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly nodes: readonly string[];
}

export interface WorkflowErrorOptions {
  readonly remedy?: string;
  readonly cause?: unknown;
  readonly problems?: readonly Problem[];
  readonly node?: string;
  /** Status of the model server's answer, where one came. */
  readonly status?: number;
}

export class WorkflowError extends Error {
  readonly code: WorkflowErrorCode;
  readonly remedy: string | undefined;
  /** All that `build()` found, in the order of the nodes; empty for other errors. */
  readonly problems: readonly Problem[];
  readonly node: string | undefined;
  readonly status: number | undefined;

  constructor(code: WorkflowErrorCode, message: string, options: WorkflowErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkflowError';
    this.code = code;
    this.remedy = options.remedy;
    this.problems = options.problems ?? [];
    this.node = options.node;
    this.status = options.status;
  }

  /** The same error, with its node as seen from outside a subgraph. */
  inside(prefix: string): WorkflowError {
    return this.node === undefined ? this : withNode(this, prefix + this.node);
  }
}

/** Whatever a node threw, as a WorkflowError: ours stay as they are, others become the cause of a `node-error`. */
export function asFailure(thrown: unknown, node: string): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown.node === undefined ? withNode(thrown, node) : thrown;
  return new WorkflowError('node-error', `node "${node}" failed: ${messageOf(thrown)}`, { cause: thrown, node });
}

export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return String(thrown);
  } catch {
    return 'something that has no text was thrown';
  }
}

/** A value from outside, for a message: short, and never a crash whatever it is. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, 80);
  } catch {
    return typeof value; // it goes round in circles
  }
}

function withNode(error: WorkflowError, node: string): WorkflowError {
  return new WorkflowError(error.code, error.message, {
    node,
    problems: error.problems,
    cause: error.cause ?? error,
    ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
    ...(error.status === undefined ? {} : { status: error.status }),
  });
}
