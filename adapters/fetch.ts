/**
 * The floor: no framework at all, a plain loop over fetch.
 *
 * Followed: the function-calling guide of OpenAI (platform.openai.com/docs/guides/function-calling, read November 2026), its loop in Chat Completions.
 * Set: model, temperature, max tokens, tools, prompt, and the loop's own count of model calls.
 * `default` is the loop of the page, which handles no error: an unknown tool, broken arguments or a tool that throws ends the run.
 * `hardened` gives these three back to the model as the tool's text, and bounds each request by the client time-out.
 * `dag` writes by hand what a graph API would run: a planner that answers in a schema, the loop for each subtask at once, one request that joins the findings.
 * Without tools there is nothing to divide, and the loop runs once.
 * Cannot: anything else. An empty last reply is handed on as it is, in both settings.
 */
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { floorCalls } from './floor-calls.ts';
import { functionTools } from './function-tools.ts';
import { PLAN_SCHEMA, PLANNER, synthesisSystem, synthesisText, WORKER } from './prompts.ts';

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

export const fetchLoop: Adapter = { single, dag };

function single(terms: Terms): Prepared {
  const loop = agentLoop(terms);
  return { run: (signal) => loop(terms.systemText, terms.userText, signal), close: async () => {} };
}

function dag(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const ask = requestOf(terms);
  const work = agentLoop(terms);
  return {
    run: async (signal) => {
      const planned = await ask(opening(PLANNER, terms.userText), { response_format: PLAN_FORMAT }, signal);
      const { subtasks } = JSON.parse(planned.content ?? '') as { readonly subtasks: readonly string[] };
      // All are waited for, also when one fails: nobody may go on asking behind the back of a run that has ended.
      const settled = await Promise.allSettled(subtasks.map((subtask) => work(WORKER, subtask, signal)));
      const failed = settled.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      const findings = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const joined = await ask(opening(synthesisSystem(terms), synthesisText(terms, findings)), {}, signal);
      return joined.content ?? '';
    },
    close: async () => {},
  };
}

const PLAN_FORMAT = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: PLAN_SCHEMA } };

function opening(system: string, content: string): Message[] {
  const user: Message = { role: 'user', content };
  return system === '' ? [user] : [{ role: 'system', content: system }, user];
}

/** One request. @throws Error for a status that is no success */
function requestOf({ model, settings }: Terms) {
  return async (messages: readonly Message[], extra: object, signal: AbortSignal): Promise<AssistantMessage> => {
    const response = await fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${model.apiKey}` },
      body: JSON.stringify({ model: model.name, messages, ...extra, temperature: model.temperature, max_tokens: model.maxTokens }),
      signal: settings === 'hardened' ? AbortSignal.any([signal, AbortSignal.timeout(model.timeoutMs)]) : signal,
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    const { choices } = (await response.json()) as { readonly choices: readonly [{ readonly message: AssistantMessage }] };
    return choices[0].message;
  };
}

function agentLoop(terms: Terms) {
  const ask = requestOf(terms);
  const tools = functionTools(terms.tools);
  const call = floorCalls(terms);
  const cap = terms.capLiteral ?? terms.agentCap;

  return async (systemText: string, userText: string, signal: AbortSignal): Promise<string> => {
    const messages = opening(systemText, userText);
    for (let asked = 0; asked < cap; asked++) {
      const message = await ask(messages, tools, signal);
      messages.push(message);
      if (message.tool_calls === undefined || message.tool_calls.length === 0) return message.content ?? '';
      for (const each of message.tool_calls) messages.push({ role: 'tool', tool_call_id: each.id, content: await call(each.function) });
      signal.throwIfAborted();
    }
    throw new Error(`no answer after ${cap} model calls`);
  };
}
