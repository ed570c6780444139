// Takes the answer out of what an agent returned, before the scorer sees it: our step, alike for every row. It strips marks, never meaning: no number is fished
// out of a sentence. What was thought aloud between <think> tags is no answer.
import { withoutThoughts } from '../../base/thoughts.ts';

export interface ExtractedAnswer {
  /** Absent when there is nothing to score. */
  readonly answer?: string;
  readonly rule: 'marker' | 'json' | 'last-line';
  /** No marker with something behind it: the answer is the last line, if any. */
  readonly noMarker: boolean;
  /** The agent said that it does not know. Scored all the same. */
  readonly abstained?: true;
}

/** The last marker wins; `final_answer` of a JSON object comes first; without either the last line that is not empty counts. */
export function extractAnswer(output: string | undefined): ExtractedAnswer {
  const text = withoutThoughts(output ?? '').trim();
  const field = answerField(text);
  if (field !== undefined) {
    const inner = lastMarked(field);
    return found(inner.kind === 'answer' ? inner.text : bare(field), 'json', false);
  }
  const marked = lastMarked(text);
  if (marked.kind === 'answer') return found(marked.text, 'marker', false);
  if (marked.kind === 'nothing') return { rule: 'marker', noMarker: false };
  const line = text.split(LINE_BREAK).findLast((candidate) => candidate.trim() !== '');
  // An agent that only repeats the instruction has said nothing.
  if (line === undefined || new RegExp(MARKER).test(line)) return { rule: 'last-line', noMarker: true };
  return found(bare(line), 'last-line', true);
}

type Marked = { readonly kind: 'answer'; readonly text: string } | { readonly kind: 'nothing' } | { readonly kind: 'none' };

/** `nothing`: a marker with no text behind it. `none`: no marker, or only echoes of the instruction. */
function lastMarked(text: string): Marked {
  for (const match of [...text.matchAll(MARKER)].reverse()) {
    const rest = text.slice(match.index + match[0].length);
    if (isEcho(rest)) continue;
    const line = rest.split(LINE_BREAK).find((candidate) => candidate.replace(/[*_`\s]/g, '') !== '');
    return line === undefined ? { kind: 'nothing' } : { kind: 'answer', text: bare(unclosed(line, match)) };
  }
  return { kind: 'none' };
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const MARKS = '(?:\\*{1,3}|_{1,3}|`)';
/** Groups: marks that open before the words, marks that close before the colon, marks that close behind it. */
const MARKER = new RegExp(`(?<![\\p{L}\\p{N}])(${MARKS})?FINAL\\s+ANSWER(${MARKS})?\\s*[:：](${MARKS}(?=\\s|$))?`, 'giu');

/** A placeholder in the place of an answer: somebody repeated the instruction. */
function isEcho(rest: string): boolean {
  const start = rest.replace(/^[\s*_`"'“‘]+/, '');
  return /^\[YOUR FINAL ANSWER\]/i.test(start) || /^‹[^›\n]*›/.test(start) || /^<[^>\n]*>(?![^\n]*<\/)/.test(start);
}

/** `**FINAL ANSWER: 17**`: the mark that opened before the words closes behind the answer, or right before it. */
function unclosed(line: string, [, opened, before, behind]: RegExpMatchArray): string {
  const trimmed = line.trim();
  if (opened === undefined || before !== undefined || behind !== undefined || !trimmed.includes(opened)) return trimmed;
  if (trimmed.startsWith(opened)) return trimmed.endsWith(opened) ? trimmed : trimmed.slice(opened.length);
  const end = trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed;
  return end.endsWith(opened) ? end.slice(0, -opened.length) : trimmed;
}

const PAIRS: readonly (readonly [string, string])[] = [
  ['***', '***'],
  ['**', '**'],
  ['*', '*'],
  ['__', '__'],
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['[', ']'],
];

/** Trimmed, without the full stop that ends a sentence, and without one pair of each kind of enclosing mark. Inner punctuation stays. */
function bare(line: string): string {
  let text = line.trim();
  for (let changed = true; changed; ) {
    const before = text;
    text = withoutFullStop(text);
    for (const [open, close] of PAIRS) text = withoutPair(text, open, close);
    changed = text !== before;
  }
  return text;
}

function withoutPair(text: string, open: string, close: string): string {
  if (text.length <= open.length + close.length || !text.startsWith(open) || !text.endsWith(close)) return text;
  const inner = text.slice(open.length, -close.length);
  // `"red", "green"` starts and ends with a quote, and is no quoted text.
  return inner.includes(open) || inner.includes(close) ? text : inner.trim();
}

/** The stop of an abbreviation (`U.S.`, `John F.`), of an ellipsis or behind a quotation belongs to the answer. */
function withoutFullStop(text: string): string {
  const word = /(?:^|\s)(\S+)\.$/u.exec(text)?.[1];
  return word === undefined || /[.'"”’]/.test(word.slice(-1)) || /\p{L}\.\p{L}$|^\p{Lu}$/u.test(word) ? text : text.slice(0, -1);
}

/** The answer of a structured reply: a JSON object, maybe fenced, with one of the usual names. */
function answerField(text: string): string | undefined {
  const body = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text;
  if (!body.startsWith('{')) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined; // Text that only looks like JSON is read as text.
  }
  for (const name of ['final_answer', 'finalAnswer', 'answer']) {
    const value = (parsed as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number')) return value.join(', ');
  }
  return undefined;
}

const ABSTENTION =
  /^(?:(?:i (?:am|was) |i['’]m |it (?:is|was) )?(?:unable|not able|not possible|impossible) to (?:determine|answer|find|say|tell|know)|(?:i )?(?:can(?:no|['’])t|could(?: not|n['’]t)) (?:be )?(?:determined?|answer(?:ed)?|find|found|say|tell|know)|i (?:do not|don['’]t) know|(?:the )?answer (?:is )?(?:unknown|not (?:found|available|known))|unknown$|undetermined$|indeterminate$|n\/a$|no answer|not (?:found|known|available)$|not enough information|insufficient (?:information|data|evidence))/i;

function found(answer: string, rule: ExtractedAnswer['rule'], noMarker: boolean): ExtractedAnswer {
  if (answer === '') return { rule, noMarker };
  return ABSTENTION.test(answer) ? { answer, rule, noMarker, abstained: true } : { answer, rule, noMarker };
}
