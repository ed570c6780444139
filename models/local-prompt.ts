// The messages that a local model's own chat template is filled with. A template that does not know tools gets them said in the system text. Pure.
import type { LocalRequest } from './local.ts';
import type { SpokenForm } from './local-form.ts';
import type { Message, OfferedTool } from './read-request.ts';

/** For weights that bring no template: ChatML. */
export const PLAIN_TEMPLATE =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

/** What small models write at the end of a turn when their file does not say that it ends one. */
export const END_MARKS = ['<|im_end|>', '<|endoftext|>', '<end_of_turn>'];

const ANSWER_FORM = 'If a tool is needed, call one. Otherwise, and when the results answer the question, reply {"answer": TEXT}.';
const AFTER_RESULT = 'If this answers the question, reply {"answer": TEXT}; else call a tool.';

interface PromptMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly type: 'function'; readonly function: { readonly name: string; readonly arguments: unknown } }[];
}

export interface Prompt {
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly unknown[] | undefined;
}

/** @param knowsTools whether the template has a place for tools */
export function promptMessages({ messages, tools }: Pick<LocalRequest, 'messages' | 'tools'>, form: SpokenForm, knowsTools: boolean): Prompt {
  const offered = form.kind === 'calls' ? form.tools : [];
  const hints = [
    ...(offered.length > 0 && !knowsTools ? [toolsText(offered)] : []),
    ...(form.kind === 'calls' && form.orAnswer ? [ANSWER_FORM] : []),
    ...(form.kind === 'schema' ? [`Reply with JSON of this schema: ${JSON.stringify(form.schema)}`] : []),
    ...(form.kind === 'json' ? ['Reply with JSON.'] : []),
  ];
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const rest = messages.filter(({ role }) => role !== 'system');
  const head = [...(system.length === 0 && hints.length > 0 ? ['You are a helpful assistant.'] : system), ...hints].join('\n');
  const spoken = rest.map((message) => (knowsTools && tools.length > 0 ? withCalls(message) : asText(message)));
  const last = spoken.at(-1);
  const nudged = rest.at(-1)?.role === 'tool' && form.kind === 'calls' && form.orAnswer && last !== undefined;
  return {
    messages: [
      ...(head === '' ? [] : [{ role: 'system', content: head }]),
      ...(nudged ? [...spoken.slice(0, -1), { ...last, content: `${last.content}\n${AFTER_RESULT}` }] : spoken),
    ],
    tools: knowsTools && offered.length > 0 ? offered.map(toolOf) : undefined,
  };
}

function toolOf({ name, description, schema }: OfferedTool): unknown {
  return { type: 'function', function: { name, description, parameters: schema } };
}

function toolsText(tools: readonly OfferedTool[]): string {
  const lines = tools.map(({ name, description, schema }) => JSON.stringify({ name, description, parameters: schema }));
  return `You can use these tools:\n${lines.join('\n')}\nTo use one, reply only with {"name": TOOL, "arguments": {...}}.`;
}

function withCalls({ role, text, calls }: Message): PromptMessage {
  if (calls.length === 0) return { role, content: text };
  return {
    role,
    content: text,
    tool_calls: calls.map((call) => ({ type: 'function', function: { name: call.name, arguments: argumentsOf(call.arguments) } })),
  };
}

function asText({ role, text, calls }: Message): PromptMessage {
  if (role === 'tool') return { role: 'user', content: `Tool result: ${text}` };
  const said = calls.map((call) => `{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}`);
  return { role, content: [text, ...said].filter((part) => part !== '').join('\n') };
}

/** Broken arguments stay the text that they were. */
function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
