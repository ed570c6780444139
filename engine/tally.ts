// What a run used and what models got wrong, counted whether or not anybody listens.
import type { TokenUsage } from './model.ts';

export interface RunUsage extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Model requests sent again after a lost connection, a 5xx or their like. */
  readonly requestRetries: number;
}

export class Tally {
  modelCalls = 0;
  toolCalls = 0;
  requestRetries = 0;
  readonly #faults = new Map<string, number>();
  #input = 0;
  #output = 0;
  #known = true;

  /** One reply that came. One without counts makes the sums unknown. */
  reply(usage: TokenUsage | undefined): void {
    this.modelCalls++;
    if (usage?.inputTokens === undefined || usage.outputTokens === undefined) this.#known = false;
    else {
      this.#input += usage.inputTokens;
      this.#output += usage.outputTokens;
    }
  }

  fault(code: string): void {
    this.#faults.set(code, (this.#faults.get(code) ?? 0) + 1);
  }

  usage(): RunUsage {
    const { modelCalls, toolCalls, requestRetries } = this;
    return { modelCalls, toolCalls, requestRetries, ...(this.#known && modelCalls > 0 ? { inputTokens: this.#input, outputTokens: this.#output } : {}) };
  }

  faults(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#faults);
  }
}
