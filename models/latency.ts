// How long a model takes to answer: a dated table by model name, no part of a profile (method M4.11). Exported as data; the gateway answers at once and a table lays these on.

export interface Latency {
  readonly model: string;
  readonly firstTokenMs: number;
  readonly perOutputTokenMs: number;
  /** Of the log-normal spread around both. */
  readonly sigma: number;
  readonly source: string;
  readonly dated: string;
}

export const LATENCIES: readonly Latency[] = [
  { model: 'gpt-4o-mini', firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed', dated: '2026-11-30' },
];

/** The row of this model; a model without one gets the assumed values under its own name. */
export function latencyOf(model: string): Latency {
  return LATENCIES.find((row) => row.model === model) ?? { model, firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed', dated: '2026-11-30' };
}
