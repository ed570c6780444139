// The one error base. A family (UsageError, GatewayError, …) lives in the folder that throws it.
// Identity is `code`, never the class: after a process border there is no class left.

export interface GaugeErrorOptions {
  /** What the reader can do about it: a command or a change, as one sentence. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** An error that the program foresaw. `code` is SCREAMING_SNAKE and stable; `message` names value, place and expectation. */
export class GaugeError extends Error {
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(code: string, message: string, options: GaugeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.remedy = options.remedy;
  }
}

/** A mistake that the user can mend. Printed without a stack; exit code 2. */
export class UsageError extends GaugeError {}

/** The message of anything that was thrown, without a stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
