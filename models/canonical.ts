// One spelling for texts that frameworks wrap, escape and re-flow, so that a question is found wherever it stands. For finding only; what is read is read from the text itself.
import { remembering } from '../base/remembering.ts';
import { normalizeText } from '../tasks/evidence.ts';

/** NFKC, one kind of quote and dash, single blanks, lower case, and numbers without thousands separators. */
export const canonicalText = remembering(
  (text) =>
    normalizeText(text)
      .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
      .replace(/\s{2,}|[^\S ]/g, ' ')
      .trim()
      .toLowerCase(),
  500,
);

/** The text, and where it holds escapes also with one and two levels of JSON or Python escapes undone. Most likely reading first. */
export function readings(text: string): string[] {
  if (!text.includes('\\')) return [text];
  const once = unescaped(text);
  const twice = once.includes('\\') ? unescaped(once) : once;
  // A string put into JSON that then lost its quotation marks: a backslash stands where each of them was, and before nothing that can be escaped.
  const stripped = /\\(?:[^nrtbfuUx"'\\/\d]|$)/.test(text) && !text.includes('\n') ? [quotesRestored(text)] : [];
  const all = [...new Set([...stripped, text, once, twice])];
  // Line breaks written as escapes and none for real: the text was put into a string.
  return stripped.length === 0 && /\\n/.test(text) && !text.includes('\n') ? [...all.slice(1), text] : all;
}

/** The escape of a line break is one unless it stands where only a quotation mark before a word with n can. */
function quotesRestored(text: string): string {
  return text
    .replace(/(?<=[^\s:,{[(])\\n|\\n(?![a-z])/g, '\n')
    .replace(/\\\\/g, '\0')
    .replaceAll('\\', '"')
    .replaceAll('\0', '\\');
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|[nrtbf"'\\/])/g, (_, mark: string) =>
    mark.length > 1 ? String.fromCodePoint(Math.min(Number.parseInt(mark.slice(1), 16), 0x10ffff)) : (NAMED[mark] ?? mark),
  );
}
