// Exact fractions of whole numbers, so that 0.1 + 0.2 is 0.3 and a third times three is one. Sizes are bounded: an expression is model text and may be a bomb.

/** In lowest terms, denominator positive. */
export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
  /** Came out of something that has no exact value, such as a square root: shown with fewer digits. */
  readonly rounded: boolean;
}

/** The text of this error is shown to the model. */
export class CalculationError extends Error {}

/** Largest numerator or denominator: about 1,200 digits, so that two thousand operations on them still take less than a second or two. */
const MAX_BITS = 4_000;

export function exact(over: bigint, under = 1n, rounded = false): Exact {
  if (under === 0n) throw new CalculationError('division by zero');
  const shared = greatestDivisor(over, under);
  const sign = under < 0n ? -1n : 1n;
  const reduced = { over: (sign * over) / shared, under: (sign * under) / shared, rounded };
  if (bits(reduced.over) > MAX_BITS || bits(reduced.under) > MAX_BITS) throw new CalculationError('the numbers grow too large');
  return reduced;
}

/** @param digits such as `12.50` or `3e-4`: digits, at most one point, an optional exponent */
export function exactOf(digits: string): Exact {
  const [mantissa = '', exponentText = '0'] = digits.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const exponent = Number(exponentText) - fraction.length;
  if (Math.abs(exponent) > MAX_BITS / 4) throw new CalculationError('the numbers grow too large');
  const value = BigInt(whole + fraction || '0');
  return exponent >= 0 ? exact(value * 10n ** BigInt(exponent)) : exact(value, 10n ** BigInt(-exponent));
}

/** A binary float as the shortest decimal that names it, at most fifteen digits. */
export function exactFromFloat(value: number): Exact {
  if (!Number.isFinite(value)) throw new CalculationError('the result is not a finite number');
  const decimal = exactOf(Math.abs(Number(value.toPrecision(15))).toString());
  return { ...(value < 0 ? negate(decimal) : decimal), rounded: true };
}

export const add = (a: Exact, b: Exact): Exact => exact(a.over * b.under + b.over * a.under, a.under * b.under, a.rounded || b.rounded);
export const subtract = (a: Exact, b: Exact): Exact => add(a, negate(b));
export const multiply = (a: Exact, b: Exact): Exact => exact(a.over * b.over, a.under * b.under, a.rounded || b.rounded);
export const divide = (a: Exact, b: Exact): Exact => exact(a.over * b.under, a.under * b.over, a.rounded || b.rounded);
export const negate = (a: Exact): Exact => ({ ...a, over: -a.over });
export const absolute = (a: Exact): Exact => (a.over < 0n ? negate(a) : a);
export const compare = (a: Exact, b: Exact): number => {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
export const isWhole = (a: Exact): boolean => a.under === 1n;
export const toFloat = (a: Exact): number => Number(formatExact(a, 25));

export function floor(a: Exact): Exact {
  const quotient = a.over / a.under;
  return exact(a.over < 0n && quotient * a.under !== a.over ? quotient - 1n : quotient);
}

/** Halves go away from zero, as people round. */
export function round(a: Exact, digits: number): Exact {
  const scale = exactOf(`1e${digits}`);
  const scaled = floor(add(multiply(absolute(a), scale), exact(1n, 2n)));
  const rounded = divide(scaled, scale);
  return a.over < 0n ? negate(rounded) : rounded;
}

export function power(base: Exact, exponent: Exact): Exact {
  if (!isWhole(exponent)) {
    if (exponent.under === 2n && exponent.over === 1n) return squareRoot(base);
    return exactFromFloat(toFloat(base) ** toFloat(exponent));
  }
  const times = exponent.over < 0n ? -exponent.over : exponent.over;
  const size = Math.max(bits(base.over), bits(base.under));
  if (size > 1 && times * BigInt(size - 1) > BigInt(MAX_BITS)) throw new CalculationError('the numbers grow too large');
  if (size <= 1) return exponent.over < 0n && base.over === 0n ? exact(1n, 0n) : exact(times === 0n ? 1n : base.over ** (times % 2n === 0n ? 2n : 1n));
  const raised = exact(base.over ** times, base.under ** times, base.rounded);
  return exponent.over < 0n ? divide(exact(1n), raised) : raised;
}

/** Exact for squares of fractions; otherwise thirty digits behind the point are kept. */
export function squareRoot(a: Exact): Exact {
  if (a.over < 0n) throw new CalculationError('the square root of a negative number');
  const [over, under] = [wholeRoot(a.over), wholeRoot(a.under)];
  if (over * over === a.over && under * under === a.under) return exact(over, under, a.rounded);
  const scale = 10n ** 30n;
  return exact(wholeRoot((a.over * scale * scale) / a.under), scale, true);
}

/** Plain digits without exponent or separators. A decimal that ends is given in full; one that does not is rounded to `significant` digits. */
export function formatExact(a: Exact, significant = 20): string {
  const sign = a.over < 0n ? '-' : '';
  const over = a.over < 0n ? -a.over : a.over;
  const ends = a.rounded ? undefined : endingDigits(a.under);
  const whole = over / a.under;
  const places = ends ?? placesFor(over, a.under, whole, significant);
  const scale = 10n ** BigInt(places);
  const scaled = (over * scale * 2n + a.under) / (a.under * 2n);
  const digits = scaled.toString().padStart(places + 1, '0');
  const fraction = places === 0 ? '' : digits.slice(-places).replace(/0+$/, '');
  return `${sign}${places === 0 ? digits : digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** How many places a fraction with this denominator needs, or `undefined` when it never ends or needs more than sixty. */
function endingDigits(under: bigint): number | undefined {
  let places = 0;
  for (let scale = 1n; places <= 60; places++, scale *= 10n) if (scale % under === 0n) return places;
  return undefined;
}

function placesFor(over: bigint, under: bigint, whole: bigint, significant: number): number {
  if (whole > 0n) return Math.max(0, significant - whole.toString().length);
  let leadingZeros = 0;
  for (let scaled = over * 10n; over > 0n && scaled < under; scaled *= 10n) leadingZeros++;
  return leadingZeros + significant;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** Newton's method on whole numbers: the largest root whose square is not above `n`. */
function wholeRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let guess = 1n << BigInt((bits(n) + 1) >> 1);
  for (;;) {
    const next = (guess + n / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

function bits(n: bigint): number {
  return (n < 0n ? -n : n).toString(16).length * 4;
}
