// Text to predicate. By strength: `or`, `and`, `not`, then one comparison or membership.
//   predicate := and ('or' and)*        and := not ('and' not)*        not := 'not' not | '(' predicate ')' | test
//   test      := exists(path) | operand [('==' | '!=' | '<' | '<=' | '>' | '>=') operand | ['not'] 'in' (path | '[' literal, … ']')]
//   operand   := path | length(path) | "text" | 'text' | number | true | false | null
//   path      := name ('.' name | '[' place ']')*        name := letters, digits, _ $ and inner -, or anything in `back-quotes`
// `&&`, `||` and `!` are read as `and`, `or` and `not`.
import type { Comparison, Literal, Operand, Path, Predicate } from './predicate.ts';
import { WORDS } from './predicate.ts';
import { WorkflowError } from './workflow-error.ts';

const LONGEST_TEXT = 10_000;
const DEEPEST = 100;

type Token =
  | { readonly kind: 'name'; readonly text: string; readonly at: number; readonly quoted: boolean }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: 'the end'; readonly at: number };

const SPACE = /\s*/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/uy;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/suy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SIGN = /==|!=|<=|>=|&&|\|\||[<>!()[\].,]/y;

/** @throws WorkflowError `INVALID_PREDICATE` that quotes the text and says where and what. */
export function parsePredicate(text: string): Predicate {
  if (typeof text !== 'string') throw new WorkflowError('INVALID_PREDICATE', `a predicate is a text, found ${text === null ? 'null' : typeof text}`);
  if (text.length > LONGEST_TEXT) throw new WorkflowError('INVALID_PREDICATE', `a predicate may have ${LONGEST_TEXT} characters, found ${text.length}`);
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #token: Token;

  constructor(text: string) {
    this.#text = text;
    this.#token = this.#read();
  }

  whole(): Predicate {
    const predicate = this.#or();
    if (this.#token.kind !== 'end') this.#refuse('the end, "and" or "or"');
    return predicate;
  }

  #or(): Predicate {
    if (++this.#depth > DEEPEST) this.#fail(`it nests deeper than ${DEEPEST}`);
    const parts = this.#chain('or', '||', () => this.#and());
    this.#depth--;
    return parts;
  }

  #and(): Predicate {
    return this.#chain('and', '&&', () => this.#not());
  }

  /** Parts of the same kind in a row are one list, so that brackets without need leave no trace. */
  #chain(kind: 'or' | 'and', sign: string, next: () => Predicate): Predicate {
    const parts = [next()];
    while (this.#take(kind) || this.#take(sign)) parts.push(next());
    const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
    return flat.length === 1 ? (flat[0] as Predicate) : { kind, parts: flat };
  }

  #not(): Predicate {
    let denials = 0;
    while (this.#take('not') || this.#take('!')) denials++;
    let predicate = this.#take('(') ? this.#closed(this.#or()) : this.#test();
    // `not not p` is p.
    if (denials % 2 === 1) predicate = predicate.kind === 'not' ? predicate.part : { kind: 'not', part: predicate };
    return predicate;
  }

  #closed(predicate: Predicate): Predicate {
    this.#need(')');
    return predicate;
  }

  #test(): Predicate {
    if (this.#take('exists')) {
      this.#need('(');
      const path = this.#path();
      this.#need(')');
      return { kind: 'exists', path };
    }
    const left = this.#operand();
    const sign = this.#token;
    if (sign.kind === 'sign' && /^(?:[=!<>]=|[<>])$/.test(sign.text)) {
      this.#next();
      return { kind: 'compare', operator: sign.text as Comparison, left, right: this.#operand() };
    }
    const denied = this.#take('not');
    if (this.#take('in')) return { kind: 'in', denied, element: left, list: this.#list() };
    if (denied) this.#refuse('"in"');
    return { kind: 'truth', operand: left };
  }

  #list(): Extract<Predicate, { kind: 'in' }>['list'] {
    if (!this.#take('[')) return this.#path();
    const values: Literal[] = [];
    if (!this.#take(']')) {
      do {
        const operand = this.#operand();
        if (operand.kind !== 'literal') this.#fail('a list in brackets holds texts, numbers, true, false and null only');
        else values.push(operand.value);
      } while (this.#take(','));
      this.#need(']');
    }
    return { kind: 'list', values };
  }

  #operand(): Operand {
    const token = this.#token;
    if (token.kind === 'text') {
      this.#next();
      return { kind: 'literal', value: token.text };
    }
    if (token.kind === 'number') {
      this.#next();
      return { kind: 'literal', value: token.value };
    }
    for (const [word, value] of CONSTANTS) if (this.#take(word)) return { kind: 'literal', value };
    if (this.#take('length')) {
      this.#need('(');
      const of = this.#path();
      this.#need(')');
      return { kind: 'length', of };
    }
    return this.#path();
  }

  #path(): Path {
    const key = this.#name('a state key');
    const steps: (string | number)[] = [];
    for (;;) {
      if (this.#take('.')) steps.push(this.#name('a name', true));
      else if (this.#take('[')) {
        const place = this.#token;
        if (place.kind !== 'number' || !Number.isSafeInteger(place.value) || place.value < 0) return this.#refuse('a place, which is a whole number from 0');
        steps.push(place.value);
        this.#next();
        this.#need(']');
      } else return { kind: 'path', key, steps };
    }
  }

  #name(what: string, wordsToo = false): string {
    const token = this.#token;
    if (token.kind !== 'name' || (!token.quoted && !wordsToo && WORDS.has(token.text))) return this.#refuse(what);
    this.#next();
    return token.text;
  }

  #take(text: string): boolean {
    const token = this.#token;
    if (token.text !== text || !(token.kind === 'sign' || (token.kind === 'name' && !token.quoted))) return false;
    this.#next();
    return true;
  }

  #need(text: string): void {
    if (!this.#take(text)) this.#refuse(`"${text}"`);
  }

  #next(): void {
    this.#token = this.#read();
  }

  #read(): Token {
    this.#match(SPACE);
    const at = this.#at;
    if (at === this.#text.length) return { kind: 'end', text: 'the end', at };
    const number = this.#match(NUMBER);
    if (number !== undefined) {
      // -0 is 0.
      const value = Number(number) + 0;
      if (!Number.isFinite(value)) this.#fail(`${number} is too large a number`, at);
      return { kind: 'number', value, text: number, at };
    }
    const name = this.#match(NAME);
    if (name !== undefined) return { kind: 'name', text: name, at, quoted: false };
    const quoted = this.#match(QUOTED);
    if (quoted !== undefined) {
      const text = this.#unquote(quoted, at);
      return quoted.startsWith('`') ? { kind: 'name', text, at, quoted: true } : { kind: 'text', text, at };
    }
    const sign = this.#match(SIGN);
    if (sign === undefined) return this.#fail(`${JSON.stringify(String.fromCodePoint(this.#text.codePointAt(at) as number))} means nothing here`, at);
    return { kind: 'sign', text: sign, at };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** JSON's escapes, and a quotation mark of any of the three kinds. */
  #unquote(quoted: string, at: number): string {
    return quoted.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/gsu, (_, short: string) => {
      if (short.length === 5) return String.fromCharCode(Number.parseInt(short.slice(1), 16));
      const meant = ESCAPES.get(short);
      return meant ?? this.#fail(`\\${short} is no escape`, at);
    });
  }

  #refuse(expected: string): never {
    const { text, at, kind } = this.#token;
    return this.#fail(`expected ${expected}, found ${kind === 'end' ? text : JSON.stringify(text)}`, at);
  }

  #fail(what: string, at = this.#token.at): never {
    throw new WorkflowError('INVALID_PREDICATE', `predicate ${JSON.stringify(this.#text.slice(0, 200))}, character ${at + 1}: ${what}`);
  }
}

const CONSTANTS: readonly (readonly [string, Literal])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
]);
