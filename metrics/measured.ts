// Which trials efficiency is measured on (method M6.2): those in which nothing went wrong, so that no row is timed on what it makes of faults.
import type { TrialRecord } from './record.ts';

/** @returns why the trial may not stand in a figure of efficiency, or `undefined` where it may */
export function whyNotMeasured({ undisturbed, events, outcome, overheadMs, cut }: TrialRecord): string | undefined {
  // Real models draw no slips: what went wrong is then all that can be told.
  if (!(undisturbed ?? events.every(({ source }) => source === 'framework'))) return 'disturbed by a fault of the model';
  if (outcome !== 'completed') return `undisturbed, and ended as ${outcome}`;
  if (cut) return 'ended while other branches were at work';
  return overheadMs === undefined ? 'overhead not known' : undefined;
}
