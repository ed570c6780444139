// Evaluates a plan's answer from the values that were read. Pure; an absent value makes the answer absent, never a guess.
import type { Formula, PlannedCall, Values } from './plan.ts';

type Scalar = string | number;

/** @returns the answer as text, or `undefined` when a value it needs is missing. @throws RangeError on a formula that cannot apply (number wanted, text found). */
export function evaluate(formula: Formula, values: Values): string | undefined {
  const outcome = scalarOf(formula, values);
  return outcome === undefined ? undefined : answerText(outcome);
}

/** Numbers in plain digits without thousands separators; at most ten decimals, so that sums of decimals read as a person writes them. */
export function answerText(value: Scalar): string {
  if (typeof value === 'string') return value;
  return String(Number(value.toFixed(10)));
}

/** Puts values into a template: `{{s1.director}}`. @returns `undefined` when one is missing. */
export function fillTemplate(template: string, values: Values): string | undefined {
  let missing = false;
  const filled = template.replace(/\{\{([^}]+)\}\}/g, (_, path: string) => {
    const value = values[path.trim()];
    if (value === undefined) missing = true;
    return value === undefined ? '' : answerText(value);
  });
  return missing ? undefined : filled;
}

/**
 * Arguments of a planned call with values put in. An argument that is nothing but one `{{step.name}}` takes the value itself, a number as a number.
 * @returns `undefined` when a value is missing
 */
export function fillArguments(given: PlannedCall['arguments'], values: Values): Record<string, string | number | boolean> | undefined {
  const filled: Record<string, string | number | boolean> = {};
  for (const [name, argument] of Object.entries(given)) {
    const whole = typeof argument === 'string' ? /^\{\{([^}]+)\}\}$/.exec(argument)?.[1] : undefined;
    const value = typeof argument !== 'string' ? argument : whole === undefined ? fillTemplate(argument, values) : values[whole.trim()];
    if (value === undefined) return undefined;
    filled[name] = value;
  }
  return filled;
}

/** Names of all values a formula needs. */
export function valuesNeeded(formula: Formula): string[] {
  if ('value' in formula) return [formula.value];
  if ('constant' in formula) return [];
  const parts: Formula[] = [];
  for (const member of Object.values(formula)) {
    if (Array.isArray(member)) parts.push(...(member as Formula[]));
    else if (typeof member === 'object' && member !== null) parts.push(member as Formula);
  }
  return [...new Set(parts.flatMap(valuesNeeded))];
}

function scalarOf(formula: Formula, values: Values): Scalar | undefined {
  if ('value' in formula) return values[formula.value];
  if ('constant' in formula) return formula.constant;
  const many = (list: readonly Formula[]) => {
    const found = list.map((entry) => scalarOf(entry, values));
    return found.every((entry) => entry !== undefined) ? (found as Scalar[]) : undefined;
  };
  switch (formula.op) {
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'minimum':
    case 'maximum':
    case 'mean': {
      const numbers = many(formula.of)?.map(asNumber);
      return numbers && arithmetic(formula.op, numbers);
    }
    case 'concatenate':
      return many(formula.of)?.map(answerText).join('');
    case 'round': {
      const value = scalarOf(formula.of, values);
      return value === undefined ? undefined : roundHalfUp(asNumber(value), formula.digits);
    }
    case 'year':
    case 'month':
    case 'weekday':
    case 'uppercase':
    case 'lowercase':
    case 'length':
    case 'reverse':
    case 'last-word':
    case 'first-word': {
      const value = scalarOf(formula.of, values);
      return value === undefined ? undefined : unary(formula.op, value);
    }
    case 'days-between': {
      const from = scalarOf(formula.from, values);
      const to = scalarOf(formula.to, values);
      if (from === undefined || to === undefined) return undefined;
      return Math.round((asDay(to) - asDay(from)) / DAY_MS);
    }
    case 'add-days': {
      const from = scalarOf(formula.of, values);
      const days = scalarOf(formula.days, values);
      if (from === undefined || days === undefined) return undefined;
      return new Date(asDay(from) + asNumber(days) * DAY_MS).toISOString().slice(0, 10);
    }
    case 'first-by': {
      const entries = many(formula.of);
      const keys = many(formula.by)?.map(asNumber);
      if (!entries || !keys) return undefined;
      const wanted = formula.order === 'largest' ? Math.max(...keys) : Math.min(...keys);
      return entries[keys.indexOf(wanted)];
    }
    case 'where': {
      const entries = many(formula.of);
      const than = scalarOf(formula.than, values);
      const picked = many(formula.pick ?? formula.of);
      if (!entries || than === undefined || !picked) return undefined;
      const kept = picked.filter((_, i) => holds(formula.test, entries[i] as Scalar, than));
      if (formula.give === 'count') return kept.length;
      if (formula.give === 'sum') return arithmetic('add', kept.map(asNumber));
      return kept.map(answerText).join(', ');
    }
    case 'list': {
      const entries = many(formula.of);
      const keys = many(formula.by ?? formula.of);
      if (!entries || !keys) return undefined;
      return ordered(entries.map(answerText), keys, formula.order).join(', ');
    }
    default:
      return formula satisfies never;
  }
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function asNumber(value: Scalar): number {
  const number = typeof value === 'number' ? value : Number(value.replaceAll(',', ''));
  if (!Number.isFinite(number)) throw new RangeError(`a number is needed here, found ${JSON.stringify(value)}`);
  return number;
}

function asDay(value: Scalar): number {
  const day = typeof value === 'string' ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day)) throw new RangeError(`a date YYYY-MM-DD is needed here, found ${JSON.stringify(value)}`);
  return day;
}

function roundHalfUp(value: number, digits: number): number {
  const scale = 10 ** digits;
  return (Math.sign(value) * Math.round(Math.abs(value) * scale + 1e-9)) / scale;
}

function arithmetic(op: 'add' | 'subtract' | 'multiply' | 'divide' | 'minimum' | 'maximum' | 'mean', numbers: readonly number[]): number {
  switch (op) {
    case 'add':
      return numbers.reduce((sum, n) => sum + n, 0);
    case 'subtract':
      return numbers.slice(1).reduce((rest, n) => rest - n, numbers[0] ?? 0);
    case 'multiply':
      return numbers.reduce((product, n) => product * n, 1);
    case 'divide':
      return numbers.slice(1).reduce((rest, n) => rest / n, numbers[0] ?? 0);
    case 'minimum':
      return Math.min(...numbers);
    case 'maximum':
      return Math.max(...numbers);
    case 'mean':
      return numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
    default:
      return op satisfies never;
  }
}

function unary(op: 'year' | 'month' | 'weekday' | 'uppercase' | 'lowercase' | 'length' | 'reverse' | 'last-word' | 'first-word', value: Scalar): Scalar {
  const text = answerText(value);
  switch (op) {
    case 'year':
      return new Date(asDay(value)).getUTCFullYear();
    case 'month':
      return MONTHS[new Date(asDay(value)).getUTCMonth()] as string;
    case 'weekday':
      return WEEKDAYS[new Date(asDay(value)).getUTCDay()] as string;
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'length':
      return [...text].length;
    case 'reverse':
      return [...text].reverse().join('');
    case 'last-word':
      return text.trim().split(/\s+/).at(-1) as string;
    case 'first-word':
      return text.trim().split(/\s+/)[0] as string;
    default:
      return op satisfies never;
  }
}

function holds(test: 'above' | 'below' | 'equal' | 'not-equal', entry: Scalar, than: Scalar): boolean {
  switch (test) {
    case 'above':
      return asNumber(entry) > asNumber(than);
    case 'below':
      return asNumber(entry) < asNumber(than);
    case 'equal':
      return answerText(entry) === answerText(than);
    case 'not-equal':
      return answerText(entry) !== answerText(than);
    default:
      return test satisfies never;
  }
}

function ordered(entries: readonly string[], keys: readonly Scalar[], order: 'given' | 'alphabetical' | 'ascending' | 'descending'): string[] {
  if (order === 'given') return [...entries];
  if (order === 'alphabetical') return [...entries].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const sign = order === 'ascending' ? 1 : -1;
  const pairs = entries.map((entry, i) => ({ entry, key: asNumber(keys[i] as Scalar) }));
  pairs.sort((a, b) => sign * (a.key - b.key));
  return pairs.map(({ entry }) => entry);
}
