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

export const LATENCIES: readonly Latency[] = [
  { model: 'gpt-4o', firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed', dated: '2026-11-30' },
  { model: 'gpt-4o-mini', firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed', dated: '2026-11-30' },
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
