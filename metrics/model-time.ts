// How long a trial takes from end to end, and how fast its model says something: as measured, or as the latency table says where the model was ours and took no time.
import { layOut } from './critical-path.ts';
import { isRealModel } from './model-kind.ts';
import type { LatencyEntry, Manifest, TrialRecord } from './record.ts';

/** `unknown`: a model of ours at zero latency without a table; its times would be those of our own server. */
export type ModelTime = { readonly basis: 'measured' | 'unknown' } | { readonly basis: 'computed'; readonly latency: LatencyEntry };

export interface TrialTime {
  readonly endToEndSeconds?: number | undefined;
  readonly outputTokensPerSecond?: number | undefined;
}

export function modelTimeOf({ latencyTable, plan }: Pick<Manifest, 'latencyTable' | 'plan'>): ModelTime {
  if (plan.latency !== 'zero' || isRealModel(plan.modelKind)) return { basis: 'measured' };
  return latencyTable === undefined ? { basis: 'unknown' } : { basis: 'computed', latency: latencyTable };
}

/** A trial that the user stopped has no end; one that was cut off counts no tokens. */
export function timeOf(record: TrialRecord, time: ModelTime): TrialTime {
  const { endToEndSeconds, outputTokensPerSecond } = bothOf(record, time);
  return { ...(record.outcome !== 'cancelled' && { endToEndSeconds }), ...(record.cut !== true && { outputTokensPerSecond }) };
}

function bothOf(record: TrialRecord, time: ModelTime): TrialTime {
  const { wallMs, modelMs, usage } = record;
  switch (time.basis) {
    case 'unknown':
      return {};
    case 'computed':
      return layOut(record, time.latency) ?? {};
    case 'measured':
      return {
        ...(wallMs !== undefined && { endToEndSeconds: wallMs / 1000 }),
        ...(modelMs !== undefined && modelMs > 0 && { outputTokensPerSecond: (1000 * usage.outputTokens) / modelMs }),
      };
    default:
      return time satisfies never;
  }
}
