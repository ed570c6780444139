// Python's `float(text)` and `\s`, which the official scorer rests on. `Number` differs: it takes hex and empty text, refuses underscores and other digits,
// and trims U+FEFF, which is no blank to Python.

/** What Python's `\s` matches on text. JavaScript's has U+FEFF and lacks U+001C to U+001F and U+0085. */
export const PYTHON_WHITESPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

const DIGITS = '[0-9](?:_?[0-9])*';
const NUMBER = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);
const WORD = /^([+-]?)(?:(inf|infinity)|nan)$/i;

/** @returns the double that Python's `float` gives (infinite and NaN included), `undefined` where it raises ValueError */
export function parsePythonFloat(text: string): number | undefined {
  const ascii = text.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  const bare = trimPython(ascii);
  if (NUMBER.test(bare)) return Number(bare.replaceAll('_', ''));
  const word = WORD.exec(bare);
  if (word === null) return undefined;
  if (word[2] === undefined) return Number.NaN;
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function trimPython(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charAt(from))) from++;
  while (to > from && isBlank(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(character: string): boolean {
  PYTHON_WHITESPACE.lastIndex = 0;
  return PYTHON_WHITESPACE.test(character);
}

/** Unicode keeps decimal digits in runs of ten that start at zero (or several such runs side by side). */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  if (point < 0x80) return point - 0x30;
  let start = point;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(start - 1))) start--;
  return (point - start) % 10;
}
