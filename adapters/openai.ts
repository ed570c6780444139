/**
 * OpenAI client for Node, 7.59.0: a loop of one's own over `chat.completions.create`. A floor with a client library.
 *
 * Followed: README of the package (github.com/openai/openai-node) and the function-calling guide (platform.openai.com/docs/guides/function-calling).
 * Set: model, temperature, max tokens, tools, prompt, and the loop's own count of model calls. The client's retries (2) and time-out (10 min) are its defaults.
 * `default` handles no error of a call; `hardened` gives unknown tool, broken JSON and tool errors back to the model, and sets the client's time-out.
 * Cannot: anything else. The client retries by itself; each retry is a request of its own.
 */
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { floorCalls } from './floor-calls.ts';
import { functionTools } from './function-tools.ts';

export const openaiLoop: Adapter = { single };

function single(terms: Terms): Prepared {
  const { model } = terms;
  const hardened = terms.settings === 'hardened';
  const client = new OpenAI({ baseURL: model.baseUrl, apiKey: model.apiKey, ...(hardened ? { timeout: model.timeoutMs } : {}) });
  const tools = functionTools(terms.tools);
  const call = floorCalls(terms);
  const cap = terms.capLiteral ?? terms.agentCap;

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
