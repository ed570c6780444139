// A run's checkpoint: one line when it starts, one for each node that has finished, one at its end. Loaded only by runs that keep one.
// Each line carries a digest over itself and all before it, so a line that was changed, lost or moved is seen before anything of it is believed.
import { createHash } from 'node:crypto';
import { differences, type Shape, shapeOf } from './checkpoint-shape.ts';
import { type CheckpointStore, storeFailure } from './checkpoint-store.ts';
import { encodeValue, unpack } from './checkpoint-value.ts';
import type { Counts } from './events.ts';
import type { Plan } from './plan.ts';
import type { Topology } from './transition.ts';
import { messageOf, WorkflowError } from './workflow-error.ts';

export interface CheckpointOptions {
  readonly store: CheckpointStore;
  /** Name of the run in the store. One that the store knows is gone on with; another is begun. */
  readonly run: string;
}

interface Ended {
  readonly attempt: number;
  readonly atMs: number;
  /** What the run had counted by then. */
  readonly counts?: Counts | undefined;
  /** Digest of what the trace hash takes in of the node. */
  readonly trace?: string | undefined;
}

/** A node that has finished. A failure stands here only where it stays in its branch. */
export type FinishedNode = Ended &
  (
    | { readonly outcome: 'completed'; readonly output: unknown; readonly writes: readonly KeptWrite[] }
    | { readonly outcome: 'failed'; readonly code: string; readonly message: string }
  );

export interface KeptWrite {
  readonly key: number;
  readonly value: unknown;
}

const FORMAT = 1;

interface Waiting {
  readonly line: string | undefined;
  readonly failed: boolean;
  readonly done: (error?: WorkflowError) => void;
}

export class Checkpoint {
  readonly input: unknown;
  /** What the run had counted by the last line that says so. */
  readonly counts: Counts | undefined;
  readonly #lines: ReadonlyMap<string, Line>;
  readonly #options: CheckpointOptions;
  readonly #ended: boolean;
  #count: number;
  #digest: string;
  #waiting: Waiting[] = [];
  #writing = false;
  #stopped = false;
  readonly #letGo: LetGo;

  constructor(options: CheckpointOptions, read: ReadLines, letGo: LetGo) {
    this.#options = options;
    this.#letGo = letGo;
    this.#lines = read.lines;
    this.counts = [...read.lines.values()].findLast(({ counts }) => counts !== undefined)?.counts as Counts | undefined;
    this.input = read.input;
    this.#ended = read.ended;
    this.#count = read.count;
    this.#digest = read.digest;
  }

  /** Nodes of a workflow that need not run again; `prefix` says where it stands inside others. `undefined` when there is none. */
  finishedIn(plan: Plan, prefix: string): Map<number, FinishedNode> | undefined {
    if (this.#lines.size === 0) return undefined;
    const finished = new Map<number, FinishedNode>();
    for (const [number, { id }] of plan.nodes.entries()) {
      const line = this.#lines.get(prefix + id);
      if (line !== undefined) finished.set(number, finishedNode(line, plan));
    }
    if (!this.#ended) forgetFailures(plan.topology, finished);
    return finished.size === 0 ? undefined : finished;
  }

  /** An item of a map that need not run again. */
  itemAt(path: string): FinishedNode | undefined {
    const line = this.#lines.get(path);
    return line === undefined ? undefined : finishedNode(line, { keys: [] });
  }

  /** Keeps a node under its path; `done` once that is durable, or with the store's failure. What comes while a write is under way goes with the next. @throws WorkflowError `not-storable` */
  save(plan: Plan, path: string, ended: FinishedNode, done: (error?: WorkflowError) => void): void {
    const what = `the output of node "${path}"`;
    const { attempt, atMs, counts, trace } = ended;
    let line = `{"node":${JSON.stringify(path)},"attempt":${attempt},"atMs":${atMs}`;
    if (ended.outcome === 'completed') {
      line += `,"output":${encodeValue(ended.output, what)}`;
      if (ended.writes.length > 0) line += `,"writes":[${ended.writes.map((write) => writeText(plan, write, ended.output, path)).join(',')}]`;
    } else line += `,"code":${JSON.stringify(ended.code)},"message":${JSON.stringify(ended.message)}`;
    if (counts !== undefined) line += `,"counts":${JSON.stringify(counts)}`;
    if (trace !== undefined) line += `,"trace":${JSON.stringify(trace)}`;
    this.#enter({ line: `${line}}`, failed: ended.outcome === 'failed', done });
  }

  /** Calls back once all that waits now is durable: a failure that stops the run lets the work that was done before it be kept. */
  afterSaves(done: (error?: WorkflowError) => void): void {
    this.#enter({ line: undefined, failed: true, done });
  }

  /** Notes that the run completed, so that its failures are never tried again. */
  async end(): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve, reject) => {
      this.#enter({ line: '{"end":"completed"}', failed: true, done: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  }

  /** Nothing more is written, what waits is dropped, and the run is free for another execution once the promise resolves. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting = [];
    // Whoever comes next sees that this process no longer has the run, so a claim that could not be taken back hinders nobody for long.
    return this.#letGo().catch(() => {});
  }

  #enter(waiting: Waiting): void {
    if (this.#stopped) return;
    this.#waiting.push(waiting);
    if (this.#writing) return;
    this.#writing = true;
    // The nodes that end within this tick go together.
    queueMicrotask(() => void this.#write());
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      let digest = this.#digest;
      const lines: string[] = [];
      for (const { line } of batch) {
        if (line === undefined) continue;
        digest = chain(digest, line);
        lines.push(`${digest} ${line}`);
      }
      let failure: WorkflowError | undefined;
      try {
        if (lines.length > 0) await this.#options.store.append(this.#options.run, this.#count, lines);
        this.#count += lines.length;
        this.#digest = digest;
      } catch (error) {
        failure = storeFailure(error, this.#options.run, 'write');
      }
      // All of a batch became durable at once; failures are told last, so that one does not cancel what is as durable as itself.
      for (const failed of [false, true]) for (const waiting of batch) if (waiting.failed === failed) waiting.done(failure);
    }
    this.#writing = false;
  }
}

function writeText(plan: Plan, { key, value }: KeptWrite, output: unknown, path: string): string {
  const name = plan.keys[key]?.name ?? '';
  // A node that writes its output says so; the value stands once.
  return value === output ? JSON.stringify([name]) : `[${JSON.stringify(name)},${encodeValue(value, `the write of "${name}" by node "${path}"`)}]`;
}

type LetGo = () => Promise<void>;

/**
 * Opens the checkpoint of a run, or begins it.
 * @throws WorkflowError `checkpoint-in-use`, `checkpoint-mismatch`, `checkpoint-corrupt`, `checkpoint-failed` or `no-checkpoint`
 */
export async function openCheckpoint(
  plan: Plan,
  given: { readonly input: unknown } | undefined,
  options: CheckpointOptions,
  signal: AbortSignal | undefined,
): Promise<Checkpoint> {
  const { store, run } = options;
  let letGo: LetGo | undefined;
  try {
    letGo = await store.claim?.(run);
  } catch (error) {
    throw storeFailure(error, run, 'claim');
  }
  try {
    return await openClaimed(plan, given, options, signal, letGo ?? (async () => {}));
  } catch (error) {
    await letGo?.().catch(() => {}); // the first error is the one to tell
    throw error;
  }
}

async function openClaimed(
  plan: Plan,
  given: { readonly input: unknown } | undefined,
  options: CheckpointOptions,
  signal: AbortSignal | undefined,
  letGo: LetGo,
): Promise<Checkpoint> {
  const { store, run } = options;
  let lines: readonly string[];
  try {
    lines = await store.load(run);
  } catch (error) {
    throw storeFailure(error, run, 'read');
  }
  const shape = shapeOf(plan);
  if (lines.length > 0) {
    const read = readLines(run, lines, shape);
    if (given !== undefined && encodeValue(given.input, 'the input') !== encodeValue(read.input, 'the input')) {
      throw mismatch(run, ['the input is another one']);
    }
    return new Checkpoint(options, read, letGo);
  }
  if (given === undefined) {
    throw new WorkflowError('no-checkpoint', `there is no checkpoint of run "${run}"`, { remedy: 'Start it with execute(workflow, input, { checkpoint }).' });
  }
  signal?.throwIfAborted();
  const head = `{"format":${FORMAT},"shape":${JSON.stringify(shape)},"input":${encodeValue(given.input, 'the input')}}`;
  const digest = chain('', head);
  try {
    await store.append(run, 0, [`${digest} ${head}`]);
  } catch (error) {
    throw storeFailure(error, run, 'write');
  }
  return new Checkpoint(options, { lines: new Map(), input: given.input, ended: false, count: 1, digest }, letGo);
}

type Line = Record<string, unknown>;

interface ReadLines {
  /** By path. Of two lines for one path the later counts. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly input: unknown;
  readonly ended: boolean;
  readonly count: number;
  readonly digest: string;
}

function readLines(run: string, lines: readonly string[], shape: Shape): ReadLines {
  const byPath = new Map<string, Line>();
  let input: unknown;
  let ended = false;
  let digest = '';
  for (const [at, text] of lines.entries()) {
    try {
      const body = text.slice(DIGEST_CHARS + 1);
      digest = chain(digest, body);
      if (text.slice(0, DIGEST_CHARS + 1) !== `${digest} `) throw new Error('it is not what was written');
      const line = JSON.parse(body) as Line;
      if (at === 0) {
        if (line.format !== FORMAT) throw mismatch(run, [`it has format ${JSON.stringify(line.format)}, and this engine writes ${FORMAT}`]);
        const told = differences(line.shape as Shape, shape);
        if (told.length > 0) throw mismatch(run, told);
        input = unpack(line.input);
      } else if (line.end === 'completed') ended = true;
      else {
        // Put last, where a later line for a path stands for the earlier.
        byPath.delete(String(line.node));
        byPath.set(String(line.node), line);
      }
    } catch (error) {
      if (error instanceof WorkflowError) throw error;
      throw new WorkflowError('checkpoint-corrupt', `the checkpoint of run "${run}" is damaged at line ${at + 1} of ${lines.length}: ${messageOf(error)}`, {
        remedy: 'Restore it from a copy, or delete it to start the run anew.',
        cause: error,
      });
    }
  }
  return { lines: byPath, input, ended, count: lines.length, digest };
}

function finishedNode(line: Line, plan: Pick<Plan, 'keys'>): FinishedNode {
  const { attempt, atMs, counts, trace } = line as { readonly attempt: number; readonly atMs: number } & Line;
  const ended = { attempt, atMs, counts: counts as Counts | undefined, trace: typeof trace === 'string' ? trace : undefined };
  if (!Object.hasOwn(line, 'output')) return { ...ended, outcome: 'failed', code: String(line.code), message: String(line.message) };
  const output = unpack(line.output);
  const writes = ((line.writes ?? []) as readonly (readonly [string, unknown?])[]).map((write) => {
    const key = plan.keys.findIndex(({ name }) => name === write[0]);
    return { key, value: write.length === 1 ? output : unpack(write[1]) };
  });
  return { ...ended, outcome: 'completed', output, writes };
}

/** A failure is final only once something has been built on it: a node below it, by way of nodes that it skipped, has finished. Any other is tried again. */
function forgetFailures({ offsets, targets }: Topology, finished: Map<number, FinishedNode>): void {
  for (const [failed, { outcome }] of [...finished]) {
    if (outcome === 'completed') continue;
    const below = [failed];
    const seen = new Set(below);
    let final = false;
    for (let node = below.pop(); node !== undefined && !final; node = below.pop()) {
      for (const target of targets.subarray(offsets[node], offsets[node + 1])) {
        if (finished.get(target)?.outcome === 'completed') final = true;
        else if (!seen.has(target)) {
          seen.add(target);
          below.push(target);
        }
      }
    }
    if (!final) finished.delete(failed);
  }
}

const DIGEST_CHARS = 16;

function chain(before: string, body: string): string {
  return createHash('sha256').update(before).update(body).digest('hex').slice(0, DIGEST_CHARS);
}

function mismatch(run: string, told: readonly string[]): WorkflowError {
  const shown = told.slice(0, 10).map((one) => `\n  ${one}`);
  if (told.length > 10) shown.push(`\n  … and ${told.length - 10} more`);
  return new WorkflowError('checkpoint-mismatch', `the checkpoint of run "${run}" belongs to something else:${shown.join('')}`, {
    remedy: 'Go on with the version that began the run, or give the new one a run of its own.',
  });
}
