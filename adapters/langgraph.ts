/**
 * LangGraph for TypeScript, @langchain/langgraph 1.7.3 with @langchain/openai 1.6.0.
 *
 * Followed: single = the prebuilt agent (langchain-ai.github.io/langgraphjs/how-tos/create-react-agent). The reference calls `createReactAgent` deprecated in
 * favour of LangChain's `createAgent`, which is the row `langchain`; it is still the one agent that LangGraph itself has.
 * Set: model, temperature, max tokens, tools, prompt; `recursionLimit` to twice the model calls; Chat Completions rather than by model name.
 * Left: six retries of the client, error feedback of the tool node.
 * Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence), or a failed route from an end.
 */
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { chatModel, recursionLimit, structuredTools } from './langchain-parts.ts';

export const langgraph: Adapter = { single };

function single(terms: Terms): Prepared {
  const agent = createReactAgent({
    llm: chatModel(terms),
    tools: structuredTools(terms),
    ...(terms.systemText === '' ? {} : { prompt: terms.systemText }),
  });
  return {
    run: async (signal) => {
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: terms.userText }] }, { signal, recursionLimit: recursionLimit(terms) });
      return messages.at(-1)?.text ?? '';
    },
    close: async () => {},
  };
}
