// One number for each place of a plan: in two bytes while all are small and whole, as counts are, else in eight, and in none until there is one.
// A report of a million records cannot keep them as objects.

/** Stored one higher, so that 0 is "not known". */
const LARGEST_SMALL = 0xffff - 1;

export class Column {
  readonly #size: number;
  #counts: Uint16Array | undefined;
  /** NaN where nothing is known; it never leaves this file. */
  #values: Float64Array | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  put(place: number, value: number | undefined): void {
    if (value === undefined) return;
    if (this.#values === undefined && isSmallCount(value)) {
      this.#counts ??= new Uint16Array(this.#size);
      this.#counts[place] = value + 1;
      return;
    }
    this.#values ??= this.#widened();
    this.#values[place] = value;
  }

  at(place: number): number | undefined {
    if (this.#values !== undefined) {
      const value = this.#values[place];
      return value === undefined || Number.isNaN(value) ? undefined : value;
    }
    const stored = this.#counts?.[place];
    return stored === undefined || stored === 0 ? undefined : stored - 1;
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

  #widened(): Float64Array {
    const counts = this.#counts;
    this.#counts = undefined;
    return counts === undefined
      ? new Float64Array(this.#size).fill(Number.NaN)
      : Float64Array.from(counts, (stored) => (stored === 0 ? Number.NaN : stored - 1));
  }
}

function isSmallCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= LARGEST_SMALL;
}
