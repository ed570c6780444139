// How a number is spelled in Markdown, on a terminal and in a picture. Digits follow the unit; no locale, no thousands mark that a locale would move.
import type { Cell, NumberCell, Unit } from '../report.ts';

const DIGITS: Readonly<Record<Unit, number>> = {
  percent: 1,
  percentOfCore: 1,
  ms: 1,
  seconds: 1,
  megabytes: 1,
  tokens: 0,
  tokensPerSecond: 1,
  perMinute: 0,
  mean: 1,
  ratio: 2,
  count: 0,
  text: 0,
};

/** Below one unit a rounded 0.0 would read as nothing at all, so small times keep three significant digits. */
export function printNumber(value: number, unit: Unit): string {
  const small = value !== 0 && Math.abs(value) < 1 && (unit === 'ms' || unit === 'seconds');
  const text = small ? value.toPrecision(2) : value.toFixed(DIGITS[unit]);
  if (small && text.includes('e')) return value.toFixed(6);
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
}

/** `61.8 [49.9, 72.4]`; with `(n 12)` when its n is not the row's. */
export function printCell(cell: Cell, unit: Unit, rowN: number | undefined): string {
  const n = cell.n === rowN ? '' : ` (n ${cell.n})`;
  if (typeof cell.value === 'string') return `${cell.value}${n}`;
  return `${printNumber(cell.value, unit)}${printInterval(cell, unit)}${n}`;
}

function printInterval(cell: Cell, unit: Unit): string {
  const { low, high } = cell as NumberCell;
  return low === undefined || high === undefined ? '' : ` [${printNumber(low, unit)}, ${printNumber(high, unit)}]`;
}
