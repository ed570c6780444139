// The bench `report`: reading back 1,000 trials, and a whole report from 100,000 and 1,000,000 invented records. Each reading is a process of its own;
// times begin after its imports.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { childEntry } from '../runners/child-entry.ts';
import { medianOf } from './median.ts';
import type { ReadCost } from './report-reader.ts';
import { writeSyntheticRun } from './synthetic-run.ts';

interface ReportFigure {
  readonly records: number;
  readonly megabytes: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly peakRssMegabytes: number;
}

export interface ReportFigures {
  readonly machine: { readonly runtime: string; readonly cpu: string; readonly cores: number; readonly loadBefore: number; readonly loadAfter: number };
  readonly quick: boolean;
  /** 1,000 trials, in milliseconds after the imports. */
  readonly reading: { readonly rounds: number; readonly summariesMs: number; readonly allMs: number; readonly transcriptMs: number };
  readonly report: readonly ReportFigure[];
  /** Sizes whose process did not come to an end, such as for want of memory. */
  readonly failed: readonly { readonly records: number; readonly why: string }[];
}

const ROWS = 10;
const TASKS = 100;
const run = promisify(execFile);

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } } });
  const { quick } = values;
  const [loadBefore = 0] = loadavg();
  const reading = await readThousand(quick ? 3 : 11);
  const report: ReportFigure[] = [];
  const failed: { records: number; why: string }[] = [];
  for (const [trials, rounds] of quick ? [[100, 1] as const] : [[100, 3] as const, [1_000, 1] as const]) {
    try {
      report.push(await reportOf(trials, rounds));
    } catch (error) {
      failed.push({ records: ROWS * TASKS * trials, why: lastLine(error) });
    }
  }
  const machine = { runtime: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0] ?? 0 };
  const figures: ReportFigures = { machine, quick, reading, report, failed };
  process.stdout.write(values.format === 'json' ? `${JSON.stringify(figures)}\n` : textOf(figures));
  return 0;
}

async function readThousand(rounds: number): Promise<ReportFigures['reading']> {
  return await inFolder(async (directory) => {
    await writeSyntheticRun(directory, { rows: ROWS, tasks: TASKS, trials: 1, transcripts: true });
    const times = { summaries: [] as number[], all: [] as number[], transcript: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      for (const what of ['summaries', 'all', 'transcript'] as const) times[what].push((await read(what, directory)).ms);
    }
    return { rounds, summariesMs: medianOf(times.summaries), allMs: medianOf(times.all), transcriptMs: medianOf(times.transcript) };
  });
}

async function reportOf(trials: number, rounds: number): Promise<ReportFigure> {
  return await inFolder(async (directory) => {
    const bytes = await writeSyntheticRun(directory, { rows: ROWS, tasks: TASKS, trials, transcripts: false });
    const costs: ReadCost[] = [];
    for (let round = 0; round < rounds; round++) costs.push(await read('report', directory));
    return {
      records: ROWS * TASKS * trials,
      megabytes: bytes / 1e6,
      rounds,
      seconds: medianOf(costs.map(({ ms }) => ms)) / 1000,
      peakRssMegabytes: medianOf(costs.map(({ peakRssBytes }) => peakRssBytes)) / 1e6,
    };
  });
}

async function inFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'agentgauge-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function read(what: string, directory: string): Promise<ReadCost> {
  const { stdout } = await run(process.execPath, [childEntry('bench/report-reader'), what, directory]);
  return JSON.parse(stdout) as ReadCost;
}

function lastLine(error: unknown): string {
  const { stderr, signal } = error as { readonly stderr?: string; readonly signal?: string };
  const fatal = stderr?.split('\n').find((line) => /FATAL ERROR|Error/.test(line));
  return fatal?.trim() ?? (signal ? `ended by ${signal}` : String(error));
}

function textOf({ machine, quick, reading, report, failed }: ReportFigures): string {
  const { runtime, cpu, cores, loadBefore, loadAfter } = machine;
  return [
    `report${quick ? ' (quick: too few rounds to quote)' : ''}, Node ${runtime} on ${cores} × ${cpu}, load ${loadBefore.toFixed(1)} to ${loadAfter.toFixed(1)}`,
    '',
    `  reading back 1,000 trials in a fresh process: summaries ${reading.summariesMs.toFixed(0)} ms (aim: 50), all ${reading.allMs.toFixed(0)} ms (aim: 200), one transcript ${reading.transcriptMs.toFixed(1)} ms (aim: 15); medians of ${reading.rounds}`,
    ...report.map(
      ({ records, megabytes, rounds, seconds, peakRssMegabytes }) =>
        `  report of ${records} records (${megabytes.toFixed(0)} MB): ${seconds.toFixed(1)} s, peak ${peakRssMegabytes.toFixed(0)} MB (aim for 1,000,000: 30 s, 512 MB); median of ${rounds}`,
    ),
    ...failed.map(({ records, why }) => `  report of ${records} records: failed, ${why}`),
    '',
  ].join('\n');
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
