// What the LangChain and the LangGraph row share: the chat model and the tools, as the documentation of both has them.
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import type { Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

/** `useResponsesApi` is said, since the client otherwise decides by the model's name. Retries (6) and time-out are the client's defaults. */
export function chatModel({ model }: Terms): ChatOpenAI {
  return new ChatOpenAI({
    model: model.name,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    apiKey: model.apiKey,
    configuration: { baseURL: model.baseUrl },
    useResponsesApi: false,
  });
}

export function structuredTools({ tools }: Terms) {
  return tools.map((each) => tool((args: Arguments) => each.run(args), { name: each.name, description: each.description, schema: zodParameters(each) }));
}

/** A run alternates between model and tools, one super-step each: 2M allow M model calls exactly, of which the last must answer. */
export function recursionLimit({ agentCap, capLiteral }: Terms): number {
  return capLiteral ?? 2 * agentCap;
}
