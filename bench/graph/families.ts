// The four families of graphs that schedulers are measured on, as lists of edges; node 0 is where each begins.

export interface GraphFamily {
  readonly name: 'chain' | 'fan' | 'lattice' | 'layered';
  /** Pairs of node numbers, from lower to higher. */
  readonly edges: (size: number) => readonly (readonly [number, number])[];
}

/** A small generator of its own, so that a size always gives the same graph. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const GRAPH_FAMILIES: readonly GraphFamily[] = [
  { name: 'chain', edges: (size) => Array.from({ length: size - 1 }, (_, i) => [i, i + 1] as const) },
  {
    name: 'fan',
    edges: (size) => Array.from({ length: size - 2 }, (_, i) => [[0, i + 1] as const, [i + 1, size - 1] as const]).flat(),
  },
  {
    // Diamonds side by side and one under the other: each node waits for its upper and its left neighbour.
    name: 'lattice',
    edges: (size) => {
      const width = Math.ceil(Math.sqrt(size));
      const edges: (readonly [number, number])[] = [];
      for (let node = 0; node < size; node++) {
        if ((node + 1) % width !== 0 && node + 1 < size) edges.push([node, node + 1]);
        if (node + width < size) edges.push([node, node + width]);
      }
      return edges;
    },
  },
  {
    // Layers of a hundred; each node waits for three of the layer above.
    name: 'layered',
    edges: (size) => {
      const random = draws(size);
      const width = 100;
      const edges: (readonly [number, number])[] = [];
      for (let node = 1; node < size; node++) {
        const layer = Math.floor((node - 1) / width);
        if (layer === 0) edges.push([0, node]);
        else for (let i = 0; i < 3; i++) edges.push([1 + (layer - 1) * width + Math.floor(random() * width), node]);
      }
      return edges;
    },
  },
];
