// How long a model takes to answer: a dated table by model name, no part of a profile (method M4.11). At zero latency a report lays it on what was recorded;
// with `model` the gateway waits so long, with a spread that the reply's id decides.
import { drawUnit } from '../base/random.ts';
import type { LatencyChoice } from './control.ts';

export interface Latency {
  readonly model: string;
  readonly firstTokenMs: number;
  readonly perOutputTokenMs: number;
  /** Of the log-normal spread around both. */
  readonly sigma: number;
  readonly source: string;
  readonly dated: string;
}

/**
 * 63 streamed replies of some 800 tokens each, one after another, to one prompt of 77 tokens; all of them are published (MIT). Medians of the time to the first token and of the
 * time a token; the spread is that of the logarithm of what 100 tokens take.
 */
const MEASURED = { source: 'coder543/llm-speed-benchmark at ace686c, results/output.csv: 63 streamed replies a model', dated: '2024-08-01' };

export const LATENCIES: readonly Latency[] = [
  { model: 'gpt-4o', firstTokenMs: 570, perOutputTokenMs: 15.5, sigma: 0.28, ...MEASURED },
  { model: 'gpt-4o-mini', firstTokenMs: 550, perOutputTokenMs: 17.7, sigma: 0.19, ...MEASURED },
];

/** The row of this model; a model without one gets the assumed values under its own name. */
export function latencyOf(model: string): Latency {
  return LATENCIES.find((row) => row.model === model) ?? { model, firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed', dated: '2026-11-30' };
}

export interface Wait {
  readonly firstTokenMs: number;
  readonly restMs: number;
}

/** @param id of the reply: the same reply takes the same time in every run */
export function waitFor(choice: LatencyChoice, model: string, id: string, outputTokens: number): Wait {
  switch (choice.kind) {
    case 'zero':
      return { firstTokenMs: 0, restMs: 0 };
    case 'fixed':
      return { firstTokenMs: choice.ms, restMs: 0 };
    case 'model': {
      const { firstTokenMs, perOutputTokenMs, sigma } = latencyOf(model);
      // One factor for both: a busy server is slow at either. The median is the table's.
      const factor = Math.exp(sigma * standardNormal(id));
      return { firstTokenMs: firstTokenMs * factor, restMs: perOutputTokenMs * outputTokens * factor };
    }
    default:
      return choice satisfies never;
  }
}

/** Box and Muller's transform of two uniform draws. */
function standardNormal(id: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawUnit('latency', id, 0)));
  return radius * Math.cos(2 * Math.PI * drawUnit('latency', id, 1));
}
