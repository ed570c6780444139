/**
 * LangChain for TypeScript, langchain 1.5.14 with @langchain/openai 1.6.0.
 *
 * Followed: single = `createAgent` with a system prompt (docs.langchain.com/oss/javascript/langchain/agents).
 * idiomatic = a sequential chain of ReAct agents: one for each kind of tools, those that look up before the one that computes, as `RunnableSequence` has it
 * (reference.langchain.com/javascript/langchain-core/runnables/RunnableSequence): an agent takes and returns messages, so the next one goes on in the conversation,
 * behind a user message (a conversation that ends with an agent's own words is no request). Each agent has the `recursionLimit` for itself.
 * Set: model, temperature, max tokens, tools, prompt; `recursionLimit` to the super-steps of the model calls; Chat Completions rather than by model name.
 * Left: six retries of the client, error feedback of the tool node, no middleware; in both settings, strict tools (the provider's doing, not the agent's).
 * Cannot: go back in a chain; tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence).
 * hardened: client time-out; `toolErrorMiddleware`, so that invalid arguments and tool errors are fed back without a stack trace; an `afterModel` hook that answers
 * broken JSON and an empty last reply and jumps (…/langchain/middleware/custom, agent jumps): to the tool node, which runs what is left to run, so that a turn is
 * three super-steps whatever happens and the cap stays exact (a jump to `model` passes `beforeModel` by, and with it `modelCallLimitMiddleware`).
 */
import { type BaseMessage, type BaseMessageLike, HumanMessage } from '@langchain/core/messages';
import { type Runnable, type RunnableConfig, RunnableLambda } from '@langchain/core/runnables';
import { createAgent, createMiddleware, ToolInvocationError, toolErrorMiddleware } from 'langchain';
import { messageOf } from '../base/error.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { chatModel, feedback, recursionLimit, structuredTools } from './langchain-parts.ts';
import { withSystem } from './prompts.ts';
import { specialistsFor } from './specialists.ts';

export const langchain: Adapter = { single, idiomatic };

const toolErrors = toolErrorMiddleware({ onError: (error) => `Error: ${messageOf(ToolInvocationError.isInstance(error) ? error.toolError : error)}` });
const silence = createMiddleware({
  name: 'silence',
  afterModel: { canJumpTo: ['tools'], hook: ({ messages }) => feedback(messages, (told) => ({ messages: told, jumpTo: 'tools' as const })) },
});

interface Conversation {
  readonly messages: BaseMessageLike[];
}

type Chain = Runnable<Conversation, { readonly messages: BaseMessage[] }>;

function reactAgent(terms: Terms, systemPrompt: string) {
  const hardened = terms.settings === 'hardened';
  const agent = createAgent({
    model: chatModel(terms),
    tools: structuredTools(terms),
    ...(systemPrompt === '' ? {} : { systemPrompt }),
    ...(hardened ? { middleware: [toolErrors, silence] } : {}),
  });
  const limit = recursionLimit(terms, hardened ? 3 : 2);
  return ({ messages }: Conversation, config: RunnableConfig) => agent.invoke({ messages }, { ...config, recursionLimit: limit });
}

function single(terms: Terms): Prepared {
  return prepared(terms, RunnableLambda.from(reactAgent(terms, terms.systemText)));
}

const GO_ON = 'Go on from what has been found, with the tools that you have. Answer as soon as you can.';

function idiomatic(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const computesLast = specialistsFor(terms.tools).sort((a, b) => Number(a.name === 'calculation') - Number(b.name === 'calculation'));
  const agents = computesLast.map(({ name, about, tools }) => {
    const part = `You are the ${name} agent in a chain of agents. ${about} Do what your tools can do for the question; whoever comes after you has others.`;
    return RunnableLambda.from(reactAgent({ ...terms, tools }, withSystem(terms, part))) as Chain;
  });
  const goOn = RunnableLambda.from(({ messages }: Conversation) => ({ messages: [...messages, new HumanMessage(GO_ON)] }));
  const [first, ...others] = agents as [(typeof agents)[0], ...typeof agents];
  return prepared(
    terms,
    others.reduce((chain, agent) => chain.pipe(goOn).pipe(agent), first),
  );
}

function prepared(terms: Terms, chain: Chain): Prepared {
  return {
    run: async (signal) => {
      const { messages } = await chain.invoke({ messages: [{ role: 'user', content: terms.userText }] }, { signal });
      return messages.at(-1)?.text ?? '';
    },
    close: async () => {},
  };
}
