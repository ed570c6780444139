// What a run, or a run inside it, keeps in its checkpoint and takes back from it: nodes and items of maps under their paths, each with the digest of its trace.
import type { Attempt } from './attempt.ts';
import type { Checkpoint, FinishedNode, KeptWrite } from './checkpoint.ts';
import type { Tally } from './events.ts';
import type { ItemKeeper } from './node-kinds.ts';
import type { Plan } from './plan.ts';
import type { TraceHash } from './trace-hash.ts';
import type { WorkflowError } from './workflow-error.ts';

export interface KeeperHost {
  readonly plan: Plan;
  readonly tally: Tally;
  /** Whether this is a further attempt of a subgraph: then nothing of it comes from a checkpoint. */
  readonly again: boolean;
  pathOf(id: string): string;
  sinceStartMs(): number;
  /** Stops the outermost run. */
  refuse(error: WorkflowError): void;
}

/** Calls back once what was saved is durable, or with the store's failure. */
type Saved = (failure?: WorkflowError) => void;

export class RunKeeper implements ItemKeeper {
  readonly #host: KeeperHost;
  readonly #checkpoint: Checkpoint;
  readonly #trace: TraceHash | undefined;
  readonly #finished: ReadonlyMap<number, FinishedNode> | undefined;

  constructor(host: KeeperHost, checkpoint: Checkpoint, trace: TraceHash | undefined) {
    this.#host = host;
    this.#checkpoint = checkpoint;
    this.#trace = trace;
    this.#finished = host.again ? undefined : checkpoint.finishedIn(host.plan, host.pathOf(''));
  }

  /** How an earlier execution finished a node. */
  finished(node: number): FinishedNode | undefined {
    const ended = this.#finished?.get(node);
    if (ended !== undefined) this.#keepTrace(this.#host.pathOf(this.#host.plan.nodes[node]?.id ?? ''), ended);
    return ended;
  }

  /** @throws WorkflowError `not-storable` */
  saveCompleted(attempt: Attempt, output: unknown, writes: readonly KeptWrite[], saved: Saved): void {
    this.#save(attempt, { outcome: 'completed', output, writes }, saved);
  }

  /** What was done before a failure is kept before it counts; one that stays in its branch is kept itself. */
  saveFailed(attempt: Attempt, { code, message }: WorkflowError, staysInBranch: boolean, saved: Saved): void {
    this.#trace?.fail(this.#host.pathOf(attempt.nodeId), code);
    if (staysInBranch) this.#save(attempt, { outcome: 'failed', code, message }, saved);
    else this.#checkpoint.afterSaves(saved);
  }

  kept(id: string): { readonly output: unknown } | undefined {
    if (this.#host.again) return undefined;
    const path = this.#host.pathOf(id);
    const item = this.#checkpoint.itemAt(path);
    if (item?.outcome !== 'completed') return undefined;
    this.#keepTrace(path, item);
    return item;
  }

  keep(attempt: Attempt, output: unknown, done: () => void): void {
    this.saveCompleted(attempt, output, [], (failure) => {
      if (failure === undefined) done();
      else this.#host.refuse(failure);
    });
  }

  #save(attempt: Attempt, ended: EndedHow, saved: Saved): void {
    const path = this.#host.pathOf(attempt.nodeId);
    const facts = { attempt: attempt.attempt, atMs: this.#host.sinceStartMs(), counts: this.#host.tally.counts(), trace: this.#trace?.digestOf(path) };
    this.#checkpoint.save(this.#host.plan, path, { ...facts, ...ended }, saved);
  }

  #keepTrace(path: string, { trace }: FinishedNode): void {
    if (trace !== undefined) this.#trace?.keep(path, trace);
  }
}

type EndedHow =
  | { readonly outcome: 'completed'; readonly output: unknown; readonly writes: readonly KeptWrite[] }
  | { readonly outcome: 'failed'; readonly code: string; readonly message: string };
