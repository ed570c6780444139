// The shell: performs what `transition` decides. It starts nodes, commits their writes, arms timers, tells listeners, and decides nothing about order.
import { Attempt } from './attempt.ts';
import type { FinishedNode, KeptWrite } from './checkpoint.ts';
import { type Clock, type Random, seededRandom, systemClock } from './clock.ts';
import { type CheckedCommit, checkCommit } from './commit.ts';
import type { Connector, ConnectorLink, Playback, Shelf, StandIn } from './connector.ts';
import { EventStream, type NodeOutcome, type RunEvent, Tally } from './events.ts';
import { RunMemory, textBytes } from './memory.ts';
import { inputOf } from './node-input.ts';
import { DECLINED, type ItemKeeper, type OpenGate, OpenGates, runNode } from './node-kinds.ts';
import type { Plan } from './plan.ts';
import { ResourcePool } from './resource-pool.ts';
import { retryDelayMs } from './retry.ts';
import type { ExecuteOptions, Run, RunResult } from './run.ts';
import type { RunExtras } from './run-extras.ts';
import type { Checked } from './schema.ts';
import { standstill } from './standstill.ts';
import { type Provenance, StateStore } from './state.ts';
import {
  CANCELLED,
  COMPLETED,
  type Effect,
  FAILED,
  type Limits,
  newRunState,
  RUNNING,
  type RunState,
  type SchedulerEvent,
  SKIPPED_AFTER_FAILURE,
  SKIPPED_BY_BRANCH,
  transition,
} from './transition.ts';
import type { NodeHandle } from './workflow.ts';
import { asFailure, WorkflowError } from './workflow-error.ts';

/** Synchronous nodes between two looks at the clock, and the longest time that they keep timers waiting. */
const NODES_BETWEEN_LOOKS = 512;
const LONGEST_SLICE_MS = 8;

/** A run inside a run: a subgraph at work. It has its own state and scheduling, and the listeners, counts and limits of the outermost run. */
interface Nest {
  readonly outer: Shell;
  /** Id of the node that it is, as seen from the outermost run, with a slash. */
  readonly prefix: string;
  /** Whether it is a further attempt: then nothing of it comes from a checkpoint. */
  readonly again: boolean;
}

export class Shell implements Run<unknown> {
  readonly result: Promise<RunResult<unknown>>;
  readonly plan: Plan;
  readonly options: ExecuteOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly tally: Tally;
  readonly pool: ResourcePool | undefined;
  readonly memory: RunMemory | undefined;
  readonly #nest: Nest | undefined;
  /** Subgraphs at work, so that a listener with room again lets them go on. */
  readonly #nested = new Set<Shell>();
  #gates: OpenGate[] | undefined;
  #shelf: Shelf | undefined;
  /** Of the outermost run; absent for most. */
  #extras: RunExtras | undefined;
  #restored: ReadonlyMap<number, FinishedNode> | undefined;
  #given: { readonly input: unknown } | undefined;
  #input: unknown;
  readonly #run: RunState;
  readonly #state: StateStore;
  readonly #outputs: unknown[];
  readonly #endedAtMs: Float64Array;
  /** Attempts at work, and waits between attempts: what a cancel must reach. */
  readonly #live = new Map<number, { close(reason?: unknown): void }>();
  /** Attempt numbers above one. */
  #attempts: Map<number, number> | undefined;
  readonly failures: WorkflowError[] = [];
  readonly #effects: Effect[] = [];
  readonly #streams: EventStream[];
  #effectsHead = 0;
  #pumping = false;
  #finished = false;
  #error: WorkflowError | undefined;
  #abort: { readonly reason: unknown } | undefined;
  #index: Map<string, number> | undefined;
  #resolve!: (result: RunResult<unknown>) => void;
  #startMs = 0;

  constructor(plan: Plan, given: { readonly input: unknown } | undefined, options: ExecuteOptions, concurrency: number, nest: Nest | undefined) {
    this.plan = plan;
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.random = nest?.outer.random ?? options.random ?? seededRandom(1);
    this.tally = nest?.outer.tally ?? new Tally();
    this.pool = nest?.outer.pool ?? poolOf(options);
    this.#nest = nest;
    this.#streams = nest === undefined ? [] : nest.outer.#streams;
    this.#given = given;
    this.#input = given?.input;
    this.#run = newRunState(plan.topology, concurrency, this.pool === undefined ? undefined : this.#limitsOf(this.pool));
    this.memory = nest?.outer.memory ?? (options.memory === undefined ? undefined : new RunMemory(options.memory));
    this.#state = new StateStore(plan.keys, plan.rank, this.memory?.state === false);
    this.#outputs = new Array(plan.topology.size);
    this.#endedAtMs = new Float64Array(plan.topology.size);
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (nest !== undefined) return;
    // The tick of `execute` belongs to the caller: listeners first.
    void Promise.resolve().then(() => this.#begin());
  }

  [Symbol.asyncIterator](): EventStream {
    const stream = new EventStream(
      () => this.#pumpAll(),
      (left) => {
        this.#streams.splice(this.#streams.indexOf(left), 1);
        this.#pumpAll();
      },
    );
    if (this.#finished) stream.end();
    else this.#streams.push(stream);
    return stream;
  }

  outcomeOf(node: NodeHandle<never, unknown> | string): NodeOutcome | undefined {
    return OUTCOMES[this.#run.phase[this.#numberOf(node)] as number];
  }

  outputOf<Value>(node: NodeHandle<never, Value>): Value | undefined {
    return this.#outputs[this.#numberOf(node)] as Value | undefined;
  }

  provenanceOf(key: string): readonly Provenance[] {
    const number = this.plan.keys.findIndex(({ name }) => name === key);
    if (number < 0) throw new WorkflowError('INVALID_OPTIONS', `the workflow has no state key "${key}"`);
    const { nodes, sourceOffsets, sources } = this.plan;
    return this.#state.writersOf(number).map((node) => ({
      node: nodes[node]?.id ?? '',
      attempt: this.#attempts?.get(node) ?? 1,
      inputs: [...sources.subarray(sourceOffsets[node], sourceOffsets[node + 1])].map((source) => nodes[source]?.id ?? ''),
      atMs: this.#endedAtMs[node] as number,
    }));
  }

  get listening(): boolean {
    return this.#streams.length > 0 || this.#extras?.trace !== undefined;
  }

  emit(event: RunEvent extends infer One ? (One extends RunEvent ? Omit<One, 'atMs'> : never) : never): void {
    if (this.#nest !== undefined) {
      const { outer, prefix } = this.#nest;
      return outer.emit('node' in event ? { ...event, node: prefix + event.node } : event);
    }
    const stamped = { atMs: this.clock.nowMs() - this.#startMs, ...event } as RunEvent;
    this.#extras?.trace?.take(stamped);
    for (const stream of this.#streams) stream.push(stamped);
  }

  #begin(): void {
    this.#startMs = this.clock.nowMs();
    if (this.listening && this.#nest === undefined) this.emit({ type: 'run-start', workflow: this.plan.name, nodes: this.plan.topology.size });
    const { signal } = this.options;
    if (this.#nest === undefined && signal !== undefined) {
      if (signal.aborted) return this.#onAbort();
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    const { checkpoint, traceHash } = this.options;
    if (this.#nest !== undefined) {
      this.#extras = this.#nest.outer.#extras;
      if (!this.#nest.again) this.#restored = this.#extras?.checkpoint?.finishedIn(this.plan, this.#nest.prefix);
    } else if (checkpoint !== undefined || traceHash === true) return this.#openExtras();
    this.#checkInput();
  }

  #openExtras(): void {
    import('./run-extras.ts')
      .then(({ openExtras }) => openExtras(this.plan, this.#given, this.options))
      .then(
        (extras) => {
          // An abort was faster.
          if (this.#finished) return void extras.checkpoint?.stop();
          this.#extras = extras;
          if (this.memory?.shared === true) extras.trace?.cut('all agents shared one transcript, each as its turn came');
          const { checkpoint } = extras;
          if (checkpoint !== undefined) {
            this.#input = checkpoint.input;
            this.#restored = checkpoint.finishedIn(this.plan, '');
            this.tally.restore(checkpoint.counts);
          }
          this.#checkInput();
        },
        (error) => {
          if (!this.#finished) this.#refuse(asFailure(error, 'start'));
        },
      );
  }

  #checkInput(): void {
    const { inputCheck } = this.plan;
    if (inputCheck === undefined) return this.#apply({ type: 'run-start' });
    try {
      const checked = inputCheck(this.#input);
      if (checked instanceof Promise)
        checked.then(
          (settled) => this.#start(settled),
          (error) => this.#refuse(asFailure(error, 'start')),
        );
      else this.#start(checked);
    } catch (error) {
      this.#refuse(asFailure(error, 'start'));
    }
  }

  #start(checked: Checked): void {
    if (!checked.ok)
      return this.#refuse(new WorkflowError('invalid-input', `the input of workflow "${this.plan.name}" breaks its schema: ${checked.issues.join('; ')}`));
    this.#input = checked.value;
    this.#apply({ type: 'run-start' });
  }

  #refuse(error: WorkflowError): void {
    this.failures.push(error);
    this.#error ??= error;
    this.#apply({ type: 'run-stop' });
  }

  readonly #onAbort = (): void => this.#cancel(this.options.signal?.reason);

  #apply(event: SchedulerEvent): void {
    transition(this.plan.topology, this.#run, event, this.#effects);
    this.#pump();
  }

  #pumpAll(): void {
    this.#pump();
    for (const nested of this.#nested) nested.#pumpAll();
  }

  /** Performs effects until none is left. Re-entrant calls leave their effects to the call that is at work, so nothing recurses. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    const effects = this.#effects;
    let performed = 0;
    let sliceStartMs = -1;
    while (this.#effectsHead < effects.length) {
      const effect = effects[this.#effectsHead] as Effect;
      if (effect.type === 'start-node' && this.#streams.some((stream) => stream.full)) break;
      if (++performed % NODES_BETWEEN_LOOKS === 0) {
        const nowMs = this.clock.nowMs();
        if (sliceStartMs < 0) sliceStartMs = nowMs;
        else if (nowMs - sliceStartMs > LONGEST_SLICE_MS) {
          setImmediate(() => this.#pump());
          break;
        }
      }
      this.#effectsHead++;
      if (this.#effectsHead === effects.length) {
        effects.length = 0;
        this.#effectsHead = 0;
      } else if (this.#effectsHead > 4096) {
        effects.splice(0, this.#effectsHead);
        this.#effectsHead = 0;
      }
      this.#perform(effect);
    }
    this.#pumping = false;
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'start-node':
        // A stop may have come between the decision and now.
        if (this.#run.phase[effect.node] === RUNNING) this.#attempt(effect.node, 1);
        return;
      case 'cancel-node': {
        const reason = this.#abort?.reason ?? this.#error ?? new WorkflowError('cancelled', 'the run was stopped');
        this.#live.get(effect.node)?.close(reason);
        this.#live.delete(effect.node);
        this.#note(effect.node, 'cancelled');
        return;
      }
      case 'note-skip':
        this.#note(effect.node, effect.outcome);
        return;
      case 'want-resource':
        this.pool?.want(this.#resourceName(effect.resource), this.root, () => this.#apply({ type: 'resource-granted', resource: effect.resource }));
        return;
      case 'free-resource':
        this.pool?.give(this.#resourceName(effect.resource));
        return;
      case 'stall':
        this.#error ??= standstill(this.plan, this.#run.phase);
        this.#end();
        return;
      case 'end-run':
        this.#end();
        return;
      default:
        effect satisfies never;
    }
  }

  #attempt(node: number, number: number, ready = this.plan.nodes[node] as Plan['nodes'][number]): void {
    if (this.#restored !== undefined && number === 1) {
      const ended = this.#restored.get(node);
      if (ended !== undefined) return this.#restore(node, ended);
    }
    const attempt = new Attempt(ready, this.#state, number);
    if (ready.connectors.size > 0) attempt.connectors = this;
    if (number > 1) {
      this.#attempts ??= new Map();
      this.#attempts.set(node, number);
    }
    if (this.#streams.length > 0) this.emit({ type: 'node-start', node: ready.id, attempt: number });
    let output: unknown;
    try {
      const input = inputOf(node, this.plan.nodes[node] as Plan['nodes'][number], this.#run, this.#input, this.#outputs);
      if (ready.kind === 'function' && ready.inputCheck === undefined) output = (ready.run as (input: unknown, context: unknown) => unknown)(input, attempt);
      else {
        output = runNode(this, ready, input, attempt);
        if (output === DECLINED) return this.#declined(node, attempt);
        if (output instanceof OpenGates) return this.#opened(node, attempt, output);
      }
    } catch (error) {
      return this.#failed(node, attempt, error);
    }
    if (!isThenable(output)) return this.#returned(node, attempt, output);
    this.#live.set(node, attempt);
    if (ready.timeoutMs !== undefined) {
      attempt.disarm = this.clock.after(ready.timeoutMs, () => {
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
    const { id } = this.plan.nodes[node] as Plan['nodes'][number];
    this.#endedAtMs[node] = ended.atMs;
    if (ended.attempt > 1) {
      this.#attempts ??= new Map();
      this.#attempts.set(node, ended.attempt);
    }
    if (ended.trace !== undefined) this.#extras?.trace?.keep(this.pathOf(id), ended.trace);
    if (ended.outcome === 'failed') {
      const { code, message } = ended;
      this.failures.push(new WorkflowError(code, message, { node: id }));
      if (this.listening) this.emit({ type: 'node-end', node: id, outcome: 'failed', code, message, restored: true });
      return this.#apply({ type: 'node-failed', node });
    }
    for (const { key, value } of ended.writes) this.#state.commit(key, node, value);
    this.#outputs[node] = ended.output;
    if (this.#streams.length > 0) this.emit({ type: 'node-end', node: id, outcome: 'completed', restored: true });
    this.#apply({ type: 'node-completed', node });
  }

  #declined(node: number, attempt: Attempt): void {
    attempt.close();
    this.#endedAtMs[node] = this.clock.nowMs() - this.#startMs;
    this.#note(node, 'skipped-by-branch');
    this.#apply({ type: 'node-declined', node });
  }

  #opened(node: number, attempt: Attempt, { gates }: OpenGates): void {
    if (attempt.over || this.#run.phase[node] !== RUNNING) return;
    this.#live.delete(node);
    attempt.close();
    this.#gates ??= [];
    this.#gates.push(...gates);
    this.#apply({ type: 'node-waiting', node });
  }

  /** Runs a checked workflow as the node `id` of this run. Rejects with its error; gates that it leaves open are this run's. */
  runNested(plan: Plan, input: unknown, id: string, attempt: Attempt): Promise<unknown> {
    const prefix = `${this.pathOf(id)}/`;
    const again = attempt.attempt > 1 || this.#nest?.again === true;
    const nested = new Shell(plan, { input }, this.options, this.#run.concurrency, { outer: this.root, prefix, again });
    this.#nested.add(nested);
    attempt.onAbort((reason) => nested.#cancel(reason));
    nested.#begin();
    return nested.result.then((result) => {
      this.#nested.delete(nested);
      for (const failure of result.failures) if (result.status !== 'failed' || failure !== result.error) this.failures.push(failure.inside(`${id}/`));
      if (result.status === 'completed') return result.output;
      if (result.status === 'waiting') return new OpenGates(result.gates);
      throw result.status === 'failed' ? result.error.inside(`${id}/`) : result.reason;
    });
  }

  get root(): Shell {
    return this.#nest?.outer ?? this;
  }

  nodesBefore(id: string): readonly string[] {
    const node = this.#numberOf(id.replace(/\[\d+\]$/, ''));
    const { nodes, rank, sourceOffsets, sources } = this.plan;
    const before = new Set<number>();
    const open = [node];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const source of sources.subarray(sourceOffsets[at], sourceOffsets[at + 1])) {
        if (!before.has(source)) open.push(source);
        before.add(source);
      }
    }
    return [...before].sort((a, b) => (rank[a] as number) - (rank[b] as number)).map((source) => this.pathOf(nodes[source]?.id ?? ''));
  }

  get shelf(): Shelf | undefined {
    return this.root.#shelf;
  }

  lend(connector: Connector, node: string, signal: AbortSignal): ConnectorLink {
    const { name } = connector;
    const standIns = this.options.connectors;
    this.root.#shelf ??= connector.newShelf();
    return {
      node: this.pathOf(node),
      run: this.root,
      signal,
      counts: this.tally.connector(name),
      standIn: standIns === undefined ? undefined : standInFor(standIns, name),
      listening: this.listening,
      emit: (event) => {
        if (this.listening && !this.#finished) this.emit({ ...event, node });
      },
    };
  }

  /** A node's id as seen from the outermost run. */
  pathOf(id: string): string {
    return this.#nest === undefined ? id : this.#nest.prefix + id;
  }

  #cancel(reason: unknown): void {
    this.#abort ??= { reason };
    this.#apply({ type: 'run-stop' });
  }

  #limitsOf(pool: ResourcePool): Limits {
    return { take: (resource) => pool.take(this.#resourceName(resource)) };
  }

  #resourceName(resource: number): string {
    return this.plan.resources[resource - 1] as string;
  }

  /** A node function has returned: output and writes are checked, then all is committed at once. */
  #returned(node: number, attempt: Attempt, output: unknown): void {
    if (attempt.over || this.#run.phase[node] !== RUNNING) return;
    const { ready } = attempt;
    if (this.#extras?.checkpoint !== undefined) return this.#commitChecked(node, attempt, output);
    if (ready.outputCheck === undefined && ready.writeOutput < 0 && attempt.noted === undefined) return this.#completed(node, attempt, output);
    if (ready.outputCheck === undefined && ready.writeOutput >= 0 && attempt.noted === undefined) {
      const key = this.plan.keys[ready.writeOutput];
      // The common case without a promise or a list: one write, told from its merge rule alone.
      if (key !== undefined && key.check === undefined && (key.accepts === undefined || key.accepts(output))) {
        this.#state.commit(ready.writeOutput, node, output);
        return this.#completed(node, attempt, output);
      }
    }
    this.#commitChecked(node, attempt, output);
  }

  #commitChecked(node: number, attempt: Attempt, output: unknown): void {
    const { ready } = attempt;
    let checking: CheckedCommit | Promise<CheckedCommit>;
    try {
      checking = checkCommit(this.plan.keys, ready, attempt.noted, output);
    } catch (error) {
      return this.#failed(node, attempt, error);
    }
    const commit = ({ output: checked, writes }: CheckedCommit): void => {
      if (attempt.over || this.#run.phase[node] !== RUNNING) return;
      // What a branch does follows from the state, so it is not kept.
      if (this.#extras?.checkpoint === undefined || ready.kind === 'way' || ready.kind === 'branch') this.#commit(node, attempt, checked, writes);
      else this.#save(node, attempt, checked, writes);
    };
    if (!(checking instanceof Promise)) return commit(checking);
    this.#live.set(node, attempt);
    checking.then(commit, (error) => this.#failed(node, attempt, error));
  }

  #commit(node: number, attempt: Attempt, output: unknown, writes: readonly KeptWrite[]): void {
    for (const { key, value } of writes) this.#state.commit(key, node, value);
    this.#completed(node, attempt, output);
  }

  /** Commits once the checkpoint is durable. Until then the node is at work, though its time-out no longer counts. */
  #save(node: number, attempt: Attempt, output: unknown, writes: readonly KeptWrite[]): void {
    attempt.disarm?.();
    attempt.disarm = undefined;
    this.#live.set(node, attempt);
    try {
      this.#extras?.checkpoint?.save(
        this.plan,
        this.pathOf(attempt.nodeId),
        { ...this.#endFacts(attempt), outcome: 'completed', output, writes },
        (failure) => {
          if (attempt.over || this.#run.phase[node] !== RUNNING) return;
          if (failure === undefined) this.#commit(node, attempt, output, writes);
          else this.root.#refuse(failure);
        },
      );
    } catch (error) {
      this.#failed(node, attempt, error);
    }
  }

  /** What keeps items of maps, where the run keeps a checkpoint. */
  get keeper(): ItemKeeper | undefined {
    return this.#extras?.checkpoint === undefined ? undefined : this;
  }

  kept(id: string): { readonly output: unknown } | undefined {
    if (this.#nest?.again === true) return undefined;
    const path = this.pathOf(id);
    const item = this.#extras?.checkpoint?.itemAt(path);
    if (item?.outcome !== 'completed') return undefined;
    if (item.trace !== undefined) this.#extras?.trace?.keep(path, item.trace);
    return item;
  }

  keep(attempt: Attempt, output: unknown, done: () => void): void {
    const ended = { ...this.#endFacts(attempt), outcome: 'completed', output, writes: [] } as const;
    this.#extras?.checkpoint?.save(this.plan, this.pathOf(attempt.nodeId), ended, (failure) => {
      if (failure === undefined) done();
      else this.root.#refuse(failure);
    });
  }

  #endFacts(attempt: Attempt): Pick<FinishedNode, 'attempt' | 'atMs' | 'counts' | 'trace'> {
    const trace = this.#extras?.trace?.digestOf(this.pathOf(attempt.nodeId));
    return { attempt: attempt.attempt, atMs: this.clock.nowMs() - this.#startMs, counts: this.tally.counts(), trace };
  }

  #completed(node: number, attempt: Attempt, output: unknown): void {
    this.#outputs[node] = output;
    this.#endedAtMs[node] = this.clock.nowMs() - this.#startMs;
    if (this.#live.size > 0) this.#live.delete(node);
    attempt.close();
    if (this.#streams.length > 0) this.#note(node, 'completed');
    this.#apply({ type: 'node-completed', node });
  }

  #failed(node: number, attempt: Attempt, thrown: unknown): void {
    if (attempt.over || this.#run.phase[node] !== RUNNING) return;
    const { ready } = attempt;
    const error = asFailure(thrown, ready.id);
    attempt.close(error);
    this.#live.delete(node);
    // A mistake of the author's stays one however often it is repeated.
    const hopeless = HOPELESS.has(error.code);
    const delayMs = hopeless ? undefined : retryDelayMs(ready.retry, attempt.attempt, thrown, this.random);
    if (delayMs !== undefined) {
      if (this.listening) this.emit({ type: 'node-retry', node: ready.id, attempt: attempt.attempt, delayMs, code: error.code, message: error.message });
      const cancel = this.clock.after(delayMs, () => {
        this.#live.delete(node);
        if (this.#run.phase[node] === RUNNING) this.#attempt(node, attempt.attempt + 1);
      });
      this.#live.set(node, { close: cancel });
      return;
    }
    if (ready.fallback !== undefined && !hopeless) {
      if (this.listening) this.emit({ type: 'node-fallback', node: ready.id, attempt: attempt.attempt, code: error.code, message: error.message });
      return this.#attempt(node, attempt.attempt + 1, ready.fallback);
    }
    const checkpoint = this.#extras?.checkpoint;
    if (checkpoint === undefined) return this.#fail(node, error);
    // What was done before the failure is kept before it counts; a failure that stays in its branch is kept itself.
    const told = (failure?: WorkflowError) => {
      if (this.#run.phase[node] !== RUNNING) return;
      if (failure === undefined) this.#fail(node, error);
      else this.root.#refuse(failure);
    };
    const { code, message } = error;
    this.#extras?.trace?.fail(this.pathOf(ready.id), code);
    if (this.plan.topology.continues[node] === 0) checkpoint.afterSaves(told);
    else checkpoint.save(this.plan, this.pathOf(ready.id), { ...this.#endFacts(attempt), outcome: 'failed', code, message }, told);
  }

  #fail(node: number, error: WorkflowError): void {
    const { id } = this.plan.nodes[node] as Plan['nodes'][number];
    this.failures.push(error);
    if (this.plan.topology.continues[node] === 0) this.#error ??= error;
    if (this.listening) this.emit({ type: 'node-end', node: id, outcome: 'failed', code: error.code, message: error.message });
    this.#apply({ type: 'node-failed', node });
  }

  #note(node: number, outcome: NodeOutcome): void {
    if (this.#streams.length > 0) this.emit({ type: 'node-end', node: this.plan.nodes[node]?.id ?? '', outcome });
  }

  #end(): void {
    if (this.#run.waitingGates > 0) return this.#close(undefined);
    const output = this.#output();
    const { outputCheck } = this.plan;
    if (output === undefined || outputCheck === undefined || this.#abort !== undefined || this.#error !== undefined) return this.#close(output);
    const judge = (checked: Checked) => {
      if (checked.ok) return this.#close({ value: checked.value });
      this.#error ??= new WorkflowError('invalid-output', `the output of workflow "${this.plan.name}" breaks its schema: ${checked.issues.join('; ')}`);
      this.failures.push(this.#error);
      this.#close(undefined);
    };
    try {
      const checked = outputCheck(output.value);
      if (checked instanceof Promise) {
        checked.then(judge, (error) => {
          this.#error ??= asFailure(error, 'finish');
          this.#close(undefined);
        });
      } else judge(checked);
    } catch (error) {
      this.#error ??= asFailure(error, 'finish');
      this.#close(undefined);
    }
  }

  /** The first finish that completed. Without any finish, `undefined` as the value once every node completed or was left out by a branch. */
  #output(): { readonly value: unknown } | undefined {
    const { finishes, topology } = this.plan;
    for (const node of finishes) if (this.#run.phase[node] === COMPLETED) return { value: this.#outputs[node] };
    if (finishes.length > 0) return undefined;
    for (let node = 0; node < topology.size; node++) {
      const phase = this.#run.phase[node];
      if (phase !== COMPLETED && phase !== SKIPPED_BY_BRANCH) return undefined;
    }
    return { value: undefined };
  }

  #close(output: { readonly value: unknown } | undefined): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#nest === undefined) {
      this.options.signal?.removeEventListener('abort', this.#onAbort);
      this.pool?.forget(this);
    }
    const state = Object.create(null) as Record<string, unknown>;
    for (const [key, { name, merge }] of this.plan.keys.entries())
      if (merge !== undefined || this.#state.writersOf(key).length > 0) state[name] = this.#state.read(key);
    const trace = this.#extras?.trace;
    trace?.look(this.plan, this.#run.phase, this.#run.stopping ? (this.#error?.message ?? 'the run was aborted') : undefined);
    const stateKept = () => Object.values(state).reduce((total: number, value) => total + textBytes(value), 0);
    const held = this.memory === undefined ? {} : { memory: this.memory.use(stateKept(), this.shelf?.bytes ?? 0) };
    this.#shelf = undefined;
    const connectors = this.tally.connectors();
    const facts = {
      state,
      failures: this.failures,
      usage: this.tally.usage(),
      faults: this.tally.faults(),
      ...(connectors === undefined ? {} : { connectors }),
      durationMs: this.clock.nowMs() - this.#startMs,
      ...held,
    };
    const result: RunResult<unknown> =
      this.#abort !== undefined && this.#error === undefined
        ? { status: 'cancelled', reason: this.#abort.reason, ...facts }
        : this.#error === undefined && this.#run.waitingGates > 0
          ? { status: 'waiting', gates: this.#gates ?? [], ...facts }
          : this.#error !== undefined || output === undefined
            ? { status: 'failed', error: this.#error ?? this.#noOutput(), ...facts }
            : { status: 'completed', output: output.value, ...facts };
    if (this.#nest !== undefined) return this.#resolve(result);
    const checkpoint = this.#extras?.checkpoint;
    const ended = trace === undefined ? result : { ...result, trace: trace.end(this.plan, this.#input, this.#run.phase, this.#outputs, result) };
    if (checkpoint === undefined) return this.#tell(ended);
    if (ended.status === 'completed') {
      checkpoint
        .end()
        .then(
          () => ended,
          (error): RunResult<unknown> => ({ ...facts, status: 'failed', error: asFailure(error, 'finish') }),
        )
        .then((result) => checkpoint.stop().then(() => this.#tell(result)));
      return;
    }
    const stopped = checkpoint.stop();
    // An abort does not wait.
    if (ended.status === 'cancelled') this.#tell(ended);
    else void stopped.then(() => this.#tell(ended));
  }

  #tell(result: RunResult<unknown>): void {
    if (this.#streams.length > 0) this.emit({ type: 'run-end', status: result.status, ...(result.trace === undefined ? {} : { trace: result.trace }) });
    for (const stream of this.#streams.splice(0)) stream.end();
    this.#resolve(result);
  }

  #noOutput(): WorkflowError {
    const first = this.failures[0];
    if (first !== undefined) return first;
    const ends = [...this.plan.finishes].slice(0, 20).map((node) => `"${this.plan.nodes[node]?.id}" was ${OUTCOMES[this.#run.phase[node] as number]}`);
    return new WorkflowError('no-output', `no finish of workflow "${this.plan.name}" completed: ${ends.join(', ')}`);
  }

  #numberOf(node: NodeHandle<never, unknown> | string): number {
    this.#index ??= new Map(this.plan.nodes.map(({ id }, number) => [id, number]));
    const id = typeof node === 'string' ? node : node.id;
    const number = this.#index.get(id);
    if (number === undefined) throw new WorkflowError('INVALID_OPTIONS', `the workflow has no node "${id}"`);
    return number;
  }
}

/** Mistakes that stay however often they are repeated. */
const HOPELESS: ReadonlySet<string> = new Set(['UNDECLARED_READ', 'UNDECLARED_WRITE', 'UNDECLARED_CONNECTOR', 'invalid-input', 'not-storable']);

function poolOf({ limits }: ExecuteOptions): ResourcePool | undefined {
  return limits === undefined || limits instanceof ResourcePool ? limits : new ResourcePool(limits);
}

const OUTCOMES: readonly (NodeOutcome | undefined)[] = (() => {
  const names: (NodeOutcome | undefined)[] = [];
  names[COMPLETED] = 'completed';
  names[FAILED] = 'failed';
  names[SKIPPED_AFTER_FAILURE] = 'skipped-after-failure';
  names[SKIPPED_BY_BRANCH] = 'skipped-by-branch';
  names[CANCELLED] = 'cancelled';
  return names;
})();

type StandIns = NonNullable<ExecuteOptions['connectors']>;

export function isPlayback(standIns: StandIns): standIns is Playback {
  return standIns.kind === 'playback';
}

function standInFor(standIns: StandIns, name: string): StandIn | Playback | undefined {
  if (isPlayback(standIns)) return standIns;
  return Object.hasOwn(standIns, name) ? standIns[name] : undefined;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function';
}
