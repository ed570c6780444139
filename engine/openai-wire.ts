// What Chat Completions and Responses have in common for us: one small interface, and the few readers that both use.

import type { JsonSchema } from './json-schema-check.ts';
import type { ModelReply, RawCall, TokenUsage, ToolResult, ToolSpec } from './model.ts';
import { parseArguments } from './tool-calls.ts';

/** How an assistant turn without text is spelled: as it came, as null, or as "". Servers differ in which they refuse. */
export type EmptyText = 'echo' | 'null' | 'empty';

export interface WireSettings {
  readonly model: string;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens' | undefined;
  readonly stream: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Refusal of a reply that a filter of the server broke off: what there is of it is no answer. */
export const FILTERED = 'a content filter of the server broke the reply off';

export interface ReadContext {
  /** Scheme, host and port: all of an address that may stand in a message. */
  readonly origin: string;
  readonly maxTokens: number | undefined;
}

/** Every function that writes gives JSON text of one turn, or of members that follow the history. */
export interface Wire {
  readonly path: string;
  readonly system: (text: string) => string;
  readonly user: (text: string) => string;
  readonly reply: (reply: ModelReply, emptyText: EmptyText) => string;
  readonly result: (result: ToolResult) => string;
  /** How the turn spells "no text" when echoed; `undefined` when it has text or the wire knows no such thing. */
  readonly emptyTextOf: (reply: ModelReply) => 'null' | 'empty' | undefined;
  readonly head: (settings: WireSettings) => string;
  readonly historyKey: string;
  readonly tools: (tools: readonly ToolSpec[], parallel: boolean | undefined) => string;
  readonly output: (schema: JsonSchema) => string;
  readonly read: (text: string, context: ReadContext) => ModelReply;
  readonly readStream: (events: AsyncIterable<string>, context: ReadContext) => Promise<ModelReply>;
}

export function record(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller turns `undefined` into an error that quotes the text.
    return undefined;
  }
}

/** Text of a content that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: unknown; text?: unknown }) =>
      typeof part?.text === 'string' && part.type !== 'thinking' && part.type !== 'reasoning' ? part.text : '',
    )
    .join('');
}

/** Those of a list that are objects: what else a server puts there says nothing. */
export function objectsIn(list: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter((one) => one !== null && typeof one === 'object') : [];
}

/** Arguments as a history holds them: text that is JSON wherever the model's was. */
export function argumentText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return given === undefined || given === null ? '{}' : JSON.stringify(given);
}

/** A call without an id, or with one that the reply already holds, gets its own, so that each result finds its call. */
export function withIds(calls: readonly Partial<RawCall>[]): RawCall[] {
  if (calls.length === 0) return [];
  const seen = new Set<string>();
  return calls.map((call, i) => {
    let id = call.id ?? '';
    for (let n = i + 1; id === '' || seen.has(id); n++) id = `call_${n}`;
    seen.add(id);
    return { id, name: call.name ?? '', arguments: call.arguments };
  });
}

export function usageOf(usage: unknown): TokenUsage | undefined {
  if (usage === null || typeof usage !== 'object') return undefined;
  const counts = usage as Record<string, unknown>;
  const inputTokens = counts.prompt_tokens ?? counts.input_tokens;
  const outputTokens = counts.completion_tokens ?? counts.output_tokens;
  const known: { inputTokens?: number; outputTokens?: number } = {};
  if (typeof inputTokens === 'number') known.inputTokens = inputTokens;
  if (typeof outputTokens === 'number') known.outputTokens = outputTokens;
  return known;
}

/** Some servers report a normal end although the arguments stop in mid-air: broken JSON in a reply that used up its tokens was cut. */
export function finished(reply: ModelReply, maxTokens: number | undefined): ModelReply {
  if (reply.truncated || maxTokens === undefined || reply.calls.length === 0) return reply;
  const atLimit = reply.usage?.outputTokens !== undefined && reply.usage.outputTokens >= maxTokens;
  return atLimit && reply.calls.some((call) => 'problem' in parseArguments(call.arguments)) ? { ...reply, truncated: true } : reply;
}

/** Whether a provider may enforce the schema strictly: every object closed and all its keys required. */
export function closedThroughout(schema: unknown): boolean {
  if (schema === null || typeof schema !== 'object') return true;
  if (Array.isArray(schema)) return schema.every(closedThroughout);
  const node = schema as Record<string, unknown>;
  if (node.type === 'object' || node.properties !== undefined) {
    const names = Object.keys((node.properties ?? {}) as object);
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    if (node.additionalProperties !== false || names.some((name) => !required.has(name))) return false;
  }
  return Object.values(node).every(closedThroughout);
}
