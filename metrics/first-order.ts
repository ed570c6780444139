// What a row's responses imply for rates of one's own (method M7): P(fail) = 1 − (1 − r0) · Π (1 − rate · response)^exposure over kinds and places, the responses to
// bursts weighted by how long a fault lasts when it is mended with probability q at each ask that shows it. First order: one fault at a time; what faults do to each other is named interaction.
import { BURSTS, type Place } from '../base/forced-fault.ts';
import { burstName, type FaultCell, type RowReliability } from './fault-cells.ts';

export interface Estimate {
  /** In [0, 1]. Absent where no twin ran. */
  readonly failing?: number;
  /** Expected faults a trial that the row can meet: above 0.3 they no longer come one at a time. */
  readonly faultsPerTrial: number;
}

/** @param rates by kind, in [0, 1] an ask; a kind that is not named never happens. @param q in [0, 1] */
export function firstOrderEstimate(
  { own, cells, exposures }: Pick<RowReliability, 'own' | 'cells' | 'exposures'>,
  rates: Readonly<Record<string, number>>,
  q: number,
): Estimate {
  let surviving = own.of === 0 ? undefined : 1 - own.failed / own.of;
  let faultsPerTrial = 0;
  for (const group of Map.groupBy(cells, ({ kind, place }) => JSON.stringify([kind, place])).values()) {
    const { kind, place } = group[0] as FaultCell;
    const rate = rates[kind] ?? 0;
    const response = meanResponse(group, q);
    const exposure = exposureAt(place, exposures);
    // What was never met there cannot happen there: a provider prevents it, or the shape has no such place.
    if (response === undefined || exposure === 0) continue;
    faultsPerTrial += rate * exposure;
    if (surviving !== undefined) surviving *= (1 - rate * response) ** exposure;
  }
  return { faultsPerTrial, ...(surviving === undefined ? {} : { failing: 1 - surviving }) };
}

/** A model that works step by step never asks for two calls at once. */
function exposureAt(place: Place, exposures: RowReliability['exposures']): number {
  return place === 'parallel-call' ? 0 : (exposures[place] ?? 0);
}

/** Over the forms that were met, each as likely as the others. */
function meanResponse(cells: readonly FaultCell[], q: number): number | undefined {
  const weighted = cells.flatMap((cell) => responseTo(cell, q) ?? []);
  return weighted.length === 0 ? undefined : weighted.reduce((sum, response) => sum + response, 0) / weighted.length;
}

/** (1 − q)^(m − 1) · q for each burst of length m, what is left for the longest. A burst that was not run has the response of the next longer one. */
export function responseTo({ responses }: Pick<FaultCell, 'responses'>, q: number): number | undefined {
  const shares = BURSTS.map((burst) => responses[burstName(burst)]).map((response) => response && response.failed / response.of);
  const last = shares.findLast((share) => share !== undefined);
  if (last === undefined) return undefined;
  let sum = 0;
  for (const [at] of BURSTS.entries()) {
    const isLongest = at === BURSTS.length - 1;
    const share = shares.slice(at).find((known) => known !== undefined) ?? last;
    sum += share * (1 - q) ** at * (isLongest ? 1 : q);
  }
  return sum;
}
