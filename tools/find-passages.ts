// Passages of a text around each place where some words stand, whole lines where lines are short, for `find` of web_fetch.

const AROUND = 300;
const MAX_PASSAGES = 8;
/** Neighbouring places share a passage up to this length, so that eight of them stay below the limit of a part. */
const MAX_PASSAGE = 900;

/** Case and the width of blanks make no difference. */
export function findPassages(text: string, wanted: string): string {
  const words = wanted
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const places = [...text.matchAll(new RegExp(words.join('\\s+'), 'giu'))].map((found) => ({ from: found.index, to: found.index + found[0].length }));
  if (places.length === 0)
    return `"${wanted}" does not occur in the text of this page (${text.length} characters). Try other words, or read the page without find.`;
  const passages: { from: number; to: number }[] = [];
  for (const place of places) {
    const widened = { from: lineStart(text, place.from), to: lineEnd(text, place.to) };
    const last = passages.at(-1);
    if (last && place.to <= last.to) continue;
    if (last && widened.from <= last.to && widened.to - last.from <= MAX_PASSAGE) last.to = widened.to;
    else passages.push(widened);
  }
  const shown = passages.slice(0, MAX_PASSAGES).map(({ from, to }) => text.slice(from, to).trim());
  const more = passages.length > shown.length ? ` The first ${shown.length} of ${passages.length} passages:` : '';
  return `"${wanted}" occurs ${places.length === 1 ? 'once' : `${places.length} times`}.${more}\n\n${shown.join('\n\n…\n\n')}`;
}

/** The start of a line within reach, else of a word. Looks no further than it reaches, since texts may be one endless line. */
function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - AROUND);
  if (from === 0) return 0;
  const before = text.slice(from, at);
  const lineBreak = before.indexOf('\n');
  const blank = lineBreak >= 0 ? lineBreak : before.indexOf(' ');
  return blank >= 0 ? from + blank + 1 : at;
}

function lineEnd(text: string, at: number): number {
  const to = at + AROUND;
  if (to >= text.length) return text.length;
  const behind = text.slice(at, to);
  const lineBreak = behind.lastIndexOf('\n');
  return at + Math.max(0, lineBreak >= 0 ? lineBreak : behind.lastIndexOf(' '));
}
