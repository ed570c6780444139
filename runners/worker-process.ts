// One worker's process and its channel: messages in and out, its noise kept apart and bounded, its memory watched, its death told with its last words.
// Knows nothing of trials; worker-host.ts does.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { decodeWorkerMessage, describeProblem, encodeMessage, frameReader } from '../adapters/messages.ts';
import type { HostMessage, WorkerMessage } from '../adapters/protocol.ts';
import { workerEnvironment } from '../adapters/worker-environment.ts';
import { sampleTreeMemory } from '../metrics/process-memory.ts';
import { hasEnded, terminate } from './terminate.ts';
import type { WorkerLaunch } from './worker-launch.ts';

export interface WorkerExit {
  readonly code?: number;
  readonly signal?: string;
  readonly stderr: string;
  /** The host ended it for its memory. */
  readonly overMemory?: true;
}

const KILL_GRACE_MS = 500;
const OUTPUT_TAIL = 4_000;
const LAST_WORDS_MS = 250;
const MEMORY_CHECK_MS = 250;

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #folder: string;
  readonly #listeners = new Set<(event: ProcessEvent) => void>();
  readonly #memoryTimer: NodeJS.Timeout;
  readonly #stderrEnd: Promise<void>;
  #output = '';
  #stderr = '';
  #exit: WorkerExit | undefined;
  #overMemory = false;
  #treePeakBytes: number | undefined;
  #problem: string | undefined;

  constructor({ language, command, args }: WorkerLaunch, memoryLimitBytes: number) {
    this.#folder = mkdtempSync(join(tmpdir(), 'agentgauge-worker-'));
    this.#child = spawn(command, [...args], {
      cwd: this.#folder,
      env: workerEnvironment(process.env, this.#folder, language),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#channel = this.#child.stdio[3] as Duplex;
    // A worker that dies while we write to it is told by its exit, not by EPIPE.
    this.#channel.on('error', () => {});
    const reader = frameReader(
      (line) => {
        const frame = decodeWorkerMessage(line);
        if (frame.kind === 'message') this.#emit({ kind: 'message', message: frame.message });
        else if (frame.kind === 'problem') this.#lie(describeProblem(frame.problem));
      },
      (problem) => this.#lie(describeProblem(problem)),
    );
    this.#channel.on('data', reader);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-OUTPUT_TAIL);
    });
    this.#stderrEnd = new Promise((resolve) => this.#child.stderr?.once('close', resolve));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-OUTPUT_TAIL);
    });
    this.#child.on('error', (error) => this.#gone({ stderr: error.message }));
    // `exit`, not `close`: a grandchild may hold the pipes open for ever. Its last words get a moment to arrive.
    this.#child.on('exit', async (code, signal) => {
      await Promise.race([this.#stderrEnd, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())]);
      this.#gone({
        ...(code === null ? {} : { code }),
        ...(signal === null ? {} : { signal }),
        stderr: this.#stderr,
        ...(this.#overMemory ? { overMemory: true as const } : {}),
      });
    });
    this.#memoryTimer = setInterval(() => void this.#checkMemory(memoryLimitBytes), MEMORY_CHECK_MS);
    this.#memoryTimer.unref();
  }

  get alive(): boolean {
    return this.#exit === undefined && this.#problem === undefined && !hasEnded(this.#child);
  }

  /** Its home and working folder. */
  get folder(): string {
    return this.#folder;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get noise(): string {
    return this.#output + this.#stderr;
  }

  /** The largest sum over the process and its children that was sampled; absent for a process alone on a system with procfs. */
  get treePeakBytes(): number | undefined {
    return this.#treePeakBytes;
  }

  /** What it wrote to standard error, last part. */
  get stderr(): string {
    return this.#stderr;
  }

  send(message: HostMessage): void {
    if (!this.#channel.destroyed) this.#channel.write(encodeMessage(message));
  }

  /** Ends the process and all that it started. */
  async kill(): Promise<void> {
    await terminate(this.#child, { graceMs: KILL_GRACE_MS });
  }

  /** Asks it to leave, ends it when it does not, and removes its folder. May be called twice. */
  async stop(): Promise<void> {
    clearInterval(this.#memoryTimer);
    if (this.alive) {
      this.send({ type: 'stop' });
      await this.next(KILL_GRACE_MS, () => false);
    }
    await this.kill();
    this.#channel.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The next event that counts: a wanted message, a lie, the process's end, or the time-out. */
  next(timeoutMs: number | undefined, wanted: (message: WorkerMessage) => boolean): Promise<ProcessEvent> {
    if (this.#exit !== undefined) return Promise.resolve({ kind: 'exit', exit: this.#exit });
    if (this.#problem !== undefined) return Promise.resolve({ kind: 'problem', problem: this.#problem });
    return new Promise((resolve) => {
      const settle = (event: ProcessEvent) => {
        this.#listeners.delete(listener);
        clearTimeout(timer);
        resolve(event);
      };
      const listener = (event: ProcessEvent) => {
        if (event.kind !== 'message' || wanted(event.message)) settle(event);
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle({ kind: 'timeout' }), timeoutMs);
      this.#listeners.add(listener);
    });
  }

  #emit(event: ProcessEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  #lie(problem: string): void {
    this.#problem ??= problem;
    this.#emit({ kind: 'problem', problem });
  }

  #gone(exit: WorkerExit): void {
    clearInterval(this.#memoryTimer);
    this.#exit ??= exit;
    this.#emit({ kind: 'exit', exit: this.#exit });
  }

  /** A process alone is read from procfs; one with children, or without procfs, is sampled as a tree. */
  async #checkMemory(limitBytes: number): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#exit !== undefined) return;
    const alone = aloneBytes(pid);
    const tree = alone === undefined ? await sampleTreeMemory(pid) : undefined;
    if (tree !== undefined) this.#treePeakBytes = Math.max(this.#treePeakBytes ?? 0, tree.bytes);
    if ((alone ?? tree?.bytes ?? 0) <= limitBytes || this.#exit !== undefined) return;
    this.#overMemory = true;
    void terminate(this.#child, { graceMs: 0 });
  }
}

export type ProcessEvent =
  | { readonly kind: 'message'; readonly message: WorkerMessage }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'exit'; readonly exit: WorkerExit }
  | { readonly kind: 'timeout' };

export function howItEnded(exit: WorkerExit): string {
  return exit.signal === undefined ? `with exit code ${exit.code ?? 'unknown'}` : `by signal ${exit.signal}`;
}

export function lastWords(stderr: string): string {
  return stderr.trim().split('\n').slice(-4).join(' / ');
}

/** Resident bytes of a process without children. @returns `undefined` when it has some, when there is no procfs, or when it is gone */
function aloneBytes(pid: number): number | undefined {
  try {
    if (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '') return undefined;
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return undefined;
  }
}
