// Every rule of scheduling: one event in, effects out. Touches nothing but the run and the effects it is given; knows no promise, clock or network.
// A node enters the ready queue at most once, so the queue is a plain array with two ends and never grows.
// What only branches, `any` joins and limits need is made when the first of them is met: a graph without them pays for none of it.

/** The graph as integers. Names exist at the border only. */
export interface Topology {
  readonly size: number;
  /** Successors of node i: `targets[offsets[i]] … targets[offsets[i + 1] - 1]`, each named once. */
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
  /** Number of different predecessors of each node. */
  readonly inDegree: Int32Array;
  /** What each node waits for: ALL, SETTLED or ANY. */
  readonly join: Uint8Array;
  /** Whether some node has the join ANY. */
  readonly races: boolean;
  /** Predecessors of node i, start left out, in compressed rows like the successors. */
  readonly sourceOffsets: Int32Array;
  readonly sources: Int32Array;
  /** 1 where a failure of the node stays in its branch; 0 where it stops the run. */
  readonly continues: Uint8Array;
  /** Resource class of each node, from 1; 0 is none. Absent when no node has one. */
  readonly resource: Uint8Array | undefined;
}

/** Every predecessor completed. */
export const ALL = 0;
/** Every predecessor ended, whatever became of it, and not all were left out by a branch. */
export const SETTLED = 1;
/** The first predecessor completed. */
export const ANY = 2;

export const PENDING = 0;
export const READY = 1;
export const RUNNING = 2;
/** A gate that has no answer yet: reached, and not at work. */
export const WAITING = 3;
export const COMPLETED = 4;
export const FAILED = 5;
export const SKIPPED_AFTER_FAILURE = 6;
export const SKIPPED_BY_BRANCH = 7;
export const CANCELLED = 8;

/** How many nodes of a resource class may run. Several runs may share one. */
export interface Limits {
  /** Takes one unit of the class if there is one. */
  take(resource: number): boolean;
}

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
  /** Gates that were reached and have no answer. */
  waitingGates: number;
  /** Whether such gates keep the run open when nothing else is left to do. */
  readonly holdsGates: boolean;
  /** Most nodes that may run at once. */
  readonly concurrency: number;
  readonly limits: Limits | undefined;
  /** Ready nodes whose class has no unit free, by class, each list in the order in which they became ready. */
  parked: number[][] | undefined;
  parkedCount: number;
  /** Ready nodes that come before the queue: gates with an answer, and nodes that a unit came for while nothing more could run, which have to take one then. */
  passedOver: number[] | undefined;
  /** What a node saw of predecessors that did not complete, as bits. Made at the first of them. */
  seen: Uint8Array | undefined;
  /** The predecessor that let an ANY node start, or -1. */
  readonly firedBy: Int32Array | undefined;
  stopping: boolean;
  over: boolean;
}

export type SchedulerEvent =
  | { readonly type: 'run-start' }
  | { readonly type: 'node-completed'; readonly node: number }
  | { readonly type: 'node-failed'; readonly node: number }
  /** The predicate of a way does not hold. */
  | { readonly type: 'node-declined'; readonly node: number }
  /** A gate has no answer: it leaves its place to others. */
  | { readonly type: 'node-waiting'; readonly node: number }
  | { readonly type: 'gate-answered'; readonly node: number }
  /** A unit of a class is handed to this run. */
  | { readonly type: 'resource-granted'; readonly resource: number }
  | { readonly type: 'run-stop' };

export type SkipOutcome = 'skipped-by-branch' | 'skipped-after-failure' | 'cancelled';

export type Effect =
  | { readonly type: 'start-node'; readonly node: number }
  | { readonly type: 'cancel-node'; readonly node: number }
  /** Told once a node ended without having run. */
  | { readonly type: 'note-skip'; readonly node: number; readonly outcome: SkipOutcome }
  /** One unit more of a class is wanted, and one is given back. */
  | { readonly type: 'want-resource'; readonly resource: number }
  | { readonly type: 'free-resource'; readonly resource: number }
  | { readonly type: 'stall' }
  /** Nothing is left to do; gates may still be open. */
  | { readonly type: 'end-run' };

export function newRunState(graph: Topology, concurrency: number, limits?: Limits, holdsGates = false): RunState {
  return {
    phase: new Uint8Array(graph.size),
    waiting: graph.inDegree.slice(),
    ready: new Int32Array(graph.size),
    readyHead: 0,
    readyTail: 0,
    running: 0,
    ended: 0,
    waitingGates: 0,
    holdsGates,
    concurrency,
    limits: graph.resource === undefined ? undefined : limits,
    parked: undefined,
    parkedCount: 0,
    passedOver: undefined,
    seen: undefined,
    firedBy: graph.races ? new Int32Array(graph.size).fill(-1) : undefined,
    stopping: false,
    over: false,
  };
}

/** Applies one event to a run and says what must happen now. An end that comes twice, or after a cancel, changes nothing. */
export function transition(graph: Topology, run: RunState, event: SchedulerEvent, effects: Effect[]): void {
  switch (event.type) {
    case 'run-start':
      for (let node = 0; node < graph.size; node++) if (run.waiting[node] === 0 && run.phase[node] === PENDING) enqueue(run, node);
      break;
    case 'node-completed':
      if (run.phase[event.node] !== RUNNING) return;
      end(graph, run, event.node, COMPLETED, effects);
      release(graph, run, event.node, effects);
      break;
    case 'node-failed':
      if (run.phase[event.node] !== RUNNING) return;
      end(graph, run, event.node, FAILED, effects);
      skipFrom(graph, run, event.node, effects);
      if (graph.continues[event.node] === 0) stop(graph, run, effects);
      break;
    case 'node-declined':
      if (run.phase[event.node] !== RUNNING) return;
      end(graph, run, event.node, SKIPPED_BY_BRANCH, effects);
      skipFrom(graph, run, event.node, effects);
      break;
    case 'node-waiting':
      if (run.phase[event.node] !== RUNNING) return;
      end(graph, run, event.node, WAITING, effects);
      run.ended--;
      run.waitingGates++;
      break;
    case 'gate-answered':
      if (run.phase[event.node] !== WAITING) return;
      run.phase[event.node] = READY;
      run.waitingGates--;
      run.passedOver ??= [];
      run.passedOver.push(event.node);
      break;
    case 'resource-granted':
      grant(run, event.resource, effects);
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

function end(graph: Topology, run: RunState, node: number, phase: number, effects: Effect[]): void {
  run.phase[node] = phase;
  run.running--;
  run.ended++;
  if (run.limits !== undefined) freeResource(graph, node, effects);
}

function freeResource(graph: Topology, node: number, effects: Effect[]): void {
  const resource = graph.resource?.[node] as number;
  if (resource > 0) effects.push({ type: 'free-resource', resource });
}

/** Tells the successors of a node that completed. */
function release(graph: Topology, run: RunState, node: number, effects: Effect[]): void {
  const { offsets, targets, join, races } = graph;
  const { phase, waiting, seen } = run;
  const last = offsets[node + 1] as number;
  for (let edge = offsets[node] as number; edge < last; edge++) {
    const target = targets[edge] as number;
    if (phase[target] !== PENDING) continue;
    const left = (waiting[target] as number) - 1;
    waiting[target] = left;
    if (races && join[target] === ANY) {
      (run.firedBy as Int32Array)[target] = node;
      enqueue(run, target);
    } else if (left === 0) {
      if (seen !== undefined && seen[target] !== 0 && join[target] === ALL) {
        skip(run, target, effects);
        skipFrom(graph, run, target, effects);
      } else enqueue(run, target);
    }
  }
}

const SAW_FAILURE = 1;
const SAW_BRANCH = 2;

/**
 * Tells the successors of a node that did not complete; skips spread at once and without recursion.
 * A node is skipped when the last of its predecessors has ended, so whatever stands above a skipped node is over, and the reason does not depend on timing.
 */
function skipFrom(graph: Topology, run: RunState, ended: number, effects: Effect[]): void {
  const { offsets, targets, join } = graph;
  const { phase, waiting } = run;
  run.seen ??= new Uint8Array(graph.size);
  const seen = run.seen;
  const skipped = [ended];
  for (let node = skipped.pop(); node !== undefined; node = skipped.pop()) {
    const bit = phase[node] === SKIPPED_BY_BRANCH ? SAW_BRANCH : SAW_FAILURE;
    const last = offsets[node + 1] as number;
    for (let edge = offsets[node] as number; edge < last; edge++) {
      const target = targets[edge] as number;
      if (phase[target] !== PENDING) continue;
      const left = (waiting[target] as number) - 1;
      waiting[target] = left;
      seen[target] = (seen[target] as number) | bit;
      if (left > 0) continue;
      if (join[target] === SETTLED && !allByBranch(graph, run, target)) enqueue(run, target);
      else {
        skip(run, target, effects);
        skipped.push(target);
      }
    }
  }
}

/** A failure outweighs a branch as the reason. */
function skip(run: RunState, node: number, effects: Effect[]): void {
  const byBranch = ((run.seen?.[node] as number) & SAW_FAILURE) === 0;
  run.phase[node] = byBranch ? SKIPPED_BY_BRANCH : SKIPPED_AFTER_FAILURE;
  run.ended++;
  effects.push({ type: 'note-skip', node, outcome: byBranch ? 'skipped-by-branch' : 'skipped-after-failure' });
}

function allByBranch(graph: Topology, run: RunState, node: number): boolean {
  for (let at = graph.sourceOffsets[node] as number; at < (graph.sourceOffsets[node + 1] as number); at++)
    if (run.phase[graph.sources[at] as number] !== SKIPPED_BY_BRANCH) return false;
  return true;
}

function stop(graph: Topology, run: RunState, effects: Effect[]): void {
  if (run.stopping || run.over) return;
  run.stopping = true;
  run.readyHead = run.readyTail;
  run.parked = undefined;
  run.parkedCount = 0;
  run.passedOver = undefined;
  for (let node = 0; node < graph.size; node++) {
    const phase = run.phase[node] as number;
    if (phase > WAITING) continue;
    run.phase[node] = CANCELLED;
    run.ended++;
    if (phase === RUNNING) {
      run.running--;
      if (run.limits !== undefined) freeResource(graph, node, effects);
      effects.push({ type: 'cancel-node', node });
    } else {
      if (phase === WAITING) run.waitingGates--;
      effects.push({ type: 'note-skip', node, outcome: 'cancelled' });
    }
  }
}

function grant(run: RunState, resource: number, effects: Effect[]): void {
  const node = run.parked?.[resource]?.shift();
  if (node === undefined) {
    effects.push({ type: 'free-resource', resource });
    return;
  }
  run.parkedCount--;
  if (run.running < run.concurrency) return start(run, node, effects);
  // Nobody holds a unit without running: what runs may be waiting for just that one (items of a map, nodes of a subgraph).
  effects.push({ type: 'free-resource', resource });
  run.passedOver ??= [];
  run.passedOver.push(node);
}

function start(run: RunState, node: number, effects: Effect[]): void {
  run.phase[node] = RUNNING;
  run.running++;
  effects.push({ type: 'start-node', node });
}

function advance(graph: Topology, run: RunState, effects: Effect[]): void {
  const { limits } = run;
  while (run.running < run.concurrency) {
    const again = run.passedOver?.shift();
    if (again === undefined && run.readyHead === run.readyTail) break;
    const node = again ?? (run.ready[run.readyHead++] as number);
    const resource = limits === undefined ? 0 : (graph.resource?.[node] as number);
    if (resource > 0 && !limits?.take(resource)) {
      run.parked ??= [];
      run.parked[resource] ??= [];
      // Whoever was passed over became ready before all that are parked since.
      if (again === undefined) run.parked[resource].push(node);
      else run.parked[resource].unshift(node);
      run.parkedCount++;
      effects.push({ type: 'want-resource', resource });
      continue;
    }
    start(run, node, effects);
  }
  if (run.over || run.running > 0 || run.parkedCount > 0 || (run.holdsGates && run.waitingGates > 0)) return;
  run.over = true;
  effects.push({ type: run.ended === graph.size || run.waitingGates > 0 ? 'end-run' : 'stall' });
}
