/**
 * OpenAI Agents SDK for TypeScript, @openai/agents 0.20.0 with openai 7.59.0.
 *
 * Followed: single = one `Agent` and a `Runner` (openai.github.io/openai-agents-js/guides/running-agents), with a client of one's own (…/guides/models).
 * Set: model, temperature, max tokens, tools, instructions; `maxTurns` to the model calls; tracing off. Endpoint: Responses, the SDK's default.
 * Left: two retries of the client; tool errors go to the model as one fixed sentence; an unknown tool ends the run.
 * Cannot: in either setting, say more of broken JSON than one fixed sentence (the runner answers it before any `errorFunction`).
 * hardened: client time-out; `toolNotFoundBehavior: 'return_error_to_model'` (…/guides/running-agents); an `errorFunction` (…/guides/tools) that tells the model what
 * a tool's error or the check of its arguments says (the latter it is told only with `setSensitiveDataLoggingEnabled`); a model of one's own (…/guides/models)
 * that leaves an empty message out of the reply: the runner then does what it does with a reply without any message, it takes another turn within `maxTurns`, with
 * the same input. No extension point could add a word to that turn.
 */
import { Agent, type ModelRequest, OpenAIProvider, OpenAIResponsesModel, Runner, setSensitiveDataLoggingEnabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { messageOf } from '../base/error.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

export const openaiAgents: Adapter = { single };

class WithoutEmptyMessages extends OpenAIResponsesModel {
  override async getResponse(request: ModelRequest) {
    const response = await super.getResponse(request);
    const isEmpty = (part: { readonly type: string; readonly text?: string }) => part.type === 'output_text' && part.text === '';
    return { ...response, output: response.output.filter((item) => item.type !== 'message' || item.role !== 'assistant' || !item.content.every(isEmpty)) };
  }
}

function errorText(_context: unknown, error: unknown): string {
  const { originalError = error } = Object(error) as { readonly originalError?: unknown };
  return `Error: ${messageOf(originalError)}`;
}

function single(terms: Terms): Prepared {
  const { model } = terms;
  const hardened = terms.settings === 'hardened';
  if (hardened) setSensitiveDataLoggingEnabled(true);
  const openAIClient = new OpenAI({ baseURL: model.baseUrl, apiKey: model.apiKey, ...(hardened ? { timeout: model.timeoutMs } : {}) });
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ openAIClient }),
    tracingDisabled: true,
    ...(hardened ? { toolNotFoundBehavior: 'return_error_to_model' } : {}),
  });
  const agent = new Agent({
    name: 'Assistant',
    ...(terms.systemText === '' ? {} : { instructions: terms.systemText }),
    model: hardened ? new WithoutEmptyMessages(openAIClient, model.name) : model.name,
    modelSettings: { temperature: model.temperature, maxTokens: model.maxTokens },
    tools: terms.tools.map((each) =>
      tool({
        name: each.name,
        description: each.description,
        parameters: zodParameters(each),
        execute: (args) => each.run(args as Arguments),
        ...(hardened ? { errorFunction: errorText } : {}),
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
