// The ledger of one trial: every request with its times, the cap, and what was still open at the end. Knows neither HTTP nor what answers.
import type { ModelCall, ModelTraffic, WireFacts } from '../base/traffic.ts';
import type { SourceTrial, TrialTerms } from './reply-source.ts';

/** A `ModelCall` that is still being written. */
export type CallDraft = { -readonly [Key in keyof ModelCall]: ModelCall[Key] };

export interface TrialLimits extends TrialTerms {
  readonly cap: number;
  readonly keepBodies: boolean;
}

export class OpenTrial {
  readonly terms: TrialLimits;
  readonly source: SourceTrial;
  /** In order of arrival. */
  readonly calls: CallDraft[] = [];
  wire: WireFacts = {};
  readonly embeddings = { requests: 0, inputTokens: 0 };
  /** The host has asked for the end: what begins now is stray. */
  closing = false;
  #counted = 0;
  readonly #inFlight = new Map<CallDraft, () => void>();
  #whenIdle: (() => void) | undefined;

  constructor(terms: TrialLimits, source: SourceTrial) {
    this.terms = terms;
    this.source = source;
  }

  /**
   * Enters a request. @param drop ends its connection
   * @returns its place from 0 and whether it lies beyond the cap
   */
  begin(draft: CallDraft, drop: () => void): { readonly at: number; readonly capped: boolean } {
    this.calls.push(draft);
    this.#inFlight.set(draft, drop);
    if (this.closing) {
      draft.stray = true;
      return { at: this.#counted, capped: false };
    }
    const at = this.#counted++;
    const capped = at >= this.terms.cap;
    if (capped) draft.capped = true;
    return { at, capped };
  }

  finish(draft: CallDraft): void {
    this.#inFlight.delete(draft);
    this.#tellIfIdle();
  }

  /** For a trial that nobody closes: what is over need not be kept. */
  forget(draft: CallDraft): void {
    this.calls.splice(this.calls.indexOf(draft), 1);
  }

  /** Waits until nothing but capped calls is in flight, or until `grace` settles; then what is open is stray and is dropped. */
  async close(grace: () => Promise<void>): Promise<ModelTraffic> {
    this.closing = true;
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
    if (!this.#idle()) await Promise.race([idle, grace()]);
    for (const [draft, drop] of [...this.#inFlight]) {
      if (!draft.capped) draft.stray = true;
      drop();
    }
    this.#inFlight.clear();
    const embedded = this.embeddings.requests === 0 ? {} : { embeddings: { ...this.embeddings } };
    return { ...this.source.facts(), ...embedded, calls: this.calls.map((call) => ({ ...call })), wire: this.wire };
  }

  intervals(): { readonly startMs: number; readonly endMs?: number }[] {
    return this.calls.map(({ startMs, endMs }) => (endMs === undefined ? { startMs } : { startMs, endMs }));
  }

  #idle(): boolean {
    return [...this.#inFlight.keys()].every((draft) => draft.capped);
  }

  #tellIfIdle(): void {
    if (this.#idle()) this.#whenIdle?.();
  }
}
