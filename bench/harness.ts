// The bench `harness`: whole studies of additions (one tool call and an answer each), and the bare loop that does the same work, in turn.
// Every study is a host process of its own with gateway, broker and workers, full transcripts on disk.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { childEntry } from '../runners/child-entry.ts';
import type { FloorCost } from './harness-floor.ts';
import type { StudyCost } from './harness-study.ts';
import { medianOf } from './median.ts';
import { spawnServer } from './spawned-server.ts';

export interface HarnessFigure {
  readonly concurrency: number;
  readonly trials: number;
  readonly rounds: number;
  readonly trialsPerSecond: number;
  readonly floorPerSecond: number;
  /** Wall time of a trial over that of the floor in the same round. */
  readonly wallRatio: number;
  /** CPU of the host process for each trial, start and end left out. */
  readonly hostCpuMsPerTrial: number;
  readonly floorCpuMsPerTrial: number;
  /** CPU of gateway, broker and workers for each trial, their start included. */
  readonly childrenCpuMsPerTrial?: number;
  readonly firstRequestMs: number;
}

export interface HarnessFigures {
  readonly machine: { readonly runtime: string; readonly cpu: string; readonly cores: number; readonly loadBefore: number; readonly loadAfter: number };
  readonly quick: boolean;
  readonly figures: readonly HarnessFigure[];
  /** From studies of two lengths, so that what a start costs falls out. */
  readonly memory: { readonly trials: readonly [number, number]; readonly peakKbPerTrial: number; readonly heldKbPerTrial: number };
}

const run = promisify(execFile);

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } } });
  const { quick } = values;
  const [tasks, draws, rounds] = quick ? [20, 2, 1] : [100, 10, 3];
  const [loadBefore = 0] = loadavg();
  const server = await spawnServer('bench/scripted-model');
  const concurrencies = [1, 4, 16];
  const pairs = new Map<number, { study: StudyCost; floor: FloorCost }[]>(concurrencies.map((concurrency) => [concurrency, []]));
  const short: StudyCost[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'agentgauge-bench-'));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [concurrency, list] of pairs) {
        const floor = await floorCost(server.baseUrl, concurrency, tasks * draws);
        list.push({ study: await studyCost(folder, concurrency, tasks, draws), floor });
      }
      short.push(await studyCost(folder, 4, tasks, 1));
    }
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const long = (pairs.get(4) ?? []).map(({ study }) => study);
  const growth = (of: (study: StudyCost) => number) => (medianOf(long.map(of)) - medianOf(short.map(of))) / (tasks * (draws - 1)) / 1000;
  const figures: HarnessFigures = {
    machine: { runtime: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0] ?? 0 },
    quick,
    figures: [...pairs].map(([concurrency, list]) => figureOf(concurrency, tasks * draws, list)),
    memory: { trials: [tasks, tasks * draws], peakKbPerTrial: growth((study) => study.peakRssBytes), heldKbPerTrial: growth((study) => study.heldBytes) },
  };
  process.stdout.write(values.format === 'json' ? `${JSON.stringify(figures)}\n` : textOf(figures));
  return 0;
}

function figureOf(concurrency: number, trials: number, list: readonly { readonly study: StudyCost; readonly floor: FloorCost }[]): HarnessFigure {
  const median = (of: (pair: { readonly study: StudyCost; readonly floor: FloorCost }) => number) => medianOf(list.map(of));
  return {
    concurrency,
    trials,
    rounds: list.length,
    trialsPerSecond: median(({ study }) => (1000 * trials) / study.busyMs),
    floorPerSecond: median(({ floor }) => (1000 * trials) / floor.busyMs),
    wallRatio: median(({ study, floor }) => study.busyMs / floor.busyMs),
    hostCpuMsPerTrial: median(({ study }) => study.trialsCpuMs / trials),
    floorCpuMsPerTrial: median(({ floor }) => floor.cpuMs / trials),
    ...(list.every(({ study }) => study.childrenCpuMs !== undefined)
      ? { childrenCpuMsPerTrial: median(({ study }) => (study.childrenCpuMs ?? 0) / trials) }
      : {}),
    firstRequestMs: median(({ study }) => study.firstRequestMs),
  };
}

async function studyCost(folder: string, concurrency: number, tasks: number, draws: number): Promise<StudyCost> {
  const entry = childEntry('bench/harness-study');
  const facts = [concurrency, tasks, draws, systemClock.nowMs(), folder].map(String);
  const { stdout } = await run(process.execPath, ['--expose-gc', entry, ...facts]);
  return JSON.parse(stdout) as StudyCost;
}

async function floorCost(baseUrl: string, concurrency: number, samples: number): Promise<FloorCost> {
  const { stdout } = await run(process.execPath, [childEntry('bench/harness-floor'), baseUrl, String(concurrency), String(samples)]);
  return JSON.parse(stdout) as FloorCost;
}

function textOf({ machine, quick, figures, memory }: HarnessFigures): string {
  const { runtime, cpu, cores, loadBefore, loadAfter } = machine;
  const lines = [
    `harness${quick ? ' (quick: too few rounds to quote)' : ''}, Node ${runtime} on ${cores} × ${cpu}, load ${loadBefore.toFixed(1)} to ${loadAfter.toFixed(1)}`,
    'one tool call and an answer a trial, row fetch, simulated model, full transcripts; the floor is a bare fetch loop over a scripted server',
    '',
  ];
  for (const figure of figures) {
    const children = figure.childrenCpuMsPerTrial === undefined ? '' : `, its children ${figure.childrenCpuMsPerTrial.toFixed(2)} ms`;
    lines.push(
      `  concurrency ${String(figure.concurrency).padStart(2)}: ${figure.trialsPerSecond.toFixed(0)} trials/s (aim: 400 at 4), floor ${figure.floorPerSecond.toFixed(0)}/s, wall × ${figure.wallRatio.toFixed(2)}`,
      `                  CPU a trial: host ${figure.hostCpuMsPerTrial.toFixed(2)} ms (aim: 2)${children}, floor ${figure.floorCpuMsPerTrial.toFixed(2)} ms; first request after ${figure.firstRequestMs.toFixed(0)} ms (aim: 500)`,
    );
  }
  const { trials, peakKbPerTrial, heldKbPerTrial } = memory;
  lines.push(
    '',
    `  host memory a trial, from ${trials[0]} to ${trials[1]} trials: peak resident ${peakKbPerTrial.toFixed(1)} kB (aim: 30), heap held ${heldKbPerTrial.toFixed(2)} kB`,
    `  medians of ${figures[0]?.rounds} rounds`,
    '',
  );
  return lines.join('\n');
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
