// What the engine knows of schemas: a Standard Schema that also offers Standard JSON Schema, or plain JSON Schema. No schema library is imported.
import { compileJsonSchema, type JsonSchema } from './json-schema-check.ts';
import { WorkflowError } from './workflow-error.ts';

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined }[] };

/** The parts of Standard Schema and Standard JSON Schema (standardschema.dev, version 1) that are used here. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
          readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
        }
      | undefined;
  };
}

/** A schema by what comes out of it. */
export type Schema<Output = unknown> = StandardSchema<unknown, Output>;

/** Checks a value: the value to go on with, or what is wrong, each with its place. */
export type Check = (value: unknown) => Checked | Promise<Checked>;
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly string[] };

/** A schema made ready at `build()`. */
export interface Port {
  readonly check: Check;
  /** What a model is shown. Absent when the schema offers none. */
  readonly json?: JsonSchema;
  /** Keywords that stand in the schema and are not checked. */
  readonly unchecked: readonly string[];
}

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return schema !== null && (typeof schema === 'object' || typeof schema === 'function') && '~standard' in schema;
}

/** @throws WorkflowError `INVALID_SCHEMA` when it is neither a Standard Schema nor JSON Schema. */
export function resolvePort(schema: unknown, direction: 'input' | 'output' = 'input'): Port {
  if (isStandardSchema(schema)) {
    const standard = schema['~standard'];
    const own = (schema as { readonly [PLAIN]?: Port })[PLAIN];
    if (own !== undefined) return own;
    const json = standard.jsonSchema?.[direction]({ target: 'draft-2020-12' }) as JsonSchema | undefined;
    return { check: (value) => fromStandard(standard.validate(value)), unchecked: [], ...(json === undefined ? {} : { json: withoutDialect(json) }) };
  }
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
    throw new WorkflowError('INVALID_SCHEMA', `expected a Standard Schema or a JSON Schema object, found ${schema === null ? 'null' : typeof schema}`, {
      remedy: 'Pass a zod (or other Standard Schema) schema, or an object such as { type: "object", properties: { … } }.',
    });
  }
  const compiled = compileJsonSchema(schema as JsonSchema);
  return { check: compiled.check, json: schema as JsonSchema, unchecked: compiled.unchecked };
}

const PLAIN = Symbol('port');

/** A plain JSON Schema with a TypeScript type of your own: `jsonSchema<{ city: string }>({ type: 'object', … })`. Becomes a Standard Schema. */
export function jsonSchema<Output>(schema: JsonSchema): StandardSchema<Output, Output> {
  const port = resolvePort(schema);
  const standard: StandardSchema<Output, Output>['~standard'] = {
    version: 1,
    vendor: 'agentgauge',
    validate: (value) => {
      const checked = port.check(value) as Checked;
      return checked.ok ? { value: checked.value as Output } : { issues: checked.issues.map((message) => ({ message })) };
    },
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  };
  return Object.freeze({ '~standard': standard, [PLAIN]: port });
}

/** A Standard Schema whose library offers no JSON Schema, with one beside it. */
export function withJsonSchema<Output>(schema: Schema<Output>, json: JsonSchema): StandardSchema<Output, Output> {
  const standard = schema['~standard'] as StandardSchema<Output, Output>['~standard'];
  return Object.freeze({ '~standard': { ...standard, jsonSchema: { input: () => ({ ...json }), output: () => ({ ...json }) } } });
}

function fromStandard(result: StandardResult<unknown> | Promise<StandardResult<unknown>>): Checked | Promise<Checked> {
  if (result instanceof Promise) return result.then((settled) => fromStandard(settled));
  if (result.issues === undefined) return { ok: true, value: result.value };
  return {
    ok: false,
    issues: result.issues.map(({ message, path }) => (path === undefined || path.length === 0 ? message : `${path.map(pathKey).join('.')}: ${message}`)),
  };
}

function pathKey(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part);
}

/** `$schema` says nothing to a model and some servers refuse it. */
function withoutDialect(json: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = json;
  return rest;
}
