// A reader's own rates of faults, as they are typed: kind=percent,… or a JSON file of kind and percent. Held against the kinds that the run has responses to.
import { existsSync, readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../base/error.ts';
import type { ManifestPlan } from '../metrics/record.ts';
import type { OwnRates } from '../reports/tables/reliability.ts';

/** @returns shares in [0, 1]. @throws UsageError BAD_OPTION naming the word, OPTIONS_EXCLUDE for a run that has no responses */
export function ownRates(given: string, { conditions, name }: Pick<ManifestPlan, 'conditions' | 'name'>): OwnRates {
  if (conditions === undefined)
    throw new UsageError('OPTIONS_EXCLUDE', `--rates speaks of responses to faults, and the run ${name} has none`, {
      remedy: 'agentgauge ablate faults makes one.',
    });
  const kinds = [...new Set(conditions.flatMap((condition) => (condition.what === 'forced' ? [condition.kind] : []))), 'correction'];
  return Object.fromEntries(
    wordsOf(given).map(([kind, percent]) => {
      if (!kinds.includes(kind)) throw bad(`${kind} is no kind of this run`, `There are: ${kinds.join(', ')}.`);
      const value = typeof percent === 'number' ? percent : Number(percent || Number.NaN);
      if (!(value >= 0 && value <= 100)) throw bad(`${kind} is ${JSON.stringify(percent)}, not a number of percent from 0 to 100`, 'Such as empty-reply=0.4.');
      return [kind, value / 100];
    }),
  );
}

function wordsOf(given: string): [kind: string, percent: unknown][] {
  if (!existsSync(given))
    return given.split(',').map((word) => {
      const [kind = '', percent] = word.split('=');
      if (percent === undefined)
        throw bad(`${JSON.stringify(word)} is neither kind=percent nor a file that is there`, 'Such as empty-reply=0.4,unknown-tool=1, or rates.json.');
      return [kind.trim(), percent.trim()];
    });
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(given, 'utf8'));
  } catch (cause) {
    throw bad(`${given} is no JSON: ${messageOf(cause)}`, 'It holds one object, such as {"empty-reply": 0.4}.');
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw bad(`${given} holds no object`, 'It holds one object, such as {"empty-reply": 0.4}.');
  return Object.entries(read);
}

function bad(what: string, remedy: string): UsageError {
  return new UsageError('BAD_OPTION', `--rates: ${what}`, { remedy });
}
