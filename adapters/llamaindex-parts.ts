// What the shapes of the LlamaIndex row share: the client, the tools and the agent of `llamaindex.ts`, whose opening says what is set and why.
import { OpenAI } from '@llamaindex/openai';
import { AgentWorkflow, FunctionAgent } from '@llamaindex/workflow';
import { extractText, tool } from 'llamaindex';
import { messageOf } from '../base/error.ts';
import type { Terms } from './adapter.ts';
import { type Arguments, zodParameters } from './zod-parameters.ts';

export function chatModel({ model, settings }: Terms): OpenAI {
  return new OpenAI({
    model: model.name,
    temperature: model.temperature,
    maxTokens: model.maxTokens,
    apiKey: model.apiKey,
    baseURL: model.baseUrl,
    ...(settings === 'hardened' ? { timeout: model.timeoutMs } : {}),
  });
}

export function functionTools({ tools, settings }: Pick<Terms, 'tools' | 'settings'>) {
  return tools.map((each) => {
    const parameters = zodParameters(each);
    const execute = async (args: unknown) => each.run(settings === 'hardened' ? parameters.parse(args) : (args as Arguments));
    return tool({ name: each.name, description: each.description, parameters, execute });
  });
}

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

type AgentOptions = Partial<Omit<ConstructorParameters<typeof FunctionAgent>[0], 'llm'>>;

export function functionAgent(terms: Terms, { systemPrompt, ...others }: AgentOptions): FunctionAgent {
  const options = { llm: chatModel(terms), tools: functionTools(terms), ...others, ...(systemPrompt === '' ? {} : { systemPrompt }) };
  return terms.settings === 'hardened' ? new TellsTheModel(options) : new FunctionAgent(options);
}

/** One agent with all tools, whose every run is a conversation of its own. */
export function plainAgent(terms: Terms, systemPrompt: string): (userText: string) => Promise<string> {
  return asking([functionAgent(terms, { systemPrompt })]);
}

/** A workflow of agents, of which the first begins. */
export function asking(agents: readonly FunctionAgent[]): (userText: string) => Promise<string> {
  const workflow = new AgentWorkflow({ agents: [...agents], rootAgent: agents[0] as FunctionAgent });
  return async (userText) => {
    const { data } = await workflow.run(userText);
    return extractText(data.result);
  };
}
