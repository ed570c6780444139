// Days of the calendar for the calculator: reading them, adding to them, naming them. Gregorian throughout, without time of day or zone.
import { CalculationError } from './exact-number.ts';

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTH = '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY_MS = 86_400_000;

/** `2024-02-29`, `29 February 2024`, `Feb 29, 2024`. */
export const DATE_PATTERN = `\\d{4}-\\d{2}-\\d{2}(?![\\d.])|\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\.?,?\\s+\\d{4}|${MONTH}\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4}`;

/** @returns days since 1970-01-01. @throws CalculationError for a day that is in no calendar */
export function dayOf(text: string): number {
  const numbers = text.match(/\d+/g)?.map(Number) ?? [];
  const word = /[a-z]{3,}/i.exec(text.replace(/\d+(st|nd|rd|th)/gi, ''))?.[0].toLowerCase();
  const named = word === undefined ? -1 : MONTHS.findIndex((month) => month.startsWith(word.slice(0, 3)));
  const [year, month, day] = (word === undefined ? numbers : [numbers[1], named + 1, numbers[0]]) as [number, number, number];
  if (month < 1 || month > 12) {
    throw new CalculationError(`"${text}" reads as a date and has no month ${month}: write YYYY-MM-DD, or put blanks around a minus sign`);
  }
  if (day < 1 || day > lengthOf(year, month)) {
    const leap = month === 2 && day === 29 ? ', since it is no leap year' : '';
    throw new CalculationError(`"${text}" is no date: that month has ${lengthOf(year, month)} days${leap}`);
  }
  return fromParts(year, month, day);
}

/** The same day of the month so much later, or the last one where it has none. */
export function addMonths(day: number, months: number): number {
  const { year, month, date } = partsOf(day);
  const count = year * 12 + (month - 1) + months;
  const [toYear, toMonth] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1];
  return inRange(fromParts(toYear, toMonth, Math.min(date, lengthOf(toYear, toMonth))));
}

export function inRange(day: number): number {
  const { year } = partsOf(day);
  if (!(year >= 1 && year <= 9999)) throw new CalculationError('the date lies outside of the years 1 to 9999');
  return day;
}

export function isoDay(day: number): string {
  const { year, month, date } = partsOf(day);
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
}

export function weekdayOf(day: number): string {
  return WEEKDAYS[(((day + 4) % 7) + 7) % 7] as string;
}

export function yearOf(day: number): number {
  return partsOf(day).year;
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function lengthOf(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function fromParts(year: number, month: number, date: number): number {
  // Years below 100 would be taken for those of the last century.
  return Math.round(new Date(0).setUTCFullYear(year, month - 1, date) / DAY_MS);
}

function partsOf(day: number) {
  const at = new Date(day * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
}
