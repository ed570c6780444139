/**
 * The floor: no framework at all, a plain loop over fetch.
 *
 * Followed: the function-calling guide of OpenAI (platform.openai.com/docs/guides/function-calling, read November 2026), its loop in Chat Completions.
 * Set: model, temperature, max tokens, tools, prompt, and the loop's own count of model calls.
 * `default` is the loop of the page, which handles no error: an unknown tool, broken arguments or a tool that throws ends the run.
 * `hardened` gives these three back to the model as the tool's text, and bounds each request by the client time-out.
 * Cannot: anything else. An empty last reply is handed on as it is, in both settings.
 */
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { functionTools } from './function-tools.ts';

interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly FunctionCall[];
}

interface FunctionCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

type Message = { readonly role: 'system' | 'user'; readonly content: string } | AssistantMessage | ToolMessage;
type ToolMessage = { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export const fetchLoop: Adapter = { single };

function single(terms: Terms): Prepared {
  const { model } = terms;
  const tools = functionTools(terms.tools);
  const functions = new Map(terms.tools.map((tool) => [tool.name, tool.run]));
  const cap = terms.capLiteral ?? terms.agentCap;
  const hardened = terms.settings === 'hardened';

  const ask = async (messages: readonly Message[], signal: AbortSignal): Promise<AssistantMessage> => {
    const response = await fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${model.apiKey}` },
      body: JSON.stringify({ model: model.name, messages, ...tools, temperature: model.temperature, max_tokens: model.maxTokens }),
      signal: hardened ? AbortSignal.any([signal, AbortSignal.timeout(model.timeoutMs)]) : signal,
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    const { choices } = (await response.json()) as { readonly choices: readonly [{ readonly message: AssistantMessage }] };
    return choices[0].message;
  };

  const call = async ({ function: { name, arguments: text } }: FunctionCall): Promise<string> => {
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
      const messages: Message[] = [];
      if (terms.systemText !== '') messages.push({ role: 'system', content: terms.systemText });
      messages.push({ role: 'user', content: terms.userText });
      for (let asked = 0; asked < cap; asked++) {
        const message = await ask(messages, signal);
        messages.push(message);
        if (message.tool_calls === undefined || message.tool_calls.length === 0) return message.content ?? '';
        for (const each of message.tool_calls) messages.push({ role: 'tool', tool_call_id: each.id, content: await call(each) });
        signal.throwIfAborted();
      }
      throw new Error(`no answer after ${cap} model calls`);
    },
    close: async () => {},
  };
}
