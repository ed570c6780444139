// What the simulated model writes: a call in the names and the schema that were offered, or an answer where the request wants it.
import type { PlannedCall } from '../tasks/plan.ts';
import { type AnswerWords, answerArguments, fillSchema } from './fill-schema.ts';
import { guess } from './guess.ts';
import { offeredAs } from './offered-tools.ts';
import type { OfferedTool } from './read-request.ts';
import type { AssistantMessage } from './reply-source.ts';
import { answerWords } from './say.ts';
import { lastCall, type Turn } from './turn.ts';

export const EMPTY: AssistantMessage = { text: '', calls: [], finishReason: 'stop' };

export function plainTurn(text: string): AssistantMessage {
  return { text, calls: [], finishReason: 'stop' };
}

/** @param about what the call is for, in words: for a tool that wants to be asked beside what it is given */
export function callTurn(turn: Turn, call: PlannedCall, id: string, about?: string): AssistantMessage {
  const tool = offeredAs(call.tool, turn.request.tools);
  return {
    text: '',
    calls: [{ id: `call_${id}`, name: tool?.name ?? call.tool, arguments: JSON.stringify(wireArguments(call, tool, about)) }],
    finishReason: 'tool_calls',
  };
}

/** Strict schemas demand every parameter: one that the plan does not give is null. */
function wireArguments(call: PlannedCall, tool: OfferedTool | undefined, about: string | undefined): Readonly<Record<string, unknown>> {
  const missing = (tool?.schema.required ?? []).filter((name) => !(name in call.arguments));
  return { ...call.arguments, ...Object.fromEntries(missing.map((name) => [name, about !== undefined && /^(?:query|question)$/i.test(name) ? about : null])) };
}

export function answerTurn(turn: Turn, words: AnswerWords, id: string): AssistantMessage {
  const { answerIn } = turn.role;
  switch (answerIn.kind) {
    case 'text':
      return plainTurn(words.reply);
    case 'tool':
      return {
        text: '',
        calls: [{ id: `call_${id}`, name: answerIn.tool.name, arguments: JSON.stringify(answerArguments(answerIn.tool.schema, words)) }],
        finishReason: 'tool_calls',
      };
    case 'format':
      return plainTurn(
        JSON.stringify(answerIn.format.kind === 'schema' ? fillSchema(answerIn.format.schema, words) : { thought: words.thought, answer: words.answer }),
      );
    default:
      return answerIn satisfies never;
  }
}

/** Where a request demands a call and no tool takes an answer, a provider gives one whatever the model would say. */
export function obligedCall(turn: Turn): PlannedCall | undefined {
  const { toolChoice, tools } = turn.request;
  if ((toolChoice.kind !== 'required' && toolChoice.kind !== 'named') || turn.role.answerIn.kind === 'tool') return undefined;
  const before = lastCall(turn);
  if (toolChoice.kind === 'required' && before) return before;
  const tool = toolChoice.kind === 'named' ? tools.find((candidate) => candidate.name === toolChoice.name) : tools[0];
  if (!tool) return undefined;
  const words = answerWords({ answer: guess(turn), marked: false, how: 'forced' });
  return { tool: tool.name, arguments: fillSchema({ ...tool.schema, type: 'object' }, words) as PlannedCall['arguments'] };
}
