// Reads a JSON Schema as a set of alternatives with plain kinds. Serves the checks at build of predicates and of ports; checks no value.
// Understood: type, enum, const, properties, required, additionalProperties, items, prefixItems, anyOf, oneOf, $ref within the document.
// Whatever else decides what a value is (allOf, if, not, patternProperties, …) makes the part unknown, which is never guessed at.
import type { JsonSchema } from './json-schema-check.ts';

export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** One alternative: a value of one of these kinds, its members told by the schema it stands in. */
export interface Part {
  readonly kinds: readonly Kind[];
  readonly schema: JsonSchema;
  /** The document that references in it are resolved against. */
  readonly root: JsonSchema;
}

/** `undefined` is unknown. An empty list is a value that cannot be. */
export type Parts = readonly Part[] | undefined;

const KINDS: readonly Kind[] = ['string', 'number', 'boolean', 'null', 'array', 'object'];
const OBSCURE = ['allOf', 'not', 'if', 'then', 'else', 'dependentSchemas', '$dynamicRef', '$recursiveRef'];
const MOST_REFERENCES = 50;

export function partsOf(schema: unknown, root: JsonSchema, budget = MOST_REFERENCES): Parts {
  if (schema === false) return [];
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return undefined;
  const json = schema as JsonSchema;
  if (OBSCURE.some((keyword) => Object.hasOwn(json, keyword))) return undefined;
  if (typeof json.$ref === 'string') return budget === 0 ? undefined : partsOf(lookUp(json.$ref, root), root, budget - 1);
  const ways = json.anyOf ?? json.oneOf;
  if (Array.isArray(ways)) {
    const all = ways.map((way) => partsOf(way, root, budget - 1));
    return budget <= 0 || all.includes(undefined) ? undefined : all.flatMap((parts) => parts as readonly Part[]);
  }
  const kinds = kindsOf(json);
  return kinds === undefined ? undefined : [{ kinds, schema: json, root }];
}

function kindsOf(json: JsonSchema): readonly Kind[] | undefined {
  if (Object.hasOwn(json, 'const')) return [kindOf(json.const)];
  if (Array.isArray(json.enum)) return [...new Set(json.enum.map(kindOf))];
  const types = Array.isArray(json.type) ? json.type : json.type === undefined ? [] : [json.type];
  const kinds = types.map((type) => (type === 'integer' ? 'number' : type) as Kind);
  return kinds.length === 0 || kinds.some((kind) => !KINDS.includes(kind)) ? undefined : kinds;
}

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** The single values that a part allows, where it lists them. */
export function valuesOf({ schema }: Part): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** What stands under a name (of a record) or place (of a list). An empty list: there is no such member. */
export function memberOf(part: Part, step: string | number): Parts {
  const { schema, root } = part;
  if (!part.kinds.includes(typeof step === 'number' ? 'array' : 'object')) return [];
  if (typeof step === 'number') {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    return partsOf(step < first.length ? first[step] : schema.items, root);
  }
  const members = (schema.properties ?? {}) as Record<string, unknown>;
  if (Object.hasOwn(members, step)) return partsOf(members[step], root);
  return Object.hasOwn(schema, 'patternProperties') ? undefined : partsOf(schema.additionalProperties, root);
}

function lookUp(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
