// A floor: thirty lines that start a node when its predecessors are done. Knows no failure, bound, promise, state or name.
import type { GraphContestant } from './contestant.ts';

const one = () => 1;

export const readyQueue: GraphContestant = ({ size, edges }) => {
  const predecessors = new Int32Array(size);
  const next: number[][] = Array.from({ length: size }, () => []);
  for (const [from, to] of edges) {
    next[from]?.push(to);
    predecessors[to] = (predecessors[to] as number) + 1;
  }
  return () => {
    const waiting = predecessors.slice();
    const ready: number[] = [];
    for (let node = 0; node < size; node++) if (waiting[node] === 0) ready.push(node);
    let ran = 0;
    for (let head = 0; head < ready.length; head++) {
      ran += one();
      for (const to of next[ready[head] as number] as number[]) {
        waiting[to] = (waiting[to] as number) - 1;
        if (waiting[to] === 0) ready.push(to);
      }
    }
    return { ran, finished: waiting };
  };
};
