// Shape `idiomatic` of LlamaIndex.TS, llamaindex 0.12.1 with @llamaindex/workflow 1.1.24.
// Followed: for documents, an agent whose tools are query engines (the repository's examples/agents/agent/query-tool, with the `SummaryIndex` of
// developers.llamaindex.ai/typescript/framework/modules/data/data_index): a reading tool takes a question beside its arguments, an index is made of the text that
// comes back, and its query engine answers. Everywhere else, `AgentWorkflow` with `canHandoffTo` (…/modules/agents/agent_workflow and examples/agents/agent/
// multiple-agents): one agent for each kind of tools, each may hand off to the others, and who looks up is the root.
// Set: as in llamaindex.ts, and the model once more in `Settings`, where query engines look for it, with an embedding, without which no index can be made (this one asks it for nothing). Left: retriever (all of the text) and synthesizer (`compact`).
// The framework adds the query engine's prompt, and to an `AgentWorkflow` the tool `handOff`, whose description names the others.
// Cannot: what llamaindex.ts says; a hand-off to an agent that does not exist ends the run with the framework's own notice as its answer.
// hardened: what llamaindex.ts says, in each agent.
import { OpenAIEmbedding } from '@llamaindex/openai';
import { Document, extractText, Settings, SummaryIndex, tool } from 'llamaindex';
import { z } from 'zod';
import type { Prepared, Terms, ToolStub } from './adapter.ts';
import { asking, chatModel, functionAgent, functionTools } from './llamaindex-parts.ts';
import { withSystem } from './prompts.ts';
import { specialistsFor } from './specialists.ts';
import { zodParameters } from './zod-parameters.ts';

export function idiomatic(terms: Terms): Prepared {
  const reads = terms.tools.filter(({ name }) => name.startsWith('read_'));
  const ask = asking(reads.length > 0 ? [queryAgent(terms, reads)] : specialists(terms));
  return { run: () => ask(terms.userText), close: async () => {} };
}

function queryAgent(terms: Terms, reads: readonly ToolStub[]) {
  const { baseUrl, apiKey } = terms.model;
  Settings.llm = chatModel(terms);
  Settings.embedModel = new OpenAIEmbedding({ apiKey, baseURL: baseUrl });
  const others = functionTools({ ...terms, tools: terms.tools.filter((each) => !reads.includes(each)) });
  return functionAgent(terms, { systemPrompt: terms.systemText, tools: [...reads.map((each) => queryTool(each, terms)), ...others] });
}

function queryTool(read: ToolStub, { settings }: Terms) {
  const parameters = zodParameters(read).extend({ query: z.string().describe('What to find out from the text.') });
  return tool({
    name: read.name,
    description: `${read.description} Answers a query about the text.`,
    parameters,
    execute: async (given: z.infer<typeof parameters>) => {
      const args = settings === 'hardened' ? parameters.parse(given) : given;
      const index = await SummaryIndex.fromDocuments([new Document({ text: await read.run(args) })]);
      const { message } = await index.asQueryEngine().query({ query: String(args.query) });
      return extractText(message.content);
    },
  });
}

function specialists(terms: Terms) {
  const all = specialistsFor(terms.tools).sort((a, b) => Number(a.name === 'calculation') - Number(b.name === 'calculation'));
  return all.map(({ name, about, tools }) => {
    const part = `You are the ${name} agent. ${about} When the question needs tools that you lack, hand off to an agent that has them.`;
    const canHandoffTo = all.flatMap((other) => (other.name === name ? [] : [other.name]));
    return functionAgent({ ...terms, tools }, { name, description: about, systemPrompt: withSystem(terms, part), canHandoffTo });
  });
}
