// Arithmetic as people and models write it, evaluated exactly. A closed grammar over numbers, units, dates and the functions listed below: there is no name
// to reach anything else by, so model text is harmless here. Grammar, loosest first: conversion (`to`), sum, product, sign, power (right to left),
// postfix (`!`, percent), atom. A number takes the units behind it before anything else does: `10 km / 2 h` is 5 km/h.
import { type Apply, CONSTANTS, FUNCTIONS, factorial, modulo } from './calculator-functions.ts';
import {
  addValues,
  convert,
  DATE_FUNCTIONS,
  dateFunction,
  inUnit,
  isPlain,
  multiplyValues,
  nameOf,
  negateValue,
  numberIn,
  numberOf,
  plain,
  type Quantity,
  raiseValue,
  subtractValues,
  type Value,
} from './calculator-value.ts';
import { DATE_PATTERN, dayOf } from './calendar-day.ts';
import { CalculationError, divide, type Exact, exact, exactOf } from './exact-number.ts';
import { joinUnits, raiseUnit, SOME_UNITS, samePowers, UNITS, type Unit } from './units.ts';

/** @throws CalculationError whose message says what is wrong and where */
export function evaluateExpression(expression: string): Value {
  if (expression.length > MAX_LENGTH) throw new CalculationError(`the expression is longer than ${MAX_LENGTH} characters`);
  return new Parser(tokensOf(expression)).whole();
}

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 100;

interface Token {
  readonly kind: 'number' | 'date' | 'name' | 'unit' | 'keyword' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const NUMBER = '\\d{1,3}(?:,\\d{3})+(?!\\d|,\\d)(?:\\.\\d+)?(?:e[-+]?\\d+)?|(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d+)?';
const TOKEN = new RegExp(`\\s*(?:(${DATE_PATTERN})|(${NUMBER})|([a-z_][a-z0-9_]*)|(\\*\\*|[-+*/^%!(),]))`, 'iy');
/** Units that are no word of their own. */
const POWER_WORDS: ReadonlyMap<string, number> = new Map([
  ['square', 2],
  ['sq', 2],
  ['cubic', 3],
]);

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
    const [all, date, number, name, sign] = found;
    const start = at + all.length - (date ?? number ?? name ?? sign ?? '').length;
    if (date !== undefined) tokens.push({ kind: 'date', text: date, at: start });
    else if (number !== undefined) {
      if (number.includes(',') && open.at(-1)) {
        throw new CalculationError(
          `"${number}" inside a function can be read as one number or several: write numbers without commas, or put a blank after each comma`,
        );
      }
      tokens.push({ kind: 'number', text: number.replaceAll(',', ''), at: start });
    } else if (name !== undefined) {
      const rest = text.slice(at + all.length);
      tokens.push({ ...knownName(name, start, tokens.at(-1), rest), at: start });
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

/**
 * `min` is a function before a parenthesis and else minutes; `in` is inches behind a number, and else asks for a conversion.
 * @throws CalculationError for a name that means nothing here, before anything else is looked at
 */
function knownName(name: string, at: number, before: Token | undefined, rest: string): Pick<Token, 'kind' | 'text'> {
  const known = name.toLowerCase();
  if (known === 'in' && before?.kind === 'number') return { kind: 'unit', text: 'inches' };
  if (known === 'to' || known === 'in' || known === 'as') return { kind: 'keyword', text: known };
  if (known === 'per') return { kind: 'sign', text: '/' };
  const called = rest.trimStart().startsWith('(');
  if ((UNITS.has(known) && !(called && FUNCTIONS.has(known))) || POWER_WORDS.has(known)) return { kind: 'unit', text: known };
  if (CONSTANTS.has(known) || FUNCTIONS.has(known) || DATE_FUNCTIONS.includes(known)) return { kind: 'name', text: known };
  if (['today', 'now', 'yesterday', 'tomorrow'].includes(known)) throw new CalculationError(`"${name}" is not known here: write the date, as 2024-02-29`);
  throw new CalculationError(
    `unknown name "${name}" at position ${at + 1}; known are ${[...CONSTANTS.keys(), ...FUNCTIONS.keys(), ...DATE_FUNCTIONS].join(', ')}, and units: ${SOME_UNITS}`,
  );
}

/** Functions that give the unit of what they were given. */
const KEEPING_UNITS = ['abs', 'ceil', 'floor', 'round', 'min', 'max', 'sum', 'mean', 'average', 'median'];

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Value {
    if (this.#ended()) throw new CalculationError('the expression is empty');
    let value = this.#sum();
    if (this.#token.kind === 'keyword') {
      this.#next++;
      value = convert(value, this.#unitExpression());
    }
    if (!this.#ended()) throw this.#unexpected('an operator');
    return value;
  }

  #sum(): Value {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value = addValues(value, this.#product());
      else if (this.#take('-')) value = subtractValues(value, this.#product());
      else return value;
    }
  }

  #product(): Value {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*')) value = multiplyValues(value, this.#signed(), '*');
      else if (this.#take('/')) value = multiplyValues(value, this.#signed(), '/');
      else if (this.#take('%')) value = plain(modulo(numberOf(value, 'what a remainder is taken of'), numberOf(this.#signed(), 'a divisor with remainder')));
      else if (this.#is('(') || this.#token.kind === 'name' || this.#token.kind === 'unit') value = multiplyValues(value, this.#power(), '*');
      else return value;
    }
  }

  #signed(): Value {
    return this.#deeper(() => {
      if (this.#take('-')) return negateValue(this.#signed());
      if (this.#take('+')) return this.#signed();
      return this.#power();
    });
  }

  #power(): Value {
    const base = this.#postfix();
    return this.#take('^') ? raiseValue(base, this.#signed()) : base;
  }

  #postfix(): Value {
    let value = this.#atom();
    for (;;) {
      if (this.#take('!')) value = plain(factorial(numberOf(value, 'what has a factorial')));
      else if (this.#is('%') && !this.#startsOperand(1)) {
        this.#next++;
        value = plain(divide(numberOf(value, 'a percentage'), exact(100n)));
      } else return value;
    }
  }

  #atom(): Value {
    const token = this.#token;
    if (token.kind === 'number') return this.#measure();
    if (token.kind === 'unit') return inUnit(exact(1n), this.#unit());
    if (token.kind === 'date') {
      this.#next++;
      return { kind: 'day', day: dayOf(token.text) };
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

  /** `12`, `12 km`, `5 ft 3 in`: what is measured in two units is one number. */
  #measure(): Quantity {
    const number = this.#number();
    if (this.#token.kind !== 'unit') return plain(number);
    let value = inUnit(number, this.#unit());
    while (this.#tokens[this.#next]?.kind === 'number' && this.#tokens[this.#next + 1]?.kind === 'unit') {
      const more = inUnit(this.#number(), this.#unit());
      if (!samePowers(more.powers, value.powers)) throw new CalculationError(`${nameOf(value)} and ${nameOf(more)} stand side by side: an operator is missing`);
      value = addValues(value, more) as Quantity;
    }
    return value;
  }

  #number(): Exact {
    return exactOf((this.#tokens[this.#next++] as Token).text);
  }

  /** `km`, `m^2`, `square miles`. */
  #unit(): Unit {
    const { kind, text } = this.#token;
    if (kind !== 'unit') throw this.#unexpected('a unit');
    this.#next++;
    const raised = POWER_WORDS.get(text);
    if (raised !== undefined) {
      const unit = this.#unit();
      return raiseUnit(unit, raised, `${text} ${unit.name}`);
    }
    const unit = UNITS.get(text) as Unit;
    const exponent = this.#tokens[this.#next + 1];
    if (!this.#is('^') || exponent?.kind !== 'number' || !/^[1-9]$/.test(exponent.text)) return unit;
    this.#next += 2;
    return raiseUnit(unit, Number(exponent.text), `${unit.name}^${exponent.text}`);
  }

  /** `m`, `km/h`, `kg*m/s^2`: what a value is to be given in. */
  #unitExpression(): Unit {
    let unit = this.#unit();
    for (;;) {
      if (this.#take('*')) unit = joinUnits(unit, this.#unit(), '*');
      else if (this.#take('/')) unit = joinUnits(unit, this.#unit(), '/');
      else return unit;
    }
  }

  #named(token: Token): Value {
    const constant = CONSTANTS.get(token.text);
    if (constant) return plain(constant);
    if (!this.#take('(')) throw this.#unexpected(`"(" after ${token.text}`);
    const given: Value[] = [];
    if (!this.#is(')')) {
      do given.push(this.#deeper(() => this.#sum()));
      while (this.#take(','));
    }
    if (!this.#take(')')) throw this.#unexpected('")" or ","');
    return dateFunction(token.text, given) ?? applied(token.text, given);
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
    return token !== undefined && (token.kind === 'number' || token.kind === 'name' || token.kind === 'unit' || (token.kind === 'sign' && token.text === '('));
  }

  #deeper(inner: () => Value): Value {
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

/** With units where the function keeps them and all that it is given measures the same. */
function applied(name: string, given: readonly Value[]): Value {
  const apply = FUNCTIONS.get(name) as Apply;
  const [first] = given;
  if (!first || given.every(isPlain))
    return plain(
      apply(
        given.map((value) => numberOf(value, 'an argument')),
        name,
      ),
    );
  const unit = first.kind === 'quantity' ? first.unit : undefined;
  if (!KEEPING_UNITS.includes(name) || !unit) throw new CalculationError(`${name} takes plain numbers, found ${given.map(nameOf).join(', ')}`);
  const numbers = given.map((value, i) => {
    if (name === 'round' && i === 1) return numberOf(value, 'how many digits to keep');
    return numberIn(convert(value, unit) as Quantity, unit);
  });
  return inUnit(apply(numbers, name), unit);
}
