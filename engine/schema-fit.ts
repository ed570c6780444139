// Whether what one node puts out fits what another takes in, told from their schemas alone.
// Decided here, as a compiler would: kinds, members that are required, members of members, items, null.
// Left to run time and listed: narrower values (bounds, pattern, format, integer, enum, const) and all that `schema-parts.ts` calls unknown.

import type { JsonSchema } from './json-schema-check.ts';
import { areTexts } from './json-schema-check.ts';
import { memberOf, type Part, type Parts, partsOf, valuesOf } from './schema-parts.ts';

export type Fit = { readonly fits: 'yes' } | { readonly fits: 'no' | 'unknown'; readonly why: string };

const YES: Fit = { fits: 'yes' };
const NARROWER = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'propertyNames', 'contains'],
];
const SAYS_NOTHING = new Set(['title', 'description', 'default', 'examples', '$comment', '$id']);
const DEEPEST = 20;

const known = new WeakMap<JsonSchema, WeakMap<JsonSchema, Fit>>();

export function schemaFit(given: JsonSchema, wanted: JsonSchema): Fit {
  if (given === wanted) return YES;
  let row = known.get(given);
  if (row === undefined) {
    row = new WeakMap();
    known.set(given, row);
  }
  let fit = row.get(wanted);
  if (fit === undefined) {
    fit = takesAll(wanted) ? YES : fitOf(partsOf(given, given), partsOf(wanted, wanted), '', DEEPEST);
    row.set(wanted, fit);
  }
  return fit;
}

/** The schema of one named part of an input, resolved against the whole. */
export function schemaOfMember(schema: JsonSchema, name: string): JsonSchema | undefined {
  const members = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (members === undefined || !Object.hasOwn(members, name)) return undefined;
  const member = members[name] as JsonSchema;
  return schema.$defs === undefined && schema.definitions === undefined ? member : { ...member, $defs: schema.$defs, definitions: schema.definitions };
}

function fitOf(given: Parts, wanted: Parts, path: string, depth: number): Fit {
  const place = path === '' ? 'it' : path;
  if (wanted === undefined || given === undefined || depth === 0) return { fits: 'unknown', why: `what ${place} may be is not told by the schema` };
  let worst: Fit = YES;
  for (const part of given) {
    for (const kind of part.kinds) {
      const one = bestOf(
        { ...part, kinds: [kind] },
        wanted.filter(({ kinds }) => kinds.includes(kind)),
        path,
        depth,
      );
      if (one.fits === 'no') return one;
      if (one.fits === 'unknown') worst = one;
    }
  }
  return worst;
}

/** One alternative with one kind, against all that would take this kind. */
function bestOf(part: Part, ways: readonly Part[], path: string, depth: number): Fit {
  const place = path === '' ? 'it' : path;
  if (ways.length === 0) return { fits: 'no', why: `${place} may be ${part.kinds[0]}, which is not taken` };
  let best: Fit | undefined;
  for (const way of ways) {
    const fit = partFit(part, way, path, depth);
    if (fit.fits === 'yes') return fit;
    if (best === undefined || fit.fits === 'unknown') best = fit;
  }
  return best as Fit;
}

function partFit(part: Part, way: Part, path: string, depth: number): Fit {
  const place = path === '' ? 'it' : path;
  const [values, allowed] = [valuesOf(part), valuesOf(way)];
  if (allowed !== undefined) {
    if (values === undefined) return { fits: 'unknown', why: `${place} must be one of ${JSON.stringify(allowed).slice(0, 100)}` };
    const strange = values.filter((value) => !allowed.includes(value) && (value === null || typeof value !== 'object'));
    if (strange.length === values.length && values.length > 0)
      return { fits: 'no', why: `${place} is one of ${JSON.stringify(values).slice(0, 100)}, of which none is taken` };
    if (strange.length > 0) return { fits: 'unknown', why: `${place} may be ${JSON.stringify(strange[0])}` };
    return YES;
  }
  const fit = part.kinds[0] === 'object' ? membersFit(part, way, path, depth) : part.kinds[0] === 'array' ? itemsFit(part, way, path, depth) : YES;
  if (fit.fits !== 'yes') return fit;
  if (part.kinds[0] === 'number' && isInteger(way) && !isInteger(part) && values === undefined) return { fits: 'unknown', why: `${place} must be whole` };
  const narrower = NARROWER.find((keyword) => Object.hasOwn(way.schema, keyword) && way.schema[keyword] !== part.schema[keyword]);
  return narrower === undefined ? YES : { fits: 'unknown', why: `${place} has the bound ${narrower}` };
}

function isInteger({ schema }: Part): boolean {
  return schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'));
}

function membersFit(part: Part, way: Part, path: string, depth: number): Fit {
  const required = namesIn(way.schema.required);
  const sure = new Set(namesIn(part.schema.required));
  let worst: Fit = YES;
  const names = new Set([...Object.keys((part.schema.properties ?? {}) as object), ...Object.keys((way.schema.properties ?? {}) as object), ...required]);
  for (const name of names) {
    const place = path === '' ? name : `${path}.${name}`;
    const given = memberOf(part, name);
    const declared = Object.hasOwn((part.schema.properties ?? {}) as object, name);
    if (required.includes(name) && !sure.has(name)) {
      const closed = part.schema.additionalProperties === false || Object.hasOwn(part.schema, 'properties');
      if (declared || closed) return { fits: 'no', why: `${place} is required and ${declared ? 'may be absent' : 'is not there'}` };
      worst = { fits: 'unknown', why: `${place} is required and may be absent` };
    }
    const wanted = ownMember(way.schema.properties, name);
    if (!declared || wanted === undefined || takesAll(wanted)) continue;
    const fit = fitOf(given, memberOf(way, name), place, depth - 1);
    if (fit.fits === 'no') return fit;
    if (fit.fits === 'unknown') worst = fit;
  }
  const strange = [...Object.keys((part.schema.properties ?? {}) as object)].find((name) => !Object.hasOwn((way.schema.properties ?? {}) as object, name));
  if (strange !== undefined && way.schema.additionalProperties === false)
    worst = { fits: 'unknown', why: `${path === '' ? '' : `${path}.`}${strange} is not declared there` };
  return worst;
}

function itemsFit(part: Part, way: Part, path: string, depth: number): Fit {
  if (way.schema.prefixItems !== undefined || part.schema.prefixItems !== undefined)
    return { fits: 'unknown', why: `${path || 'it'} is a list with places of its own` };
  if (way.schema.items === undefined || takesAll(way.schema.items)) return YES;
  return fitOf(partsOf(part.schema.items, part.root), partsOf(way.schema.items, way.root), `${path}[]`, depth - 1);
}

function ownMember(members: unknown, name: string): unknown {
  return members !== null && typeof members === 'object' && Object.hasOwn(members, name) ? (members as Record<string, unknown>)[name] : undefined;
}

function takesAll(schema: unknown): boolean {
  return schema === true || (schema !== null && typeof schema === 'object' && Object.keys(schema).every((keyword) => SAYS_NOTHING.has(keyword)));
}

function namesIn(required: unknown): readonly string[] {
  return areTexts(required) ? required : [];
}
