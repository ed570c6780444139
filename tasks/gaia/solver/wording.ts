// What the second solver of document tasks makes of words: what a question asks for, figures and days as they are written, and answers put together from all
// readings that fit. Nothing here knows a template, a plan or a formula.

export type Answer = string | number;

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

/** A question without the company in which a larger set asks it. */
export class Wording {
  readonly text: string;

  constructor(question: string) {
    this.text = question.replace(/^.*?This belongs to file [A-Z]+\. /s, '');
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.text);
  }

  /** What the first fitting pattern catches. @throws Error when none fits: then it is another question */
  told(...patterns: readonly RegExp[]): string[] {
    for (const pattern of patterns) {
      const found = pattern.exec(this.text);
      if (found) return found.slice(1);
    }
    throw new Error('the question is worded in no way that the solver knows');
  }

  /** The one meaning whose words are there. @throws Error for none or two */
  meant<Meaning>(meanings: readonly (readonly [words: RegExp, meaning: Meaning])[]): Meaning {
    const found = [...new Set(meanings.filter(([words]) => this.says(words)).map(([, meaning]) => meaning))];
    if (found.length !== 1) throw new Error(`the question can be taken in ${found.length} ways: ${found.join(', ')}`);
    return found[0] as Meaning;
  }

  /** Names that stand in the question as whole words, in the order of first mention; one that is only part of a longer name is not meant. */
  named(names: readonly string[]): string[] {
    const lower = this.text.toLowerCase();
    const places = [...new Set(names)].flatMap((name) =>
      [...lower.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${literal(name.toLowerCase())}(?![\\p{L}\\p{N}])`, 'gu'))].map(({ index }) => ({
        name,
        from: index,
        to: index + name.length,
      })),
    );
    const whole = places.filter(({ from, to }) => !places.some((other) => other.from <= from && other.to >= to && other.to - other.from > to - from));
    return [...new Set(whole.sort((a, b) => a.from - b.from).map(({ name }) => name))];
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export function same(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a.trim().toLowerCase() === b?.trim().toLowerCase();
}

/** @throws Error when it is none, so that a spoilt cell never counts as one */
export function figure(text: string): number {
  const plain = text.trim().replace(/,(?=\d{3}(?!\d))/g, '');
  if (!/^-?\d+(\.\d+)?$/.test(plain)) throw new Error(`${JSON.stringify(text)} stands where a figure is due`);
  return Number(plain);
}

/** Days since 1970. @throws Error when it is no day */
export function dayNumber(text: string): number {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim()) ?? [];
  const [, day1, month1, year1] = /(\d{1,2}) ([A-Za-z]+),? (\d{4})/.exec(text) ?? [];
  const [, month2, day2, year2] = /([A-Za-z]+) (\d{1,2}),? (\d{4})/.exec(text) ?? [];
  const monthOf = (name = '') => MONTHS.indexOf(name.toLowerCase());
  const date = isoYear
    ? [Number(isoYear), Number(isoMonth) - 1, Number(isoDay)]
    : monthOf(month1) >= 0
      ? [Number(year1), monthOf(month1), Number(day1)]
      : [Number(year2), monthOf(month2), Number(day2)];
  const [year = Number.NaN, month = -1, day = 0] = date;
  const at = new Date(Date.UTC(year, month, day));
  if (Number.isNaN(at.getTime()) || month < 0 || at.getUTCDate() !== day) throw new Error(`${JSON.stringify(text)} stands where a day is due`);
  return at.getTime() / 86_400_000;
}

/** What comes of every choice of one reading each: two cells that could be meant give two answers. */
export function combined<T, R>(readings: readonly (readonly T[])[], make: (...chosen: T[]) => R): R[] {
  const choices = readings.reduce<T[][]>((so, list) => so.flatMap((chosen) => list.map((one) => [...chosen, one])), [[]]);
  return choices.map((chosen) => make(...chosen));
}

export function total(figures: readonly number[]): number {
  return figures.reduce((sum, one) => sum + one, 0);
}
