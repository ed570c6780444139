// Everything a report needs of a run: its records are streamed in and added up one by one, never kept, so that a run may be larger than memory.
import { UsageError } from '../base/error.ts';
import type { Manifest, WireRecord, WorkerRecord } from '../metrics/record.ts';
import { RunTally, type Trials } from '../metrics/run-tally.ts';
import { readRun } from './read-run.ts';

export interface RunContents {
  readonly manifest: Manifest;
  readonly trials: Trials;
  readonly workers: readonly WorkerRecord[];
  readonly wires: readonly WireRecord[];
  /** Records that no table counts, each with its reason. */
  readonly setAside: readonly { readonly why: string; readonly n: number }[];
}

/** @throws UsageError as `readRun` does, and RUN_OF_FAULTS */
export async function loadRun(directory: string): Promise<RunContents & { readonly trials: RunTally }> {
  const run = await readRun(directory);
  const { manifest } = run;
  if (manifest.plan.name === 'faults' && manifest.plan.modelKind === 'scripted')
    throw new UsageError('RUN_OF_FAULTS', `${directory} is a run of faults, for which accuracy means nothing`, {
      remedy: `Its own table: agentgauge faults --resume ${directory}`,
    });
  const trials = new RunTally(manifest);
  for await (const record of run.trials()) trials.add(record);
  const workers = await collect(run.workers());
  const wires = await collect(run.wires());
  const reasons = [
    { why: 'records of trials that are not in the plan', n: trials.strangers },
    { why: 'second records of a trial that has one', n: trials.doubles },
    { why: 'half-written last lines', n: run.setAside.size },
  ];
  return { manifest, trials, workers, wires, setAside: reasons.filter(({ n }) => n > 0) };
}

async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}
