// The shell: performs what `transition` decides. It starts nodes, arms what their end sets off, tells listeners, runs subgraphs, and decides nothing about order.
// What a node does from start to end is node-work.ts, how far the run has come progress.ts.
import type { Attempt } from './attempt.ts';
import { type Clock, type Random, seededRandom, systemClock } from './clock.ts';
import type { Connector, ConnectorLink, Shelf } from './connector.ts';
import { linkTo } from './connector-link.ts';
import { EventStream, type NodeOutcome, type RunEvent, Tally } from './events.ts';
import { Gates, type OpenGate } from './gates.ts';
import { RunMemory, textBytes } from './memory.ts';
import { OpenGates } from './node-kinds.ts';
import { NodeWork, type WorkHost } from './node-work.ts';
import type { Plan } from './plan.ts';
import { Progress } from './progress.ts';
import { ResourcePool } from './resource-pool.ts';
import type { ExecuteOptions, Run, RunResult } from './run.ts';
import type { RunExtras } from './run-extras.ts';
import type { RunKeeper } from './run-keeper.ts';
import { resultOf } from './run-result.ts';
import type { Checked } from './schema.ts';
import { standstill } from './standstill.ts';
import type { Provenance } from './state.ts';
import { type Effect, type Limits, newRunState, RUNNING, type RunState, type SchedulerEvent, transition } from './transition.ts';
import type { NodeHandle } from './workflow.ts';
import { asFailure, WorkflowError } from './workflow-error.ts';

/** Synchronous nodes between two looks at the clock, and the longest time that they keep timers waiting. */
const NODES_BETWEEN_LOOKS = 512;
const LONGEST_SLICE_MS = 8;

/** Runs that were aborted while their checkpoint was being opened, until they have let go of it: whoever comes next waits, since it may be the same one. */
const leaving = new Set<Promise<unknown>>();

/** A run inside a run: a subgraph at work. It has its own state and scheduling, and the listeners, counts and limits of the outermost run. */
interface Nest {
  readonly outer: Shell;
  /** Id of the node that it is, as seen from the outermost run, with a slash. */
  readonly prefix: string;
  /** Whether it is a further attempt: then nothing of it comes from a checkpoint. */
  readonly again: boolean;
}

export class Shell implements Run<unknown>, WorkHost {
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
  #gates: Gates | undefined;
  /** What gates of it had no answer when they were reached. */
  #opened: OpenGate[] | undefined;
  #shelf: Shelf | undefined;
  /** Of the outermost run; absent for most. */
  #extras: RunExtras | undefined;
  #opening: Promise<unknown> | undefined;
  keeper: RunKeeper | undefined = undefined;
  readonly #given: { readonly input: unknown } | undefined;
  input: unknown;
  readonly #run: RunState;
  readonly #progress: Progress;
  readonly #work: NodeWork;
  readonly failures: WorkflowError[] = [];
  readonly #effects: Effect[] = [];
  readonly #streams: EventStream[];
  #effectsHead = 0;
  #pumping = false;
  #finished = false;
  #error: WorkflowError | undefined;
  #abort: { readonly reason: unknown } | undefined;
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
    this.input = given?.input;
    this.#run = newRunState(plan.topology, concurrency, this.pool === undefined ? undefined : this.#limitsOf(this.pool), options.holdGates);
    this.memory = nest?.outer.memory ?? (options.memory === undefined ? undefined : new RunMemory(options.memory));
    this.#progress = new Progress(plan, this.#run, this.memory?.state === false);
    this.#work = new NodeWork(this, this.#progress);
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
    return this.#progress.outcomeOf(node);
  }

  outputOf<Value>(node: NodeHandle<never, Value>): Value | undefined {
    return this.#progress.outputs[this.#progress.numberOf(node)] as Value | undefined;
  }

  provenanceOf(key: string): readonly Provenance[] {
    return this.#progress.provenanceOf(key);
  }

  get gates(): Gates {
    if (this.#nest !== undefined) return this.#nest.outer.gates;
    this.#gates ??= new Gates(this.options.answers);
    return this.#gates;
  }

  openGates(): readonly OpenGate[] {
    return this.gates.open();
  }

  answer(node: NodeHandle<never, unknown> | string, value: unknown): Promise<void> {
    const path = typeof node === 'string' ? node : node.id;
    return this.gates.answer(path, value, () => (this.#finished ? 'the run has ended' : this.#progress.whyNotWaiting(path)));
  }

  /** Whether somebody iterates the run. */
  get watched(): boolean {
    return this.#streams.length > 0;
  }

  /** Whether events are wanted beside those that say how nodes went. */
  get listening(): boolean {
    return this.watched || this.#extras?.trace !== undefined;
  }

  emit(event: RunEvent extends infer One ? (One extends RunEvent ? Omit<One, 'atMs'> : never) : never): void {
    if (this.#nest !== undefined) {
      const { outer, prefix } = this.#nest;
      return outer.emit('node' in event ? { ...event, node: prefix + event.node } : event);
    }
    const stamped = { atMs: this.sinceStartMs(), ...event } as RunEvent;
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
      this.keeper = this.#extras?.keeperOf(this);
    } else if (checkpoint !== undefined || traceHash === true) return this.#openExtras();
    this.#checkInput();
  }

  #openExtras(): void {
    this.#opening = Promise.all(leaving)
      .then(() => import('./run-extras.ts'))
      .then(({ openExtras }) => openExtras(this.plan, this.#given, this.options))
      .then(
        (extras) => {
          this.#opening = undefined;
          // An abort was faster.
          if (this.#finished) return extras.checkpoint?.stop();
          this.#extras = extras;
          if (this.memory?.shared === true) extras.trace?.cut('all agents shared one transcript, each as its turn came');
          const { checkpoint } = extras;
          if (checkpoint !== undefined) {
            this.input = checkpoint.input;
            this.keeper = extras.keeperOf(this);
            this.tally.restore(checkpoint.counts);
          }
          this.#checkInput();
        },
        (error) => {
          this.#opening = undefined;
          if (!this.#finished) this.#refuse(asFailure(error, 'start'));
        },
      );
  }

  #checkInput(): void {
    const { inputCheck } = this.plan;
    if (inputCheck === undefined) return this.apply({ type: 'run-start' });
    try {
      const checked = inputCheck(this.input);
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
    this.input = checked.value;
    this.apply({ type: 'run-start' });
  }

  /** Stops the outermost run with an error that is no node's. */
  refuse(error: WorkflowError): void {
    this.root.#refuse(error);
  }

  #refuse(error: WorkflowError): void {
    this.failures.push(error);
    this.blame(error);
    this.apply({ type: 'run-stop' });
  }

  blame(error: WorkflowError): void {
    this.#error ??= error;
  }

  readonly #onAbort = (): void => this.#cancel(this.options.signal?.reason);

  apply(event: SchedulerEvent): void {
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
      if (effect.type === 'start-node' && this.watched && this.#streams.some((stream) => stream.full)) break;
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
        if (this.#run.phase[effect.node] === RUNNING) this.#work.start(effect.node);
        return;
      case 'cancel-node': {
        const reason = this.#abort?.reason ?? this.#error ?? new WorkflowError('cancelled', 'the run was stopped');
        this.#work.cancel(effect.node, reason);
        this.note(effect.node, 'cancelled');
        return;
      }
      case 'note-skip':
        this.note(effect.node, effect.outcome);
        return;
      case 'want-resource':
        this.pool?.want(this.#resourceName(effect.resource), this.root, () => this.apply({ type: 'resource-granted', resource: effect.resource }));
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

  note(node: number, outcome: NodeOutcome): void {
    if (this.watched) this.emit({ type: 'node-end', node: this.#progress.idOf(node), outcome });
  }

  opened(gates: readonly OpenGate[]): void {
    this.#opened ??= [];
    this.#opened.push(...gates);
  }

  sinceStartMs(): number {
    return this.clock.nowMs() - this.#startMs;
  }

  /** Runs a checked workflow as the node `id` of this run. Rejects with its error; gates that it leaves open are this run's. */
  runNested(plan: Plan, input: unknown, id: string, attempt: Attempt): Promise<unknown> {
    const prefix = `${this.pathOf(id)}/`;
    const again = attempt.attempt > 1 || this.again;
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

  get shelf(): Shelf | undefined {
    return this.root.#shelf;
  }

  lend(connector: Connector, node: string, signal: AbortSignal): ConnectorLink {
    this.root.#shelf ??= connector.newShelf();
    return linkTo(connector.name, this, node, signal);
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** Whether this is a further attempt of a subgraph. */
  get again(): boolean {
    return this.#nest?.again === true;
  }

  nodesBefore(id: string): readonly string[] {
    return this.#progress.idsBefore(id.replace(/\[\d+\]$/, '')).map((before) => this.pathOf(before));
  }

  /** A node's id as seen from the outermost run. */
  pathOf(id: string): string {
    return this.#nest === undefined ? id : this.#nest.prefix + id;
  }

  #cancel(reason: unknown): void {
    this.#abort ??= { reason };
    this.apply({ type: 'run-stop' });
  }

  #limitsOf(pool: ResourcePool): Limits {
    return { take: (resource) => pool.take(this.#resourceName(resource)) };
  }

  #resourceName(resource: number): string {
    return this.plan.resources[resource - 1] as string;
  }

  #end(): void {
    if (this.#run.waitingGates > 0) return this.#close(undefined);
    const output = this.#progress.output();
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

  #close(output: { readonly value: unknown } | undefined): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#nest === undefined) {
      this.options.signal?.removeEventListener('abort', this.#onAbort);
      this.pool?.forget(this);
      this.#leaveOpening();
    }
    const state = this.#progress.stateValues();
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
      durationMs: this.sinceStartMs(),
      ...held,
    };
    const gates = (this.#opened ?? []).filter(({ node }) => this.gates.answerTo(node) === undefined);
    const result = resultOf({ progress: this.#progress, error: this.#error, abort: this.#abort, gates, output }, facts);
    if (this.#nest !== undefined) return this.#resolve(result);
    const checkpoint = this.#extras?.checkpoint;
    const ended = trace === undefined ? result : { ...result, trace: trace.end(this.plan, this.input, this.#run.phase, this.#progress.outputs, result) };
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

  #leaveOpening(): void {
    const opening = this.#opening;
    if (opening === undefined) return;
    leaving.add(opening);
    void opening.then(() => leaving.delete(opening));
  }

  #tell(result: RunResult<unknown>): void {
    if (this.#streams.length > 0) this.emit({ type: 'run-end', status: result.status, ...(result.trace === undefined ? {} : { trace: result.trace }) });
    for (const stream of this.#streams.splice(0)) stream.end();
    this.#resolve(result);
  }
}

function poolOf({ limits }: ExecuteOptions): ResourcePool | undefined {
  return limits === undefined || limits instanceof ResourcePool ? limits : new ResourcePool(limits);
}
