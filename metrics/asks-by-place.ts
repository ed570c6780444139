// How often a trial asked at each place where a fault can stand (method M7): the exposures of the first-order estimate. A pure function of what the gateway saw.
import { PLACES, type Place, placeOf } from '../base/forced-fault.ts';
import type { ModelCall } from '../base/traffic.ts';

/** Two calls in one turn are asked for once: an ask stands at the place of its first call. */
export const ASK_PLACES = PLACES.filter((place): place is Exclude<Place, 'parallel-call'> => place !== 'parallel-call');
export type AsksByPlace = Readonly<Partial<Record<(typeof ASK_PLACES)[number], number>>>;

/** Each of several subtask workers has a first call of its own; a worker shows itself by its report. */
export function asksByPlace(calls: readonly Pick<ModelCall, 'role' | 'step' | 'status' | 'stray' | 'capped'>[]): AsksByPlace {
  const answered = calls.filter(({ status, stray, capped }) => status === 200 && !stray && !capped);
  const places = answered.map(({ role, step }) => placeOf(role, step));
  const counts = new Map<(typeof ASK_PLACES)[number], number>();
  for (const place of places) if (place !== undefined && place !== 'call') counts.set(place, (counts.get(place) ?? 0) + 1);
  const asked = places.filter((place) => place === 'call').length;
  const workers = new Set(answered.filter(({ role, step }) => placeOf(role, step) === 'hand-over').map(({ step }) => step)).size;
  const first = Math.min(asked, Math.max(1, workers));
  if (first > 0) counts.set('first-call', first);
  if (asked > first) counts.set('later-call', asked - first);
  return Object.fromEntries(ASK_PLACES.flatMap((place) => (counts.has(place) ? [[place, counts.get(place)]] : [])));
}
