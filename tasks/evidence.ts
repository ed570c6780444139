// Reads a value out of a text: the anchors in order, then the first value of its kind. The walker of `tasks check` and the simulated model read alike,
// so what the check proves reachable is what the model can find.
import { remembering } from '../base/remembering.ts';
import { fillTemplate } from './formula.ts';
import type { Read, Values } from './plan.ts';

/** Unicode, blanks and dashes that documents and frameworks spell differently, brought to one form. */
export function normalizeText(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[‐‑‒–—−]/g, '-')
      .replace(/[‘’]/g, "'")
      .replace(/[“”]/g, '"')
      // A single blank that is one already need not be put in its own place.
      .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
  );
}

/**
 * @param passage one tool result or one short message, already normalized
 * @returns the value, or `undefined` when an anchor is missing or nothing of its kind follows the last one within 200 characters
 */
export function readValue(passage: string, read: Read, values: Values): string | number | undefined {
  let from = 0;
  for (const anchor of read.after) {
    const text = fillTemplate(anchor, values);
    if (text === undefined) return undefined;
    const normal = normalAnchor(text);
    const at = lowerCase(passage).indexOf(lowerCase(normal), from);
    if (at < 0) return undefined;
    from = at + normal.length;
  }
  return firstOfKind(passage.slice(from, from + REACH), read);
}

/** Every passage of a request is looked through for every anchor. */
const lowerCase = remembering((text) => text.toLowerCase(), 500);
const normalAnchor = remembering(normalizeText, 1_000);

/** How far behind its last anchor a value may stand, in characters. */
const REACH = 200;

const NUMBER = /[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d+(?:\.\d+)?/g;
const MONTH = '(January|February|March|April|May|June|July|August|September|October|November|December)';
const DATES: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  { pattern: /(\d{4})-(\d{2})-(\d{2})/, order: [1, 2, 3] },
  { pattern: new RegExp(`(\\d{1,2}) ${MONTH} (\\d{4})`), order: [3, 2, 1] },
  { pattern: new RegExp(`${MONTH} (\\d{1,2}), (\\d{4})`), order: [3, 1, 2] },
];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function firstOfKind(text: string, read: Read): string | number | undefined {
  switch (read.kind) {
    case 'number': {
      const found = [...text.matchAll(NUMBER)][read.skip ?? 0];
      return found ? Number(found[0].replaceAll(',', '')) : undefined;
    }
    case 'date':
      return firstDate(text);
    case 'url':
      return /https?:\/\/[^\s<>"')\]]+/.exec(text)?.[0];
    case 'text': {
      const start = text.replace(/^[\s:=|*"'[-]+/, '');
      const ends = (read.until ?? ['\n', '|', ';']).map((mark) => start.indexOf(mark)).filter((at) => at >= 0);
      if (read.until === undefined) {
        const stop = /\.(?=\s|$)/.exec(start);
        if (stop) ends.push(stop.index);
      }
      const end = ends.length === 0 ? start.length : Math.min(...ends);
      const value = start.slice(0, end).replace(/[*"\s]+$/, '');
      return value === '' ? undefined : value;
    }
    default:
      return read.kind satisfies never;
  }
}

function firstDate(text: string): string | undefined {
  let best: { at: number; iso: string } | undefined;
  for (const { pattern, order } of DATES) {
    const found = pattern.exec(text);
    if (!found || (best && best.at <= found.index)) continue;
    const [year, month, day] = order.map((group) => found[group] as string) as [string, string, string];
    const monthNumber = MONTHS.includes(month) ? MONTHS.indexOf(month) + 1 : Number(month);
    best = { at: found.index, iso: `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}` };
  }
  return best?.iso;
}
