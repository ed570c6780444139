// Scorers that a question may name. The official GAIA one is the default; the others are for questions that it does not fit, and none of them is mixed with it.
import { scoreAnswer } from '../gaia/score.ts';
import type { ScorerName } from '../task.ts';

export interface Score {
  readonly rule: 'number' | 'list' | 'string' | 'exact' | 'words';
  readonly correct: boolean;
}

/** What each one does, for `--help` and errors. */
export const SCORER_WORDS: Readonly<Record<ScorerName, string>> = {
  gaia: 'the official GAIA scorer: numbers by value, lists by element, text without case, blanks and punctuation',
  exact: 'the same text, blanks around it aside',
  words: 'the same words in the same order: case, accents, punctuation and runs of blanks do not count',
};

export function scoreBy(scorer: ScorerName, answer: string | null, truth: string): Score {
  if (scorer === 'gaia') {
    const { rule, correct } = scoreAnswer(answer, truth);
    return { rule, correct };
  }
  if (scorer === 'exact') return { rule: 'exact', correct: answer !== null && answer.trim() === truth.trim() };
  return { rule: 'words', correct: answer !== null && words(answer) === words(truth) };
}

/** Letters and digits of any script; marks are dropped, so `é` is `e`. */
function words(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '';
}
