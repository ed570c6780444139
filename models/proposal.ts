// Answers that somebody else gave to the whole question, as they stand in a conversation: what a triage passes on, and what a critic judges.
import type { Segment } from './history-text.ts';
import { NOT_KNOWN } from './say.ts';

export interface Proposal {
  /** Absent when whoever spoke did not know. */
  readonly answer: string | undefined;
  /** Whether it was said by others (a tool's report, a user turn) and not by the one who is asked now. */
  readonly foreign: boolean;
}

/**
 * The mark as the instruction asks for it, in capitals, with something behind it that is no placeholder; or the sentence in which this model answers without one.
 * In small letters the words also stand in prompts that say what a final answer shall be like.
 */
const MARKED = /(?:^|[\s"'*_])FINAL ANSWER\s*[*_]{0,2}\s*[:：]\s*([^\s[<{][^\n"\\]*)/g;
const SENTENCE = /(?:^|[\s"'])It comes to ([^\n"\\]{1,200}?)\.(?=$|[\s"'\\\]}])/g;
const NOT_SETTLED = /\bThat could not be settled with what was at hand\b/;

/** The last one that stands there. */
export function proposalIn(spoken: readonly Segment[]): Proposal | undefined {
  for (const segment of [...spoken].reverse()) {
    const foreign = segment.speaker !== 'assistant';
    const found = [...segment.text.matchAll(MARKED), ...segment.text.matchAll(SENTENCE)].map((match) => (match[1] as string).trim()).at(-1);
    if (found !== undefined) return { answer: found === NOT_KNOWN ? undefined : found, foreign };
    if (NOT_SETTLED.test(segment.text)) return { answer: undefined, foreign };
  }
  return undefined;
}
