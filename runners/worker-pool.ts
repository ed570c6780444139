// Warm workers, one a row, no more alive at once than the memory allows; the one that was idle longest makes room. Each new one runs the set's warm-ups first.
import { GaugeError } from '../base/error.ts';
import type { RunnableRow } from './rows.ts';
import type { Services } from './services.ts';
import { WorkerHost } from './worker-host.ts';

export interface WorkerPoolOptions {
  readonly services: Services;
  readonly largest: number;
  /** Called once for each process that got ready, before its first planned trial. */
  readonly warmUp: (worker: WorkerHost) => Promise<void>;
  readonly onStopped: (worker: WorkerHost) => void;
}

const MEBIBYTE = 1024 ** 2;

/** At most ⌊0.6 × memory limit / 300 MiB⌋ workers, at least one, never over 8 (design section 3.5). */
export function largestPool(memoryLimitBytes: number): number {
  return Math.max(1, Math.min(8, Math.floor((0.6 * memoryLimitBytes) / (300 * MEBIBYTE))));
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #idle = new Map<RunnableRow, WorkerHost>();
  readonly #busy = new Set<RunnableRow>();
  readonly #failed = new Map<RunnableRow, GaugeError>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** A ready, warm worker of the row; the caller gives it back or discards it. @throws the row's start error, again each time: a row that cannot start does not start 68 times */
  async take(row: RunnableRow): Promise<WorkerHost> {
    const failed = this.#failed.get(row);
    if (failed) throw failed;
    this.#busy.add(row);
    const idle = this.#idle.get(row);
    if (idle?.alive) {
      this.#idle.delete(row);
      return idle;
    }
    if (idle) await this.discard(idle);
    this.#busy.add(row);
    await this.#makeRoom();
    const address = await this.#options.services.openWorker();
    try {
      const worker = await WorkerHost.start({ row, address });
      await this.#options.warmUp(worker);
      return worker;
    } catch (error) {
      this.#busy.delete(row);
      await this.#options.services.closeWorker(address.token);
      if (error instanceof GaugeError && ['MISSING_PACKAGE', 'LOAD_FAILED', 'NO_SHAPE', 'WORKER_START_FAILED', 'PROTOCOL_VERSION'].includes(error.code))
        this.#failed.set(row, error);
      throw error;
    }
  }

  giveBack(worker: WorkerHost): void {
    this.#busy.delete(worker.row);
    this.#idle.set(worker.row, worker);
  }

  async discard(worker: WorkerHost): Promise<void> {
    this.#busy.delete(worker.row);
    if (this.#idle.get(worker.row) === worker) this.#idle.delete(worker.row);
    await worker.stop();
    this.#options.onStopped(worker);
    await this.#options.services.closeWorker(worker.address.token);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#idle.values()].map((worker) => this.discard(worker)));
  }

  async #makeRoom(): Promise<void> {
    while (this.#idle.size + this.#busy.size > this.#options.largest && this.#idle.size > 0) {
      const [, oldest] = this.#idle.entries().next().value as [RunnableRow, WorkerHost];
      await this.discard(oldest);
    }
  }
}
