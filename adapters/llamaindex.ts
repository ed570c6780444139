/**
 * LlamaIndex.TS, llamaindex 0.12.1 with @llamaindex/workflow 1.1.24 and @llamaindex/openai 0.4.22.
 *
 * Followed: single = `agent({ llm, tools })` (developers.llamaindex.ai/typescript/framework/tutorials/agents/1_setup), installed as that page says.
 * Set: model, temperature, max tokens, tools, system prompt. Left: ten retries and 60 s of its client, `top_p` 1, streaming (it always streams).
 * Changes: a tool's text comes back as JSON without any quotation mark (line ends as `\n`, backslashes doubled).
 * Cannot: cap the model calls (no option has an effect: `agentCap` and `capLiteral` are left to the gateway), nor be cancelled (`run` takes no signal; the
 * host ends the process), nor reject: an unknown tool or arguments that are no JSON leave the promise pending and raise an unhandled rejection.
 * hardened: client time-out; `execute` parses its arguments (the framework warns of bad ones and runs the tool all the same); an agent of one's own in an
 * `AgentWorkflow`, as its interface has it (…/framework-api-reference/interfaces/baseworkflowagent): `takeStep` tells the model of an unknown tool, of broken JSON
 * and of an empty last reply, and takes the step again. The cap has no extension point, nor has any other error.
 */

import { OpenAI } from '@llamaindex/openai';
import { AgentWorkflow, agent, FunctionAgent } from '@llamaindex/workflow';
import { extractText, tool } from 'llamaindex';
import { messageOf } from '../base/error.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

export const llamaindex: Adapter = { single };

class TellsTheModel extends FunctionAgent {
  override async takeStep(...step: Parameters<FunctionAgent['takeStep']>): ReturnType<FunctionAgent['takeStep']> {
    const output = await super.takeStep(...step).catch((error: unknown) => {
      if (error instanceof SyntaxError || messageOf(error).startsWith('Tools not found')) return `Error: ${messageOf(error)}`;
      throw error;
    });
    if (typeof output !== 'string' && (output.toolCalls.length > 0 || output.response.content !== '')) return output;
    step[1].scratchpad.push({ role: 'user', content: typeof output === 'string' ? output : 'Your reply was empty. Call a tool, or answer.' });
    return this.takeStep(...step);
  }
}

function single(terms: Terms): Prepared {
  const { model } = terms;
  const hardened = terms.settings === 'hardened';
  const llm = new OpenAI({
    model: model.name,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    apiKey: model.apiKey,
    baseURL: model.baseUrl,
    ...(hardened ? { timeout: model.timeoutMs } : {}),
  });
  const tools = terms.tools.map((each) => {
    const parameters = zodParameters(each);
    const execute = async (args: unknown) => each.run(hardened ? parameters.parse(args) : (args as Arguments));
    return tool({ name: each.name, description: each.description, parameters, execute });
  });
  const agentOptions = { llm, tools, ...(terms.systemText === '' ? {} : { systemPrompt: terms.systemText }) };
  const rootAgent = hardened ? new TellsTheModel(agentOptions) : undefined;
  const workflow = rootAgent === undefined ? agent(agentOptions) : new AgentWorkflow({ agents: [rootAgent], rootAgent });
  return {
    run: async () => {
      const { data } = await workflow.run(terms.userText);
      return extractText(data.result);
    },
    close: async () => {},
  };
}
