// One limit for every text that a tool returns: a part of at most 8,000 characters, cut at a line break where one is near and never inside a character,
// with a last line that says how much there is and how to get the rest. The limit lies below the smallest compaction threshold of any row (method M2.5).

export const PART_CHARACTERS = 8_000;

/** How far before the limit a line break is still preferred to a cut within a line. */
const NEAR = 1_000;

/**
 * @param parameter the argument that asks for another part: `part`, or `page` for web pages
 * @param part counted from 1
 */
export function windowText(text: string, parameter: string, part = 1): string {
  const starts = partStarts(text);
  if (text === '') return part > 1 ? `There is no ${parameter} ${part}: the text is empty.` : text;
  const from = starts[part - 1];
  if (from === undefined) {
    return `There is no ${parameter} ${part}: the text has ${counted(starts.length, parameter)}, ${text.length} characters in all.`;
  }
  if (starts.length === 1) return text;
  const to = starts[part] ?? text.length;
  const next = part < starts.length ? ` For the next one: ${parameter}: ${part + 1}.` : '';
  const body = text.slice(from, to).replace(/\n+$/, '');
  return `${body}\n[${parameter} ${part} of ${starts.length}: characters ${from + 1}-${to} of ${text.length}.${next}]`;
}

/** Where each part begins. Parts follow each other without gap or overlap. */
function partStarts(text: string): number[] {
  const starts = [0];
  let at = 0;
  while (text.length - at > PART_CHARACTERS) {
    at = cutBefore(text, at + PART_CHARACTERS);
    starts.push(at);
  }
  return starts;
}

/** The best place to cut at or before `limit`: behind a line break, else between two characters (a base and its combining marks are one). */
function cutBefore(text: string, limit: number): number {
  const lineBreak = text.lastIndexOf('\n', limit - 1);
  if (lineBreak >= limit - NEAR) return lineBreak + 1;
  const from = limit - 64;
  let cut = from;
  for (const { index } of segmenter.segment(text.slice(from, limit + 64))) {
    if (from + index > limit) break;
    cut = from + index;
  }
  if (cut > from) return cut;
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}
