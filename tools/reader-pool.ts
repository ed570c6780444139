// Reads files in threads apart from the broker, so that a heavy or hostile file holds up nobody else, and what takes too long or too much memory can be
// ended. Threads start when first needed and are kept; a thread that was ended is replaced by the next one that is needed.
import { Worker } from 'node:worker_threads';
import type { ShelfFile } from './attachment-shelf.ts';
import type { ReadReply } from './reader-worker.ts';
import type { ReaderName, Readings, ReadRequest } from './readers.ts';
import { Finding, GivenUp, ToolError } from './tool-error.ts';

export interface ReaderLimits {
  readonly timeoutMs: number;
  /** Of each thread's heap. */
  readonly heapMegabytes: number;
  /** By which the whole process may grow while a file is read: buffers lie outside of any heap. */
  readonly growthMegabytes: number;
  readonly threads: number;
  readonly entry: URL;
}

const LIMITS: ReaderLimits = {
  timeoutMs: 15_000,
  heapMegabytes: 512,
  growthMegabytes: 1_500,
  threads: 2,
  entry: new URL(import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './reader-worker.js', import.meta.url),
};

const WATCH_MS = 50;

export class ReaderPool {
  readonly #limits: ReaderLimits;
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @throws Finding when there is nothing to read, or reading takes too long or too much; ToolError when a package is missing */
  async read(request: ReadRequest, timeoutMs = this.#limits.timeoutMs): Promise<unknown> {
    if (this.#busy >= this.#limits.threads) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      return await this.#readNow(request, timeoutMs);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  async #readNow(request: ReadRequest, timeoutMs: number): Promise<unknown> {
    const worker = this.#idle.pop() ?? this.#start();
    worker.ref();
    const reply = await this.#replyOf(worker, request, timeoutMs);
    if ('broken' in reply) {
      await worker.terminate();
      throw reply.broken;
    }
    // An idle thread keeps no process alive.
    worker.unref();
    this.#idle.push(worker);
    if ('finding' in reply) throw new Finding(reply.finding);
    if ('value' in reply) return reply.value;
    const { code, message, remedy } = reply.failure;
    throw new ToolError(code, message, remedy === undefined ? {} : { remedy });
  }

  #start(): Worker {
    const worker = new Worker(this.#limits.entry, { resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMegabytes } });
    // An idle thread that dies is no failure of anything; the next request starts another.
    worker.on('error', () => {});
    worker.on('exit', () => {
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return worker;
  }

  /** `broken`: the thread cannot be used again. */
  #replyOf(worker: Worker, request: ReadRequest, timeoutMs: number): Promise<ReadReply | { readonly broken: Error }> {
    const { heapMegabytes, growthMegabytes } = this.#limits;
    const atStart = process.memoryUsage.rss();
    return new Promise((resolve) => {
      const settle = (reply: ReadReply | { readonly broken: Error }) => {
        clearTimeout(timer);
        clearInterval(watch);
        worker.off('message', settle);
        worker.off('error', fail);
        resolve(reply);
      };
      const fail = (cause: Error) => {
        const memory = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
        settle({ broken: memory ? tooMuch(heapMegabytes) : new ToolError('READER_DIED', `the reader of ${request.name} died: ${cause.message}`) });
      };
      const tooMuch = (megabytes: number) => new GivenUp(`${request.name} needs more than ${megabytes} MB of memory to read and was given up.`);
      const watch = setInterval(() => {
        if (process.memoryUsage.rss() - atStart > growthMegabytes * 1e6) settle({ broken: tooMuch(growthMegabytes) });
      }, WATCH_MS);
      const timer = setTimeout(
        () => settle({ broken: new GivenUp(`${request.name} takes more than ${timeoutMs / 1_000} s to read and was given up.`) }),
        timeoutMs,
      );
      worker.on('message', settle);
      worker.on('error', fail);
      worker.postMessage(request);
    });
  }
}

const pool = new ReaderPool();

/** Reads a file with the pool of this process. @throws as `ReaderPool.read` */
export async function readApart<Name extends ReaderName>(
  reader: Name,
  { name, extension }: Pick<ShelfFile, 'name' | 'extension'>,
  bytes: Uint8Array,
): Promise<Readings[Name]> {
  return (await pool.read({ reader, name, extension, bytes })) as Readings[Name];
}
