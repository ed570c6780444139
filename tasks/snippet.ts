// The piece of a text that a search result shows: the window of about 160 characters that holds most of the words asked for.

const LENGTH = 160;

/** @param text on one line @param words in lower case */
export function snippetOf(text: string, words: readonly string[]): string {
  if (text.length <= LENGTH) return text;
  const places = placesOf(text, words);
  const start = startOf(places);
  const from = Math.max(0, Math.min(start - 30, text.length - LENGTH));
  return cutAtWords(text, from, from + LENGTH);
}

interface Place {
  readonly at: number;
  readonly word: string;
}

function placesOf(text: string, words: readonly string[]): Place[] {
  const wanted = new Set(words);
  const places: Place[] = [];
  for (const found of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const word = found[0].toLowerCase();
    if (wanted.has(word)) places.push({ at: found.index, word });
  }
  return places;
}

/** Where the window begins that holds most different words; the first one of equals; 0 when there is none. */
function startOf(places: readonly Place[]): number {
  let best = { at: 0, count: 0 };
  for (const [i, { at }] of places.entries()) {
    const inside = new Set<string>();
    for (let j = i; j < places.length; j++) {
      const place = places[j];
      if (!place || place.at > at + LENGTH - 60) break;
      inside.add(place.word);
    }
    if (inside.size > best.count) best = { at, count: inside.size };
  }
  return best.at;
}

/** Ends at blanks where there are some near, so that no word and no character is cut. */
function cutAtWords(text: string, from: number, to: number): string {
  const blankBefore = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const start = blankBefore > 0 && blankBefore < from + 40 ? blankBefore : from;
  const blankAfter = to >= text.length ? text.length : text.lastIndexOf(' ', to);
  const end = blankAfter > to - 40 ? blankAfter : to;
  const piece = text
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .trim();
  return `${start > 0 ? '… ' : ''}${piece}${end < text.length ? ' …' : ''}`;
}
