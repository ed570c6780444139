// The floor: a loop over `fetch`, written as one would by hand, that does on the wire and in memory what every agent must. A run has an abort signal that follows
// the one from outside and a time-out for each request; messages are kept and sent again whole; calls are parsed and run in order, results go back in order.
// It checks nothing: not the status, not the arguments, not the answer.
import { type LoopContestant, MODEL } from './contestant.ts';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

export const bareFetch: LoopContestant = async ({ baseUrl, system, question, tool, timeoutMs, signal: outside }) => {
  const url = `${baseUrl}/chat/completions`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${MODEL.apiKey}` };
  const { name, description, parameters } = tool;
  const tools = [{ type: 'function', function: { name, description, parameters } }];
  const byName = new Map([[name, tool.run]]);

  return async () => {
    const controller = new AbortController();
    const onAbort = () => controller.abort();
    outside.addEventListener('abort', onAbort, { once: true });
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: question },
    ];
    for (;;) {
      const timer = setTimeout(onAbort, timeoutMs);
      const body = JSON.stringify({ model: MODEL.name, temperature: MODEL.temperature, max_tokens: MODEL.maxTokens, messages, tools });
      const response = await fetch(url, { method: 'POST', headers, body, signal: controller.signal });
      const { choices } = (await response.json()) as { choices: readonly [{ message: Message }] };
      clearTimeout(timer);
      const { message } = choices[0];
      messages.push(message);
      if (message.tool_calls === undefined) {
        outside.removeEventListener('abort', onAbort);
        return message.content;
      }
      for (const call of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: call.id, content: (await byName.get(call.function.name)?.(JSON.parse(call.function.arguments))) ?? '' });
    }
  };
};
