/**
 * OpenAI Agents SDK for TypeScript, @openai/agents 0.20.0 with openai 7.59.0.
 *
 * Followed: single = one `Agent` and a `Runner` (openai.github.io/openai-agents-js/guides/running-agents), with a client of one's own (…/guides/models).
 * idiomatic = triage with hand-offs (…/guides/quickstart and …/guides/handoffs, as in the repository's examples/customer-service): an agent without tools that hands
 * the conversation to a specialist, and specialists that can hand it back; the recommended prompt prefix stands before each one's instructions.
 * Set: model, temperature, max tokens, tools, instructions; `maxTurns` to the model calls (of all agents together); tracing off. Endpoint: Responses, the default.
 * Left: two retries of the client; tool errors go to the model as one fixed sentence; an unknown tool ends the run, and so does an unknown hand-off.
 * Cannot: in either setting, say more of broken JSON than one fixed sentence (the runner answers it before any `errorFunction`).
 * hardened: client time-out; `toolNotFoundBehavior: 'return_error_to_model'` (…/guides/running-agents); an `errorFunction` (…/guides/tools) that tells the model what
 * a tool's error or the check of its arguments says (the latter it is told only with `setSensitiveDataLoggingEnabled`); a model of one's own (…/guides/models)
 * that leaves an empty message out of the reply: the runner then does what it does with a reply without any message, it takes another turn within `maxTurns`, with
 * the same input. No extension point could add a word to that turn.
 */
import { Agent, type ModelRequest, OpenAIProvider, OpenAIResponsesModel, Runner, setSensitiveDataLoggingEnabled, tool } from '@openai/agents';
import { RECOMMENDED_PROMPT_PREFIX } from '@openai/agents-core/extensions';
import OpenAI from 'openai';
import { messageOf } from '../base/error.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { withSystem } from './prompts.ts';
import { specialistsFor } from './specialists.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

export const openaiAgents: Adapter = { single, idiomatic };

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
  const { options, prepared } = partsOf(terms);
  return prepared(new Agent({ name: 'Assistant', ...options(terms.systemText, terms.tools) }));
}

const TRIAGE = 'You are a triage agent: hand the question to whichever agent has the tools for what is to be done next.';

function idiomatic(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const { options, prepared } = partsOf(terms);
  const instructions = (part: string) => `${RECOMMENDED_PROMPT_PREFIX}\n\n${withSystem(terms, part)}`;
  const specialists = specialistsFor(terms.tools).map(({ name, about, tools }) => {
    const part = `You are the ${name} agent. ${about} When the question needs tools that you lack, transfer back to the triage agent.`;
    return new Agent({ name: `${name} agent`, handoffDescription: about, ...options(instructions(part), tools) });
  });
  const triage = Agent.create({ name: 'Triage agent', ...options(instructions(TRIAGE), []), handoffs: specialists });
  for (const specialist of specialists) specialist.handoffs.push(triage);
  return prepared(triage);
}

function partsOf({ model, settings, userText, agentCap, capLiteral }: Terms) {
  const hardened = settings === 'hardened';
  if (hardened) setSensitiveDataLoggingEnabled(true);
  const openAIClient = new OpenAI({ baseURL: model.baseUrl, apiKey: model.apiKey, ...(hardened ? { timeout: model.timeoutMs } : {}) });
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ openAIClient }),
    tracingDisabled: true,
    ...(hardened ? { toolNotFoundBehavior: 'return_error_to_model' } : {}),
  });
  return {
    options: (instructions: string, tools: Terms['tools']) => ({
      ...(instructions === '' ? {} : { instructions }),
      model: hardened ? new WithoutEmptyMessages(openAIClient, model.name) : model.name,
      modelSettings: { temperature: model.temperature, maxTokens: model.maxTokens },
      tools: tools.map((each) =>
        tool({
          name: each.name,
          description: each.description,
          parameters: zodParameters(each),
          execute: (args) => each.run(args as Arguments),
          ...(hardened ? { errorFunction: errorText } : {}),
        }),
      ),
    }),
    prepared: (agent: Agent): Prepared => ({
      run: async (signal) => {
        const { finalOutput } = await runner.run(agent, userText, { signal, maxTurns: capLiteral ?? agentCap });
        return finalOutput ?? '';
      },
      close: async () => {},
    }),
  };
}
