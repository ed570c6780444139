/**
 * LangGraph for TypeScript, @langchain/langgraph 1.7.3 with @langchain/openai 1.6.0.
 *
 * Followed: single = the prebuilt agent (langchain-ai.github.io/langgraphjs/how-tos/create-react-agent). The reference calls `createReactAgent` deprecated in
 * favour of LangChain's `createAgent`, which is the row `langchain`; it is still the one agent that LangGraph itself has.
 * Set: model, temperature, max tokens, tools, prompt; `recursionLimit` to the super-steps of the model calls; Chat Completions rather than by model name.
 * Left: six retries of the client, error feedback of the tool node (short, so that hardened leaves it too); in both settings, strict tools.
 * Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence), or a failed route from an end.
 * hardened: client time-out; a `postModelHook` ("guardrails, validation", CreateReactAgentParams) that answers broken JSON and an empty last reply and goes on by
 * `Command` (docs.langchain.com/oss/javascript/langgraph/graph-api): to the tool node, which runs what is left to run, so that a turn is three super-steps whatever
 * happens and the cap stays exact.
 */
import { Command, type MessagesAnnotation } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { chatModel, feedback, recursionLimit, structuredTools } from './langchain-parts.ts';

export const langgraph: Adapter = { single };

// Any node may return a `Command`; the type of the option knows updates alone.
function silence(state: typeof MessagesAnnotation.State): typeof MessagesAnnotation.Update {
  return feedback(state.messages, (messages) => new Command({ goto: 'tools', update: { messages } }) as typeof MessagesAnnotation.Update) ?? {};
}

function single(terms: Terms): Prepared {
  const hardened = terms.settings === 'hardened';
  const agent = createReactAgent({
    llm: chatModel(terms),
    tools: structuredTools(terms),
    ...(terms.systemText === '' ? {} : { prompt: terms.systemText }),
    ...(hardened ? { postModelHook: silence } : {}),
  });
  return {
    run: async (signal) => {
      const limit = recursionLimit(terms, hardened ? 3 : 2);
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: terms.userText }] }, { signal, recursionLimit: limit });
      return messages.at(-1)?.text ?? '';
    },
    close: async () => {},
  };
}
