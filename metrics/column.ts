// One number for each place of a plan, in eight bytes, and in none until there is one: a report of a million records cannot keep them as objects.

export class Column {
  readonly #size: number;
  /** NaN where nothing is known; it never leaves this file. */
  #values: Float64Array | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  put(place: number, value: number | undefined): void {
    if (value === undefined) return;
    this.#values ??= new Float64Array(this.#size).fill(Number.NaN);
    this.#values[place] = value;
  }

  at(place: number): number | undefined {
    const value = this.#values?.[place];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }

  /** What is known at these places, in their order. */
  among(places: readonly number[]): number[] {
    const known: number[] = [];
    for (const place of places) {
      const value = this.at(place);
      if (value !== undefined) known.push(value);
    }
    return known;
  }
}
