// A floor: one promise a node, awaited one after the other. Knows no edge at all.
import type { GraphContestant } from './contestant.ts';

const one = async () => 1;

export const promiseHop: GraphContestant =
  ({ size }) =>
  async () => {
    let ran = 0;
    for (let node = 0; node < size; node++) ran += await one();
    return { ran, finished: undefined };
  };
