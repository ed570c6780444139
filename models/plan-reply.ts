// The planner's reply: the sentences of all chains, as the request wants them, or what a slip makes of them.

import { type AnswerWords, answerArguments } from './fill-schema.ts';
import type { AssistantMessage } from './reply-source.ts';
import { asksForJson, schemaInWords, wantsPlan } from './role-cues.ts';
import type { Turn } from './turn.ts';
import { malformedPlan, type PlanForm, planText, planValue } from './write-plan.ts';
import { plainTurn } from './write-turn.ts';

/** @param fault a slip of this ask: `draw` in [0, 1) chooses its form, or which subtask is left out */
export function planReply(turn: Turn, id: string, fault?: { readonly slip: 'malformed-plan' | 'missing-subtask'; readonly draw: number }): AssistantMessage {
  const all = turn.plan.chains.map(({ sentence }) => sentence);
  const left = fault?.slip === 'missing-subtask' ? Math.floor(fault.draw * all.length) : -1;
  const sentences = all.filter((_, at) => at !== left);
  const { answerIn } = turn.role;
  if (answerIn.kind === 'tool') {
    const { schema } = answerIn.tool;
    const broken = fault?.slip === 'malformed-plan' ? malformedPlan(fault.draw, sentences) : undefined;
    // A tool that hands in whatever is asked for takes the plan as text, broken or not.
    const given = wantsPlan(schema)
      ? (broken ?? JSON.stringify(planValue(sentences, schema)))
      : JSON.stringify(answerArguments(schema, wordsOf(broken ?? planText(sentences, formOf(turn)))));
    return { text: '', calls: [{ id: `call_${id}`, name: answerIn.tool.name, arguments: given }], finishReason: 'tool_calls' };
  }
  return plainTurn(fault?.slip === 'malformed-plan' ? malformedPlan(fault.draw, sentences) : planText(sentences, formOf(turn)));
}

function wordsOf(plan: string): AnswerWords {
  return { reply: plan, answer: plan, thought: 'These can be worked on one by one.' };
}

function formOf({ role: { answerIn }, conversation }: Turn): PlanForm {
  if (answerIn.kind !== 'format') {
    const schema = schemaInWords(conversation.told);
    if (schema !== undefined && wantsPlan(schema)) return { kind: 'schema', schema };
    return { kind: asksForJson(conversation.around) ? 'list' : 'text' };
  }
  return answerIn.format.kind === 'schema' ? { kind: 'schema', schema: answerIn.format.schema } : { kind: 'json' };
}
