// What stands behind one cell: the trials (or processes) and the value that each brought in. For a reader who does not believe a number.
// Shows the observations; the arithmetic over them is metrics/summaries.ts, and a test holds the two against each other.
import { UsageError } from '../base/error.ts';
import { comparedPlaces } from '../metrics/efficiency.ts';
import { modelTimeOf } from '../metrics/model-time.ts';
import type { Manifest, TrialRecord, WorkerRecord } from '../metrics/record.ts';
import { rowId } from '../metrics/row-counts.ts';
import { type RunTally, tallyOf } from '../metrics/run-tally.ts';
import { commonPlacesOf } from '../metrics/summaries.ts';
import { buildReport } from './build-report.ts';
import { type ColumnExplanation, type ExplanationContext, explanationOf } from './explanations.ts';
import type { RunContents } from './load-run.ts';
import type { Report, Row, Table } from './report.ts';

export interface Observation {
  /** `task#index`, or `process k` for fresh processes. */
  readonly trial: string;
  /** Absent when the trial brought nothing into the cell; `note` says why. */
  readonly value?: number;
  readonly note?: string;
}

export interface Explanation {
  readonly value: number | string;
  readonly n: number;
  readonly low?: number;
  readonly high?: number;
  /** What an observation's value is and how the cell is made of them. */
  readonly meaning: string;
  readonly observations: readonly Observation[];
}

/**
 * @param records of the run, read again: what stands behind one trial is not kept for a report
 * @param address `table:framework/shape/settings[/part]:column`, where part is a task type or a level; a failures cell is `failures:row/code:trials`
 * @throws UsageError `REPORT_CELL` naming what there is instead
 */
export async function explainCell(run: RunContents, records: AsyncIterable<TrialRecord> | Iterable<TrialRecord>, address: string): Promise<Explanation> {
  const trials = tallyOf(run.manifest, run.trials);
  const { table, row, columnId } = findCell(buildReport({ ...run, trials }), address);
  const cell = row.cells[columnId];
  if (cell === undefined) {
    throw new UsageError('REPORT_CELL', `${address} is empty: nothing was measured for it`, {
      remedy: 'The notes under the table say why; other cells of the row may be there.',
    });
  }
  const explanation = explanationOf(table.id, columnId);
  const facts = {
    value: cell.value,
    n: cell.n,
    ...('low' in cell && cell.low !== undefined && { low: cell.low }),
    ...('high' in cell && cell.high !== undefined && { high: cell.high }),
  };
  if (explanation.kind === 'process') return { ...facts, meaning: explanation.meaning, observations: ofProcesses(run, row, explanation.of) };
  const observations = await ofTrials(trials, records, row, contextOf(run.manifest, trials, row), explanation);
  return { ...facts, meaning: explanation.meaning, observations: observations.filter(({ value, note }) => value !== undefined || note !== undefined) };
}

function contextOf(manifest: Manifest, run: RunTally, row: Row): ExplanationContext {
  const compared = new Set(comparedPlaces(run.row(row.key).columns, row.key.shape, commonPlacesOf(run, manifest.plan)));
  return { row, isCompared: (trial) => compared.has(run.places.of(trial) ?? -1), time: modelTimeOf(manifest) };
}

/** Every planned trial of the row and part, in the order of the plan. */
async function ofTrials(
  run: RunTally,
  records: AsyncIterable<TrialRecord> | Iterable<TrialRecord>,
  row: Row,
  context: ExplanationContext,
  { of, unrecorded }: Extract<ColumnExplanation, { kind: 'trial' }>,
): Promise<Observation[]> {
  const { places } = run;
  const found = new Map<number, Observation>();
  for await (const record of records) {
    const place = rowId(record) === rowId(row.key) ? places.of(record) : undefined;
    if (place !== undefined && !found.has(place)) found.set(place, observation(places.nameAt(place), record, of(record, context)));
  }
  const { taskType, level } = row.key;
  const observations: Observation[] = [];
  for (let place = 0; place < places.size; place++) {
    const task = places.taskAt(place);
    if (taskType !== undefined && taskType !== 'overall' && task.taskType !== taskType) continue;
    if (level !== undefined && task.level !== level) continue;
    const missing = { trial: places.nameAt(place), ...(unrecorded !== undefined && { value: unrecorded }), note: 'no record' };
    observations.push(found.get(place) ?? missing);
  }
  return observations;
}

function observation(name: string, trial: TrialRecord, value: number | undefined): Observation {
  const note = [trial.outcome, trial.code, trial.handling].filter((word) => word !== undefined).join(' ');
  return value === undefined ? { trial: name } : { trial: name, value, note };
}

function ofProcesses(run: RunContents, row: Row, of: (worker: WorkerRecord) => number | undefined): Observation[] {
  const id = rowId(row.key);
  const { taskType } = row.key;
  const cold = run.workers.filter((worker) => worker.kind === 'cold' && rowId(worker) === id && (taskType === undefined || worker.taskType === taskType));
  return cold.map((worker, index) => {
    const value = of(worker);
    return { trial: `process ${index + 1}`, ...(value !== undefined && { value }), ...(worker.taskId !== undefined && { note: worker.taskId }) };
  });
}

function findCell(report: Report, address: string): { table: Table; row: Row; columnId: string } {
  const parts = address.split(':');
  const [tableId = '', rowAddress = '', columnId = ''] = [parts[0], parts.slice(1, -1).join(':'), parts.at(-1)];
  const table = report.tables[tableId];
  if (table === undefined) throw unknown(address, 'table', tableId, Object.keys(report.tables));
  const row = table.rows.find((candidate) => addressOf(candidate) === rowAddress);
  if (row === undefined) throw unknown(address, `row of ${tableId}`, rowAddress, table.rows.map(addressOf));
  if (!table.columns.some(({ id }) => id === columnId))
    throw unknown(
      address,
      `column of ${tableId}`,
      columnId,
      table.columns.map(({ id }) => id),
    );
  return { table, row, columnId };
}

function addressOf({ key, cells }: Row): string {
  const code = cells.code?.value;
  return [rowId(key), key.taskType, key.level, code].filter((part) => part !== undefined).join('/');
}

function unknown(address: string, what: string, found: string, known: readonly string[]): UsageError {
  const names = known.length === 0 ? 'it has none' : known.join(', ');
  return new UsageError('REPORT_CELL', `${JSON.stringify(address)} names the ${what} ${JSON.stringify(found)}, which is not there`, {
    remedy: `A cell is table:framework/shape/settings[/part]:column. There is: ${names}.`,
  });
}
