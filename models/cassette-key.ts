// What makes two requests the same on a cassette: all that a model could go by, in named parts, so that a difference can be shown. What differs from run to run
// without meaning (ids of calls, ports, folders) is left out or was normalized before.
import { hashOf } from '../base/canonical-json.ts';
import type { Message, ModelRequest } from './read-request.ts';

export interface RequestPart {
  /** `model`, `tools`, `message 3 (tool)`. */
  readonly name: string;
  readonly text: string;
}

export function partsOf(request: ModelRequest): RequestPart[] {
  const { temperature } = request.body;
  const settings = {
    endpoint: request.endpoint,
    streamed: request.streamed,
    toolChoice: request.toolChoice,
    parallelToolCalls: request.parallelToolCalls,
    responseFormat: request.responseFormat,
    stop: request.stop,
    ...(request.maxTokens === undefined ? {} : { maxTokens: request.maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
  return [
    { name: 'model', text: request.model },
    { name: 'settings', text: JSON.stringify(settings) },
    { name: 'tools', text: request.toolsText },
    ...request.messages.map((message, at) => ({ name: `message ${at + 1} (${message.role})`, text: spelled(message) })),
  ];
}

function spelled({ text, calls }: Message): string {
  return [text, ...calls.map((call) => `${call.name}(${call.arguments})`)].filter((part) => part !== '').join('\n');
}

export function keyOf(parts: readonly RequestPart[]): string {
  return hashOf(
    parts.map(({ name, text }) => [name, text]),
    24,
  );
}

/** What is different, for a person: the first part that is, with the places at which the texts part. */
export function differenceOf(recorded: readonly RequestPart[], now: readonly RequestPart[]): string {
  const names = [...new Set([...recorded, ...now].map(({ name }) => name))];
  const different = names.filter((name) => textOf(recorded, name) !== textOf(now, name));
  const [first] = different;
  if (first === undefined) return 'nothing differs but how often it was asked';
  const [before, after] = [textOf(recorded, first), textOf(now, first)];
  const more = different.length > 1 ? `, and ${different.length - 1} more parts` : '';
  if (before === undefined) return `it has a ${first} which was not recorded: ${excerpt(after ?? '', 0)}${more}`;
  if (after === undefined) return `it lacks ${first}, recorded as ${excerpt(before, 0)}${more}`;
  const at = [...before].findIndex((sign, index) => sign !== after[index]);
  const from = at < 0 ? before.length : at;
  return `${first} differs at character ${from + 1}: recorded ${excerpt(before, from)}, now ${excerpt(after, from)}${more}`;
}

function textOf(parts: readonly RequestPart[], name: string): string | undefined {
  return parts.find((part) => part.name === name)?.text;
}

const BEFORE = 24;
const BEHIND = 48;

function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE);
  const part = text.slice(from, at + BEHIND);
  return JSON.stringify(`${from > 0 ? '…' : ''}${part}${at + BEHIND < text.length ? '…' : ''}`);
}
