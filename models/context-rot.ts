// How likely a value is still read rightly among L tokens in which a distractor can stand (method M4.10). Published curves, each divided by its value at its
// shortest length, so that the ability of a model stays out of them. Between points straight in log length, before and behind them constant: more context only ever loses more.

export interface RotCurve {
  readonly name: string;
  readonly source: string;
  /** [tokens, percent correct], lengths ascending. */
  readonly points: readonly (readonly [number, number])[];
}

/** The needle shares almost no words with the question. */
export const ASSOCIATIVE: RotCurve = {
  name: 'NoLiMa, GPT-4o mini',
  source: 'adobe-research/NoLiMa README, table of results (arXiv 2502.05167), read 2026-11-30',
  points: [
    [1_000, 67.7],
    [2_000, 58.2],
    [4_000, 44.1],
    [8_000, 32.6],
    [16_000, 20.6],
    [32_000, 13.7],
  ],
};

/** Look-ups that share words with the question. Llama 3.1 8B stands in for gpt-4o-mini, which the source does not list. */
export const LEXICAL: RotCurve = {
  name: 'RULER, Llama 3.1 8B',
  source: 'NVIDIA/RULER README, table of results, read 2026-11-30',
  points: [
    [4_000, 95.5],
    [8_000, 93.8],
    [16_000, 91.6],
    [32_000, 87.4],
    [64_000, 84.7],
    [128_000, 77.0],
  ],
};

/** @returns a share in (0, 1], 1 up to the shortest published length */
export function shareKept(curve: RotCurve, tokens: number): number {
  const [first] = curve.points;
  if (!first || tokens <= first[0]) return 1;
  let before = first;
  for (const point of curve.points) {
    if (tokens <= point[0]) {
      const along = Math.log(tokens / before[0]) / Math.log(point[0] / before[0]);
      return (before[1] + along * (point[1] - before[1])) / first[1];
    }
    before = point;
  }
  return before[1] / first[1];
}
