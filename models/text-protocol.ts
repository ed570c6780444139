// Some agents are asked to write their tool calls into their text (`Action:`, `Action Input:`), and get results back as text (`Observation:`). This reads the
// tools out of such a prompt, and writes calls and answers in its form, so that the model plays the same part there. Reading the history back: history-text.ts.
import type { Message, ModelRequest, OfferedTool } from './read-request.ts';
import type { AssistantMessage } from './reply-source.ts';

export interface TextProtocol {
  readonly tools: readonly OfferedTool[];
  /** Mark before the answer, as the prompt spells it. */
  readonly answerMark: string;
}

const CALL = /^[\s>*-]*Action\s*:/im;
const INPUT = /^[\s>*-]*Action[ _]Input\s*:/im;

/** @param known names of tools that a task of this kind may need. @returns `undefined` when the request offers tools, or asks for no such form */
export function textProtocolOf(request: ModelRequest, known: readonly string[]): TextProtocol | undefined {
  if (request.tools.length > 0) return undefined;
  const told = request.messages.filter(asks).map(({ text }) => text);
  const prompt = told.find((text) => CALL.test(text) && INPUT.test(text));
  if (prompt === undefined) return undefined;
  const listed = [...prompt.matchAll(/(?:\b(?:one of|tools?|from)\b|^[\s>*-]*Action\s*:)[^[\]\n]{0,80}\[([^\]\n]{1,1000})\]/gim)]
    .flatMap((match) => (match[1] ?? '').split(','))
    .map((name) => name.replace(/^[\s'"`]+|[\s'"`]+$/g, ''))
    .filter((name) => name !== '' && !name.includes('{'));
  const named = known.filter((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(prompt));
  const names = [...new Set([...listed, ...named])];
  const answer = /^[\s>*-]*(Final Answer|Answer)\s*:/m.exec(prompt)?.[1];
  return names.length === 0 ? undefined : { tools: names.map((name) => toolIn(prompt, name)), answerMark: answer ?? 'Final Answer' };
}

function asks({ role }: Message): boolean {
  return role === 'system' || role === 'user';
}

/** Parameters as far as the prompt says: names before a colon within the next braces. */
function toolIn(prompt: string, name: string): OfferedTool {
  const places = [...prompt.matchAll(new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g'))];
  for (const { index } of places) {
    const about = prompt.slice(index + name.length, index + name.length + 900).split(/\n\s*\n/)[0] ?? '';
    const braces = /\{[\s\S]*\}/.exec(about)?.[0];
    const keys = [...(braces ?? '').matchAll(/['"](\w{1,40})['"]\s*:/g)].map((match) => match[1] as string).filter((key) => !SCHEMA_WORDS.has(key));
    if (keys.length === 0) continue;
    const properties = Object.fromEntries([...new Set(keys)].map((key) => [key, { type: 'string' }]));
    return { name, description: about.split('\n')[0] ?? '', schema: { properties, required: Object.keys(properties) }, strict: false };
  }
  const [first] = places;
  const line = first === undefined ? '' : (prompt.slice(first.index + name.length).split('\n')[0] ?? '');
  return { name, description: line, schema: {}, strict: false };
}

const SCHEMA_WORDS = new Set(['type', 'title', 'description', 'properties', 'required', 'items', 'additionalProperties', 'default', 'anyOf']);

/** The turn in the form of the protocol: a thought, then a call or the answer. */
export function inProtocol(message: AssistantMessage, { answerMark }: TextProtocol): AssistantMessage {
  const [call] = message.calls;
  const text = message.text ?? '';
  if (call !== undefined) {
    const thought = text === '' ? 'This is still to be looked up.' : text;
    return { ...message, text: `Thought: ${thought}\nAction: ${call.name}\nAction Input: ${call.arguments}\n`, calls: [], finishReason: 'stop' };
  }
  return text === '' ? message : { ...message, text: `Thought: Nothing more is needed.\n${answerMark}: ${text}` };
}
