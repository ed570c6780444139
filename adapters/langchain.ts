/**
 * LangChain for TypeScript, langchain 1.5.14 with @langchain/openai 1.6.0.
 *
 * Followed: single = `createAgent` with a system prompt (docs.langchain.com/oss/javascript/langchain/agents).
 * Set: model, temperature, max tokens, tools, prompt; `recursionLimit` to the super-steps of the model calls; Chat Completions rather than by model name.
 * Left: six retries of the client, error feedback of the tool node, no middleware; in both settings, strict tools (the provider's doing, not the agent's).
 * Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence).
 * hardened: client time-out; `toolErrorMiddleware`, so that invalid arguments and tool errors are fed back without a stack trace; an `afterModel` hook that answers
 * broken JSON and an empty last reply and jumps (…/langchain/middleware/custom, agent jumps): to the tool node, which runs what is left to run, so that a turn is
 * three super-steps whatever happens and the cap stays exact (a jump to `model` passes `beforeModel` by, and with it `modelCallLimitMiddleware`).
 */
import { createAgent, createMiddleware, ToolInvocationError, toolErrorMiddleware } from 'langchain';
import { messageOf } from '../base/error.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { chatModel, feedback, recursionLimit, structuredTools } from './langchain-parts.ts';

export const langchain: Adapter = { single };

const toolErrors = toolErrorMiddleware({ onError: (error) => `Error: ${messageOf(ToolInvocationError.isInstance(error) ? error.toolError : error)}` });
const silence = createMiddleware({
  name: 'silence',
  afterModel: { canJumpTo: ['tools'], hook: ({ messages }) => feedback(messages, (told) => ({ messages: told, jumpTo: 'tools' as const })) },
});

function single(terms: Terms): Prepared {
  const hardened = terms.settings === 'hardened';
  const agent = createAgent({
    model: chatModel(terms),
    tools: structuredTools(terms),
    ...(terms.systemText === '' ? {} : { systemPrompt: terms.systemText }),
    ...(hardened ? { middleware: [toolErrors, silence] } : {}),
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
