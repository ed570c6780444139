// The constants and functions that an expression may name. Each takes exact numbers and checks how many it was given.
import {
  absolute,
  add,
  CalculationError,
  compare,
  divide,
  type Exact,
  exact,
  exactFromFloat,
  exactOf,
  floor,
  isWhole,
  multiply,
  negate,
  power,
  round,
  squareRoot,
  subtract,
  toFloat,
} from './exact-number.ts';

export const CONSTANTS: ReadonlyMap<string, Exact> = new Map([
  ['pi', { ...exactOf('3.14159265358979323846264338328'), rounded: true }],
  ['e', { ...exactOf('2.71828182845904523536028747135'), rounded: true }],
]);

export type Apply = (given: readonly Exact[], name: string) => Exact;

export const FUNCTIONS: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  ['abs', one(absolute)],
  ['ceil', one((a) => negate(floor(negate(a))))],
  ['floor', one(floor)],
  ['round', (given, name) => round(...roundArguments(given, name))],
  ['sqrt', one(squareRoot)],
  ['cbrt', one((a) => exactFromFloat(Math.cbrt(toFloat(a))))],
  ['pow', two(power)],
  ['mod', two(modulo)],
  ['factorial', one(factorial)],
  ['min', some((given) => given.reduce((a, b) => (compare(a, b) <= 0 ? a : b)))],
  ['max', some((given) => given.reduce((a, b) => (compare(a, b) >= 0 ? a : b)))],
  ['sum', some((given) => given.reduce(add))],
  ['mean', some(mean)],
  ['average', some(mean)],
  ['median', some(median)],
  ['exp', float(Math.exp)],
  ['ln', float(Math.log)],
  ['log', float(Math.log)],
  ['log10', float(Math.log10)],
  ['log2', float(Math.log2)],
  ['sin', float(Math.sin)],
  ['cos', float(Math.cos)],
  ['tan', float(Math.tan)],
  ['asin', float(Math.asin)],
  ['acos', float(Math.acos)],
  ['atan', float(Math.atan)],
]);

function one(apply: (a: Exact) => Exact): Apply {
  return (given, name) => {
    const [a] = given;
    if (given.length !== 1 || !a) throw new CalculationError(`${name} takes one number, found ${given.length}`);
    return apply(a);
  };
}

function two(apply: (a: Exact, b: Exact) => Exact): Apply {
  return (given, name) => {
    const [a, b] = given;
    if (given.length !== 2 || !a || !b) throw new CalculationError(`${name} takes two numbers, found ${given.length}`);
    return apply(a, b);
  };
}

function some(apply: (given: readonly Exact[]) => Exact): Apply {
  return (given, name) => {
    if (given.length === 0) throw new CalculationError(`${name} takes at least one number`);
    return apply(given);
  };
}

/** Functions without exact values: fifteen digits of the machine's own. */
function float(apply: (a: number) => number): Apply {
  return one((a) => exactFromFloat(apply(toFloat(a))));
}

function roundArguments(given: readonly Exact[], name: string): [Exact, number] {
  const [value, digits = exact(0n)] = given;
  if (!value || given.length > 2) throw new CalculationError(`${name} takes a number and, if wanted, how many digits to keep; found ${given.length}`);
  if (!isWhole(digits) || compare(absolute(digits), exact(50n)) > 0) throw new CalculationError(`${name} keeps a whole number of digits, at most 50`);
  return [value, Number(digits.over)];
}

function mean(given: readonly Exact[]): Exact {
  return divide(given.reduce(add), exact(BigInt(given.length)));
}

function median(given: readonly Exact[]): Exact {
  const sorted = [...given].sort(compare);
  return mean(sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1));
}

/** Takes the sign of the divisor, as in mathematics and Python. */
export function modulo(a: Exact, b: Exact): Exact {
  return subtract(a, multiply(b, floor(divide(a, b))));
}

export function factorial(a: Exact): Exact {
  if (!isWhole(a) || a.over < 0n || a.over > 500n) throw new CalculationError('a factorial needs a whole number from 0 to 500');
  let product = 1n;
  for (let n = 2n; n <= a.over; n++) product *= n;
  return exact(product);
}
