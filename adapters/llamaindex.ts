/**
 * LlamaIndex.TS, llamaindex 0.12.1 with @llamaindex/workflow 1.1.24 and @llamaindex/openai 0.4.22.
 *
 * Followed: single = what `agent({ llm, tools })` makes (developers.llamaindex.ai/typescript/framework/tutorials/agents/1_setup), installed as that page says.
 * idiomatic = query engines as tools for documents, else an `AgentWorkflow` of specialists: llamaindex-idiomatic.ts.
 * dag = fan-out and fan-in of a workflow (…/typescript/workflows/common_patterns/fan_in_fan_out), its planner a chat with a `responseFormat`
 * (…/typescript/framework/tutorials/structured_data_extraction), each worker the agent of `single`.
 * Set: model, temperature, max tokens, tools, system prompt. Left: ten retries and 60 s of its client, `top_p` 1, streaming (an agent always streams).
 * Changes: a tool's text comes back as JSON without any quotation mark (line ends as `\n`, backslashes doubled).
 * Cannot: cap the model calls (no option has an effect: `agentCap` and `capLiteral` are left to the gateway), nor be cancelled (`run` takes no signal; the
 * host ends the process), nor reject: an unknown tool or arguments that are no JSON leave the promise pending and raise an unhandled rejection. So does anything
 * that a handler of a workflow throws.
 * hardened: client time-out; `execute` parses its arguments (the framework warns of bad ones and runs the tool all the same); an agent of one's own in an
 * `AgentWorkflow`, as its interface has it (…/framework-api-reference/interfaces/baseworkflowagent): `takeStep` tells the model of an unknown tool, of broken JSON
 * and of an empty last reply, and takes the step again. The cap has no extension point, nor has any other error.
 */
import { createStatefulMiddleware, createWorkflow, workflowEvent } from '@llamaindex/workflow';
import { extractText } from 'llamaindex';
import { z } from 'zod';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { idiomatic } from './llamaindex-idiomatic.ts';
import { chatModel, plainAgent } from './llamaindex-parts.ts';
import { PLANNER, synthesisSystem, synthesisText, WORKER } from './prompts.ts';

export const llamaindex: Adapter = {
  single,
  idiomatic: (terms) => (terms.tools.length === 0 ? single(terms) : idiomatic(terms)),
  dag,
};

function single(terms: Terms): Prepared {
  const ask = plainAgent(terms, terms.systemText);
  return { run: () => ask(terms.userText), close: async () => {} };
}

const Plan = z.object({ subtasks: z.array(z.string()) });

function dag(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const llm = chatModel(terms);
  const work = plainAgent(terms, WORKER);
  const started = workflowEvent<string>();
  const handedOut = workflowEvent<{ readonly at: number; readonly subtask: string }>();
  const found = workflowEvent<{ readonly at: number; readonly report: string }>();
  const joined = workflowEvent<string>();
  const { withState } = createStatefulMiddleware(() => ({ missing: 0, findings: [] as string[] }));
  const workflow = withState(createWorkflow());

  workflow.handle([started], async ({ sendEvent, state }, { data }) => {
    const { message } = await llm.chat({ messages: opening(PLANNER, data), responseFormat: Plan });
    const { subtasks } = JSON.parse(extractText(message.content)) as z.infer<typeof Plan>;
    state.missing = subtasks.length;
    sendEvent(...subtasks.map((subtask, at) => handedOut.with({ at, subtask })));
  });
  workflow.handle([handedOut], async (_, { data: { at, subtask } }) => found.with({ at, report: await work(subtask) }));
  workflow.handle([found], async ({ state }, { data: { at, report } }) => {
    state.findings[at] = report;
    state.missing -= 1;
    if (state.missing > 0) return;
    const { message } = await llm.chat({ messages: opening(synthesisSystem(terms), synthesisText(terms, state.findings)) });
    return joined.with(extractText(message.content));
  });

  return {
    run: async () => {
      const { stream, sendEvent } = workflow.createContext();
      sendEvent(started.with(terms.userText));
      const events = await stream.until(joined).toArray();
      return String(events.at(-1)?.data);
    },
    close: async () => {},
  };
}

function opening(system: string, content: string) {
  return [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content },
  ];
}
