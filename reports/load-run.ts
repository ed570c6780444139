// Everything a report needs of a run, in memory: records are streamed in and kept without what no table reads (outputs, answers, tool calls, all but the beginning of messages),
// with equal strings shared: about 1.5 kB a trial instead of what its line weighs with its output.
import { UsageError } from '../base/error.ts';
import type { Manifest, ManifestPlan, TrialRecord, WireRecord, WorkerRecord } from '../metrics/record.ts';
import { rowId } from '../metrics/row-counts.ts';
import { readRun } from './read-run.ts';

export interface RunContents {
  readonly manifest: Manifest;
  readonly trials: readonly TrialRecord[];
  readonly workers: readonly WorkerRecord[];
  readonly wires: readonly WireRecord[];
  /** Records that no table counts, each with its reason. */
  readonly setAside: readonly { readonly why: string; readonly n: number }[];
}

/** @throws UsageError as `readRun` does, and RUN_OF_FAULTS */
export async function loadRun(directory: string): Promise<RunContents> {
  const run = await readRun(directory);
  if (run.manifest.plan.name === 'faults' && run.manifest.plan.modelKind === 'scripted')
    throw new UsageError('RUN_OF_FAULTS', `${directory} is a run of faults, for which accuracy means nothing`, {
      remedy: `Its own table: agentgauge faults --resume ${directory}`,
    });
  const share = sharer();
  const places = plannedPlaces(run.manifest.plan);
  const seen = new Uint8Array(places.count);
  const trials: TrialRecord[] = [];
  let strangers = 0;
  let doubles = 0;
  for await (const record of run.trials()) {
    const place = places.of(record);
    if (place === undefined) strangers += 1;
    else if (seen[place] === 1) doubles += 1;
    else {
      seen[place] = 1;
      trials.push(slim(record, share));
    }
  }
  const workers = await collect(run.workers());
  const wires = await collect(run.wires());
  const reasons = [
    { why: 'records of trials that are not in the plan', n: strangers },
    { why: 'second records of a trial that has one', n: doubles },
    { why: 'half-written last lines', n: run.setAside.size },
  ];
  return { manifest: run.manifest, trials, workers, wires, setAside: reasons.filter(({ n }) => n > 0) };
}

/** One number a planned trial: a byte each tells a double, where a set of names would cost a hundred. */
function plannedPlaces(plan: ManifestPlan): { count: number; of(record: TrialRecord): number | undefined } {
  const rows = new Map(plan.rows.map((row, index) => [rowId(row), index]));
  const tasks = new Map(plan.tasks.map(({ taskId }, index) => [taskId, index]));
  return {
    count: rows.size * tasks.size * plan.trials,
    of(record) {
      const row = rows.get(rowId(record));
      const task = tasks.get(record.taskId);
      const { trialIndex } = record;
      if (row === undefined || task === undefined || !Number.isInteger(trialIndex) || trialIndex < 0 || trialIndex >= plan.trials) return undefined;
      return (row * tasks.size + task) * plan.trials + trialIndex;
    },
  };
}

function slim(record: TrialRecord, share: (text: string) => string): TrialRecord {
  const { output: _output, answer: _answer, failure, ...kept } = record;
  return {
    ...kept,
    ...(failure !== undefined && { failure: { code: share(failure.code), message: share(beginning(failure.message)) } }),
    framework: share(record.framework),
    shape: share(record.shape),
    settings: share(record.settings),
    taskId: share(record.taskId),
    template: share(record.template),
    wire: share(record.wire),
    events: record.events.map((event) => ({ ...event, code: share(event.code) })),
    toolCalls: [],
  };
}

/** As much of an error as a table has room for. */
function beginning(message: string): string {
  const [line = ''] = message.split('\n', 1);
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE).toWellFormed()}…`;
}

const LONGEST_MESSAGE = 160;

/** One object for equal strings. */
function sharer(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, text);
    return text;
  };
}

async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}
