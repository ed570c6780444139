// What a planner writes: the sentences of the plan's chains, in the form that the request asks for (schema, tool, JSON list, numbered list), and what its slips make of them.
import type { JsonSchema } from './read-request.ts';
import { planProperty } from './role-cues.ts';

/** Where the list goes. `json` asks for some object, `list` for a JSON list in plain text, `text` for words. */
export type PlanForm = { readonly kind: 'schema'; readonly schema: JsonSchema } | { readonly kind: 'json' | 'list' | 'text' };

export function planText(sentences: readonly string[], form: PlanForm): string {
  switch (form.kind) {
    case 'schema':
      return JSON.stringify(planValue(sentences, form.schema));
    case 'json':
      return JSON.stringify({ subtasks: sentences });
    case 'list':
      return JSON.stringify(sentences);
    case 'text':
      return sentences.map((sentence, at) => `${at + 1}. ${sentence}`).join('\n');
    default:
      return form satisfies never;
  }
}

/** The list in the schema's own shape; whatever else the schema demands is filled with something harmless. */
export function planValue(sentences: readonly string[], schema: JsonSchema): unknown {
  const defs = schema.$defs ?? {};
  const items = (list: JsonSchema | undefined) => sentences.map((sentence, at) => entry(list?.items ?? {}, sentence, at, defs));
  const property = planProperty(schema);
  if (property === undefined) return items(schema);
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => name !== property);
  return {
    ...Object.fromEntries(rest.map(([name, other]) => [name, member(other, 'To be worked on one by one.', 0, defs)])),
    [property]: items(schema.properties?.[property]),
  };
}

function entry(schema: JsonSchema, sentence: string, at: number, defs: Readonly<Record<string, JsonSchema>>): unknown {
  const resolved = schema.$ref === undefined ? schema : (defs[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (resolved.properties === undefined) return sentence;
  return Object.fromEntries(
    Object.entries(resolved.properties).map(([name, property]) => [
      name,
      /^(?:id|name|title|key)$/i.test(name) ? member(property, `part-${at + 1}`, at + 1, defs) : member(property, sentence, at + 1, defs),
    ]),
  );
}

function member(schema: JsonSchema, text: string, number: number, defs: Readonly<Record<string, JsonSchema>>): unknown {
  if (schema.$ref !== undefined) return member(defs[schema.$ref.split('/').at(-1) ?? ''] ?? {}, text, number, {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [branch] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((option) => option.type !== 'null');
  if (branch) return member(branch, text, number, defs);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string']);
  switch (types.find((type) => type !== 'null')) {
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, member(property, text, number, defs)]));
    case 'integer':
    case 'number':
      return number;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return text;
  }
}

/** Prose where a list belongs, a list cut in the middle, or a list in the wrong brackets. @param draw in [0, 1) */
export function malformedPlan(draw: number, sentences: readonly string[]): string {
  const list = JSON.stringify(sentences);
  switch (Math.floor(draw * 3)) {
    case 0:
      return `First this: ${sentences.join(' And then: ')}`;
    case 1:
      return list.slice(0, Math.max(2, Math.floor(list.length * 0.7)));
    default:
      return `{${list.slice(1, -1)}}`;
  }
}
