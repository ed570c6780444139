// What many runs leave behind: the heap after forced collections, and listeners on the one signal that all were given.
import { askOnce } from './measuring-child.ts';
import { medianOf } from './median.ts';
import type { MemoryCost } from './memory-child.ts';
import type { Section } from './section.ts';

export interface MemoryFigure {
  readonly runs: number;
  readonly processes: number;
  readonly grownBytes: number;
  readonly mostGrownBytes: number;
  readonly listenersLeft: number;
}

const RUNS = 2_000;

export const memorySection: Section<MemoryFigure> = {
  name: 'memory',
  measures: 'heap growth over 2,000 runs of a 20-wide graph on one signal',
  takes: '10 seconds, quick 3',
  measure: async ({ quick, say }) => {
    const processes = quick ? 1 : 5;
    say(`memory: ${processes} × ${RUNS} runs`);
    const costs: MemoryCost[] = [];
    for (let i = 0; i < processes; i++) {
      const outcome = await askOnce<MemoryCost>('bench/memory-child', [String(RUNS)], { deadlineMs: 60_000 });
      if (!outcome.ok) throw new Error(outcome.reason);
      costs.push(outcome.value);
    }
    const grown = costs.map(({ grownBytes }) => grownBytes);
    return {
      runs: RUNS,
      processes,
      grownBytes: medianOf(grown),
      mostGrownBytes: Math.max(...grown),
      listenersLeft: Math.max(...costs.map(({ listenersLeft }) => listenersLeft)),
    };
  },
  textOf: ({ runs, processes, grownBytes, mostGrownBytes, listenersLeft }) => [
    `${runs} runs of a 20-wide graph on one signal`,
    `  heap grew by ${(grownBytes / 1e6).toFixed(2)} MB (most ${(mostGrownBytes / 1e6).toFixed(2)}), listeners left on the signal: ${listenersLeft}  (${processes} processes)`,
  ],
};
