// The units that an expression may name: what each measures, and how many base units (metre, kilogram, second, kelvin, month) it is. Factors are exact, from
// their legal definitions (BIPM SI brochure; NIST Handbook 44 for yard and pound; US gallon). Money is none: its rates are no constants.
import { divide, type Exact, exact, exactOf, multiply, power } from './exact-number.ts';

/** Exponents of length, mass, time, temperature and calendar month. Months have no fixed number of days, so they are no time. */
export type Powers = readonly [number, number, number, number, number];

export interface Unit {
  readonly name: string;
  readonly powers: Powers;
  readonly factor: Exact;
  /** Of a temperature scale: its zero in kelvin. */
  readonly offset?: Exact;
}

export const PLAIN: Powers = [0, 0, 0, 0, 0];
const [LENGTH, MASS, TIME, TEMPERATURE, MONTH]: readonly Powers[] = [0, 1, 2, 3, 4].map((at) => PLAIN.map((_, i) => (i === at ? 1 : 0)) as unknown as Powers);
const BASE_NAMES = ['m', 'kg', 's', 'K', 'months'];

type Row = readonly [names: string, powers: Powers | undefined, factor: string, offset?: string];
const AREA: Powers = [2, 0, 0, 0, 0];
const VOLUME: Powers = [3, 0, 0, 0, 0];
const SPEED: Powers = [1, 0, -1, 0, 0];

const ROWS: readonly Row[] = [
  ['m metre metres meter meters', LENGTH, '1'],
  ['km kilometre kilometres kilometer kilometers', LENGTH, '1000'],
  ['cm centimetre centimetres centimeter centimeters', LENGTH, '0.01'],
  ['mm millimetre millimetres millimeter millimeters', LENGTH, '0.001'],
  ['inch inches', LENGTH, '0.0254'],
  ['ft foot feet', LENGTH, '0.3048'],
  ['yd yard yards', LENGTH, '0.9144'],
  ['mi mile miles', LENGTH, '1609.344'],
  ['nmi nauticalmile nauticalmiles', LENGTH, '1852'],
  ['kg kilogram kilograms', MASS, '1'],
  ['g gram grams', MASS, '0.001'],
  ['mg milligram milligrams', MASS, '0.000001'],
  ['t tonne tonnes', MASS, '1000'],
  ['lb lbs pound pounds', MASS, '0.45359237'],
  ['oz ounce ounces', MASS, '0.028349523125'],
  ['stone stones', MASS, '6.35029318'],
  ['s sec second seconds', TIME, '1'],
  ['ms millisecond milliseconds', TIME, '0.001'],
  ['min minute minutes', TIME, '60'],
  ['h hr hrs hour hours', TIME, '3600'],
  ['d day days', TIME, '86400'],
  ['week weeks', TIME, '604800'],
  ['fortnight fortnights', TIME, '1209600'],
  ['month months', MONTH, '1'],
  ['year years', MONTH, '12'],
  ['k kelvin', TEMPERATURE, '1', '0'],
  ['c celsius', TEMPERATURE, '1', '273.15'],
  ['f fahrenheit', TEMPERATURE, '5/9', '2298.35/9'],
  ['ha hectare hectares', AREA, '10000'],
  ['acre acres', AREA, '4046.8564224'],
  ['sqm', AREA, '1'],
  ['sqkm', AREA, '1000000'],
  ['sqft', AREA, '0.09290304'],
  ['l litre litres liter liters', VOLUME, '0.001'],
  ['ml millilitre millilitres milliliter milliliters', VOLUME, '0.000001'],
  ['gal gallon gallons', VOLUME, '0.003785411784'],
  ['pint pints', VOLUME, '0.000473176473'],
  ['mph', SPEED, '0.44704'],
  ['kmh kph', SPEED, '5/18'],
  ['knot knots kn', SPEED, '1852/3600'],
];

export const UNITS: ReadonlyMap<string, Unit> = new Map(
  ROWS.flatMap(([names, powers, factor, offset]) =>
    names.split(' ').map((name): [string, Unit] => {
      const unit = { name, powers: powers as Powers, factor: fractionOf(factor) };
      return [name, offset === undefined ? unit : { ...unit, offset: fractionOf(offset) }];
    }),
  ),
);

/** For an error: the units that most will want. */
export const SOME_UNITS =
  'm, km, mile, ft, inch, kg, g, lb, tonne, s, min, h, day, week, month, year, ha, acre, l, gallon, mph, km/h, knot, celsius, fahrenheit';

function fractionOf(text: string): Exact {
  const [over = '', under = '1'] = text.split('/');
  return divide(exactOf(over), exactOf(under));
}

export function raiseUnit(unit: Unit, times: number, name: string): Unit {
  return { name, powers: unit.powers.map((each) => each * times) as unknown as Powers, factor: power(unit.factor, exact(BigInt(times))) };
}

export function joinUnits(a: Unit, b: Unit, sign: '*' | '/'): Unit {
  const to = sign === '*' ? 1 : -1;
  return {
    name: `${a.name}${sign}${b.name}`,
    powers: joinPowers(a.powers, b.powers, to),
    factor: sign === '*' ? multiply(a.factor, b.factor) : divide(a.factor, b.factor),
  };
}

export function joinPowers(a: Powers, b: Powers, sign: 1 | -1): Powers {
  return a.map((each, i) => each + sign * (b[i] ?? 0)) as unknown as Powers;
}

export function samePowers(a: Powers, b: Powers): boolean {
  return a.every((each, i) => each === b[i]);
}

/** `m^2`, `m/s`: in base units. */
export function baseName(powers: Powers): string {
  const named = (sign: 1 | -1) => powers.flatMap((each, i) => (each * sign > 0 ? [`${BASE_NAMES[i]}${Math.abs(each) === 1 ? '' : `^${Math.abs(each)}`}`] : []));
  const [over, under] = [named(1), named(-1)];
  return `${over.length === 0 ? '1' : over.join('*')}${under.map((name) => `/${name}`).join('')}`;
}

const KINDS: readonly (readonly [string, Powers | undefined])[] = [
  ['a plain number', PLAIN],
  ['a length', LENGTH],
  ['a mass', MASS],
  ['a time', TIME],
  ['a temperature', TEMPERATURE],
  ['a number of months', MONTH],
  ['an area', AREA],
  ['a volume', VOLUME],
  ['a speed', SPEED],
];

export function kindOf(powers: Powers): string {
  return KINDS.find(([, known]) => known && samePowers(known, powers))?.[0] ?? `something in ${baseName(powers)}`;
}
