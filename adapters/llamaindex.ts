/**
 * LlamaIndex.TS, llamaindex 0.12.1 with @llamaindex/workflow 1.1.24 and @llamaindex/openai 0.4.22.
 *
 * Followed: single = `agent({ llm, tools })` (developers.llamaindex.ai/typescript/framework/tutorials/agents/1_setup), installed as that page says.
 * Set: model, temperature, max tokens, tools, system prompt. Left: ten retries and 60 s of its client, `top_p` 1, streaming (it always streams).
 * Changes: a tool's text comes back as JSON without any quotation mark (line ends as `\n`, backslashes doubled).
 * Cannot: cap the model calls (no option has an effect: `agentCap` and `capLiteral` are left to the gateway), nor be cancelled (`run` takes no signal; the
 * host ends the process), nor reject: an unknown tool or arguments that are no JSON leave the promise pending and raise an unhandled rejection.
 */

import { OpenAI } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { extractText, tool } from 'llamaindex';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

export const llamaindex: Adapter = { single };

function single(terms: Terms): Prepared {
  const { model } = terms;
  const llm = new OpenAI({
    model: model.name,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    apiKey: model.apiKey,
    baseURL: model.baseUrl,
  });
  const workflow = agent({
    llm,
    tools: terms.tools.map((each) =>
      tool({
        name: each.name,
        description: each.description,
        parameters: zodParameters(each),
        execute: (args) => each.run(args as Arguments),
      }),
    ),
    ...(terms.systemText === '' ? {} : { systemPrompt: terms.systemText }),
  });
  return {
    run: async () => {
      const { data } = await workflow.run(terms.userText);
      return extractText(data.result);
    },
    close: async () => {},
  };
}
