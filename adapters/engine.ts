// Our own engine. single: one agent node with all tools, as engine/README.md shows it first.
// default: what that quick start builds. hardened: a client time-out, which the engine otherwise leaves to `fetch`; the rest of what other rows
// must ask for (unknown tool, broken JSON, invalid arguments, tool error, empty last reply, cap) is what the engine does anyway.
import { agent, execute, openaiModel, tool, workflow } from '../engine/index.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';

export const engine: Adapter = { single };

function single(terms: Terms): Prepared {
  const { baseUrl, apiKey, name, temperature, maxTokens, timeoutMs } = terms.model;
  const model = openaiModel({ baseUrl, apiKey, model: name, temperature, maxTokens, ...(terms.settings === 'hardened' ? { timeoutMs } : {}) });
  const tools = terms.tools.map(({ name, description, parameters, run }) => tool({ name, description, input: parameters, run }));

  const flow = workflow<string, string>('answer');
  const answer = flow.agent('answer', agent({ system: terms.systemText, tools, iterations: terms.capLiteral ?? terms.agentCap }));
  flow.connect(flow.start, answer).finish(answer);
  const checked = flow.build();

  return {
    run: async (signal) => {
      const result = await execute(checked, terms.userText, { model, signal }).result;
      if (result.status === 'completed') return result.output;
      throw result.status === 'failed' ? result.error : result.reason;
    },
    close: async () => {},
  };
}
