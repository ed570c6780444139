// Every row meets every fault, on real processes. A row's faults run one after the other in a warm worker; one that does not end at once is left waiting with
// that worker, side by side with others, while the row goes on in a new one. What has a record is not run again.
import { hostname } from 'node:os';
import { hashOf } from '../base/canonical-json.ts';
import { systemClock } from '../base/clock.ts';
import { messageOf, UsageError } from '../base/error.ts';
import { readMemoryLimit } from '../metrics/memory-limit.ts';
import { type ManifestPlan, RECORD_VERSION, type TrialRecord } from '../metrics/record.ts';
import { ANSWER, CALL, type Fault, needsSeveral, USUAL_TOOLS } from '../models/faults/fault.ts';
import { AGENT_CAP, CAP, type EndedFaultTrial, MODEL, runFaultTrial } from './fault-trial.ts';
import { stampManifest } from './manifest.ts';
import { trialKey } from './plan.ts';
import type { Progress } from './progress.ts';
import type { ResolvedRows, RunnableRow } from './rows.ts';
import { createRunDirectory, RunDirectory, readManifest } from './run-directory.ts';
import { type ScriptedServices, startScriptedServices } from './scripted-services.ts';
import { WorkerHost } from './worker-host.ts';
import { isStartError } from './worker-pool.ts';
import { lastWords } from './worker-process.ts';

export interface FaultsRequest {
  readonly rows: ResolvedRows;
  readonly faults: readonly Fault[];
  readonly patienceMs: number;
  /** Parent of runs. */
  readonly out: string;
  readonly resume?: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly onDirectory?: (directory: string) => void;
}

export interface FinishedFaults {
  readonly directory: string;
  readonly interrupted: boolean;
  readonly unstartable: readonly string[];
}

/** Rows at work at once: starting their processes is what costs. */
const LANES = 3;
/** What has not ended by then is left waiting; later where a new process costs more than the wait. */
const LEAVE_AFTER_MS = 1_500;
const LEAVE_AFTER_IMPORTS = 2;
const WORKER_BYTES = 300 * 1024 ** 2;
const MOST_WAITING = 40;

/** @throws UsageError and GaugeError with a remedy; what was recorded until then stays on disk */
export async function runFaults(request: FaultsRequest): Promise<FinishedFaults> {
  const plan = planOf(request);
  const planHash = hashOf({ plan, faults: request.faults.map(({ id, script, tools }) => ({ id, script, tools })) });
  const directory = request.resume ?? createRunDirectory(request.out, 'faults', systemClock.nowIso());
  if (request.resume !== undefined && readManifest(directory).planHash !== planHash)
    throw new UsageError('PLAN_CHANGED', `${directory} was started with other rows, faults or patience`, { remedy: 'Start a new run; two plans do not mix.' });
  const run = RunDirectory.take(directory, systemClock.nowIso());
  request.onDirectory?.(directory);
  try {
    if (request.resume === undefined) {
      const taskSet = { name: 'faults', seed: 1, hash: planHash, tasks: request.faults.length, pages: 0 };
      run.writeManifest(stampManifest({ planHash, plan, taskSet }));
    } else run.setFragmentsAside();
    const services = await startScriptedServices('lenient');
    try {
      const matrix = new Matrix(request, run, services);
      await matrix.play();
      return { directory, interrupted: request.signal.aborted, unstartable: matrix.unstartable };
    } finally {
      await services.stop();
    }
  } finally {
    run.release();
  }
}

const WARM_UP: Fault = { id: 'warm-up', group: 'calls', sentence: 'does nothing wrong', script: { replies: [CALL, ANSWER] }, tools: USUAL_TOOLS };

class Matrix {
  readonly unstartable: string[] = [];
  readonly #request: FaultsRequest;
  readonly #run: RunDirectory;
  readonly #services: ScriptedServices;
  readonly #done: Set<string>;
  readonly #told = new Set<string>();
  readonly #waiting = new Set<Promise<void>>();
  readonly #mostWaiting: number;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #fatal: unknown;

  constructor(request: FaultsRequest, run: RunDirectory, services: ScriptedServices) {
    this.#request = request;
    this.#run = run;
    this.#services = services;
    this.#signal = AbortSignal.any([request.signal, this.#stop.signal]);
    this.#done = new Set(run.lines('trials.jsonl').map((line) => keyOf(line as TrialRecord)));
    this.#mostWaiting = Math.max(1, Math.min(MOST_WAITING, Math.floor((0.6 * readMemoryLimit().limitBytes) / WORKER_BYTES) - LANES));
  }

  /** @throws what went wrong on our side, when everybody else has come to an end */
  async play(): Promise<void> {
    const rows = [...this.#request.rows.rows];
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let row = rows.shift(); row !== undefined && !this.#signal.aborted; row = rows.shift()) await this.#row(row).catch((error) => this.#fail(error));
      }),
    );
    await Promise.all(this.#waiting);
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  #fail(error: unknown): void {
    this.#fatal ??= error;
    this.#stop.abort();
  }

  async #row(row: RunnableRow): Promise<void> {
    // What may be waited for comes last in the list of faults and first in the run, so that the waiting is over sooner.
    const faults = faultsFor(row, this.#request.faults)
      .filter(({ id }) => !this.#done.has(trialKey(row, id, 0)))
      .reverse();
    let worker: WorkerHost | undefined;
    try {
      for (const fault of faults) {
        if (this.#signal.aborted) break;
        if (worker?.alive !== true) {
          await worker?.stop();
          worker = await this.#start(row);
        }
        worker = await this.#meet(worker, fault);
      }
    } catch (error) {
      if (!isStartError(error)) throw error;
      const name = `${row.framework}/${row.settings}`;
      this.unstartable.push(name);
      this.#request.progress.note(`${name} cannot start: ${lastWords(messageOf(error))}`);
    } finally {
      await worker?.stop();
    }
  }

  /** @returns the worker when it is free again; nothing when it is gone, or waits on with this fault */
  async #meet(worker: WorkerHost, fault: Fault): Promise<WorkerHost | undefined> {
    const running = this.#trial(worker, fault);
    if (this.#waiting.size < this.#mostWaiting) {
      const left = new AbortController();
      const patience = Math.max(LEAVE_AFTER_MS, LEAVE_AFTER_IMPORTS * worker.ready.importMs);
      const soon = await Promise.race([running.then(() => true), after(patience, left.signal)]);
      left.abort();
      if (!soon) {
        const waiting = running
          .then((ended) => this.#write(ended))
          .catch((error) => this.#fail(error))
          .finally(() => worker.stop())
          .finally(() => this.#waiting.delete(waiting));
        this.#waiting.add(waiting);
        return undefined;
      }
    }
    const ended = await running;
    this.#write(ended);
    if (ended?.clean === true) return worker;
    await worker.stop();
    return undefined;
  }

  #trial(worker: WorkerHost, fault: Fault): Promise<EndedFaultTrial | undefined> {
    return runFaultTrial({ services: this.#services, worker, fault, patienceMs: this.#request.patienceMs, signal: this.#signal, hostName: hostname() });
  }

  async #start(row: RunnableRow): Promise<WorkerHost> {
    const worker = await WorkerHost.start({ row, address: await this.#services.openWorker() });
    // The first trial of a process loads what later ones find; nothing is recorded of it.
    await this.#trial(worker, WARM_UP);
    const { framework, shape, settings } = row;
    const { versions, runtime, importMs, rssAfterImportBytes } = worker.ready;
    if (this.#isNew(`${framework} ${shape} ${settings}`)) {
      const facts = { framework, shape, settings, versions, runtime, importMs, rssAfterImportBytes };
      this.#run.appendWorker({ recordVersion: RECORD_VERSION, host: hostname(), kind: 'warm', ...facts });
    }
    return worker;
  }

  #isNew(key: string): boolean {
    const known = this.#told.has(key);
    this.#told.add(key);
    return !known;
  }

  #write(ended: EndedFaultTrial | undefined): void {
    if (ended === undefined) return;
    const { record, wire } = ended;
    if (this.#isNew(JSON.stringify([wire.wire, wire.framework, wire.shape, wire.settings]))) this.#run.appendWire(wire);
    this.#run.writeTranscript(`${record.framework}.${record.shape}.${record.settings}.${record.taskId}.0.json`, JSON.stringify(ended.transcript));
    this.#run.appendTrial(record);
    this.#request.progress.trial(record, `${record.framework}/${record.settings}`);
  }
}

/** Which faults a row meets: those of its shape. */
export function faultsFor({ shape }: Pick<RunnableRow, 'shape'>, faults: readonly Fault[]): readonly Fault[] {
  return faults.filter((fault) => needsSeveral(fault) === (shape !== 'single'));
}

function planOf({ rows, faults, patienceMs }: FaultsRequest): ManifestPlan {
  return {
    name: 'faults',
    rows: rows.rows.map(({ framework, shape, settings, title, language, floor }) => ({ framework, shape, settings, title, language, floor })),
    absentRows: rows.absent,
    tasks: faults.map(({ id }) => ({ taskId: id, taskType: 'document', level: 1 })),
    trials: 1,
    seed: 1,
    modelKind: 'scripted',
    model: MODEL.name,
    cap: CAP,
    agentCap: AGENT_CAP,
    temperature: MODEL.temperature,
    maxTokens: MODEL.maxTokens,
    isolation: 'worker',
    concurrency: LANES,
    timeoutMs: patienceMs,
    latency: 'zero',
    instruction: 'both',
    toolErrors: 'throw',
    broker: 'lenient',
    enforce: 'ignored',
    coldStarts: 0,
  };
}

function keyOf(record: TrialRecord): string {
  return trialKey(record, record.taskId, record.trialIndex);
}

function after(ms: number, signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
