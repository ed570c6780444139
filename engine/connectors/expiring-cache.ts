// A cache bounded in entries, bytes and time; what was used longest ago goes first. Knows nothing of what it holds.

export interface CacheOptions {
  /** How long an answer is good for. */
  readonly ttlMs: number;
  /** @default 256 */
  readonly maxEntries?: number;
  /** Of all answers together; one that is larger is not kept. @default 16 MiB */
  readonly maxBytes?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  readonly untilMs: number;
}

export class ExpiringCache<Value> {
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor({ ttlMs, maxEntries = 256, maxBytes = 16 * 2 ** 20 }: CacheOptions) {
    this.#ttlMs = ttlMs;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  get(key: string, nowMs: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key, entry);
    if (nowMs >= entry.untilMs) return undefined;
    this.#add(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, bytes: number, nowMs: number): void {
    const before = this.#entries.get(key);
    if (before !== undefined) this.#remove(key, before);
    if (bytes > this.#maxBytes) return;
    this.#add(key, { value, bytes, untilMs: nowMs + this.#ttlMs });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest, entry);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #add(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #remove(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
