// The host's side of one worker process: starts it in a folder of its own, places its clock on ours, runs one trial at a time against a deadline,
// and when it hangs, dies, floods or lies, says why. The first reason is kept. What a trial's failure is called is decided elsewhere.
import { PROTOCOL_VERSION, type TrialEndMessage, type TrialStartMessage, type WorkerReadyMessage } from '../adapters/protocol.ts';
import { systemClock } from '../base/clock.ts';
import { GaugeError } from '../base/error.ts';
import type { RunnableRow } from './rows.ts';
import type { WorkerAddress } from './services.ts';
import { workerLaunch } from './worker-launch.ts';
import { howItEnded, lastWords, type WorkerExit, WorkerProcess } from './worker-process.ts';

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
const START_TIMEOUT_MS = 60_000;
const CLOCK_PROBES = 20;
/** Far above what any framework of the study needs; what eats more is ended before it takes the machine along. */
const MEMORY_LIMIT_BYTES = 2 * 1024 ** 3;

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
    const process = new WorkerProcess(workerLaunch(options.row), options.memoryLimitBytes ?? MEMORY_LIMIT_BYTES);
    if (process.pid !== undefined) options.address.hasProcess(process.pid, process.folder);
    try {
      process.send({
        type: 'start',
        protocolVersion: PROTOCOL_VERSION,
        adapterModule: options.row.module,
        exportName: options.row.exportName,
        shape: options.row.shape,
        settings: options.row.settings,
        ...(options.row.configuration === undefined ? {} : { configuration: options.row.configuration }),
        packages: options.row.packages,
        modelUrl: options.address.modelUrl,
        toolUrl: options.address.toolUrl,
      });
      const ready = await whenReady(
        process,
        options.startTimeoutMs ?? START_TIMEOUT_MS,
        `${options.row.framework}/${options.row.shape}/${options.row.settings}`,
      );
      return new WorkerHost(options, process, ready, await placeClock(process));
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

  /** Largest sampled sum over the process and its children (worker-process.ts). */
  get treePeakBytes(): number | undefined {
    return this.#process.treePeakBytes;
  }

  /** What the framework wrote to standard output and error, last part. */
  get noise(): string {
    return this.#process.noise;
  }

  async runTrial(message: TrialStartMessage, limits: TrialLimits): Promise<WorkerTrial> {
    this.trialsRun += 1;
    return await runOn(this.#process, message, limits);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}

async function whenReady(process: WorkerProcess, timeoutMs: number, name: string): Promise<WorkerReadyMessage> {
  const event = await process.next(timeoutMs, (message) => message.type === 'worker-ready' || message.type === 'worker-failed');
  if (event.kind === 'message' && event.message.type === 'worker-ready') {
    if (event.message.protocolVersion === PROTOCOL_VERSION) return event.message;
    throw new GaugeError('PROTOCOL_VERSION', `the worker of ${name} speaks protocol ${event.message.protocolVersion}, not ${PROTOCOL_VERSION}`);
  }
  if (event.kind === 'message' && event.message.type === 'worker-failed') throw new GaugeError(event.message.code, `${name}: ${event.message.message}`);
  const why =
    event.kind === 'exit' ? `ended ${howItEnded(event.exit)}` : event.kind === 'problem' ? `sent ${event.problem}` : `was not ready within ${timeoutMs} ms`;
  const words = lastWords(process.stderr);
  throw new GaugeError('WORKER_START_FAILED', `the worker of ${name} ${why}${words === '' ? '' : `; its last words: ${words}`}`, {
    remedy: 'Run `agentgauge conformance` with this adapter to see the fault alone.',
  });
}

/** Twenty exchanges; the narrowest bracket decides (method M6.1). @returns its width, or nothing when our clock lies outside it */
async function placeClock(process: WorkerProcess): Promise<number | undefined> {
  let narrowest: { low: number; high: number } | undefined;
  for (let probe = 0; probe < CLOCK_PROBES; probe++) {
    const before = systemClock.nowMs();
    process.send({ type: 'clock-probe', probe });
    const event = await process.next(5_000, (message) => message.type === 'clock-reading' && message.probe === probe);
    const after = systemClock.nowMs();
    if (event.kind !== 'message' || event.message.type !== 'clock-reading') return undefined;
    const bracket = { low: event.message.atMs - after, high: event.message.atMs - before };
    if (narrowest === undefined || bracket.high - bracket.low < narrowest.high - narrowest.low) narrowest = bracket;
  }
  if (narrowest === undefined || narrowest.low > 0 || narrowest.high < 0) return undefined;
  return narrowest.high - narrowest.low;
}

async function runOn(process: WorkerProcess, message: TrialStartMessage, limits: TrialLimits): Promise<WorkerTrial> {
  const startedMs = systemClock.nowMs();
  let hostReason: HostReason | undefined;
  let finished = false;
  /** Of the deadline; once the trial was cancelled, of the grace that it has. */
  let timer: NodeJS.Timeout | undefined;
  const ended = process.next(undefined, (m) => m.type === 'trial-end' && m.trialId === message.trialId);
  const stopTrial = (reason: HostReason) => {
    if (hostReason !== undefined || finished) return;
    hostReason = reason;
    clearTimeout(timer);
    process.send({ type: 'trial-cancel', trialId: message.trialId, reason });
    timer = setTimeout(() => void process.kill(), CANCEL_GRACE_MS);
  };
  const watchDeadline = (waitMs: number) => {
    if (waitMs <= 0) return stopTrial('deadline');
    timer = setTimeout(async () => {
      // Who could tell how long to wait is gone: the study is ending, and the worker with it.
      const leftMs = await limits.extend(systemClock.nowMs() - startedMs).catch(() => 0);
      if (hostReason === undefined && !finished) watchDeadline(leftMs);
    }, waitMs);
  };
  const onAbort = () => stopTrial('cancelled');
  if (limits.signal.aborted) onAbort();
  else limits.signal.addEventListener('abort', onAbort, { once: true });
  void limits.capReached.then(() => stopTrial('cap'));
  if (hostReason === undefined) watchDeadline(limits.timeoutMs);
  process.send(message);
  const event = await ended;
  finished = true;
  clearTimeout(timer);
  limits.signal.removeEventListener('abort', onAbort);
  const endedMs = systemClock.nowMs();
  if (event.kind === 'message' && event.message.type === 'trial-end')
    return { end: event.message, ...(hostReason === undefined ? {} : { hostReason }), startedMs, endedMs };
  if (event.kind === 'problem') {
    await process.kill();
    return { hostReason: hostReason ?? 'protocol', problem: event.problem, startedMs, endedMs };
  }
  const exit = event.kind === 'exit' ? event.exit : { stderr: process.stderr };
  const reason = hostReason ?? (exit.overMemory ? 'memory' : undefined);
  return { exit, ...(reason === undefined ? {} : { hostReason: reason }), startedMs, endedMs };
}
