// The bench `engine`: agent loop against bare fetch, graphs of no-op nodes against a bare queue, and the cost of the import.
// Prints text, or one JSON object with the keys agentLoop, graph, checkpoints and import.
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { type AgentLoopFigure, measureAgentLoop } from './engine-agent-loop.ts';
import { type CheckpointFigure, measureCheckpoints } from './engine-checkpoints.ts';
import { type GraphFigure, measureGraphs } from './engine-graph.ts';
import { type ImportFigure, measureImport } from './engine-import.ts';

export interface EngineFigures {
  readonly machine: { readonly runtime: string; readonly cpu: string; readonly cores: number };
  readonly quick: boolean;
  readonly agentLoop: readonly AgentLoopFigure[];
  readonly graph: readonly GraphFigure[];
  readonly checkpoints: readonly CheckpointFigure[];
  readonly import: ImportFigure;
}

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } } });
  const { quick } = values;
  const figures: EngineFigures = {
    machine: { runtime: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() },
    quick,
    // First, while the heap is small.
    agentLoop: await measureAgentLoop(quick, systemClock.nowMs),
    graph: await measureGraphs(quick ? [1_000, 10_000] : [100, 1_000, 10_000, 100_000, 1_000_000], quick, systemClock.nowMs),
    checkpoints: await measureCheckpoints(quick, systemClock.nowMs),
    import: measureImport(quick),
  };
  process.stdout.write(values.format === 'json' ? `${JSON.stringify(figures)}\n` : textOf(figures));
  return 0;
}

function textOf({ machine, quick, agentLoop, graph, checkpoints, import: imported }: EngineFigures): string {
  const lines = [`engine${quick ? ' (quick: too few rounds to quote)' : ''}, Node ${machine.runtime} on ${machine.cores} × ${machine.cpu}`, ''];
  lines.push('agent loop over loopback, against a bare fetch loop with the same signal and time-out (medians of paired rounds)');
  for (const loop of agentLoop) {
    const interval =
      loop.wallRatioLow === undefined || loop.wallRatioHigh === undefined ? '' : ` [${loop.wallRatioLow.toFixed(3)}, ${loop.wallRatioHigh.toFixed(3)}]`;
    const times = `${loop.engineMsPerRun.toFixed(3)} ms against ${loop.fetchMsPerRun.toFixed(3)} ms a run`;
    lines.push(
      `  ${loop.toolCalls} tool calls: wall × ${loop.wallRatio.toFixed(3)}${interval}, CPU × ${loop.cpuRatio.toFixed(3)} (${times}; ${loop.rounds} rounds of ${loop.runsPerRound})`,
    );
  }
  lines.push('', 'graph of no-op nodes, one state write a node, public execute with default settings (median of the later half of the runs)');
  for (const { family, nodes, engineUsPerNode, hashedUsPerNode, queueUsPerNode, buildUsPerNode, heapBytesPerNode } of graph) {
    const heap = heapBytesPerNode === undefined ? '' : `, heap ${heapBytesPerNode.toFixed(0)} B`;
    lines.push(
      `  ${family.padEnd(8)}${String(nodes).padStart(8)} nodes: ${engineUsPerNode.toFixed(3)} µs a node (with trace hash ${hashedUsPerNode.toFixed(3)}, bare queue ${queueUsPerNode.toFixed(3)}), build ${buildUsPerNode.toFixed(2)} µs${heap}`,
    );
  }
  lines.push('', 'checkpoints of no-op nodes, durable before the next node starts (medians)');
  for (const { store, graph: shape, nodes, rounds, nodesPerSecond } of checkpoints)
    lines.push(`  ${store.padEnd(18)}${shape.padEnd(6)}${Math.round(nodesPerSecond)} nodes a second (${rounds} rounds of ${nodes})`);
  lines.push(
    '',
    `import over an empty module: ${imported.importMs.toFixed(1)} ms, ${(imported.rssBytes / 1e6).toFixed(1)} MB, ${imported.modules} modules (${imported.rounds} pairs)`,
    '',
  );
  return lines.join('\n');
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
