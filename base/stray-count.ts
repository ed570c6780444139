// Counts what a worker sends while no trial takes it. One for gateway and broker each; what they say in refusing it is theirs.

export interface StrayWork {
  /** Came since the last trial was closed, and was its own. */
  readonly strayBefore: number;
  /** Came since the last trial was opened, from one before it: that one's record is written, and no other trial is charged. Absent when there was none. */
  readonly olderBefore?: number;
}

export class StrayCount {
  #last: string | undefined;
  #ofLast = 0;
  #older = 0;

  /** @param trialId as key or address name it; what names none is the last trial's */
  add(trialId: string | undefined): void {
    if (trialId === undefined || trialId === this.#last) this.#ofLast++;
    else this.#older++;
  }

  /** The next trial opens. @returns what came since the last one did */
  open(trialId: number): StrayWork {
    const seen: StrayWork = { strayBefore: this.#ofLast, ...(this.#older === 0 ? {} : { olderBefore: this.#older }) };
    this.#last = String(trialId);
    this.#ofLast = 0;
    this.#older = 0;
    return seen;
  }
}

/** What gateway and broker say, together. */
export function strayWorkOf(gateway: StrayWork, broker: StrayWork): Required<StrayWork> {
  return { strayBefore: gateway.strayBefore + broker.strayBefore, olderBefore: (gateway.olderBefore ?? 0) + (broker.olderBefore ?? 0) };
}
