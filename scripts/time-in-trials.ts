// Where the time of a study went, in one line: what its records say of frameworks, model and tools. The rest of a study is starts of processes, warm-ups and keeping records.
import type { TrialRecord } from '../metrics/record.ts';
import { duration } from '../runners/progress.ts';

/** @returns nothing where no trial knows its times */
export function timeInTrials(trials: readonly TrialRecord[]): string | undefined {
  const timed = trials.filter(({ overheadMs }) => overheadMs !== undefined);
  if (timed.length === 0) return undefined;
  const sum = (of: 'wallMs' | 'overheadMs' | 'modelMs' | 'toolMs') => shortly(timed.reduce((total, trial) => total + (trial[of] ?? 0), 0));
  return `Inside of trials ${sum('wallMs')}: frameworks ${sum('overheadMs')}, model ${sum('modelMs')}, tools ${sum('toolMs')}; the rest is starting processes, warming up and keeping records.`;
}

function shortly(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
}
