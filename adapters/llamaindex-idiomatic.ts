// Shape `idiomatic` of LlamaIndex.TS, llamaindex 0.12.1 with @llamaindex/workflow 1.1.24.
// Followed: `multiAgent` with `canHandoffTo` (developers.llamaindex.ai/typescript/framework/modules/agents/agent_workflow and the repository's
// examples/agents/agent/multiple-agents): one agent for each kind of tools, of which each may hand off to the others, and who looks up is the root.
// Set: as in llamaindex.ts. The framework adds the tool `handOff`, whose description names the others.
// Cannot: what llamaindex.ts says; a hand-off to an agent that does not exist ends the run with the framework's own notice as its answer.
// hardened: what llamaindex.ts says, in each agent.
import { AgentWorkflow } from '@llamaindex/workflow';
import { extractText } from 'llamaindex';
import type { Prepared, Terms } from './adapter.ts';
import { functionAgent } from './llamaindex-parts.ts';
import { withSystem } from './prompts.ts';
import { specialistsFor } from './specialists.ts';

export function idiomatic(terms: Terms): Prepared {
  const specialists = specialistsFor(terms.tools).sort((a, b) => Number(a.name === 'calculation') - Number(b.name === 'calculation'));
  const agents = specialists.map(({ name, about, tools }) => {
    const part = `You are the ${name} agent. ${about} When the question needs tools that you lack, hand off to an agent that has them.`;
    const canHandoffTo = specialists.flatMap((other) => (other.name === name ? [] : [other.name]));
    return functionAgent({ ...terms, tools }, { name, description: about, systemPrompt: withSystem(terms, part), canHandoffTo });
  });
  const [rootAgent] = agents as [(typeof agents)[0], ...typeof agents];
  const workflow = new AgentWorkflow({ agents, rootAgent });
  return {
    run: async () => {
      const { data } = await workflow.run(terms.userText);
      return extractText(data.result);
    },
    close: async () => {},
  };
}
