// Time and memory columns that tables 1 and 6 share, with what each is (method M6). None of them is exact.
import type { ManifestPlan } from '../../metrics/record.ts';
import type { ColdStart, Efficiency, RunSummary, SummaryValue } from '../../metrics/summaries.ts';
import type { Excluded } from '../report.ts';
import type { ColumnDraft } from './frame-table.ts';

const TIMES: readonly ColumnDraft[] = [
  { id: 'overheadMs', title: 'overhead ms', unit: 'ms', exact: false },
  { id: 'overheadAndSetupMs', title: 'overhead + set-up ms', unit: 'ms', exact: false },
  { id: 'overheadUpperMs', title: 'overhead ms, upper bound', unit: 'ms', exact: false },
  { id: 'overFloorMs', title: 'over floor ms', unit: 'ms', exact: false },
  { id: 'overFetchMs', title: 'over fetch ms', unit: 'ms', exact: false },
  { id: 'cpuMs', title: 'CPU ms', unit: 'ms', exact: false },
  { id: 'cpuPercent', title: 'CPU % of a core', unit: 'percentOfCore', exact: false },
  { id: 'stubMs', title: 'stub ms', unit: 'ms', exact: false },
  { id: 'toolMs', title: 'tools ms', unit: 'ms', exact: false },
  { id: 'perMinute', title: '60000/ms', unit: 'perMinute', exact: false },
  { id: 'measuredPerMinute', title: 'trials/min', unit: 'perMinute', exact: false },
];

export function timeColumns(ids: readonly string[]): ColumnDraft[] {
  return TIMES.filter(({ id }) => ids.includes(id));
}

const PER_MEGABYTE = 1e-6;

export function memoryColumns(): ColumnDraft[] {
  return [
    { id: 'taskMemoryMb', title: 'task memory MB', unit: 'megabytes', exact: false, scale: PER_MEGABYTE },
    { id: 'peakMemoryMb', title: 'peak memory MB', unit: 'megabytes', exact: false, scale: PER_MEGABYTE },
  ];
}

export function efficiencyCells(efficiency: Efficiency | undefined): Readonly<Record<string, SummaryValue | undefined>> {
  return {
    overheadMs: efficiency?.overheadMs,
    overheadAndSetupMs: efficiency?.overheadAndSetupMs,
    overheadUpperMs: efficiency?.overheadUpperMs,
    overFloorMs: efficiency?.overFloorMs,
    overFetchMs: efficiency?.overFetchMs,
    cpuMs: efficiency?.cpuMs,
    cpuPercent: efficiency?.cpuPercent,
    stubMs: efficiency?.stubMs,
    toolMs: efficiency?.toolMs,
    perMinute: efficiency?.restatedPerMinute,
    measuredPerMinute: efficiency?.measuredPerMinute,
  };
}

export function memoryCells(cold: ColdStart | undefined): Readonly<Record<string, SummaryValue | undefined>> {
  return { taskMemoryMb: cold?.taskOverFloorBytes, peakMemoryMb: cold?.peakBytes };
}

/** The reasons of all rows together, in the order in which the rows first give them. */
export function efficiencyExcluded(summary: RunSummary): Excluded[] {
  const sums = new Map<string, number>();
  for (const { leftOut } of summary.rows) {
    for (const { why, n } of leftOut) sums.set(why, (sums.get(why) ?? 0) + n);
  }
  return [...sums].map(([why, n]) => ({ why, n }));
}

/** How many fresh processes there were to be, and on which tasks: each task type has its own only with `--full`. */
export function coldStartWords({ coldStarts, coldStartsByTaskType }: Pick<ManifestPlan, 'coldStarts' | 'coldStartsByTaskType'>): string {
  return `${coldStarts} fresh processes a row${coldStartsByTaskType ? ' and task type' : ', on tasks of all types'}`;
}

export const OVER_FLOOR_NOTE =
  'over floor = this row minus the floor of its language, settings and shape, trial by trial on undisturbed trials, the median; over fetch = a Python row minus fetch in the same way, so that what the language adds is in it.';

export const EFFICIENCY_NOTE =
  'overhead = wall time of run minus the union of model calls, tool calls and waits that the harness imposed; the median over undisturbed trials. The second figure adds the set-up of each task. CPU is the time of the worker process; 100 % is one core.';

export const MEMORY_NOTE =
  'Memory is read in fresh processes that ran one undisturbed task each: task memory = peak minus after-import minus the bare worker of the language; peak memory = the whole process. 1 MB is 10^6 bytes; no ratio holds across languages.';
