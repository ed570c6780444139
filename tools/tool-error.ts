// How a tool ends other than with its text. A finding is an answer ("there is no such file") and travels as text;
// a ToolError is a dead back end and travels as a 5xx (method M2.2).
import { GaugeError } from '../base/error.ts';
import { installCommandOf } from '../base/install-command.ts';

/** Thrown deep inside a reader to end the call with this text as its result. Caught in one place, toolbox.ts. */
export class Finding extends Error {}

/** Reading took too much time or memory; another time, on a quieter machine, it may not. */
export class GivenUp extends Finding {}

/** The back end cannot work: a package is missing, a file that the set promises is gone. */
export class ToolError extends GaugeError {}

/** Imports an optional package. @throws ToolError `MISSING_PACKAGE` naming the package and the command that brings it */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new ToolError('MISSING_PACKAGE', `the optional package ${name} is not installed`, { remedy: installCommandOf([name]), cause });
  }
}

function isNotFound(cause: unknown): boolean {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
