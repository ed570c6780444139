// What the LangChain and the LangGraph row share: the chat model and the tools, as the documentation of both has them.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import type { Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

const ASK_AGAIN = 'Your reply was empty, or its call could not be read. Call a tool, or answer.';

/** `useResponsesApi` is said, since the client otherwise decides by the model's name. Retries (6) are the client's default; it has no time-out of its own. */
export function chatModel({ model, settings }: Terms): ChatOpenAI {
  return new ChatOpenAI({
    model: model.name,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    apiKey: model.apiKey,
    configuration: { baseURL: model.baseUrl },
    useResponsesApi: false,
    ...(settings === 'hardened' ? { timeout: model.timeoutMs } : {}),
  });
}

export function structuredTools({ tools }: Terms) {
  return tools.map((each) => tool((args: Arguments) => each.run(args), { name: each.name, description: each.description, schema: zodParameters(each) }));
}

/**
 * Super-steps of a turn: model and tools, and in `hardened` the hook between them. So many times M allow M model calls exactly, of which the last must answer.
 * @param stepsPerTurn 2 without a hook after the model, 3 with one
 */
export function recursionLimit({ agentCap, capLiteral }: Terms, stepsPerTurn: number): number {
  return capLiteral ?? stepsPerTurn * agentCap;
}

/**
 * What the hook of `hardened` adds to a conversation that would end in silence: the tool's answer to each call whose arguments are no JSON (such a call is moved
 * from `invalid_tool_calls` to where the client replays it from; having its answer, it is never run), and a user text where nothing is left to run.
 * @returns nothing when the reply has text or good calls alone
 */
export function feedback(messages: readonly BaseMessage[]): BaseMessage[] {
  const last = messages.at(-1);
  if (!AIMessage.isInstance(last)) return [];
  const { tool_calls: good = [], invalid_tool_calls: broken = [] } = last;
  if (broken.length === 0 && (good.length > 0 || last.text !== '')) return [];
  const replayed = [...good, ...broken.map(({ id, name }) => ({ id: id ?? '', name: name ?? '', args: {} }))];
  const errors = broken.map(({ id, args }) => new ToolMessage({ tool_call_id: id ?? '', status: 'error', content: `Error: arguments are no JSON: ${args}` }));
  const told = broken.length === 0 ? [] : [new AIMessage({ id: last.id ?? '', content: last.content, tool_calls: replayed }), ...errors];
  return good.length > 0 ? told : [...told, new HumanMessage(ASK_AGAIN)];
}
