/**
 * LangChain for TypeScript, langchain 1.5.14 with @langchain/openai 1.6.0.
 *
 * Followed: single = `createAgent` with a system prompt (docs.langchain.com/oss/javascript/langchain/agents).
 * Set: model, temperature, max tokens, tools, prompt; `recursionLimit` to twice the model calls; Chat Completions rather than by model name.
 * Left: six retries of the client, error feedback of the tool node, no middleware.
 * Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence).
 */
import { createAgent } from 'langchain';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { chatModel, recursionLimit, structuredTools } from './langchain-parts.ts';

export const langchain: Adapter = { single };

function single(terms: Terms): Prepared {
  const agent = createAgent({
    model: chatModel(terms),
    tools: structuredTools(terms),
    ...(terms.systemText === '' ? {} : { systemPrompt: terms.systemText }),
  });
  return {
    run: async (signal) => {
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: terms.userText }] }, { signal, recursionLimit: recursionLimit(terms) });
      return messages.at(-1)?.text ?? '';
    },
    close: async () => {},
  };
}
