// Everything a report needs of a run, in memory: records are streamed in and kept without what no table reads (outputs, answers, tool calls, messages),
// with equal strings shared, so that a hundred thousand records cost tens of megabytes rather than the size of the file.
import type { Manifest, TrialRecord, WireRecord, WorkerRecord } from '../metrics/record.ts';
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

/** @throws UsageError as `readRun` does */
export async function loadRun(directory: string): Promise<RunContents> {
  const run = await readRun(directory);
  const seen = new Set<string>();
  const planned = new Set(run.manifest.plan.rows.map(rowId));
  const tasks = new Set(run.manifest.plan.tasks.map(({ taskId }) => taskId));
  const share = sharer();
  const trials: TrialRecord[] = [];
  let strangers = 0;
  let doubles = 0;
  for await (const record of run.trials()) {
    if (!planned.has(rowId(record)) || !tasks.has(record.taskId) || record.trialIndex >= run.manifest.plan.trials) {
      strangers += 1;
      continue;
    }
    const id = `${rowId(record)} ${record.taskId} ${record.trialIndex}`;
    if (seen.has(id)) {
      doubles += 1;
      continue;
    }
    seen.add(id);
    trials.push(slim(record, share));
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

function slim(record: TrialRecord, share: (text: string) => string): TrialRecord {
  const { output: _output, answer: _answer, failure, ...kept } = record;
  return {
    ...kept,
    ...(failure !== undefined && { failure: { code: share(failure.code), message: '' } }),
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
