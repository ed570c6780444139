// Holds arguments against a tool's schema before anything runs (method M2.1): null for an optional parameter is absent, extra keys are ignored,
// integral floats are integers, and nothing is coerced. `coerceArguments` is the lenient border: it runs with what it got, as a plain function would.
import type { ToolParameter, ToolSchema } from '../base/tool-schema.ts';
import type { Arguments } from './tool.ts';

export type Checked = { readonly ok: true; readonly given: Arguments } | { readonly ok: false; readonly message: string };

/** @returns the known arguments, or one message that names the tool and every parameter that is wrong, with what was found */
export function checkArguments(schema: ToolSchema, received: unknown): Checked {
  if (!isObject(received)) return { ok: false, message: `${schema.name}: the arguments must be a JSON object, found ${spell(received)}` };
  const given: Record<string, string | number | boolean> = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(schema.parameters.properties)) {
    const value = Object.hasOwn(received, name) ? received[name] : undefined;
    const required = schema.parameters.required.includes(name);
    if (value === undefined || value === null) {
      if (required) problems.push(`parameter "${name}" is required (${parameter.type})${value === null ? ', found null' : ' and missing'}`);
    } else if (fits(value, parameter.type)) {
      given[name] = value;
    } else {
      problems.push(`parameter "${name}" must be ${ARTICLE[parameter.type]}, found ${spell(value)}`);
    }
  }
  if (problems.length === 0) return { ok: true, given };
  return { ok: false, message: `${schema.name}: ${problems.join('; ')}` };
}

/** What a plain function would make of the same arguments: numbers out of digits, text out of anything; what makes no number is absent. */
export function coerceArguments(schema: ToolSchema, received: unknown): Checked & { readonly ok: true } {
  const from = isObject(received) ? received : {};
  const given: Record<string, string | number | boolean> = {};
  for (const [name, { type }] of Object.entries(schema.parameters.properties)) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined;
    if (value === undefined || value === null) continue;
    if (type === 'boolean') given[name] = Boolean(value);
    else if (type === 'string') given[name] = typeof value === 'object' ? '[object]' : String(value);
    else if (Number.isFinite(Number(value))) given[name] = Number(value);
  }
  return { ok: true, given };
}

const ARTICLE: Readonly<Record<ToolParameter['type'], string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
};

function fits(value: unknown, type: ToolParameter['type']): value is string | number | boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return type satisfies never;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Quotes a value with its type, at most sixty characters of it, so that a model can tell what it sent. */
function spell(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 60))}`;
  return `the ${typeof value} ${String(value)}`;
}
