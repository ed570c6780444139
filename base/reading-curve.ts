// How likely a value is still read rightly among L tokens in which a distractor can stand (method M4.10). Published curves, each divided by its value at its
// shortest length, so that the ability of a model stays out of them. Between points straight in log length, before and behind them constant: more context only ever loses more.

export interface ReadingCurve {
  readonly name: string;
  readonly source: string;
  /** [tokens, percent correct], lengths ascending. */
  readonly points: readonly (readonly [number, number])[];
}

/** Two curves of one model: a step's evidence shares words with what is asked, or almost none. */
export interface CurveSet {
  readonly model: string;
  readonly lexical: ReadingCurve;
  readonly associative: ReadingCurve;
}

const NOLIMA_LENGTHS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
const RULER_LENGTHS = [4_000, 8_000, 16_000, 32_000, 64_000, 128_000];

function noLiMa(model: string, percents: readonly number[]): ReadingCurve {
  const source = 'adobe-research/NoLiMa README, table of results (arXiv 2502.05167), read 2026-11-30';
  return { name: `NoLiMa, ${model}`, source, points: percents.map((percent, at) => [NOLIMA_LENGTHS[at] as number, percent]) };
}

function ruler(model: string, percents: readonly number[]): ReadingCurve {
  const source = 'NVIDIA/RULER README, table of results (arXiv 2404.06654), read 2026-11-30';
  return { name: `RULER, ${model}`, source, points: percents.map((percent, at) => [RULER_LENGTHS[at] as number, percent]) };
}

/** The first is the simulated model's own. Where RULER does not list a model, the nearest listed one stands in for it. */
export const CURVE_SETS: readonly [CurveSet, CurveSet, CurveSet] = [
  {
    model: 'gpt-4o-mini',
    lexical: ruler('Llama 3.1 8B', [95.5, 93.8, 91.6, 87.4, 84.7, 77.0]),
    associative: noLiMa('GPT-4o mini', [67.7, 58.2, 44.1, 32.6, 20.6, 13.7]),
  },
  {
    model: 'gpt-4o',
    lexical: ruler('GPT-4-1106', [96.6, 96.3, 95.2, 93.2, 87.0, 81.2]),
    associative: noLiMa('GPT-4o', [98.1, 98.0, 95.7, 89.2, 81.6, 69.7]),
  },
  {
    model: 'llama-3.1-70b',
    lexical: ruler('Llama 3.1 70B', [96.5, 95.8, 95.4, 94.8, 88.4, 66.6]),
    associative: noLiMa('Llama 3.1 70B', [91.0, 81.8, 71.2, 62.7, 51.8, 43.2]),
  },
];

/** @returns a share in (0, 1], 1 up to the shortest published length */
export function shareKept(curve: ReadingCurve, tokens: number): number {
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
