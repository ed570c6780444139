// So many at once and no more: the others wait their turn.

export class Slots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      this.#waiting.shift()?.();
    }
  }
}
