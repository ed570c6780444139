// Predicates as data: the tree, its text, and its value over structured state. No text of an author is ever run as code.
// Grammar and reading: predicate-parse.ts. Types: predicate-check.ts.
// Evaluation always gives a truth value: a path that leads nowhere is absent, and a comparison with something absent, or of two things
// that cannot be compared, is false; only `!=` and `not in`, which deny `==` and `in`, are then true.

export type Literal = string | number | boolean | null;
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

export interface Path {
  readonly kind: 'path';
  /** A state key. */
  readonly key: string;
  /** Members by name, list places by number. */
  readonly steps: readonly (string | number)[];
}

export type Operand = Path | { readonly kind: 'literal'; readonly value: Literal } | { readonly kind: 'length'; readonly of: Path };

export type Predicate =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Predicate[] }
  | { readonly kind: 'not'; readonly part: Predicate }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Operand; readonly right: Operand }
  | {
      readonly kind: 'in';
      readonly denied: boolean;
      readonly element: Operand;
      readonly list: Path | { readonly kind: 'list'; readonly values: readonly Literal[] };
    }
  | { readonly kind: 'exists'; readonly path: Path }
  /** A path or literal that is a truth value by itself. */
  | { readonly kind: 'truth'; readonly operand: Operand };

/** Names that must stand in back-quotes when they are keys. */
export const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'true', 'false', 'null', 'length', 'exists']);
const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*$/u;

/** The text of a predicate, with as few brackets as it can have. Parsing it gives the same tree. */
export function printPredicate(predicate: Predicate): string {
  return print(predicate, 0);
}

function print(predicate: Predicate, strength: number): string {
  switch (predicate.kind) {
    case 'or':
    case 'and': {
      const own = predicate.kind === 'or' ? 1 : 2;
      const text = predicate.parts.map((part) => print(part, own + 1)).join(` ${predicate.kind} `);
      return strength > own ? `(${text})` : text;
    }
    case 'not':
      return `not ${print(predicate.part, 3)}`;
    case 'compare':
      return `${printOperand(predicate.left)} ${predicate.operator} ${printOperand(predicate.right)}`;
    case 'in': {
      const list =
        predicate.list.kind === 'path' ? printOperand(predicate.list) : `[${predicate.list.values.map((value) => JSON.stringify(value)).join(', ')}]`;
      return `${printOperand(predicate.element)} ${predicate.denied ? 'not in' : 'in'} ${list}`;
    }
    case 'exists':
      return `exists(${printOperand(predicate.path)})`;
    case 'truth':
      return printOperand(predicate.operand);
    default:
      return predicate satisfies never;
  }
}

function printOperand(operand: Operand): string {
  if (operand.kind === 'literal') return JSON.stringify(operand.value);
  if (operand.kind === 'length') return `length(${printOperand(operand.of)})`;
  return printName(operand.key) + operand.steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${printName(step)}`)).join('');
}

function printName(name: string): string {
  return PLAIN_NAME.test(name) && !WORDS.has(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

/** State keys that a predicate reads, each once, in the order of its text. */
export function keysOf(predicate: Predicate): readonly string[] {
  const keys = new Set<string>();
  for (const path of pathsOf(predicate)) keys.add(path.key);
  return [...keys];
}

export function* pathsOf(predicate: Predicate): Generator<Path> {
  switch (predicate.kind) {
    case 'or':
    case 'and':
      for (const part of predicate.parts) yield* pathsOf(part);
      return;
    case 'not':
      yield* pathsOf(predicate.part);
      return;
    case 'exists':
      yield predicate.path;
      return;
    case 'compare':
      yield* pathsIn(predicate.left);
      yield* pathsIn(predicate.right);
      return;
    case 'in':
      yield* pathsIn(predicate.element);
      if (predicate.list.kind === 'path') yield predicate.list;
      return;
    case 'truth':
      yield* pathsIn(predicate.operand);
      return;
    default:
      predicate satisfies never;
  }
}

function* pathsIn(operand: Operand): Generator<Path> {
  if (operand.kind === 'path') yield operand;
  else if (operand.kind === 'length') yield operand.of;
}

/** Reads a state key; `undefined` where nobody wrote it. */
export type ReadKey = (key: string) => unknown;

export function evaluatePredicate(predicate: Predicate, read: ReadKey): boolean {
  switch (predicate.kind) {
    case 'or':
      return predicate.parts.some((part) => evaluatePredicate(part, read));
    case 'and':
      return predicate.parts.every((part) => evaluatePredicate(part, read));
    case 'not':
      return !evaluatePredicate(predicate.part, read);
    case 'compare':
      return compare(predicate.operator, resolve(predicate.left, read), resolve(predicate.right, read));
    case 'in': {
      const element = resolve(predicate.element, read);
      const list: unknown = predicate.list.kind === 'path' ? resolve(predicate.list, read) : predicate.list.values;
      return isIn(element, list) !== predicate.denied;
    }
    case 'exists':
      return resolve(predicate.path, read) !== undefined;
    case 'truth':
      return resolve(predicate.operand, read) === true;
    default:
      return predicate satisfies never;
  }
}

function resolve(operand: Operand, read: ReadKey): unknown {
  if (operand.kind === 'literal') return operand.value;
  if (operand.kind === 'length') {
    const of = resolve(operand.of, read);
    return typeof of === 'string' || Array.isArray(of) ? of.length : undefined;
  }
  let value = read(operand.key);
  for (const step of operand.steps) {
    // Own members only: nothing of a prototype is ever seen. A place is one of a list, a name one of a record.
    if (value === null || typeof value !== 'object' || Array.isArray(value) !== (typeof step === 'number') || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** Texts are ordered by UTF-16 units. */
function compare(operator: Comparison, left: unknown, right: unknown): boolean {
  if (operator === '==') return isSame(left, right);
  if (operator === '!=') return !isSame(left, right);
  if (!(typeof left === 'number' && typeof right === 'number') && !(typeof left === 'string' && typeof right === 'string')) return false;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return operator satisfies never;
  }
}

/** Only single values are compared; two lists or records are never the same. */
function isSame(left: unknown, right: unknown): boolean {
  return left === right && left !== undefined && (left === null || typeof left !== 'object');
}

function isIn(element: unknown, list: unknown): boolean {
  if (typeof list === 'string') return typeof element === 'string' && list.includes(element);
  return Array.isArray(list) && list.some((one) => isSame(one, element));
}
