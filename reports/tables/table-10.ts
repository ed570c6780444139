// Table 10: what a framework costs before its first task, from fresh processes.
import type { Table } from '../report.ts';
import { MEDIAN_INTERVAL } from './caption.ts';
import { coldStartWords } from './efficiency-columns.ts';
import { frameTable, type TableInput } from './frame-table.ts';

export function table10(input: TableInput): Table {
  return frameTable(input, {
    id: 'table10',
    title: 'Table 10: Framework initialisation',
    columns: [
      { id: 'importMs', title: 'import ms', unit: 'ms', exact: false },
      { id: 'importOverFloorMs', title: 'import over floor ms', unit: 'ms', exact: false },
      { id: 'importOverFetchMs', title: 'import over fetch ms', unit: 'ms', exact: false },
      { id: 'setupMs', title: 'set-up ms', unit: 'ms', exact: false },
      { id: 'firstRunMs', title: 'first run ms', unit: 'ms', exact: false },
      { id: 'importMemoryMb', title: 'import memory MB', unit: 'megabytes', exact: false, scale: 1e-6 },
    ],
    rows: input.summary.rows.map((of) => ({
      of,
      cells: {
        importMs: of.coldStart.importMs,
        importOverFloorMs: of.coldStart.importOverFloorMs,
        importOverFetchMs: of.coldStart.importOverFetchMs,
        setupMs: of.coldStart.setupMs,
        firstRunMs: of.coldStart.firstRunMs,
        importMemoryMb: of.coldStart.importBytes,
      },
    })),
    lead: { column: 'importMs', better: 'low' },
    denominator: `n: fresh processes of the row, one task each; planned: ${coldStartWords(input.manifest.plan)}.`,
    interval: MEDIAN_INTERVAL,
    notes: [
      'import = loading the framework and its adapter; set-up = building agent and tools for the first task; import over floor = minus the median of the floor of its language, import over fetch = of a Python row, minus that of fetch; import memory = after import minus the bare worker of the language. Ranked by import time within shape single and one settings.',
    ],
  });
}
