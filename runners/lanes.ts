// Which block runs next when several run side by side: one of a row that nobody works on, else a further one of the row with the fewest at work.
// A row's second worker costs memory like another row's first, so rows share only up to the pool's size.
import type { Block } from './plan.ts';

export class Lanes {
  readonly #waiting: Block[];
  readonly #largest: number;
  readonly #atWork = new Map<number, number>();
  #total = 0;

  constructor(blocks: readonly Block[], largest: number) {
    this.#waiting = [...blocks];
    this.#largest = largest;
  }

  /** @returns the next block, to be given to `done` afterwards; `undefined` when no more may run beside those that do */
  take(): Block | undefined {
    let at = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [i, { row }] of this.#waiting.entries()) {
      const atWork = this.#atWork.get(row) ?? 0;
      if (atWork >= fewest) continue;
      [at, fewest] = [i, atWork];
      if (atWork === 0) break;
    }
    if (at < 0 || (fewest > 0 && this.#total >= this.#largest)) return undefined;
    const [block] = this.#waiting.splice(at, 1) as [Block];
    this.#count(block, 1);
    return block;
  }

  done(block: Block): void {
    this.#count(block, -1);
  }

  #count({ row }: Block, by: number): void {
    this.#atWork.set(row, (this.#atWork.get(row) ?? 0) + by);
    this.#total += by;
  }
}
