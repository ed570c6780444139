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
 * The hook of `hardened` on a reply that would end the run in silence: a tool's answer to each call whose arguments are no JSON (the call moves from
 * `invalid_tool_calls` to where the client replays it from; having its answer, it is never run), and a user text where nothing is left to run.
 * @returns `goOn` of these messages; undefined when the reply holds a text or good calls alone
 */
export function feedback<Update>(messages: readonly BaseMessage[], goOn: (told: BaseMessage[]) => Update): Update | undefined {
  const { id = '', content, text, tool_calls: good = [], invalid_tool_calls: broken = [] } = messages.at(-1) as AIMessage;
  if (broken.length === 0 && (good.length > 0 || text !== '')) return undefined;
  const calls = [...good, ...broken.map((call) => ({ id: call.id ?? '', name: call.name ?? '', args: {} }))];
  const errors = broken.map((call) => new ToolMessage({ tool_call_id: call.id ?? '', content: `Error: arguments are no JSON: ${call.args}` }));
  return goOn([new AIMessage({ id, content, tool_calls: calls }), ...errors, ...(good.length > 0 ? [] : [new HumanMessage(ASK_AGAIN)])]);
}
