// One node of a run from its start to its end: attempts with time-out, retry and fallback, what is checked, kept and committed. Says how it ended; decides nothing
// about order.
import { Attempt, type ConnectorHost } from './attempt.ts';
import type { FinishedNode, KeptWrite } from './checkpoint.ts';
import { type CheckedCommit, checkCommit } from './commit.ts';
import type { NodeOutcome } from './events.ts';
import type { OpenGate } from './gates.ts';
import { inputOf } from './node-input.ts';
import { DECLINED, type NodeHost, OpenGates, runNode } from './node-kinds.ts';
import type { Progress } from './progress.ts';
import type { ReadyNode } from './ready-node.ts';
import { retryDelayMs } from './retry.ts';
import type { RunKeeper } from './run-keeper.ts';
import { RUNNING, type SchedulerEvent, WAITING } from './transition.ts';
import { asFailure, WorkflowError } from './workflow-error.ts';

/** The part of the shell that the work on nodes may use. */
export interface WorkHost extends NodeHost, ConnectorHost {
  /** What the run was given. */
  readonly input: unknown;
  /** Whether somebody iterates the run. */
  readonly watched: boolean;
  /** Absent unless the run keeps a checkpoint. */
  readonly keeper: RunKeeper | undefined;
  sinceStartMs(): number;
  apply(event: SchedulerEvent): void;
  /** Tells whoever iterates how a node ended. */
  note(node: number, outcome: NodeOutcome): void;
  opened(gates: readonly OpenGate[]): void;
  /** The error of the run, if it is the first. */
  blame(error: WorkflowError): void;
  /** Stops the outermost run. */
  refuse(error: WorkflowError): void;
}

export class NodeWork {
  readonly #host: WorkHost;
  readonly #progress: Progress;
  readonly #phase: Uint8Array;
  /** Attempts at work, and waits between attempts: what a cancel must reach. */
  readonly #live = new Map<number, { close(reason?: unknown): void }>();

  /** Gates that have waited. */
  #waited: Set<number> | undefined;

  constructor(host: WorkHost, progress: Progress) {
    this.#host = host;
    this.#progress = progress;
    this.#phase = progress.run.phase;
  }

  start(node: number): void {
    const ended = this.#host.keeper?.finished(node);
    if (ended === undefined) this.#attempt(node, 1, this.#readyOf(node));
    else this.#restore(node, ended);
  }

  cancel(node: number, reason: unknown): void {
    this.#live.get(node)?.close(reason);
    this.#live.delete(node);
  }

  #readyOf(node: number): ReadyNode {
    return this.#progress.plan.nodes[node] as ReadyNode;
  }

  /** Whether what an attempt did still counts: neither its time-out nor a stop was faster. */
  #counts(node: number, attempt: Attempt): boolean {
    return !attempt.over && this.#phase[node] === RUNNING;
  }

  #attempt(node: number, number: number, ready: ReadyNode): void {
    const host = this.#host;
    const progress = this.#progress;
    const attempt = new Attempt(ready, progress.state, number);
    if (ready.connectors.size > 0) attempt.connectors = host;
    if (number > 1) progress.noteAttempt(node, number);
    // A gate that goes on with its answer has been told as started.
    if (host.watched && this.#waited?.has(node) !== true) host.emit({ type: 'node-start', node: ready.id, attempt: number });
    let output: unknown;
    try {
      const input = inputOf(node, this.#readyOf(node), progress.run, host.input, progress.outputs);
      if (ready.kind === 'function' && ready.inputCheck === undefined) output = (ready.run as (input: unknown, context: unknown) => unknown)(input, attempt);
      else {
        output = runNode(host, ready, input, attempt);
        if (output === DECLINED) return this.#declined(node, attempt);
        if (output instanceof OpenGates) return this.#opened(node, attempt, output);
      }
    } catch (error) {
      return this.#failed(node, attempt, error);
    }
    if (!isThenable(output)) return this.#returned(node, attempt, output);
    this.#live.set(node, attempt);
    if (ready.timeoutMs !== undefined) {
      attempt.disarm = host.clock.after(ready.timeoutMs, () => {
        this.#failed(node, attempt, new WorkflowError('timeout', `node "${ready.id}" did not end within ${ready.timeoutMs} ms`, { node: ready.id }));
      });
    }
    output.then(
      (value) => (value instanceof OpenGates ? this.#opened(node, attempt, value) : this.#returned(node, attempt, value)),
      (error) => this.#failed(node, attempt, error),
    );
  }

  /** Ends a node as its checkpoint says, without running it. */
  #restore(node: number, ended: FinishedNode): void {
    const host = this.#host;
    const progress = this.#progress;
    const id = progress.idOf(node);
    progress.endedAtMs[node] = ended.atMs;
    progress.noteAttempt(node, ended.attempt);
    if (ended.outcome === 'failed') {
      const { code, message } = ended;
      host.failures.push(new WorkflowError(code, message, { node: id }));
      if (host.listening) host.emit({ type: 'node-end', node: id, outcome: 'failed', code, message, restored: true });
      return host.apply({ type: 'node-failed', node });
    }
    for (const { key, value } of ended.writes) progress.state.commit(key, node, value);
    progress.outputs[node] = ended.output;
    if (host.watched) host.emit({ type: 'node-end', node: id, outcome: 'completed', restored: true });
    host.apply({ type: 'node-completed', node });
  }

  #declined(node: number, attempt: Attempt): void {
    attempt.close();
    this.#progress.endedAtMs[node] = this.#host.sinceStartMs();
    this.#host.note(node, 'skipped-by-branch');
    this.#host.apply({ type: 'node-declined', node });
  }

  #opened(node: number, attempt: Attempt, { gates }: OpenGates): void {
    if (!this.#counts(node, attempt)) return;
    this.#live.delete(node);
    attempt.close();
    this.#host.opened(gates);
    if (attempt.ready.kind === 'wait') this.#wait(node, attempt.ready, gates);
    this.#host.apply({ type: 'node-waiting', node });
  }

  /** Until somebody answers, or the run ends. */
  #wait(node: number, { outputCheck }: ReadyNode, [gate]: readonly OpenGate[]): void {
    if (gate === undefined) return;
    this.#waited ??= new Set();
    this.#waited.add(node);
    this.#host.gates.opened({
      gate,
      check: outputCheck,
      waits: () => this.#phase[node] === WAITING && !this.#progress.run.over,
      goOn: () => this.#host.apply({ type: 'gate-answered', node }),
    });
  }

  /** A node function has returned: output and writes are checked, then all is committed at once. */
  #returned(node: number, attempt: Attempt, output: unknown): void {
    if (!this.#counts(node, attempt)) return;
    const { outputCheck, writeOutput } = attempt.ready;
    if (this.#host.keeper !== undefined || outputCheck !== undefined || attempt.noted !== undefined) return this.#check(node, attempt, output);
    if (writeOutput >= 0) {
      const key = this.#progress.plan.keys[writeOutput];
      // The common case without a promise or a list: one write, told from its merge rule alone.
      if (key === undefined || key.check !== undefined || (key.accepts !== undefined && !key.accepts(output))) return this.#check(node, attempt, output);
      this.#progress.state.commit(writeOutput, node, output);
    }
    this.#completed(node, attempt, output);
  }

  #check(node: number, attempt: Attempt, output: unknown): void {
    const { ready } = attempt;
    let checking: CheckedCommit | Promise<CheckedCommit>;
    try {
      checking = checkCommit(this.#progress.plan.keys, ready, attempt.noted, output);
    } catch (error) {
      return this.#failed(node, attempt, error);
    }
    const commit = ({ output: checked, writes }: CheckedCommit): void => {
      if (!this.#counts(node, attempt)) return;
      const { keeper } = this.#host;
      // What a branch does follows from the state, so it is not kept.
      if (keeper === undefined || ready.kind === 'way' || ready.kind === 'branch') this.#commit(node, attempt, checked, writes);
      else this.#save(keeper, node, attempt, checked, writes);
    };
    if (!(checking instanceof Promise)) return commit(checking);
    this.#live.set(node, attempt);
    checking.then(commit, (error) => this.#failed(node, attempt, error));
  }

  /** Commits once the checkpoint is durable. Until then the node is at work, though its time-out no longer counts. */
  #save(keeper: RunKeeper, node: number, attempt: Attempt, output: unknown, writes: readonly KeptWrite[]): void {
    attempt.disarm?.();
    attempt.disarm = undefined;
    this.#live.set(node, attempt);
    try {
      keeper.saveCompleted(attempt, output, writes, (failure) => {
        if (!this.#counts(node, attempt)) return;
        if (failure === undefined) this.#commit(node, attempt, output, writes);
        else this.#host.refuse(failure);
      });
    } catch (error) {
      this.#failed(node, attempt, error);
    }
  }

  #commit(node: number, attempt: Attempt, output: unknown, writes: readonly KeptWrite[]): void {
    for (const { key, value } of writes) this.#progress.state.commit(key, node, value);
    this.#completed(node, attempt, output);
  }

  #completed(node: number, attempt: Attempt, output: unknown): void {
    const host = this.#host;
    const { outputs, endedAtMs } = this.#progress;
    outputs[node] = output;
    endedAtMs[node] = host.sinceStartMs();
    if (this.#live.size > 0) this.#live.delete(node);
    attempt.close();
    if (host.watched) host.note(node, 'completed');
    host.apply({ type: 'node-completed', node });
  }

  #failed(node: number, attempt: Attempt, thrown: unknown): void {
    if (!this.#counts(node, attempt)) return;
    const host = this.#host;
    const { ready, attempt: number } = attempt;
    const error = asFailure(thrown, ready.id);
    const { code, message } = error;
    attempt.close(error);
    this.#live.delete(node);
    const hopeless = HOPELESS.has(code);
    const delayMs = hopeless ? undefined : retryDelayMs(ready.retry, number, thrown, host.random);
    if (delayMs !== undefined) {
      if (host.listening) host.emit({ type: 'node-retry', node: ready.id, attempt: number, delayMs, code, message });
      const cancel = host.clock.after(delayMs, () => {
        this.#live.delete(node);
        if (this.#phase[node] === RUNNING) this.#attempt(node, number + 1, this.#readyOf(node));
      });
      this.#live.set(node, { close: cancel });
      return;
    }
    if (ready.fallback !== undefined && !hopeless) {
      if (host.listening) host.emit({ type: 'node-fallback', node: ready.id, attempt: number, code, message });
      return this.#attempt(node, number + 1, ready.fallback);
    }
    if (host.keeper === undefined) return this.#fail(node, error);
    host.keeper.saveFailed(attempt, error, this.#staysInBranch(node), (failure) => {
      if (this.#phase[node] !== RUNNING) return;
      if (failure === undefined) this.#fail(node, error);
      else host.refuse(failure);
    });
  }

  #fail(node: number, error: WorkflowError): void {
    const host = this.#host;
    host.failures.push(error);
    if (!this.#staysInBranch(node)) host.blame(error);
    if (host.listening) host.emit({ type: 'node-end', node: this.#progress.idOf(node), outcome: 'failed', code: error.code, message: error.message });
    host.apply({ type: 'node-failed', node });
  }

  #staysInBranch(node: number): boolean {
    return this.#progress.plan.topology.continues[node] === 1;
  }
}

/** A mistake of the author's stays one however often it is repeated. */
const HOPELESS: ReadonlySet<string> = new Set(['UNDECLARED_READ', 'UNDECLARED_WRITE', 'UNDECLARED_CONNECTOR', 'invalid-input', 'not-storable']);

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function';
}
