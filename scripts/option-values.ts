// What stands behind an option, as each command reads it: text, a list with commas, one word of several. A mistake is told by the option's name and what was found.
import { UsageError } from '../base/error.ts';
import type { CommandCall } from './command.ts';

type Values = CommandCall['values'];

export function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws UsageError BAD_OPTION for a list with nothing in it: it would mean all, and nobody writes that */
export function words(values: Values, name: string): string[] | undefined {
  const given = text(values, name);
  const list = given
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  if (list?.length === 0) throw badOption(name, given, 'a list such as a,b');
  return list;
}

/** @throws UsageError BAD_OPTION */
export function oneOf<Word extends string>(option: string, value: string | boolean, known: readonly Word[]): Word {
  const found = known.find((word) => word === value);
  if (found !== undefined) return found;
  throw new UsageError('BAD_OPTION', `--${option} is ${JSON.stringify(value)}`, { remedy: `Choose from: ${known.join(', ')}.` });
}

export function badOption(option: string, found: unknown, expected: string): UsageError {
  return new UsageError('BAD_OPTION', `--${option} is ${JSON.stringify(found)}, not ${expected}`, { remedy: '--help lists the options.' });
}
