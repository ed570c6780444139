// What is asked of every row in the same words (method M1.2). The wording is ours; what it demands is what the GAIA prompt demands, so that the official scorer fits.

export interface PromptParts {
  readonly question: string;
  /** Neutral names, such as `attachment-1.pdf`. */
  readonly attachments: readonly { readonly name: string }[];
  /** Where the instruction stands. */
  readonly instruction: 'system' | 'user' | 'both';
}

export interface Prompt {
  /** Role and form of the answer; empty when the instruction stands in the user text only. */
  readonly systemText: string;
  /** Question, names of the attachments, and unless `system` was asked for the form of the answer at the very end. */
  readonly userText: string;
  /** The form of the answer alone, as it stands in one or both: by this the gateway sees whether a framework lost it. */
  readonly instruction: string;
}

const ROLE = 'You are a careful general assistant. Someone asks you a question; use the tools that you are given where they help.';

const INSTRUCTION = [
  'Write down your thoughts first. Close your reply with one line of exactly this form: FINAL ANSWER: [YOUR FINAL ANSWER]',
  'In place of the brackets stands a number, or as few words as will do, or several such entries with commas between them.',
  'A number is written in digits, with no comma inside it and no unit such as $ or % beside it, unless the question wants one.',
  'Words are written without articles and without abbreviations (of cities, say), and digits as plain digits, unless the question wants it otherwise.',
  'In a list, each entry follows the rule for a number or for words, whichever it is.',
].join('\n');

export function gaiaPrompt({ question, attachments, instruction }: PromptParts): Prompt {
  const asked = attachments.length === 0 ? question : `${question}\n\nAttached: ${attachments.map((file) => file.name).join(', ')}`;
  return {
    systemText: instruction === 'user' ? '' : `${ROLE}\n\n${INSTRUCTION}`,
    userText: instruction === 'system' ? asked : `${asked}\n\n${INSTRUCTION}`,
    instruction: INSTRUCTION,
  };
}
