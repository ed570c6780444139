// Arithmetic as people and models write it, evaluated exactly. A closed grammar over numbers and the functions listed below: there is no name to reach
// anything else by, so model text is harmless here. Grammar, loosest first: sum, product, sign, power (right to left), postfix (`!`, percent), atom.
import { type Apply, CONSTANTS, FUNCTIONS, factorial, modulo } from './calculator-functions.ts';
import { add, CalculationError, divide, type Exact, exact, exactOf, multiply, negate, power, subtract } from './exact-number.ts';

/** @throws CalculationError whose message says what is wrong and where */
export function evaluateExpression(expression: string): Exact {
  if (expression.length > MAX_LENGTH) throw new CalculationError(`the expression is longer than ${MAX_LENGTH} characters`);
  return new Parser(tokensOf(expression)).whole();
}

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 100;

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const TOKEN = /\s*(?:(\d{1,3}(?:,\d{3})+(?!\d|,\d)(?:\.\d+)?(?:e[-+]?\d+)?|(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)|([a-z_][a-z0-9_]*)|(\*\*|[-+*/^%!(),]))/iy;

function tokensOf(expression: string): Token[] {
  const text = expression
    .replace(/[−–]/g, '-')
    .replace(/[×·]/g, '*')
    .replace(/÷/g, '/')
    .replace(/\s*=?\s*$/, '');
  const tokens: Token[] = [];
  /** For each open parenthesis whether it is a function's, where a comma parts arguments. */
  const open: boolean[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new CalculationError(`"${text.slice(at).trim()[0]}" at position ${at + 1} is not part of an arithmetic expression`);
    const [all, number, name, sign] = found;
    const start = at + all.length - (number ?? name ?? sign ?? '').length;
    if (number !== undefined) {
      if (number.includes(',') && open.at(-1)) {
        throw new CalculationError(
          `"${number}" inside a function can be read as one number or several: write numbers without commas, or put a blank after each comma`,
        );
      }
      tokens.push({ kind: 'number', text: number.replaceAll(',', ''), at: start });
    } else if (name !== undefined) {
      tokens.push({ kind: 'name', text: knownName(name, start), at: start });
    } else if (sign !== undefined) {
      if (sign === '(') open.push(tokens.at(-1)?.kind === 'name');
      if (sign === ')') open.pop();
      tokens.push({ kind: 'sign', text: sign === '**' ? '^' : sign, at: start });
    }
    at += all.length;
  }
  tokens.push({ kind: 'end', text: 'the end', at: text.length });
  return tokens;
}

/** @throws CalculationError for a name that means nothing here, before anything else is looked at */
function knownName(name: string, at: number): string {
  const known = name.toLowerCase();
  if (CONSTANTS.has(known) || FUNCTIONS.has(known)) return known;
  throw new CalculationError(`unknown name "${name}" at position ${at + 1}; known are ${[...CONSTANTS.keys(), ...FUNCTIONS.keys()].join(', ')}`);
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Exact {
    if (this.#ended()) throw new CalculationError('the expression is empty');
    const value = this.#sum();
    if (!this.#ended()) throw this.#unexpected('an operator');
    return value;
  }

  #sum(): Exact {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value = add(value, this.#product());
      else if (this.#take('-')) value = subtract(value, this.#product());
      else return value;
    }
  }

  #product(): Exact {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*')) value = multiply(value, this.#signed());
      else if (this.#take('/')) value = divide(value, this.#signed());
      else if (this.#take('%')) value = modulo(value, this.#signed());
      else if (this.#is('(') || this.#token.kind === 'name') value = multiply(value, this.#power());
      else return value;
    }
  }

  #signed(): Exact {
    return this.#deeper(() => {
      if (this.#take('-')) return negate(this.#signed());
      if (this.#take('+')) return this.#signed();
      return this.#power();
    });
  }

  #power(): Exact {
    const base = this.#postfix();
    return this.#take('^') ? power(base, this.#signed()) : base;
  }

  #postfix(): Exact {
    let value = this.#atom();
    for (;;) {
      if (this.#take('!')) value = factorial(value);
      else if (this.#is('%') && !this.#startsOperand(1)) {
        this.#next++;
        value = divide(value, exact(100n));
      } else return value;
    }
  }

  #atom(): Exact {
    const token = this.#token;
    if (token.kind === 'number') {
      this.#next++;
      return exactOf(token.text);
    }
    if (token.kind === 'name') {
      this.#next++;
      return this.#named(token);
    }
    if (!this.#take('(')) throw this.#unexpected('a number');
    const value = this.#deeper(() => this.#sum());
    if (!this.#take(')')) throw this.#unexpected('")"');
    return value;
  }

  #named(token: Token): Exact {
    const constant = CONSTANTS.get(token.text);
    if (constant) return constant;
    const apply = FUNCTIONS.get(token.text) as Apply;
    if (!this.#take('(')) throw this.#unexpected(`"(" after ${token.text}`);
    const given: Exact[] = [];
    if (!this.#is(')')) {
      do given.push(this.#deeper(() => this.#sum()));
      while (this.#take(','));
    }
    if (!this.#take(')')) throw this.#unexpected('")" or ","');
    return apply(given, token.text);
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #ended(): boolean {
    return this.#token.kind === 'end';
  }

  #is(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === sign;
  }

  #take(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#next++;
    return true;
  }

  #startsOperand(ahead: number): boolean {
    const token = this.#tokens[this.#next + ahead];
    return token !== undefined && (token.kind === 'number' || token.kind === 'name' || (token.kind === 'sign' && token.text === '('));
  }

  #deeper(inner: () => Exact): Exact {
    if (++this.#depth > MAX_DEPTH) throw new CalculationError(`more than ${MAX_DEPTH} levels of nesting`);
    const value = inner();
    this.#depth--;
    return value;
  }

  #unexpected(wanted: string): CalculationError {
    const { kind, text, at } = this.#token;
    return new CalculationError(`expected ${wanted} at position ${at + 1}, found ${kind === 'end' ? text : `"${text}"`}`);
  }
}
