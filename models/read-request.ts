// One view over the request bodies of Chat Completions and Responses, so that nothing behind it can treat one wire shape better than another.
// Reads only; a body that is neither is a RequestError with the message a client would get.
import { createHash } from 'node:crypto';
import type { RequestedCall } from '../base/traffic.ts';

export type Endpoint = 'chat.completions' | 'responses';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  /** Of a `tool` message: the call it answers. */
  readonly callId?: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
}

export type ToolChoice = { readonly kind: 'auto' | 'none' | 'required' } | { readonly kind: 'named'; readonly name: string };

export type ResponseFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly schema: JsonSchema; readonly strict: boolean };

/** The part of JSON Schema that tools and response formats use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
}

export interface ModelRequest {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly streamed: boolean;
  /** Chat streams carry usage only when asked. */
  readonly includeUsage: boolean;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  /** Tools as sent, for counting. */
  readonly toolsText: string;
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly responseFormat: ResponseFormat;
  readonly stop: readonly string[];
  readonly maxTokens?: number;
  /** The body as it was sent, for the wire audit and for passing on. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A body that a provider would refuse with 400. */
export class RequestError extends Error {
  readonly param: string | null;
  constructor(message: string, param: string | null = null) {
    super(message);
    this.name = 'RequestError';
    this.param = param;
  }
}

/**
 * @param normalize puts fixed words in place of what differs from machine to machine; applied to every text that is counted or decided on
 * @throws RequestError when the body cannot be a request of this endpoint
 */
export function readRequest(endpoint: Endpoint, parsed: unknown, normalize: (text: string) => string): ModelRequest {
  const body = asRecord(parsed);
  if (!body) throw new RequestError('We could not parse the JSON body of your request: an object is expected.');
  if (typeof body.model !== 'string') throw new RequestError("Missing required parameter: 'model'.", 'model');
  const messages = endpoint === 'chat.completions' ? chatMessages(body, normalize) : responsesMessages(body, normalize);
  const { tools, text: toolsText } = toolList(body.tools, normalize);
  const maxTokens = [body.max_completion_tokens, body.max_output_tokens, body.max_tokens].find((value) => typeof value === 'number');
  return {
    endpoint,
    model: body.model,
    streamed: body.stream === true,
    includeUsage: asRecord(body.stream_options)?.include_usage === true,
    messages,
    tools,
    toolsText,
    toolChoice: toolChoice(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls !== false,
    responseFormat: responseFormat(endpoint === 'chat.completions' ? body.response_format : asRecord(body.text)?.format),
    stop: typeof body.stop === 'string' ? [body.stop] : list(body.stop).filter((entry) => typeof entry === 'string'),
    ...(typeof maxTokens === 'number' ? { maxTokens } : {}),
    body,
  };
}

function chatMessages(body: Readonly<Record<string, unknown>>, normalize: (text: string) => string): Message[] {
  if (!Array.isArray(body.messages)) throw new RequestError("Missing required parameter: 'messages'.", 'messages');
  return body.messages.map((entry, at) => {
    const message = asRecord(entry);
    if (!message) throw new RequestError(`Invalid type for 'messages[${at}]': an object is expected.`, 'messages');
    const role = roleOf(message.role);
    if (!role) throw new RequestError(`Invalid value: ${JSON.stringify(message.role)} at 'messages[${at}].role'.`, `messages[${at}].role`);
    const calls = list(message.tool_calls).flatMap((call): RequestedCall[] => {
      const wanted = asRecord(asRecord(call)?.function);
      if (!wanted) return [];
      return [{ id: text(asRecord(call)?.id), name: text(wanted.name), arguments: normalize(text(wanted.arguments)) }];
    });
    const old = asRecord(message.function_call);
    if (old) calls.push({ id: '', name: text(old.name), arguments: normalize(text(old.arguments)) });
    return {
      role,
      text: normalize(contentText(message.content)),
      calls,
      ...(role === 'tool' ? { callId: text(message.tool_call_id ?? message.name) } : {}),
    };
  });
}

function responsesMessages(body: Readonly<Record<string, unknown>>, normalize: (text: string) => string): Message[] {
  const messages: Message[] = [];
  if (typeof body.instructions === 'string') messages.push({ role: 'system', text: normalize(body.instructions), calls: [] });
  if (typeof body.input === 'string') messages.push({ role: 'user', text: normalize(body.input), calls: [] });
  else if (!Array.isArray(body.input)) throw new RequestError("Missing required parameter: 'input'.", 'input');
  for (const entry of list(body.input)) {
    const item = asRecord(entry);
    if (!item) continue;
    if (item.type === 'function_call') {
      messages.push({ role: 'assistant', text: '', calls: [{ id: text(item.call_id), name: text(item.name), arguments: normalize(text(item.arguments)) }] });
    } else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', text: normalize(contentText(item.output)), calls: [], callId: text(item.call_id) });
    } else {
      const role = roleOf(item.role);
      if (role) messages.push({ role, text: normalize(contentText(item.content)), calls: [] });
    }
  }
  return messages;
}

/** Text of a content field: a string, a list of parts, or nothing. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((part) => (typeof part === 'string' ? part : text(asRecord(part)?.text ?? asRecord(part)?.refusal)))
    .filter((part) => part !== '')
    .join('\n');
}

function roleOf(role: unknown): Message['role'] | undefined {
  switch (role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
    case 'assistant':
    case 'tool':
      return role;
    case 'function':
      return 'tool';
    default:
      return undefined;
  }
}

interface ToolList {
  readonly tools: readonly OfferedTool[];
  /** As sent, with fixed words; empty without tools. */
  readonly text: string;
}

/** Whole lists recur in every request of a run: each spelling is read once for each set of fixed words. */
const seenLists = new WeakMap<(text: string) => string, Map<string, ToolList>>();
const MOST_LISTS = 500;

function toolList(sent: unknown, normalize: (text: string) => string): ToolList {
  if (!Array.isArray(sent) || sent.length === 0) return NO_TOOLS;
  const spelled = JSON.stringify(sent);
  const known = seenLists.get(normalize) ?? new Map<string, ToolList>();
  seenLists.set(normalize, known);
  const seen = known.get(spelled);
  if (seen) return seen;
  const tools = sent.flatMap(offeredTool);
  const read = tools.length === 0 ? NO_TOOLS : { tools, text: normalize(spelled) };
  if (known.size >= MOST_LISTS) known.clear();
  known.set(spelled, read);
  return read;
}

const NO_TOOLS: ToolList = { tools: [], text: '' };

/** Descriptions of one tool recur in other lists: parse each spelling once. */
const seenTools = new Map<string, OfferedTool>();

function offeredTool(entry: unknown): OfferedTool[] {
  const tool = asRecord(entry);
  const described = asRecord(tool?.function) ?? tool;
  if (!described || typeof described.name !== 'string') return [];
  const key = createHash('sha256').update(JSON.stringify(entry)).digest('base64');
  const seen = seenTools.get(key);
  if (seen) return [seen];
  const offered = {
    name: described.name,
    description: text(described.description),
    schema: (asRecord(described.parameters) ?? {}) as JsonSchema,
    strict: described.strict === true,
  };
  if (seenTools.size > 10_000) seenTools.clear();
  seenTools.set(key, offered);
  return [offered];
}

function toolChoice(choice: unknown): ToolChoice {
  if (choice === 'none' || choice === 'required') return { kind: choice };
  if (choice === 'any') return { kind: 'required' };
  const named = asRecord(choice);
  const name = asRecord(named?.function)?.name ?? named?.name;
  if (typeof name === 'string') return { kind: 'named', name };
  return { kind: 'auto' };
}

function responseFormat(format: unknown): ResponseFormat {
  const wanted = asRecord(format);
  if (wanted?.type === 'json_object') return { kind: 'json' };
  if (wanted?.type !== 'json_schema') return { kind: 'text' };
  const described = asRecord(wanted.json_schema) ?? wanted;
  return { kind: 'schema', schema: (asRecord(described.schema) ?? {}) as JsonSchema, strict: described.strict === true };
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
