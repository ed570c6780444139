// Table 1: overall performance. Accuracy and the two rates over all planned trials; times on undisturbed trials; memory from fresh processes.
import { absentByReason } from '../../metrics/absent-rows.ts';
import type { Table } from '../report.ts';
import { MEDIAN_INTERVAL, WILSON } from './caption.ts';
import {
  coldStartWords,
  EFFICIENCY_NOTE,
  efficiencyCells,
  efficiencyExcluded,
  MEMORY_NOTE,
  memoryCells,
  memoryColumns,
  timeColumns,
} from './efficiency-columns.ts';
import { frameTable, type TableInput } from './frame-table.ts';
import { ACCURACY, FAULT_COLUMNS, FAULT_NOTE, rateCells } from './rate-columns.ts';
import { isScored, unscoredNotes } from './scored.ts';

export function table1(input: TableInput): Table {
  const { manifest, summary, counts, exact } = input;
  return frameTable(input, {
    id: 'table1',
    title: 'Table 1: Overall performance',
    columns: [ACCURACY, ...FAULT_COLUMNS, ...timeColumns(['overheadMs', 'overheadAndSetupMs', 'cpuMs', 'cpuPercent']), ...memoryColumns()],
    rows: summary.rows.map((of) => ({
      of,
      cells: { ...rateCells(of.rates, isScored(of, counts)), ...efficiencyCells(of.efficiency), ...memoryCells(of.coldStart) },
    })),
    lead: { column: 'accuracyPercent', better: 'high' },
    denominator: exact
      ? 'Denominator of a rate: all planned trials of the row, errors and time-outs included.'
      : `Denominator of a rate: all planned trials of the row, errors and time-outs included; times: undisturbed trials; memory: ${coldStartWords(manifest.plan)}.`,
    interval: exact ? WILSON : `${WILSON} ${MEDIAN_INTERVAL}`,
    excluded: exact ? [] : efficiencyExcluded(summary),
    notes: [
      'Ranked by accuracy within shape single and one settings; equal values share a rank, and a rank says nothing where intervals overlap. Floors stand apart.',
      FAULT_NOTE,
      ...(exact ? [] : [EFFICIENCY_NOTE, MEMORY_NOTE]),
      ...unscoredNotes(summary.rows, counts),
      ...absentByReason(manifest.plan.absentRows).map(([why, names]) => `Asked for and not here: ${names.join(', ')} (${why}).`),
    ],
  });
}
