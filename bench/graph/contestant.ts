// One way of running a graph of no-op nodes. Every node is the same function that gives 1, and a contestant says how many of them ran.

export interface Graph {
  readonly family: string;
  readonly size: number;
  /** Pairs of node numbers, from lower to higher; every node but 0 follows another. */
  readonly edges: readonly (readonly [number, number])[];
}

export interface GraphEnd {
  readonly ran: number;
  /** What a user would hold of a finished run, so that its memory can be weighed. */
  readonly finished: unknown;
}

export type GraphRun = () => Promise<GraphEnd> | GraphEnd;

/** Builds once; what it gives is one run, which may be asked for again. */
export type GraphContestant = (graph: Graph) => Promise<GraphRun> | GraphRun;
