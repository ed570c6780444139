/**
 * OpenAI Agents SDK for TypeScript, @openai/agents 0.20.0 with openai 7.59.0.
 *
 * Followed: single = one `Agent` and a `Runner` (openai.github.io/openai-agents-js/guides/running-agents), with a client of one's own (…/guides/models).
 * Set: model, temperature, max tokens, tools, instructions; `maxTurns` to the model calls; tracing off. Endpoint: Responses, the SDK's default.
 * Left: two retries of the client; tool errors go to the model as one fixed sentence; an unknown tool ends the run.
 * Cannot: show the model what a tool's error says, unless an `errorFunction` is given.
 */
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import OpenAI from 'openai';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

export const openaiAgents: Adapter = { single };

function single(terms: Terms): Prepared {
  const { model } = terms;
  const openAIClient = new OpenAI({ baseURL: model.baseUrl, apiKey: model.apiKey });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient }), tracingDisabled: true });
  const agent = new Agent({
    name: 'Assistant',
    ...(terms.systemText === '' ? {} : { instructions: terms.systemText }),
    model: model.name,
    modelSettings: { temperature: model.temperature, maxTokens: model.maxTokens },
    tools: terms.tools.map((each) =>
      tool({
        name: each.name,
        description: each.description,
        parameters: zodParameters(each),
        execute: (args) => each.run(args as Arguments),
      }),
    ),
  });
  return {
    run: async (signal) => {
      const { finalOutput } = await runner.run(agent, terms.userText, { signal, maxTurns: terms.capLiteral ?? terms.agentCap });
      return finalOutput ?? '';
    },
    close: async () => {},
  };
}
