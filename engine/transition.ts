// Every rule of scheduling: one event in, effects out. Touches nothing but the run and the effects it is given; knows no promise, clock or network.
// A node enters the ready queue at most once, so the queue is a plain array with two ends and never grows.

/** The graph as integers. Names exist at the border only. */
export interface Topology {
  readonly size: number;
  /** Successors of node i: `targets[offsets[i]] … targets[offsets[i + 1] - 1]`, each named once. */
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
  /** Number of different predecessors of each node. */
  readonly inDegree: Int32Array;
  /** 1 where a node runs once its predecessors have ended, whatever became of them; 0 where all must have completed. */
  readonly settled: Uint8Array;
  /** 1 where a failure of the node stays in its branch; 0 where it stops the run. */
  readonly continues: Uint8Array;
}

export const PENDING = 0;
export const READY = 1;
export const RUNNING = 2;
export const COMPLETED = 3;
export const FAILED = 4;
export const SKIPPED = 5;
export const CANCELLED = 6;

/** Where a run stands: about twenty bytes a node. */
export interface RunState {
  readonly phase: Uint8Array;
  /** Predecessors that have not ended yet. */
  readonly waiting: Int32Array;
  readonly ready: Int32Array;
  readyHead: number;
  readyTail: number;
  running: number;
  ended: number;
  /** Most nodes that may run at once. */
  readonly concurrency: number;
  stopping: boolean;
  over: boolean;
}

export type SchedulerEvent =
  | { readonly type: 'run-start' }
  | { readonly type: 'node-completed'; readonly node: number }
  | { readonly type: 'node-failed'; readonly node: number }
  | { readonly type: 'run-stop' };

export type Effect =
  | { readonly type: 'start-node'; readonly node: number }
  | { readonly type: 'cancel-node'; readonly node: number }
  /** Told once a node ended without having run. */
  | { readonly type: 'note-skip'; readonly node: number; readonly outcome: 'skipped' | 'cancelled' }
  | { readonly type: 'stall' }
  | { readonly type: 'end-run' };

export function newRunState(graph: Topology, concurrency: number): RunState {
  return {
    phase: new Uint8Array(graph.size),
    waiting: graph.inDegree.slice(),
    ready: new Int32Array(graph.size),
    readyHead: 0,
    readyTail: 0,
    running: 0,
    ended: 0,
    concurrency,
    stopping: false,
    over: false,
  };
}

/** Applies one event to a run and says what must happen now. An end that comes twice, or after a cancel, changes nothing. */
export function transition(graph: Topology, run: RunState, event: SchedulerEvent, effects: Effect[]): void {
  switch (event.type) {
    case 'run-start':
      for (let node = 0; node < graph.size; node++) if (run.waiting[node] === 0) enqueue(run, node);
      break;
    case 'node-completed':
      if (run.phase[event.node] !== RUNNING) return;
      end(run, event.node, COMPLETED);
      release(graph, run, event.node, true, effects);
      break;
    case 'node-failed':
      if (run.phase[event.node] !== RUNNING) return;
      end(run, event.node, FAILED);
      release(graph, run, event.node, false, effects);
      if (graph.continues[event.node] === 0) stop(graph, run, effects);
      break;
    case 'run-stop':
      stop(graph, run, effects);
      break;
    default:
      event satisfies never;
  }
  advance(graph, run, effects);
}

function enqueue(run: RunState, node: number): void {
  run.phase[node] = READY;
  run.ready[run.readyTail++] = node;
}

function end(run: RunState, node: number, phase: number): void {
  run.phase[node] = phase;
  run.running--;
  run.ended++;
}

/** Tells the successors of an ended node; skips spread at once and without recursion. */
function release(graph: Topology, run: RunState, ended: number, completed: boolean, effects: Effect[]): void {
  const { offsets, targets, settled } = graph;
  const { phase, waiting } = run;
  let skipped: number[] | undefined;
  let node = ended;
  let good = completed;
  for (;;) {
    const last = offsets[node + 1] as number;
    for (let edge = offsets[node] as number; edge < last; edge++) {
      const target = targets[edge] as number;
      if (phase[target] !== PENDING) continue;
      const left = (waiting[target] as number) - 1;
      waiting[target] = left;
      if (!good && settled[target] === 0) {
        phase[target] = SKIPPED;
        run.ended++;
        effects.push({ type: 'note-skip', node: target, outcome: 'skipped' });
        skipped ??= [];
        skipped.push(target);
      } else if (left === 0) {
        phase[target] = READY;
        run.ready[run.readyTail++] = target;
      }
    }
    if (skipped === undefined || skipped.length === 0) return;
    node = skipped.pop() as number;
    good = false;
  }
}

function stop(graph: Topology, run: RunState, effects: Effect[]): void {
  if (run.stopping || run.over) return;
  run.stopping = true;
  run.readyHead = run.readyTail;
  for (let node = 0; node < graph.size; node++) {
    const phase = run.phase[node] as number;
    if (phase > RUNNING) continue;
    run.phase[node] = CANCELLED;
    run.ended++;
    if (phase === RUNNING) {
      run.running--;
      effects.push({ type: 'cancel-node', node });
    } else {
      effects.push({ type: 'note-skip', node, outcome: 'cancelled' });
    }
  }
}

function advance(graph: Topology, run: RunState, effects: Effect[]): void {
  while (run.readyHead < run.readyTail && run.running < run.concurrency) {
    const node = run.ready[run.readyHead++] as number;
    run.phase[node] = RUNNING;
    run.running++;
    effects.push({ type: 'start-node', node });
  }
  if (run.over || run.running > 0) return;
  run.over = true;
  effects.push({ type: run.ended === graph.size ? 'end-run' : 'stall' });
}
