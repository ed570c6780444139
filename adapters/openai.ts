/**
 * OpenAI client for Node, 7.59.0: a loop of one's own over `chat.completions.create`. A floor with a client library.
 *
 * Followed: README of the package (github.com/openai/openai-node) and the function-calling guide (platform.openai.com/docs/guides/function-calling).
 * Set: model, temperature, max tokens, tools, prompt, and the loop's own count of model calls. The client's retries (2) and time-out (10 min) are its defaults.
 * `default` handles no error of a call; `hardened` gives unknown tool, broken JSON and tool errors back to the model, and sets the client's time-out.
 * Cannot: anything else. The client retries by itself; each retry is a request of its own.
 */
import OpenAI from 'openai';
import type { ChatCompletionMessageFunctionToolCall, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { functionTools } from './function-tools.ts';

export const openaiLoop: Adapter = { single };

function single(terms: Terms): Prepared {
  const { model } = terms;
  const hardened = terms.settings === 'hardened';
  const client = new OpenAI({ baseURL: model.baseUrl, apiKey: model.apiKey, ...(hardened ? { timeout: model.timeoutMs } : {}) });
  const tools = functionTools(terms.tools);
  const functions = new Map(terms.tools.map((tool) => [tool.name, tool.run]));
  const cap = terms.capLiteral ?? terms.agentCap;

  const call = async ({ name, arguments: text }: ChatCompletionMessageFunctionToolCall['function']): Promise<string> => {
    // The cast is the textbook's: a name that nobody has is a TypeError here, and that is the point of this row.
    if (!hardened) return (functions.get(name) as (args: unknown) => Promise<string>)(JSON.parse(text));
    const run = functions.get(name);
    if (run === undefined) return `Error: there is no tool ${name}; there are: ${[...functions.keys()].join(', ')}`;
    try {
      return await run(JSON.parse(text));
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`;
    }
  };

  return {
    run: async (signal) => {
      const messages: ChatCompletionMessageParam[] = [];
      if (terms.systemText !== '') messages.push({ role: 'system', content: terms.systemText });
      messages.push({ role: 'user', content: terms.userText });
      for (let asked = 0; asked < cap; asked++) {
        const completion = await client.chat.completions.create(
          { model: model.name, messages, ...tools, temperature: model.temperature, max_tokens: model.maxTokens },
          { signal },
        );
        // As above: no choice at all is a TypeError, as in the guide's loop.
        const { message } = completion.choices[0] as OpenAI.ChatCompletion.Choice;
        messages.push(message);
        const calls = (message.tool_calls ?? []).filter((each) => each.type === 'function');
        if (calls.length === 0) return message.content ?? '';
        for (const each of calls) messages.push({ role: 'tool', tool_call_id: each.id, content: await call(each.function) });
        signal.throwIfAborted();
      }
      throw new Error(`no answer after ${cap} model calls`);
    },
    close: async () => {},
  };
}
