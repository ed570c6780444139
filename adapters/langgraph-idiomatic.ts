// Shape `idiomatic` of LangGraph, @langchain/langgraph 1.7.3: a state graph with conditional edges.
// Followed: docs.langchain.com/oss/javascript/langgraph/workflows-agents, two of its graphs in one. "Agents": a node that asks the model with its tools bound, a
// `ToolNode`, and an edge that goes on to the tools for as long as there are calls. "Evaluator-optimizer": who is done goes to an evaluator with structured output,
// whose edge ends the run or leads back with its feedback.
// Set: as in langgraph.ts; `recursionLimit` is 2M super-steps of the whole graph, of which a turn with tools takes two and an evaluation one.
// Cannot: bound the evaluator's loop by anything but the `recursionLimit`, as in the documentation: an answer that it never accepts ends in an error.
// hardened: client time-out; an edge more, to a node that tells the model of broken JSON and of an empty reply and goes on to the tools (three steps a turn).
import type { AIMessage } from '@langchain/core/messages';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import type { Prepared, Terms } from './adapter.ts';
import { chatModel, feedback, recursionLimit, structuredTools } from './langchain-parts.ts';

const EVALUATOR = 'You are the evaluator. Accept what answers the question in the form that it asks for; reject anything else, and say what is missing.';

const Verdict = z.object({
  grade: z.enum(['accepted', 'rejected']).describe('Whether this can be handed in.'),
  feedback: z.string().describe('If it is rejected, what has to be done.'),
});

const State = Annotation.Root({ ...MessagesAnnotation.spec, grade: Annotation<z.infer<typeof Verdict>['grade']> });

export function idiomatic(terms: Terms): Prepared {
  const hardened = terms.settings === 'hardened';
  const tools = structuredTools(terms);
  const model = chatModel(terms);
  const agent = model.bindTools(tools);
  const evaluator = model.withStructuredOutput(Verdict);
  const system = terms.systemText === '' ? [] : [{ role: 'system', content: terms.systemText }];

  const graph = new StateGraph(State)
    .addNode('ask', async ({ messages }, config) => ({ messages: [await agent.invoke([...system, ...messages], config)] }))
    .addNode('tools', new ToolNode(tools))
    .addNode('tell', ({ messages }) => feedback(messages, (told) => ({ messages: told })) ?? {})
    .addNode('evaluate', async ({ messages }, config) => {
      const content = `${terms.userText}\n\nWhat was answered:\n${messages.at(-1)?.text ?? ''}`;
      const verdict = await evaluator.invoke(
        [
          { role: 'system', content: EVALUATOR },
          { role: 'user', content },
        ],
        config,
      );
      return { grade: verdict.grade, messages: verdict.grade === 'accepted' ? [] : [{ role: 'user', content: verdict.feedback }] };
    })
    .addEdge(START, 'ask')
    .addConditionalEdges(
      'ask',
      ({ messages }) => {
        if (hardened && feedback(messages, () => true)) return 'tell';
        return (messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : 'evaluate';
      },
      ['tell', 'tools', 'evaluate'],
    )
    .addEdge('tell', 'tools')
    .addEdge('tools', 'ask')
    .addConditionalEdges('evaluate', ({ grade }) => (grade === 'accepted' ? END : 'ask'), [END, 'ask'])
    .compile();

  return {
    run: async (signal) => {
      const options = { signal, recursionLimit: recursionLimit(terms, hardened ? 3 : 2) };
      const { messages } = await graph.invoke({ messages: [{ role: 'user', content: terms.userText }] }, options);
      return messages.at(-1)?.text ?? '';
    },
    close: async () => {},
  };
}
