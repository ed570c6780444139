// A framework as its own row of the study builds it: the shape `single` with default settings, which is what its documentation shows first. Clients keep their own
// time-outs and retries; LlamaIndex takes no signal and always streams, and the OpenAI Agents SDK speaks Responses.
import type { Adapter, Terms } from '../../adapters/adapter.ts';
import { type LoopContestant, MODEL } from './contestant.ts';

/** @param load imports the adapter, which fails where its packages are not installed */
export function framework(load: () => Promise<Adapter>): LoopContestant {
  return async ({ baseUrl, system, question, tool, timeoutMs, signal }) => {
    const { single } = await load();
    if (single === undefined) throw new Error('the row has no shape `single`');
    const terms: Terms = {
      settings: 'default',
      systemText: system,
      userText: question,
      tools: [tool],
      model: { ...MODEL, baseUrl, timeoutMs },
      agentCap: 10,
    };
    const { run } = await single(terms);
    return () => run(signal);
  };
}
