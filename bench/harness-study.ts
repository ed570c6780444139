// Entry of a host process for the bench `harness`: one whole study of additions on the row `fetch`, through the same path as `agentgauge run`.
// Prints one JSON line with what it cost this process. Arguments: concurrency, tasks, draws, the kernel's clock at the moment it was spawned, and a folder in which the run
// is left: on ext4 a file made soon after many were deleted costs several times as much, and nobody deletes runs between two.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { interleave } from '../runners/plan.ts';
import { parsePlanSpec } from '../runners/plan-spec.ts';
import type { Progress } from '../runners/progress.ts';
import { resolvePlan } from '../runners/resolved-plan.ts';
import { startStudy } from '../runners/start-study.ts';
import { loadFacts, loadTargets, loadTasks } from '../tasks/task-set-files.ts';
import { writeAdditions } from './additions.ts';

export interface StudyCost {
  readonly trials: number;
  /** From the spawn of this process to the arrival of the first model request at the gateway. */
  readonly firstRequestMs: number;
  /** From the first model request to the last record. */
  readonly busyMs: number;
  readonly cpuMs: number;
  /** CPU of the trials phase alone, start and end left out. */
  readonly trialsCpuMs: number;
  /** CPU of gateway, broker and workers, all of their lives; absent without procfs. */
  readonly childrenCpuMs?: number;
  readonly peakRssBytes: number;
  /** Heap still used when all trials are recorded, after a forced collection. */
  readonly heldBytes: number;
  readonly bytesOnDisk: number;
}

const [concurrency, tasks, draws, spawnedMs] = process.argv.slice(2, 6).map(Number) as [number, number, number, number];
const out = mkdtempSync(join(process.argv[6] as string, 'study-'));
process.stdout.write(`${JSON.stringify(await cost())}\n`);

async function cost(): Promise<StudyCost> {
  writeAdditions(out, tasks);
  const spec = parsePlanSpec({ name: 'additions', rows: [{ framework: 'fetch' }], profile: 'clean', coldStarts: 0, concurrency, trials: draws }, 'bench');
  const resolved = await resolvePlan(spec, { baseDirectory: out, cacheDirectory: cacheDirectory() });
  const set = loadTasks(out);
  const plan = {
    ...resolved,
    tasks: set,
    warmUps: [],
    targets: loadTargets(out),
    taskSetDirectory: out,
    taskSet: loadFacts(out),
    blocks: interleave({ rows: 1, tasks: set, trials: draws, seed: spec.seed, timed: false }),
  };
  let failed: TrialRecord | undefined;
  let lastMs = 0;
  let cpuBefore = process.cpuUsage();
  const progress: Progress = {
    phase: (name) => {
      if (name === 'trials') cpuBefore = process.cpuUsage();
    },
    trial: (record) => {
      lastMs = systemClock.nowMs();
      if (record.score?.correct !== true) failed ??= record;
    },
    step: () => {},
    note: (text) => void process.stderr.write(`${text}\n`),
    end: () => {},
  };
  const { directory, outcome } = await startStudy({ plan, baseDirectory: out, out, progress, signal: new AbortController().signal });
  const cpu = process.cpuUsage();
  if (failed !== undefined || outcome.recorded !== tasks * draws) throw new Error(`a trial went wrong: ${JSON.stringify(failed ?? outcome)}`);
  const firstMs = firstRequestMs(join(directory, 'transcripts'));
  globalThis.gc?.();
  return {
    trials: outcome.recorded,
    firstRequestMs: firstMs - spawnedMs,
    busyMs: lastMs - firstMs,
    cpuMs: (cpu.user + cpu.system) / 1000,
    trialsCpuMs: (cpu.user + cpu.system - cpuBefore.user - cpuBefore.system) / 1000,
    ...childrenCpu(),
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    heldBytes: process.memoryUsage().heapUsed,
    bytesOnDisk: readFileSync(join(directory, 'trials.jsonl')).length,
  };
}

function firstRequestMs(transcripts: string): number {
  let first = Number.POSITIVE_INFINITY;
  for (const file of readdirSync(transcripts)) {
    const { modelCalls } = JSON.parse(readFileSync(join(transcripts, file), 'utf8')) as { readonly modelCalls: readonly { readonly startMs: number }[] };
    for (const { startMs } of modelCalls) first = Math.min(first, startMs);
  }
  return first;
}

/** Ticks of all children that have been waited for; a tick is 10 ms on every Linux we know. */
function childrenCpu(): { childrenCpuMs?: number } {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { childrenCpuMs: 10 * (Number(fields[13]) + Number(fields[14])) };
  } catch {
    // No procfs here: unknown, so absent.
    return {};
  }
}
