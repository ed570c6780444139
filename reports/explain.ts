// What stands behind one cell: the trials (or processes) and the value that each brought in. For a reader who does not believe a number.
// Shows the observations; the arithmetic over them is metrics/summaries.ts, and a test holds the two against each other.
import { UsageError } from '../base/error.ts';
import { commonTrials, measuredTrials, pairKey } from '../metrics/efficiency.ts';
import { isRealModel } from '../metrics/model-kind.ts';
import type { TrialRecord, WorkerRecord } from '../metrics/record.ts';
import { rowId, trialName } from '../metrics/row-counts.ts';
import { buildReport } from './build-report.ts';
import { type ExplanationContext, explanationOf } from './explanations.ts';
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
 * @param address `table:framework/shape/settings[/part]:column`, where part is a task type or a level; a failures cell is `failures:row/code:trials`
 * @throws UsageError `REPORT_CELL` naming what there is instead
 */
export function explainCell(run: RunContents, address: string): Explanation {
  const { table, row, columnId } = findCell(buildReport(run), address);
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
  const context = contextOf(run, row);
  const observations = ofTrials(run, row, (trial) => explanation.of(trial, context), explanation.unrecorded);
  return { ...facts, meaning: explanation.meaning, observations: observations.filter(({ value, note }) => value !== undefined || note !== undefined) };
}

function contextOf({ manifest, trials }: RunContents, row: Row): ExplanationContext {
  const { plan, latencyTable } = manifest;
  const singles = Map.groupBy(
    trials.filter(({ shape }) => shape === 'single'),
    rowId,
  );
  const common = commonTrials([...singles.values()].map(measuredTrials));
  const { usable } = measuredTrials(trials.filter((trial) => rowId(trial) === rowId(row.key)));
  const isCompared = (trial: TrialRecord) => usable.has(pairKey(trial)) && (row.key.shape !== 'single' || common.has(pairKey(trial)));
  const laidOut = plan.latency === 'zero' && !isRealModel(plan.modelKind);
  return { row, isCompared, ...(laidOut && latencyTable !== undefined && { latency: latencyTable }) };
}

/** Every planned trial of the row and part, in the order of the plan. */
function ofTrials(run: RunContents, row: Row, of: (trial: TrialRecord) => number | undefined, unrecorded: number | undefined): Observation[] {
  const id = rowId(row.key);
  const found = new Map(run.trials.filter((trial) => rowId(trial) === id).map((trial) => [trialName(trial), trial]));
  const { tasks, trials } = run.manifest.plan;
  const { taskType, level } = row.key;
  const observations: Observation[] = [];
  for (const task of tasks) {
    if (taskType !== undefined && taskType !== 'overall' && task.taskType !== taskType) continue;
    if (level !== undefined && task.level !== level) continue;
    for (let trialIndex = 0; trialIndex < trials; trialIndex += 1) {
      const name = trialName({ taskId: task.taskId, trialIndex });
      const trial = found.get(name);
      if (trial === undefined) observations.push({ trial: name, ...(unrecorded !== undefined && { value: unrecorded }), note: 'no record' });
      else observations.push(observation(name, trial, of(trial)));
    }
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
