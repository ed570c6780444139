// The words around an answer. With the instruction in the request: a line of thought and the marked line. Without it: a sentence, as anybody would reply.
import type { AnswerWords } from './fill-schema.ts';

export interface AnswerSpec {
  readonly answer: string | undefined;
  readonly marked: boolean;
  readonly how: 'known' | 'not-found' | 'forced' | 'early' | 'passed-on';
}

export function answerWords({ answer, marked, how }: AnswerSpec): AnswerWords {
  const thought = THOUGHTS[how];
  const said = answer ?? NOT_KNOWN;
  return {
    thought,
    answer: said,
    reply: marked ? `${thought}\nFINAL ANSWER: ${said}` : answer === undefined ? 'That could not be settled with what was at hand.' : `It comes to ${said}.`,
  };
}

/** What the model says where it has no value. */
export const NOT_KNOWN = 'unknown';
/** In place of a call: what it is going to do. */
export const ANNOUNCED = 'Let me look that up first; I will come back with what it says.';
export const REFUSED = "I'm sorry, but I can't help with that.";
/** What it thinks aloud where it thinks and says nothing. */
export const PONDERED =
  'There is more than one way to go about this. The next look-up is the obvious one, and yet something about it should be considered first.';
/** What it says to a request whose task it does not know. */
export const NOTHING_ASKED = 'Nothing here says what is wanted of me.';

const THOUGHTS = {
  known: 'Every value that this takes has been read, and together they settle it.',
  'not-found': 'Part of what this takes did not turn up anywhere.',
  forced: 'Not everything could be looked up, so this is a guess from what there is.',
  early: 'This much should be enough to tell.',
  'passed-on': 'Whoever worked on it has settled it.',
} as const;

/** A critic's words: it approves in the word that was asked for, or says what is missing. */
export function verdictWords(approves: boolean, word: string | undefined, instead: string | undefined): AnswerWords {
  const objection = instead === undefined ? 'No answer is given yet.' : `By what stands here it comes to ${instead}.`;
  const reply = approves ? (word ?? 'APPROVE') : `Not yet: ${objection}`;
  return { reply, answer: reply, thought: approves ? THOUGHTS.known : objection, complete: approves, approves };
}

/** A subtask worker's words: its report, and whether it found everything. */
export function reportWords(values: readonly { readonly label: string; readonly value: string }[], complete: boolean): AnswerWords {
  const report = reportLines(values);
  return { reply: report, answer: report, thought: THOUGHTS[complete ? 'known' : 'not-found'], complete };
}

/** A subtask worker's report: a line for each value, so that whoever joins the chains can read it. */
export function reportLines(values: readonly { readonly label: string; readonly value: string }[]): string {
  return values.length === 0 ? 'Nothing of this turned up.' : values.map(({ label, value }) => `${label}: ${value}`).join('\n');
}
