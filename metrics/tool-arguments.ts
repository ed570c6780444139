// Whether the call that a tool received is the call that the model asked for (method M2.4): equal after JSON normalisation, defaults and lossless coercion.
import type { ToolSchema } from '../base/tool-schema.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** @returns the object that the text spells, maybe as JSON within a JSON text; an empty text or null is no argument at all; `undefined` when it is no object */
export function parseArguments(text: string): Arguments | undefined {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (typeof value === 'string') value = JSON.parse(value);
  } catch {
    return undefined; // What is no JSON is the finding.
  }
  if (value === null) return {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as Arguments) : undefined;
}

/** An empty text and null say nothing: the model broke the form, unless the tool needs no argument. */
export function isMalformed(text: string, schema: ToolSchema | undefined): boolean {
  const says = text.trim();
  if (says === '' || says === 'null') return schema === undefined || schema.parameters.required.length > 0;
  return parseArguments(text) === undefined;
}

/** Whether a required parameter is missing or a value has another type: what a strict border refuses. Null is absent; an integral float is an integer. */
export function breaksSchema(given: Arguments, schema: ToolSchema): boolean {
  if (schema.parameters.required.some((name) => given[name] === undefined || given[name] === null)) return true;
  return Object.entries(schema.parameters.properties).some(([name, { type }]) => {
    const value = given[name];
    if (value === undefined || value === null) return false;
    return type === 'integer' ? !Number.isInteger(value) : typeof value !== type;
  });
}

/**
 * @param received what the broker got
 * @param asked what the model's call spelt
 * @param schema without it a key that only one side has counts as default or as ignored
 */
export function sameArguments(received: unknown, asked: Arguments, schema?: ToolSchema): boolean {
  const got = typeof received === 'object' && received !== null && !Array.isArray(received) ? (received as Arguments) : {};
  for (const name of new Set([...Object.keys(got), ...Object.keys(asked)])) {
    const here = got[name] ?? undefined;
    const there = asked[name] ?? undefined;
    if (here === undefined && there === undefined) continue;
    if (here === undefined || there === undefined) {
      if (schema === undefined) continue;
      const known = Object.hasOwn(schema.parameters.properties, name);
      // A parameter that the model gave must arrive; one that it left out may be filled in, if it is optional.
      if (known && (here === undefined || schema.parameters.required.includes(name))) return false;
    } else if (!sameValue(here, there)) return false;
  }
  return true;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b !== 'string') return sameText(a, b);
  if (typeof b === 'string' && typeof a !== 'string') return sameText(b, a);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameValue((a as Arguments)[key], (b as Arguments)[key]));
}

/** `"5"` for 5 and `"True"` for true lose nothing. */
function sameText(text: string, value: unknown): boolean {
  if (typeof value === 'number') return text.trim() !== '' && Number(text) === value;
  return typeof value === 'boolean' && text.trim().toLowerCase() === String(value);
}
