// A JSON Schema subset turned into one closure per schema, once, at build. Not a full validator: what stands outside the subset is named, not guessed.
// Checked: type, enum, const, properties, required, additionalProperties, items, prefixItems, bounds of numbers, strings and lists, pattern,
// anyOf, oneOf, allOf, and $ref within the document.

export type JsonSchema = { readonly [keyword: string]: unknown };

type Issues = string[];
type Test = (value: unknown, path: string, issues: Issues) => void;

const ANNOTATIONS = new Set([
  ...[
    '$schema',
    '$id',
    '$anchor',
    '$comment',
    '$defs',
    'definitions',
    'title',
    'description',
    'default',
    'examples',
    'example',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
  ...['format', 'contentEncoding', 'contentMediaType', 'nullable', '~standard', 'strict'],
]);
const MOST_ISSUES = 8;

export interface CompiledJsonSchema {
  readonly check: (value: unknown) => { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly string[] };
  readonly unchecked: readonly string[];
}

/** Compiles a schema. A property that is optional and given as null counts as absent where its schema does not allow null (models write it so). */
export function compileJsonSchema(schema: JsonSchema): CompiledJsonSchema {
  const unchecked = new Set<string>();
  const references = new Map<string, { test: Test }>();
  /** Each part of the schema is compiled once, however often it is met. */
  const compiled = new WeakMap<object, Test>();

  function compile(node: unknown, where: string): Test {
    if (node === true || node === undefined) return () => {};
    if (node === false) return (_value, path, issues) => void issues.push(`${place(path)} is not allowed`);
    if (node === null || typeof node !== 'object') return () => {};
    const known = compiled.get(node);
    if (known !== undefined) return known;
    const keywords = node as JsonSchema;
    const tests: Test[] = [];
    for (const keyword of Object.keys(keywords)) {
      const test = keywordTest(keyword, keywords, where);
      if (test !== undefined) tests.push(test);
      else if (!KNOWN.has(keyword) && !ANNOTATIONS.has(keyword)) unchecked.add(`${where}${keyword}`);
    }
    const [only] = tests;
    const test: Test =
      only !== undefined && tests.length === 1
        ? only
        : (value, path, issues) => {
            for (const one of tests) one(value, path, issues);
          };
    compiled.set(node, test);
    return test;
  }

  function keywordTest(keyword: string, keywords: JsonSchema, where: string): Test | undefined {
    const operand = keywords[keyword];
    switch (keyword) {
      case 'type':
        return areTexts(operand) ? typeTest(operand) : typeof operand === 'string' ? typeTest([operand]) : undefined;
      case 'const':
        return enumTest([operand]);
      case 'enum':
        return Array.isArray(operand) ? enumTest(operand) : undefined;
      case 'required':
        return areTexts(operand) && operand.length > 0 ? requiredTest(operand) : undefined;
      case 'properties':
      case 'additionalProperties':
        // One test does both, under whichever keyword comes first.
        if (keyword === 'additionalProperties' && 'properties' in keywords) return undefined;
        return membersTest(keywords, where);
      case 'items':
      case 'prefixItems':
        if (keyword === 'prefixItems' && 'items' in keywords) return undefined;
        return itemsTest(keywords, where);
      case 'anyOf':
      case 'oneOf':
        return Array.isArray(operand)
          ? alternativesTest(
              operand.map((way, i) => compile(way, `${where}${keyword}.${i}.`)),
              keyword === 'oneOf',
            )
          : undefined;
      case 'allOf': {
        if (!Array.isArray(operand)) return undefined;
        const all = operand.map((part, i) => compile(part, `${where}allOf.${i}.`));
        return (value, path, issues) => {
          for (const test of all) test(value, path, issues);
        };
      }
      case '$ref':
        return typeof operand === 'string' ? referenceTest(operand) : undefined;
      case 'pattern':
        return typeof operand === 'string' ? patternTest(operand) : undefined;
      default:
        return typeof operand === 'number' ? boundTest(keyword, operand) : undefined;
    }
  }

  function membersTest(keywords: JsonSchema, where: string): Test {
    const members = new Map<string, Test>();
    const nullIsAbsent = new Set<string>();
    const required = new Set(areTexts(keywords.required) ? keywords.required : []);
    for (const [name, member] of Object.entries((keywords.properties ?? {}) as Record<string, unknown>)) {
      const test = compile(member, `${where}${name}.`);
      members.set(name, test);
      if (!required.has(name) && !accepts(test, null)) nullIsAbsent.add(name);
    }
    const extra = keywords.additionalProperties;
    const extraTest = extra === undefined || extra === true ? undefined : extra === false ? false : compile(extra, `${where}*.`);
    return (value, path, issues) => {
      if (!isRecord(value)) return;
      for (const name of Object.keys(value)) {
        const test = members.get(name);
        if (test !== undefined) {
          const member = value[name];
          if (member === null && nullIsAbsent.has(name)) continue;
          test(member, `${path}${path === '' ? '' : '.'}${name}`, issues);
        } else if (extraTest === false) {
          issues.push(`${place(path)} has the unknown key "${name}" (known: ${[...members.keys()].join(', ') || 'none'})`);
        } else extraTest?.(value[name], `${path}${path === '' ? '' : '.'}${name}`, issues);
      }
    };
  }

  function itemsTest(keywords: JsonSchema, where: string): Test {
    const first = (Array.isArray(keywords.prefixItems) ? keywords.prefixItems : []).map((item, i) => compile(item, `${where}${i}.`));
    const rest = compile(keywords.items, `${where}[].`);
    return (value, path, issues) => {
      if (!Array.isArray(value)) return;
      for (let i = 0; i < value.length && issues.length < MOST_ISSUES; i++) (first[i] ?? rest)(value[i], `${path}[${i}]`, issues);
    };
  }

  function referenceTest(reference: string): Test {
    let entry = references.get(reference);
    if (entry === undefined) {
      const target = lookUp(schema, reference);
      if (target === undefined) {
        unchecked.add(`$ref ${reference}`);
        return () => {};
      }
      // Entered before it is compiled, so that a schema may refer to itself.
      entry = { test: () => {} };
      references.set(reference, entry);
      entry.test = compile(target, `${reference}.`);
    }
    const held = entry;
    return (value, path, issues) => held.test(value, path, issues);
  }

  const test = compile(schema, '');
  const dropsNull = nullDropper(schema, (member) => accepts(compile(member, ''), null));
  return {
    check: (value) => {
      const issues: Issues = [];
      test(value, '', issues);
      return issues.length === 0 ? { ok: true, value: dropsNull(value) } : { ok: false, issues: issues.slice(0, MOST_ISSUES) };
    },
    unchecked: [...unchecked],
  };
}

const KNOWN = new Set([
  'type',
  'enum',
  'const',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'pattern',
]);

function accepts(test: Test, value: unknown): boolean {
  const issues: Issues = [];
  test(value, '', issues);
  return issues.length === 0;
}

/** Takes away top-level nulls that stand for absent; the value itself when there is none. */
function nullDropper(schema: JsonSchema, allowsNull: (member: unknown) => boolean): (value: unknown) => unknown {
  const required = new Set(areTexts(schema.required) ? schema.required : []);
  const names = Object.entries((schema.properties ?? {}) as Record<string, unknown>)
    .filter(([name, member]) => !required.has(name) && !allowsNull(member))
    .map(([name]) => name);
  if (names.length === 0) return (value) => value;
  return (value) => {
    if (!isRecord(value) || !names.some((name) => Object.hasOwn(value, name) && value[name] === null)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name, member]) => member !== null || !names.includes(name)));
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function typeTest(types: readonly string[]): Test {
  const wanted = types.join(' or ');
  const only = types.length === 1 ? types[0] : undefined;
  return (value, path, issues) => {
    if (only === undefined ? types.some((type) => hasType(value, type)) : hasType(value, only)) return;
    issues.push(`${place(path)} must be ${wanted}, found ${describe(value)}`);
  };
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function enumTest(allowed: readonly unknown[]): Test {
  const texts = new Set(allowed.map((value) => JSON.stringify(value)));
  return (value, path, issues) => {
    if (!texts.has(JSON.stringify(value) ?? 'undefined')) issues.push(`${place(path)} must be one of ${[...texts].join(', ')}, found ${describe(value)}`);
  };
}

function requiredTest(names: readonly string[]): Test {
  return (value, path, issues) => {
    if (!isRecord(value)) return;
    for (const name of names) if (!Object.hasOwn(value, name)) issues.push(`${place(path)} lacks the required key "${name}"`);
  };
}

function alternativesTest(ways: readonly Test[], exactlyOne: boolean): Test {
  return (value, path, issues) => {
    let fitting = 0;
    let closest: Issues | undefined;
    for (const way of ways) {
      const own: Issues = [];
      way(value, path, own);
      if (own.length === 0) fitting++;
      else if (closest === undefined || own.length < closest.length) closest = own;
      if (fitting > 0 && !exactlyOne) return;
    }
    if (fitting === 0) issues.push(`${place(path)} fits none of ${ways.length} alternatives${closest?.[0] === undefined ? '' : ` (closest: ${closest[0]})`}`);
    else if (exactlyOne && fitting > 1) issues.push(`${place(path)} fits ${fitting} alternatives where exactly one is allowed`);
  };
}

function patternTest(pattern: string): Test | undefined {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch {
    // An expression of another dialect is left unchecked rather than refused.
    return undefined;
  }
  return (value, path, issues) => {
    if (typeof value === 'string' && !expression.test(value)) issues.push(`${place(path)} must match ${pattern}, found ${describe(value)}`);
  };
}

function boundTest(keyword: string, bound: number): Test | undefined {
  const say = (path: string, text: string, value: unknown) => `${place(path)} must ${text} ${bound}, found ${describe(value)}`;
  const numeric =
    (text: string, holds: (value: number) => boolean): Test =>
    (value, path, issues) => {
      if (typeof value === 'number' && !holds(value)) issues.push(say(path, text, value));
    };
  const sized =
    (text: string, of: (value: unknown) => number | undefined, holds: (size: number) => boolean): Test =>
    (value, path, issues) => {
      const size = of(value);
      if (size !== undefined && !holds(size)) issues.push(`${place(path)} must have ${text} ${bound} (it has ${size})`);
    };
  const letters = (value: unknown) => (typeof value === 'string' ? [...value].length : undefined);
  const entries = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
  switch (keyword) {
    case 'minimum':
      return numeric('be at least', (value) => value >= bound);
    case 'maximum':
      return numeric('be at most', (value) => value <= bound);
    case 'exclusiveMinimum':
      return numeric('be more than', (value) => value > bound);
    case 'exclusiveMaximum':
      return numeric('be less than', (value) => value < bound);
    case 'multipleOf':
      return numeric('be a multiple of', (value) => Math.abs(value / bound - Math.round(value / bound)) < 1e-9);
    case 'minLength':
      return sized('a length of at least', letters, (size) => size >= bound);
    case 'maxLength':
      return sized('a length of at most', letters, (size) => size <= bound);
    case 'minItems':
      return sized('a length of at least', entries, (size) => size >= bound);
    case 'maxItems':
      return sized('a length of at most', entries, (size) => size <= bound);
    default:
      return undefined;
  }
}

function place(path: string): string {
  return path === '' ? 'the value' : `"${path}"`;
}

/** The value as a reader would name it: type, and the text when it is short. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return `${typeof value} ${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}`;
}

function lookUp(schema: JsonSchema, reference: string): unknown {
  if (reference === '#') return schema;
  if (!reference.startsWith('#/')) return undefined;
  let node: unknown = schema;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

/** A list of names, as `required` must be; anything else says nothing. */
export function areTexts(operand: unknown): operand is string[] {
  return Array.isArray(operand) && operand.every((one) => typeof one === 'string');
}
