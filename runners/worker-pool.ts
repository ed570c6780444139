// Warm workers, as many a row as work on it side by side, no more alive at once than the memory allows; the one that was idle longest makes room. Each new one runs the set's warm-ups first.
import { GaugeError } from '../base/error.ts';
import type { RunnableRow } from './rows.ts';
import type { Services } from './services.ts';
import { WorkerHost } from './worker-host.ts';

export interface WorkerPoolOptions {
  readonly services: Services;
  readonly largest: number;
  /** Resolves when trials can be opened: processes start meanwhile. Must not reject. */
  readonly ready: Promise<void>;
  /** Called once for each process that got ready, before its first planned trial. */
  readonly warmUp: (worker: WorkerHost) => Promise<void>;
}

const START_ERRORS = new Set(['MISSING_PACKAGE', 'LOAD_FAILED', 'NO_SHAPE', 'WORKER_START_FAILED', 'PROTOCOL_VERSION']);

/** Whether a row's own worker could not start: that is told of the row, and is no fault of the study. */
export function isStartError(error: unknown): error is GaugeError {
  return error instanceof GaugeError && START_ERRORS.has(error.code);
}

const MEBIBYTE = 1024 ** 2;

/** At most ⌊0.6 × memory limit / 300 MiB⌋ workers, at least one, never over 8 (design section 3.5). */
export function largestPool(memoryLimitBytes: number): number {
  return Math.max(1, Math.min(8, Math.floor((0.6 * memoryLimitBytes) / (300 * MEBIBYTE))));
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  /** The one that was idle longest comes first. */
  readonly #idle = new Set<WorkerHost>();
  readonly #busy = new Set<WorkerHost>();
  #starting = 0;
  /** Rows whose workers do not live through the warm-ups. */
  readonly #unwarmed = new Set<RunnableRow>();
  readonly #failed = new Map<RunnableRow, GaugeError>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  get largest(): number {
    return this.#options.largest;
  }

  /** A ready, warm worker of the row; the caller gives it back or discards it. @throws the row's start error, again each time: a row that cannot start does not start 68 times */
  async take(row: RunnableRow): Promise<WorkerHost> {
    const failed = this.#failed.get(row);
    if (failed) throw failed;
    for (const worker of this.#idle) {
      if (worker.row !== row) continue;
      this.#idle.delete(worker);
      if (!worker.alive) {
        await this.#end(worker);
        continue;
      }
      this.#busy.add(worker);
      return worker;
    }
    return await this.#start(row);
  }

  /** A new process that has run nothing, not even warm-ups, and is not counted; the caller discards it. */
  async startFresh(row: RunnableRow): Promise<WorkerHost> {
    const { services, ready } = this.#options;
    const address = await services.openWorker();
    try {
      const worker = await WorkerHost.start({ row, address });
      await ready;
      return worker;
    } catch (error) {
      await services.closeWorker(address.token);
      throw error;
    }
  }

  giveBack(worker: WorkerHost): void {
    this.#busy.delete(worker);
    this.#idle.add(worker);
  }

  async discard(worker: WorkerHost): Promise<void> {
    this.#busy.delete(worker);
    this.#idle.delete(worker);
    await this.#end(worker);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#idle].map((worker) => this.discard(worker)));
  }

  async #start(row: RunnableRow): Promise<WorkerHost> {
    this.#starting += 1;
    try {
      await this.#makeRoom();
      const worker = await this.startFresh(row);
      const warm = !this.#unwarmed.has(row);
      try {
        if (warm) await this.#options.warmUp(worker);
      } catch (error) {
        await this.#end(worker);
        throw error;
      }
      if (worker.alive || !warm) {
        this.#busy.add(worker);
        return worker;
      }
      // It died or hung of a warm-up. A planned trial must not be told as that death: it gets a worker that has run nothing.
      this.#unwarmed.add(row);
      await this.#end(worker);
    } catch (error) {
      if (isStartError(error)) this.#failed.set(row, error);
      throw error;
    } finally {
      this.#starting -= 1;
    }
    return await this.#start(row);
  }

  async #makeRoom(): Promise<void> {
    for (const worker of this.#idle) {
      if (this.#idle.size + this.#busy.size + this.#starting <= this.#options.largest) return;
      await this.discard(worker);
    }
  }

  async #end(worker: WorkerHost): Promise<void> {
    await worker.stop();
    await this.#options.services.closeWorker(worker.address.token);
  }
}
