// Table 6: efficiency by task type, on undisturbed trials: one task set for all rows of shape single, so no row is timed on the tasks that it happened to solve.
import type { Table } from '../report.ts';
import { MEAN_INTERVAL, MEDIAN_INTERVAL } from './caption.ts';
import { coldStartWords, efficiencyCells, efficiencyExcluded, memoryCells, memoryColumns, OVER_FLOOR_NOTE, timeColumns } from './efficiency-columns.ts';
import { frameTable, type RowDraft, type TableInput } from './frame-table.ts';
import { typesOf } from './task-types.ts';

export function table6(input: TableInput): Table {
  const { summary, manifest } = input;
  const rows = summary.rows.flatMap((of): RowDraft[] =>
    typesOf(manifest.plan).map((taskType) => ({
      of,
      part: { taskType },
      cells: { ...efficiencyCells(of.efficiencyByTaskType[taskType]), ...memoryCells(of.coldStartByTaskType[taskType]) },
    })),
  );
  // Where branches overlap the sum is no longer a time, so rank goes by CPU time (method M6.1).
  const overlapped = rows.some(({ of, cells }) => of.key.shape === 'single' && cells.overheadUpperMs !== undefined);
  return frameTable(input, {
    id: 'table6',
    title: 'Table 6: Computational efficiency by task type',
    columns: [
      ...timeColumns([
        'overheadMs',
        'overheadAndSetupMs',
        'overheadUpperMs',
        'overFloorMs',
        'overFetchMs',
        'cpuMs',
        'cpuPercent',
        'stubMs',
        'toolMs',
        'perMinute',
        'measuredPerMinute',
      ]),
      ...memoryColumns(),
    ],
    rows,
    lead: { column: overlapped ? 'cpuMs' : 'overheadAndSetupMs', better: 'low' },
    denominator: `n: undisturbed trials (no slip drawn at the first ask of any step) of tasks that are undisturbed in every row of shape single; memory: ${coldStartWords(manifest.plan)}.`,
    interval: `${MEDIAN_INTERVAL} ${MEAN_INTERVAL}`,
    excluded: efficiencyExcluded(summary),
    notes: [
      `Ranked by ${overlapped ? 'CPU time' : 'overhead + set-up'} within a task type, shape single and one settings${overlapped ? ', since branches overlapped in a row: overhead is then a lower bound' : ''}.`,
      'overhead, CPU and memory: as under table 1; tools = the time of the tools themselves, as the broker took it, which is in no overhead. 60000/ms restates the mean overhead as the paper does; trials/min is what was measured at concurrency 1.',
      OVER_FLOOR_NOTE,
    ],
  });
}
