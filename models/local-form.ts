// In what form a local model must speak, and what it said in it: calls of tools come as JSON that a grammar enforces, since small models do not keep to a form
// by themselves. Pure; the grammar is made elsewhere from the schema that stands here.
import type { LocalRequest } from './local.ts';
import type { JsonSchema, OfferedTool } from './read-request.ts';
import type { AssistantMessage } from './reply-source.ts';

export type SpokenForm =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly schema: JsonSchema }
  /** One of these tools with its arguments, or an answer where none must be called. */
  | { readonly kind: 'calls'; readonly tools: readonly OfferedTool[]; readonly orAnswer: boolean };

export function spokenForm({ tools, toolChoice, responseFormat }: Pick<LocalRequest, 'tools' | 'toolChoice' | 'responseFormat'>): SpokenForm {
  const offered = toolChoice.kind === 'named' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (offered.length > 0 && toolChoice.kind !== 'none') return { kind: 'calls', tools: offered, orAnswer: toolChoice.kind === 'auto' };
  return responseFormat.kind === 'schema' ? { kind: 'schema', schema: responseFormat.schema } : responseFormat;
}

/** The schema of a reply, in the part of JSON Schema that grammars are made from: every property of an object is required there. */
export function replySchema(form: Extract<SpokenForm, { kind: 'schema' | 'calls' }>): unknown {
  if (form.kind === 'schema') return grammarSchema(form.schema, form.schema);
  const calls = form.tools.map(({ name, schema }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: grammarSchema({ type: 'object', ...schema }, schema) },
  }));
  return { oneOf: [...calls, ...(form.orAnswer ? [{ type: 'object', properties: { answer: { type: 'string' } } }] : [])] };
}

const DEEPEST = 12;

function grammarSchema(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const inner = (one: JsonSchema) => grammarSchema(one, root, depth + 1);
  // A schema that refers to itself has no end as a grammar of this kind.
  if (depth > DEEPEST) return { type: 'string' };
  if (schema.$ref !== undefined) return inner(root.$defs?.[schema.$ref.replace(/^#\/\$defs\//, '')] ?? {});
  if (schema.const !== undefined) return { const: schema.const };
  if (schema.enum !== undefined) return { enum: schema.enum };
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return { oneOf: choices.map(inner) };
  if (schema.type === 'array') return { type: 'array', items: inner(schema.items ?? {}) };
  if (schema.type === 'object' || schema.properties !== undefined) return objectForms(schema, inner);
  if (schema.type !== undefined) return { type: schema.type };
  return { type: ['string', 'number', 'boolean', 'null'] };
}

/** What is required always, what is optional from the first to any place: one form for each length. */
function objectForms({ properties = {}, required = [] }: JsonSchema, inner: (schema: JsonSchema) => unknown): unknown {
  const names = Object.keys(properties);
  const optional = names.filter((name) => !required.includes(name));
  const form = (count: number) => {
    const taken = [...names.filter((name) => required.includes(name)), ...optional.slice(0, count)];
    return { type: 'object', properties: Object.fromEntries(taken.map((name) => [name, inner(properties[name] ?? {})])) };
  };
  return optional.length === 0 ? form(0) : { oneOf: Array.from({ length: optional.length + 1 }, (_, count) => form(count)) };
}

const CUT_CALL = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*([\s\S]*)$/;
const CUT_ANSWER = /^\s*\{\s*"answer"\s*:\s*"([\s\S]*)$/;

/** @param cut at the most tokens: what is there of a call or an answer is given as far as it goes, as providers do */
export function spokenMessage(form: SpokenForm, said: string, cut: boolean): AssistantMessage {
  const finishReason = cut ? 'length' : 'stop';
  if (form.kind !== 'calls') return { text: said.trim(), calls: [], finishReason };
  const value = parsed(said);
  if (value !== undefined && typeof value.name === 'string')
    return { text: null, calls: [{ id: null, name: value.name, arguments: JSON.stringify(value.arguments ?? {}) }], finishReason: 'tool_calls' };
  if (value !== undefined && typeof value.answer === 'string') return { text: value.answer, calls: [], finishReason };
  const call = CUT_CALL.exec(said);
  if (call !== null) return { text: null, calls: [{ id: null, name: JSON.parse(call[1] as string) as string, arguments: call[2] as string }], finishReason };
  const answer = CUT_ANSWER.exec(said)?.[1]?.replace(/\\[^\\]{0,5}$/, '');
  return { text: answer === undefined ? said.trim() : unescaped(answer), calls: [], finishReason };
}

function parsed(text: string): { readonly name?: unknown; readonly arguments?: unknown; readonly answer?: unknown } | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined; // Cut off: the caller takes what is there.
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
