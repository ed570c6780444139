// The official quasi-exact match of GAIA, verdict for verdict: scorer.py of the public leaderboard Space (huggingface.co/spaces/gaia-benchmark/leaderboard),
// with its odd cases kept on purpose. It never looks for a marker: extraction (extract-answer.ts) comes before it. A kinder scorer would be another file.
import { PYTHON_WHITESPACE, parsePythonFloat } from './python-float.ts';

export interface AnswerScore {
  /** Which comparison the truth selected. */
  readonly rule: 'number' | 'list' | 'string';
  readonly correct: boolean;
  /** Lists of different lengths, on which the official scorer warns. */
  readonly lengthMismatch?: true;
}

/** @param answer null when there is none: it is compared as the four letters `None`, as the official scorer does since 2025 */
export function scoreAnswer(answer: string | null, truth: string): AnswerScore {
  const given = answer ?? 'None';
  if (parsePythonFloat(truth) !== undefined) return { rule: 'number', correct: equalNumbers(given, truth) };
  if (/[,;]/.test(truth)) return scoreList(given, truth);
  return { rule: 'string', correct: normalized(given).replace(PUNCTUATION, '') === normalized(truth).replace(PUNCTUATION, '') };
}

function scoreList(answer: string, truth: string): AnswerScore {
  const given = answer.split(/[,;]/);
  const wanted = truth.split(/[,;]/);
  if (given.length !== wanted.length) return { rule: 'list', correct: false, lengthMismatch: true };
  const correct = wanted.every((element, position) => {
    const other = given[position] ?? '';
    return parsePythonFloat(element) === undefined ? normalized(other) === normalized(element) : equalNumbers(other, element);
  });
  return { rule: 'list', correct };
}

/** What cannot be read as a number counts as positive infinity, so it equals a truth of `inf`. NaN equals nothing. */
function equalNumbers(answer: string, truth: string): boolean {
  return (parsePythonFloat(answer.replace(/[$%,]/g, '')) ?? Number.POSITIVE_INFINITY) === parsePythonFloat(truth);
}

/** No case folding, no Unicode normalisation: `ß` stays `ß`, and `é` in two code points is not `é` in one. */
function normalized(text: string): string {
  return text.replace(PYTHON_WHITESPACE, '').toLowerCase();
}

/** Python's `string.punctuation`: the 32 ASCII marks. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
