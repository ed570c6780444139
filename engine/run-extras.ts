// What only some runs have: a checkpoint and a trace hash. Loaded late, so that a run without them loads and pays for neither.

import { type Checkpoint, type CheckpointOptions, openCheckpoint } from './checkpoint.ts';
import type { Plan } from './plan.ts';
import { type KeeperHost, RunKeeper } from './run-keeper.ts';
import { TraceHash } from './trace-hash.ts';

export interface RunExtras {
  readonly checkpoint: Checkpoint | undefined;
  readonly trace: TraceHash | undefined;
  /** For the run, and for each run inside it. */
  keeperOf(host: KeeperHost): RunKeeper | undefined;
}

export interface ExtrasOptions {
  readonly checkpoint?: CheckpointOptions;
  readonly traceHash?: boolean;
  /** Of the run: once it is aborted nothing is begun. */
  readonly signal?: AbortSignal;
}

/** `given` is absent where the input is to come from the checkpoint. @throws WorkflowError when the checkpoint cannot be gone on with */
export async function openExtras(plan: Plan, given: { readonly input: unknown } | undefined, options: ExtrasOptions): Promise<RunExtras> {
  const checkpoint = options.checkpoint === undefined ? undefined : await openCheckpoint(plan, given, options.checkpoint, options.signal);
  const trace = options.traceHash === true ? new TraceHash(plan) : undefined;
  return { checkpoint, trace, keeperOf: (host) => (checkpoint === undefined ? undefined : new RunKeeper(host, checkpoint, trace)) };
}
