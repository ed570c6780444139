/**
 * LangGraph for TypeScript, @langchain/langgraph 1.7.3 with @langchain/openai 1.6.0.
 *
 * Followed: single = the prebuilt agent (langchain-ai.github.io/langgraphjs/how-tos/create-react-agent). The reference calls `createReactAgent` deprecated in
 * favour of LangChain's `createAgent`, which is the row `langchain`; it is still the one agent that LangGraph itself has.
 * dag = orchestrator and workers (docs.langchain.com/oss/javascript/langgraph/workflows-agents): a planner `withStructuredOutput`, a `Send` for each subtask, a
 * key whose reducer collects what they found, one node that joins it; each worker is the prebuilt agent, since it has tools.
 * idiomatic = a state graph with conditional edges: langgraph-idiomatic.ts.
 * Set: model, temperature, max tokens, tools, prompt; `recursionLimit` to the super-steps of the model calls; Chat Completions rather than by model name.
 * Left: six retries of the client, error feedback of the tool node (short, so that hardened leaves it too); in both settings, strict tools.
 * Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence), or a failed route from an end.
 * hardened: client time-out; a `postModelHook` ("guardrails, validation", CreateReactAgentParams) that answers broken JSON and an empty last reply and goes on by
 * `Command` (docs.langchain.com/oss/javascript/langgraph/graph-api): to the tool node, which runs what is left to run, so that a turn is three super-steps whatever
 * happens and the cap stays exact.
 */
import { Annotation, Command, END, type LangGraphRunnableConfig, type MessagesAnnotation, Send, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { chatModel, feedback, recursionLimit, structuredTools } from './langchain-parts.ts';
import { idiomatic } from './langgraph-idiomatic.ts';
import { PLANNER, synthesisSystem, synthesisText, WORKER } from './prompts.ts';

export const langgraph: Adapter = {
  single,
  idiomatic: (terms) => (terms.tools.length === 0 ? single(terms) : idiomatic(terms)),
  dag,
};

// Any node may return a `Command`; the type of the option knows updates alone.
function silence(state: typeof MessagesAnnotation.State): typeof MessagesAnnotation.Update {
  return feedback(state.messages, (messages) => new Command({ goto: 'tools', update: { messages } }) as typeof MessagesAnnotation.Update) ?? {};
}

function prebuilt(terms: Terms, prompt: string): (userText: string, config: LangGraphRunnableConfig) => Promise<string> {
  const hardened = terms.settings === 'hardened';
  const agent = createReactAgent({
    llm: chatModel(terms),
    tools: structuredTools(terms),
    ...(prompt === '' ? {} : { prompt }),
    ...(hardened ? { postModelHook: silence } : {}),
  });
  return async (content, config) => {
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content }] }, { ...config, recursionLimit: recursionLimit(terms, hardened ? 3 : 2) });
    return messages.at(-1)?.text ?? '';
  };
}

function single(terms: Terms): Prepared {
  const ask = prebuilt(terms, terms.systemText);
  return { run: (signal) => ask(terms.userText, { signal }), close: async () => {} };
}

const Plan = z.object({ subtasks: z.array(z.string()) });
const Division = Annotation.Root({
  subtasks: Annotation<string[]>,
  findings: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  answer: Annotation<string>,
});

function dag(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const model = chatModel(terms);
  const planner = model.withStructuredOutput(Plan);
  const work = prebuilt(terms, WORKER);
  const graph = new StateGraph(Division)
    .addNode('plan', (_, config) => planner.invoke(opening(PLANNER, terms.userText), config))
    .addNode('find', async ({ subtask }: { readonly subtask: string }, config) => ({ findings: [await work(subtask, config)] }))
    .addNode('join', async ({ findings }, config) => ({
      answer: (await model.invoke(opening(synthesisSystem(terms), synthesisText(terms, findings)), config)).text,
    }))
    .addEdge(START, 'plan')
    .addConditionalEdges('plan', ({ subtasks }) => subtasks.map((subtask) => new Send('find', { subtask })), ['find'])
    .addEdge('find', 'join')
    .addEdge('join', END)
    .compile();
  return { run: async (signal) => (await graph.invoke({}, { signal })).answer ?? '', close: async () => {} };
}

function opening(system: string, content: string) {
  return [
    { role: 'system', content: system },
    { role: 'user', content },
  ];
}
