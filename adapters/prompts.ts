// The shared prompts of shape `dag`: planner, one worker a subtask, synthesis. The same words in every graph API that has the shape, and by hand in `fetch`,
// so that what differs between two `dag` rows is the framework. No recovery stands in it (method M1.4).
import type { Terms } from './adapter.ts';

/** System text of the planner. Its user text is the question as everybody gets it. */
export const PLANNER = [
  'You divide a question among colleagues. Write down the subtasks, each of which one of them can work on alone with tools and without the others.',
  'A colleague sees nothing but the subtask: name in it whatever must be looked up and where, files included. A question that needs only one look-up has one subtask.',
  'Leave the question itself unanswered, and its form of an answer to whoever joins the findings.',
].join('\n');

/** System text of a subtask's worker. Its user text is the subtask. */
export const WORKER = [
  'You work on one part of a larger question and have tools for it.',
  'Report what you found out: a line for each value, saying what it is, then a colon, then the value as the source has it. Say so if something could not be found.',
].join('\n');

/** What the planner's reply has to be. */
export const PLAN_SCHEMA = {
  type: 'object',
  properties: { subtasks: { type: 'array', items: { type: 'string' } } },
  required: ['subtasks'],
  additionalProperties: false,
} as const;

const SYNTHESIS = 'Colleagues have worked on parts of the question. Their findings stand below it: answer from these.';

/** System text of the agent that does what the workers left undone, where a shape has a branch for that. */
export const RECOVERY =
  'Colleagues have worked on parts of the question, and something is missing. What they found stands below it: look up the rest, then answer.';

/** System text of the synthesis: that of the terms, and what it has to go by. */
export function synthesisSystem(terms: Pick<Terms, 'systemText'>): string {
  return withSystem(terms, SYNTHESIS);
}

export function withSystem({ systemText }: Pick<Terms, 'systemText'>, part: string): string {
  return systemText === '' ? part : `${systemText}\n\n${part}`;
}

/** User text of the synthesis: the question as everybody gets it, then what was found, one report a subtask. */
export function synthesisText({ userText }: Pick<Terms, 'userText'>, findings: readonly string[]): string {
  return `${userText}\n\nfindings:\n${JSON.stringify(findings)}`;
}
