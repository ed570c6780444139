// The way that a question takes in shape `idiomatic` of each row whose agents do not divide it as `dag` does: what a model would say from request to request, and
// how many tools each request offers. Conformance plays it; the two tools are `look_up` and `measure`.
import type { ScriptedReply } from '../base/script.ts';

export interface Way {
  /** What is promised, as a sentence about the adapter. */
  readonly sentence: string;
  readonly replies: readonly ScriptedReply[];
  readonly offers: readonly number[];
}

export const ANSWER = 'Both say so.\nFINAL ANSWER: 48';

export const text = (said: string): ScriptedReply => ({ kind: 'text', text: said });
const calls = (name: string, args: Readonly<Record<string, unknown>>): ScriptedReply => ({ kind: 'calls', calls: [{ name, arguments: JSON.stringify(args) }] });
export const lookUp = calls('look_up', { door: 'seventh' });

export const IDIOMS: Readonly<Record<string, Way>> = {
  langgraph: {
    sentence: 'goes from the model to the tools for as long as it calls some, then to an evaluator without tools, and ends when that accepts',
    replies: [lookUp, text(ANSWER), text(JSON.stringify({ grade: 'accepted', feedback: '' }))],
    offers: [2, 2, 0],
  },
  'openai-agents': {
    sentence: 'begins with a triage that has hand-offs alone, and goes on with the specialist that it names, who has its tools and the way back',
    replies: [calls('transfer_to_files_agent', {}), lookUp, text(ANSWER)],
    offers: [1, 3, 3],
  },
};
