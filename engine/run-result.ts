// The result of a run, from what there is when it has ended. First an error, then an abort, then gates that wait, then whether there is an output.
import type { OpenGate } from './gates.ts';
import type { Progress } from './progress.ts';
import type { RunResult } from './run.ts';
import type { WorkflowError } from './workflow-error.ts';

export interface Ending {
  readonly progress: Progress;
  /** What ended the run, if it is an error. */
  readonly error: WorkflowError | undefined;
  readonly abort: { readonly reason: unknown } | undefined;
  /** Those without an answer. */
  readonly gates: readonly OpenGate[];
  readonly output: { readonly value: unknown } | undefined;
}

type Facts = Omit<RunResult<unknown> & { readonly status: 'cancelled' }, 'status' | 'reason'>;

export function resultOf({ progress, error, abort, gates, output }: Ending, facts: Facts): RunResult<unknown> {
  if (error !== undefined) return { status: 'failed', error, ...facts };
  if (abort !== undefined) return { status: 'cancelled', reason: abort.reason, ...facts };
  if (progress.run.waitingGates > 0) return { status: 'waiting', gates, ...facts };
  if (output === undefined) return { status: 'failed', error: facts.failures[0] ?? progress.noOutput(), ...facts };
  return { status: 'completed', output: output.value, ...facts };
}
