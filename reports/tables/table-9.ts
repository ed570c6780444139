// Table 9: end-to-end seconds a task. At zero latency the latency table is laid on the recorded critical path, and the caption says that this is computed.
import type { Table } from '../report.ts';
import { MEAN_INTERVAL, MEDIAN_INTERVAL } from './caption.ts';
import { OVER_FLOOR_NOTE } from './efficiency-columns.ts';
import { type ColumnDraft, frameTable, type TableInput } from './frame-table.ts';
import { latencyWords } from './latency-words.ts';

const seconds = (id: string, title: string): ColumnDraft => ({ id, title, unit: 'seconds', exact: false });

export function table9(input: TableInput): Table {
  const { summary, manifest } = input;
  const computed = summary.rows.some(({ endToEnd }) => endToEnd.basis === 'computed');
  return frameTable(input, {
    id: 'table9',
    title: `Table 9: End-to-end time per task${computed ? ', computed' : ''}`,
    columns: [
      seconds('meanSeconds', 'mean s'),
      seconds('medianSeconds', 'median s'),
      seconds('p95Seconds', 'p95 s'),
      seconds('stdSeconds', 'std s'),
      seconds('maxSeconds', 'max s'),
      seconds('overFloorSeconds', 'over floor s'),
      seconds('overFetchSeconds', 'over fetch s'),
    ],
    rows: summary.rows.map((of) => ({
      of,
      cells: {
        meanSeconds: of.endToEnd.meanSeconds,
        medianSeconds: of.endToEnd.medianSeconds,
        p95Seconds: of.endToEnd.p95Seconds,
        stdSeconds: of.endToEnd.standardDeviationSeconds,
        maxSeconds: of.endToEnd.maxSeconds,
        overFloorSeconds: of.endToEnd.overFloorSeconds,
        overFetchSeconds: of.endToEnd.overFetchSeconds,
      },
    })),
    denominator: 'Over the recorded trials of the row, whether right or wrong.',
    interval: `${MEAN_INTERVAL} ${MEDIAN_INTERVAL}`,
    notes: [computed ? latencyWords(manifest) : 'Measured: wall time of run.', 'Not ranked: a trial that fails early is soon over.', OVER_FLOOR_NOTE],
  });
}
