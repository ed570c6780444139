// What an expression of the calculator can come to: a number with or without a unit, a day, or a word. Numbers are kept in base units; the unit that they were
// given in is remembered for showing them.
import { addMonths, inRange, isLeapYear, isoDay, weekdayOf, yearOf } from './calendar-day.ts';
import { add, CalculationError, divide, type Exact, exact, formatExact, isWhole, multiply, negate, power, subtract, toFloat } from './exact-number.ts';
import { baseName, joinPowers, kindOf, PLAIN, type Powers, samePowers, UNITS, type Unit } from './units.ts';

export interface Quantity {
  readonly kind: 'quantity';
  /** In base units; for a temperature in kelvin. */
  readonly value: Exact;
  readonly powers: Powers;
  readonly unit?: Unit;
}
export type Value = Quantity | { readonly kind: 'day'; readonly day: number } | { readonly kind: 'word'; readonly word: string };

const DAY_SECONDS = exact(86_400n);
const DAYS = UNITS.get('days') as Unit;

export const plain = (value: Exact): Quantity => ({ kind: 'quantity', value, powers: PLAIN });
export const isPlain = (value: Value): boolean => value.kind === 'quantity' && samePowers(value.powers, PLAIN);

export function inUnit(number: Exact, unit: Unit): Quantity {
  const scaled = multiply(number, unit.factor);
  return { kind: 'quantity', value: unit.offset === undefined ? scaled : add(scaled, unit.offset), powers: unit.powers, unit };
}

export function numberIn({ value }: Quantity, unit: Unit): Exact {
  return divide(unit.offset === undefined ? value : subtract(value, unit.offset), unit.factor);
}

export function addValues(a: Value, b: Value): Value {
  if (a.kind === 'day' && b.kind === 'quantity') return laterBy(a.day, b, 1);
  if (b.kind === 'day' && a.kind === 'quantity') return laterBy(b.day, a, 1);
  const [left, right] = alike(a, b, 'added');
  return withUnit(add(left.value, right.value), left.powers, left.unit ?? right.unit);
}

export function subtractValues(a: Value, b: Value): Value {
  if (a.kind === 'day' && b.kind === 'day') return inUnit(exact(BigInt(a.day - b.day)), DAYS);
  if (a.kind === 'day' && b.kind === 'quantity') return laterBy(a.day, b, -1);
  const [left, right] = alike(a, b, 'subtracted');
  return withUnit(subtract(left.value, right.value), left.powers, left.unit ?? right.unit);
}

export function multiplyValues(a: Value, b: Value, sign: '*' | '/'): Value {
  const [left, right] = [scalable(a), scalable(b)];
  const value = sign === '*' ? multiply(left.value, right.value) : divide(left.value, right.value);
  const powers = joinPowers(left.powers, right.powers, sign === '*' ? 1 : -1);
  const unit = isPlain(right) ? left.unit : sign === '*' && isPlain(left) ? right.unit : undefined;
  return withUnit(value, powers, unit);
}

export function raiseValue(base: Value, exponent: Value): Value {
  const [left, right] = [scalable(base), numberOf(exponent, 'an exponent')];
  if (isPlain(left)) return plain(power(left.value, right));
  if (!isWhole(right) || Math.abs(toFloat(right)) > 9) throw new CalculationError('with units an exponent is a whole number up to 9');
  return withUnit(power(left.value, right), left.powers.map((each) => each * toFloat(right)) as unknown as Powers, undefined);
}

export function negateValue(value: Value): Value {
  if (value.kind !== 'quantity') throw new CalculationError(`${nameOf(value)} has no negative`);
  if (value.unit?.offset !== undefined) return inUnit(negate(numberIn(value, value.unit)), value.unit);
  return { ...value, value: negate(value.value) };
}

export function convert(value: Value, unit: Unit): Value {
  if (value.kind !== 'quantity' || !samePowers(value.powers, unit.powers)) {
    const months = value.kind === 'quantity' && [value.powers[4], unit.powers[4]].some((each) => each !== 0);
    const why = months ? ': months and years have no fixed number of days; subtract two dates' : '';
    throw new CalculationError(`${nameOf(value)} cannot be given in ${unit.name}, which is ${kindOf(unit.powers)}${why}`);
  }
  return { ...value, unit };
}

/** @throws CalculationError for a day, a word or a number with a unit */
export function numberOf(value: Value, what: string): Exact {
  if (value.kind !== 'quantity' || !isPlain(value)) throw new CalculationError(`${what} is a plain number, found ${nameOf(value)}`);
  return value.value;
}

/** Functions of days. @returns `undefined` when the name is none of them */
export function dateFunction(name: string, given: readonly Value[]): Value | undefined {
  if (!DATE_FUNCTIONS.includes(name)) return undefined;
  const [value] = given;
  if (given.length !== 1 || !value) throw new CalculationError(`${name} takes one date, found ${given.length} values`);
  if (name === 'leapyear') {
    const year = value.kind === 'day' ? yearOf(value.day) : toFloat(numberOf(value, 'a year'));
    return { kind: 'word', word: isLeapYear(year) ? 'yes' : 'no' };
  }
  if (value.kind !== 'day') throw new CalculationError(`${name} takes a date such as 2024-02-29, found ${nameOf(value)}`);
  return { kind: 'word', word: weekdayOf(value.day) };
}
export const DATE_FUNCTIONS: readonly string[] = ['weekday', 'leapyear'];

export function formatValue(value: Value): string {
  if (value.kind === 'day') return isoDay(value.day);
  if (value.kind === 'word') return value.word;
  const number = formatExact(value.unit ? numberIn(value, value.unit) : value.value);
  return isPlain(value) ? number : `${number} ${value.unit?.name ?? baseName(value.powers)}`;
}

export function nameOf(value: Value): string {
  return value.kind === 'day' ? `the date ${isoDay(value.day)}` : value.kind === 'word' ? `"${value.word}"` : kindOf(value.powers);
}

function withUnit(value: Exact, powers: Powers, unit: Unit | undefined): Quantity {
  const kept = unit && samePowers(unit.powers, powers) ? { unit } : {};
  return { kind: 'quantity', value, powers, ...kept };
}

function laterBy(day: number, by: Quantity, sign: 1 | -1): Value {
  const [, , time, , months] = by.powers;
  const length =
    months === 1 && samePowers(by.powers, [0, 0, 0, 0, 1])
      ? by.value
      : time === 1 && samePowers(by.powers, [0, 0, 1, 0, 0])
        ? divide(by.value, DAY_SECONDS)
        : undefined;
  if (length === undefined) throw new CalculationError(`to a date add days, weeks, months or years, as in 2024-01-31 + 30 days; found ${nameOf(by)}`);
  if (!isWhole(length)) throw new CalculationError('to a date only whole days, weeks, months or years are added');
  const count = sign * toFloat(length);
  if (Math.abs(count) > 4_000_000) throw new CalculationError('the date lies outside of the years 1 to 9999');
  return { kind: 'day', day: months === 1 ? addMonths(day, count) : inRange(day + count) };
}

function scalable(value: Value): Quantity {
  if (value.kind !== 'quantity') throw new CalculationError(`${nameOf(value)} can only be added to or subtracted from`);
  refusePoint(value);
  return value;
}

function alike(a: Value, b: Value, done: string): [Quantity, Quantity] {
  if (a.kind !== 'quantity' || b.kind !== 'quantity' || !samePowers(a.powers, b.powers)) {
    throw new CalculationError(`${nameOf(a)} and ${nameOf(b)} cannot be ${done}`);
  }
  refusePoint(a);
  refusePoint(b);
  return [a, b];
}

function refusePoint({ unit }: Quantity): void {
  if (unit?.offset !== undefined)
    throw new CalculationError('a temperature can only be converted, as in 20 celsius to fahrenheit: calculate with plain numbers');
}
