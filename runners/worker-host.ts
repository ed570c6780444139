// The host's side of one worker process: starts it in a folder of its own, places its clock on ours, runs one trial at a time against a deadline,
// and when it hangs, dies, floods or lies, says why. The first reason is kept. What a trial's failure is called is decided elsewhere.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { decodeWorkerMessage, describeProblem, encodeMessage, frameReader } from '../adapters/messages.ts';
import {
  type HostMessage,
  PROTOCOL_VERSION,
  type TrialEndMessage,
  type TrialStartMessage,
  type WorkerMessage,
  type WorkerReadyMessage,
} from '../adapters/protocol.ts';
import { WORKER_FLAGS, workerEnvironment } from '../adapters/worker-environment.ts';
import { systemClock } from '../base/clock.ts';
import { GaugeError } from '../base/error.ts';
import { childEntry } from './child-entry.ts';
import type { RunnableRow } from './rows.ts';
import type { WorkerAddress } from './services.ts';
import { hasEnded, terminate } from './terminate.ts';

export interface WorkerExit {
  readonly code?: number;
  readonly signal?: string;
  readonly stderr: string;
  /** The host ended it for its memory. */
  readonly overMemory?: true;
}

/** Why the host stopped a trial before the worker ended it. */
export type HostReason = 'deadline' | 'cap' | 'cancelled' | 'protocol' | 'memory';

/** Exactly one of `end` and `exit` says how it went; `hostReason` is set when the host stopped it first. */
export interface WorkerTrial {
  readonly end?: TrialEndMessage;
  readonly exit?: WorkerExit;
  readonly hostReason?: HostReason;
  /** What was wrong with a frame, when `hostReason` is `protocol`. */
  readonly problem?: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface TrialLimits {
  /** Called when the deadline is reached; @returns how many more milliseconds the trial may have, 0 to stop it. */
  readonly extend: (elapsedMs: number) => Promise<number>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Resolves when the gateway refused a call beyond the cap. */
  readonly capReached: Promise<void>;
}

export interface WorkerHostOptions {
  readonly row: RunnableRow;
  readonly address: WorkerAddress;
  readonly startTimeoutMs?: number;
  readonly memoryLimitBytes?: number;
}

/** How long a cancelled worker may take to end the trial itself before it is ended. */
const CANCEL_GRACE_MS = 1_000;
const KILL_GRACE_MS = 500;
const START_TIMEOUT_MS = 60_000;
const OUTPUT_TAIL = 4_000;
const LAST_WORDS_MS = 250;
const CLOCK_PROBES = 20;
/** Far above what any framework of the study needs; what eats more is ended before it takes the machine along. */
const MEMORY_LIMIT_BYTES = 2 * 1024 ** 3;
const MEMORY_CHECK_MS = 250;

export class WorkerHost {
  readonly row: RunnableRow;
  readonly address: WorkerAddress;
  readonly ready: WorkerReadyMessage;
  /** Width of the narrowest bracket around the worker's clock; absent when our clock lies outside it. */
  readonly clockBracketMs: number | undefined;
  readonly #process: WorkerProcess;
  trialsRun = 0;

  private constructor(options: WorkerHostOptions, process: WorkerProcess, ready: WorkerReadyMessage, clockBracketMs: number | undefined) {
    this.row = options.row;
    this.address = options.address;
    this.#process = process;
    this.ready = ready;
    this.clockBracketMs = clockBracketMs;
  }

  /** @throws GaugeError MISSING_PACKAGE, LOAD_FAILED, NO_SHAPE from the worker; WORKER_START_FAILED when it died or never got ready */
  static async start(options: WorkerHostOptions): Promise<WorkerHost> {
    const process = new WorkerProcess(options.memoryLimitBytes ?? MEMORY_LIMIT_BYTES);
    try {
      process.send({
        type: 'start',
        protocolVersion: PROTOCOL_VERSION,
        adapterModule: options.row.module,
        exportName: options.row.exportName,
        shape: options.row.shape,
        settings: options.row.settings,
        packages: options.row.packages,
        modelUrl: options.address.modelUrl,
        toolUrl: options.address.toolUrl,
      });
      const ready = await process.whenReady(
        options.startTimeoutMs ?? START_TIMEOUT_MS,
        `${options.row.framework}/${options.row.shape}/${options.row.settings}`,
      );
      return new WorkerHost(options, process, ready, await process.placeClock());
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  /** Whether the process can take another trial. */
  get alive(): boolean {
    return this.#process.alive;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** What the framework wrote to standard output and error, last part. */
  get noise(): string {
    return this.#process.noise;
  }

  async runTrial(message: TrialStartMessage, limits: TrialLimits): Promise<WorkerTrial> {
    this.trialsRun += 1;
    return await this.#process.runTrial(message, limits);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}

/** The child itself with its channel. Knows messages, not trials' meaning. */
class WorkerProcess {
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
  #problem: string | undefined;

  constructor(memoryLimitBytes: number) {
    this.#folder = mkdtempSync(join(tmpdir(), 'agentgauge-worker-'));
    this.#child = spawn(process.execPath, [...WORKER_FLAGS, childEntry('adapters/worker')], {
      cwd: this.#folder,
      env: workerEnvironment(process.env, this.#folder),
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
    this.#memoryTimer = setInterval(() => this.#checkMemory(memoryLimitBytes), MEMORY_CHECK_MS);
    this.#memoryTimer.unref();
  }

  get alive(): boolean {
    return this.#exit === undefined && this.#problem === undefined && !hasEnded(this.#child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get noise(): string {
    return this.#output + this.#stderr;
  }

  send(message: HostMessage): void {
    if (!this.#channel.destroyed) this.#channel.write(encodeMessage(message));
  }

  async whenReady(timeoutMs: number, name: string): Promise<WorkerReadyMessage> {
    const event = await this.#next(timeoutMs, (message) => message.type === 'worker-ready' || message.type === 'worker-failed');
    if (event.kind === 'message' && event.message.type === 'worker-ready') {
      if (event.message.protocolVersion === PROTOCOL_VERSION) return event.message;
      throw new GaugeError('PROTOCOL_VERSION', `the worker of ${name} speaks protocol ${event.message.protocolVersion}, not ${PROTOCOL_VERSION}`);
    }
    if (event.kind === 'message' && event.message.type === 'worker-failed') throw new GaugeError(event.message.code, `${name}: ${event.message.message}`);
    const why =
      event.kind === 'exit' ? `ended ${howItEnded(event.exit)}` : event.kind === 'problem' ? `sent ${event.problem}` : `was not ready within ${timeoutMs} ms`;
    const words = lastWords(this.#stderr);
    throw new GaugeError('WORKER_START_FAILED', `the worker of ${name} ${why}${words === '' ? '' : `; its last words: ${words}`}`, {
      remedy: 'Run `agentgauge conformance` with this adapter to see the fault alone.',
    });
  }

  async placeClock(): Promise<number | undefined> {
    let narrowest: { low: number; high: number } | undefined;
    for (let probe = 0; probe < CLOCK_PROBES; probe++) {
      const before = systemClock.nowMs();
      this.send({ type: 'clock-probe', probe });
      const event = await this.#next(5_000, (message) => message.type === 'clock-reading' && message.probe === probe);
      const after = systemClock.nowMs();
      if (event.kind !== 'message' || event.message.type !== 'clock-reading') return undefined;
      const bracket = { low: event.message.atMs - after, high: event.message.atMs - before };
      if (narrowest === undefined || bracket.high - bracket.low < narrowest.high - narrowest.low) narrowest = bracket;
    }
    if (narrowest === undefined || narrowest.low > 0 || narrowest.high < 0) return undefined;
    return narrowest.high - narrowest.low;
  }

  async runTrial(message: TrialStartMessage, limits: TrialLimits): Promise<WorkerTrial> {
    const startedMs = systemClock.nowMs();
    let hostReason: HostReason | undefined;
    const finished = new AbortController();
    const ended = this.#next(undefined, (m) => m.type === 'trial-end' && m.trialId === message.trialId, finished.signal);
    const stopTrial = (reason: HostReason) => {
      if (hostReason !== undefined || finished.signal.aborted) return;
      hostReason = reason;
      this.send({ type: 'trial-cancel', trialId: message.trialId, reason });
      const timer = setTimeout(() => void terminate(this.#child, { graceMs: KILL_GRACE_MS }), CANCEL_GRACE_MS);
      finished.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    };
    const onAbort = () => stopTrial('cancelled');
    if (limits.signal.aborted) onAbort();
    else limits.signal.addEventListener('abort', onAbort, { once: true });
    void limits.capReached.then(() => stopTrial('cap'));
    void this.#watchDeadline(limits, finished.signal, () => stopTrial('deadline'));
    this.send(message);
    const event = await ended;
    finished.abort();
    limits.signal.removeEventListener('abort', onAbort);
    const endedMs = systemClock.nowMs();
    if (event.kind === 'message' && event.message.type === 'trial-end')
      return { end: event.message, ...(hostReason === undefined ? {} : { hostReason }), startedMs, endedMs };
    if (event.kind === 'problem') {
      await terminate(this.#child, { graceMs: KILL_GRACE_MS });
      return { hostReason: hostReason ?? 'protocol', problem: event.problem, startedMs, endedMs };
    }
    const exit = event.kind === 'exit' ? event.exit : { stderr: this.#stderr };
    const reason = hostReason ?? (exit.overMemory ? 'memory' : undefined);
    return { exit, ...(reason === undefined ? {} : { hostReason: reason }), startedMs, endedMs };
  }

  async stop(): Promise<void> {
    clearInterval(this.#memoryTimer);
    if (this.alive) {
      this.send({ type: 'stop' });
      await this.#next(KILL_GRACE_MS, () => false);
    }
    await terminate(this.#child, { graceMs: KILL_GRACE_MS });
    this.#channel.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #watchDeadline(limits: TrialLimits, finished: AbortSignal, stop: () => void): Promise<void> {
    const startedMs = systemClock.nowMs();
    let wait = limits.timeoutMs;
    while (!finished.aborted && wait > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait);
        const cancel = () => {
          clearTimeout(timer);
          resolve();
        };
        finished.addEventListener('abort', cancel, { once: true });
      });
      if (finished.aborted) return;
      wait = await limits.extend(systemClock.nowMs() - startedMs);
    }
    if (!finished.aborted) stop();
  }

  /** The next event that counts: a wanted message, a lie, the process's end, or the time-out. */
  #next(timeoutMs: number | undefined, wanted: (message: WorkerMessage) => boolean, cancelled?: AbortSignal): Promise<ProcessEvent> {
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
      cancelled?.addEventListener('abort', () => settle({ kind: 'timeout' }), { once: true });
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

  #checkMemory(limitBytes: number): void {
    const rss = residentBytes(this.#child.pid);
    if (rss === undefined || rss <= limitBytes) return;
    this.#overMemory = true;
    void terminate(this.#child, { graceMs: 0 });
  }
}

type ProcessEvent =
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

function residentBytes(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    // No procfs, or the process is gone: nothing to guard.
    return undefined;
  }
}
