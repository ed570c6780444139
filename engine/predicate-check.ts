// Types of predicates, checked at build against the schemas of the state. What a schema leaves open is named and decided at run time.
import type { JsonSchema } from './json-schema-check.ts';
import { type Operand, type Path, type Predicate, pathsOf, printPredicate } from './predicate.ts';
import { type Kind, kindOf, memberOf, type Part, type Parts, partsOf, valuesOf } from './schema-parts.ts';

export interface PredicateFault {
  readonly code: 'predicate-key' | 'predicate-type' | 'predicate-constant';
  readonly message: string;
}

export interface PredicateCheck {
  readonly faults: readonly PredicateFault[];
  /** Paths whose type is not known before the run. */
  readonly unchecked: readonly string[];
}

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'a record',
};

/** `schemas` has each declared key; `undefined` where its schema offers no JSON Schema. */
export function checkPredicate(predicate: Predicate, schemas: ReadonlyMap<string, JsonSchema | undefined>): PredicateCheck {
  const faults: PredicateFault[] = [];
  const unchecked = new Set<string>();
  const broken = new Set<Path>();
  let paths = 0;
  for (const path of pathsOf(predicate)) {
    paths++;
    if (schemas.has(path.key)) continue;
    broken.add(path);
    const declared = [...schemas.keys()].join(', ') || 'none';
    faults.push({ code: 'predicate-key', message: `it reads "${path.key}", which the workflow's state does not declare (declared: ${declared})` });
  }
  if (paths === 0) faults.push({ code: 'predicate-constant', message: 'it reads no state, so it always says the same' });
  visit(predicate);
  return { faults, unchecked: [...unchecked] };

  function say(message: string): void {
    faults.push({ code: 'predicate-type', message });
  }

  function visit(part: Predicate): void {
    switch (part.kind) {
      case 'or':
      case 'and':
        for (const one of part.parts) visit(one);
        return;
      case 'not':
        visit(part.part);
        return;
      case 'exists':
        typeOf(part.path);
        return;
      case 'truth': {
        const type = typeOf(part.operand);
        if (type !== undefined && !has(type, ['boolean'])) say(`${textOf(part.operand)} is ${namesOf(type)}, not true or false`);
        return;
      }
      case 'compare': {
        const [left, right] = [typeOf(part.left), typeOf(part.right)];
        if (left === undefined || right === undefined) return;
        const order = part.operator !== '==' && part.operator !== '!=';
        const shared = kindsIn(left).filter((kind) => kindsIn(right).includes(kind) && kind !== 'array' && kind !== 'object');
        const usable = order ? shared.filter((kind) => kind === 'string' || kind === 'number') : shared;
        const pair = `${textOf(part.left)} is ${namesOf(left)} and ${textOf(part.right)} is ${namesOf(right)}`;
        if (usable.length === 0) say(`${pair}; "${part.operator}" cannot compare them`);
        else if (!order && !meet(left, right)) say(`${pair}; they are never the same`);
        return;
      }
      case 'in': {
        const element = typeOf(part.element);
        const list = part.list.kind === 'path' ? typeOf(part.list) : listType(part.list.values);
        if (list === undefined) return;
        const name = part.list.kind === 'path' ? textOf(part.list) : 'the list';
        if (!has(list, ['array', 'string'])) return say(`${name} is ${namesOf(list)}, so nothing is in it`);
        if (element === undefined) return;
        const within = elementsOf(list);
        if (within !== undefined && !meet(element, within)) say(`${textOf(part.element)} is ${namesOf(element)}, which is never in ${name}`);
        return;
      }
      default:
        part satisfies never;
    }
  }

  function typeOf(operand: Operand): Parts {
    if (operand.kind === 'literal') return literalType(operand.value);
    if (operand.kind === 'length') {
      const of = typeOf(operand.of);
      if (of !== undefined && !has(of, ['string', 'array'])) say(`${textOf(operand.of)} is ${namesOf(of)}, which has no length`);
      return [{ kinds: ['number'], schema: {}, root: {} }];
    }
    if (broken.has(operand)) return undefined;
    const schema = schemas.get(operand.key);
    let type: Parts = schema === undefined ? undefined : partsOf(schema, schema);
    for (const [at, step] of operand.steps.entries()) {
      if (type === undefined) break;
      const found: Parts[] = type.map((part) => memberOf(part, step));
      const next: Parts = found.includes(undefined) ? undefined : found.flatMap((parts) => parts as readonly Part[]);
      if (next !== undefined && next.length === 0) {
        const before = textOf({ ...operand, steps: operand.steps.slice(0, at) });
        const known = type.flatMap(({ schema }) => Object.keys((schema.properties ?? {}) as object));
        say(`${before} is ${namesOf(type)} and has no ${JSON.stringify(step)}${known.length > 0 ? ` (it has: ${known.join(', ')})` : ''}`);
        return undefined;
      }
      type = next;
    }
    if (type === undefined) unchecked.add(textOf(operand));
    return type;
  }
}

function textOf(operand: Operand): string {
  return printPredicate({ kind: 'truth', operand });
}

function literalType(value: unknown): readonly Part[] {
  return [{ kinds: [kindOf(value)], schema: { const: value }, root: {} }];
}

function listType(values: readonly unknown[]): readonly Part[] {
  return [{ kinds: ['array'], schema: { items: { enum: values } }, root: {} }];
}

/** What may be in a list; a text holds texts. */
function elementsOf(list: readonly Part[]): Parts {
  const all = list.map((part): Parts => {
    if (part.kinds.includes('string')) return [{ kinds: ['string'], schema: {}, root: {} }];
    if (!part.kinds.includes('array')) return [];
    return Array.isArray(part.schema.prefixItems) ? undefined : partsOf(part.schema.items, part.root);
  });
  return all.includes(undefined) ? undefined : all.flatMap((parts) => parts as readonly Part[]);
}

function kindsIn(type: readonly Part[]): readonly Kind[] {
  return [...new Set(type.flatMap(({ kinds }) => kinds))];
}

function has(type: readonly Part[], kinds: readonly Kind[]): boolean {
  return kindsIn(type).some((kind) => kinds.includes(kind));
}

function namesOf(type: readonly Part[]): string {
  return (
    type
      .flatMap((part) => valuesOf(part)?.map((value) => JSON.stringify(value)) ?? part.kinds.map((kind) => KIND_NAMES[kind]))
      .filter((name, at, all) => all.indexOf(name) === at)
      .join(' or ') || 'nothing'
  );
}

/** Whether a value of one type can be the same as one of the other. */
function meet(left: readonly Part[], right: readonly Part[]): boolean {
  return left.some((a) => right.some((b) => partsMeet(a, b)));
}

function partsMeet(a: Part, b: Part): boolean {
  const [values, others] = [valuesOf(a), valuesOf(b)];
  if (values !== undefined && others !== undefined) return values.some((value) => others.includes(value));
  if (values !== undefined) return values.some((value) => b.kinds.includes(kindOf(value)));
  if (others !== undefined) return others.some((value) => a.kinds.includes(kindOf(value)));
  return a.kinds.some((kind) => b.kinds.includes(kind));
}
