// What a misreading yields (method M4.10): another value of the same kind that stands in the request, never another call.
import { readValue } from '../tasks/evidence.ts';
import { fillTemplate } from '../tasks/formula.ts';
import type { PlanStep, Read, Values } from '../tasks/plan.ts';
import type { Conversation } from './conversation.ts';

const SHAPES = {
  number: /[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d+(?:\.\d+)?/g,
  date: /\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4}/g,
  url: /https?:\/\/[^\s<>"')\]]+/g,
};
/** Enough to choose from; a long page has thousands. */
const MOST = 200;

/** @returns the step's values with each replaced by a distractor; a value without one is left out */
export function misreadValues(step: PlanStep, conversation: Conversation, values: Values, draw: number): Record<string, string | number> {
  const misread: Record<string, string | number> = {};
  for (const read of step.reads) {
    const name = `${step.id}.${read.name}`;
    const others = distractors(read, conversation, values).filter((other) => other !== values[name]);
    const chosen = others[Math.floor(draw * others.length)];
    if (chosen !== undefined) misread[name] = chosen;
  }
  return misread;
}

/**
 * A value that was handed over, misread: another one of its kind among those that were handed over with it.
 * @param others all steps whose values were
 */
export function mixedUpValues(step: PlanStep, others: readonly PlanStep[], values: Values, draw: number): Record<string, string | number> {
  const mixed: Record<string, string | number> = {};
  for (const read of step.reads) {
    const name = `${step.id}.${read.name}`;
    const alike = others.flatMap((other) => other.reads.filter(({ kind }) => kind === read.kind).map((candidate) => values[`${other.id}.${candidate.name}`]));
    const free = [...new Set(alike)].filter((value) => value !== undefined && value !== values[name]);
    const chosen = free[Math.floor(draw * free.length)];
    if (chosen !== undefined) mixed[name] = chosen;
  }
  return mixed;
}

function distractors(read: Read, conversation: Conversation, values: Values): (string | number)[] {
  const found = new Set<string | number>();
  for (const { forms } of conversation.passages.filter((passage) => passage.kind === 'result')) {
    const text = forms[0] ?? '';
    // A place begins with its own value: what the read passes over first lies before it.
    for (const place of placesOf(read, text, values)) {
      const value = readValue(place, { ...read, after: [], skip: 0 }, values);
      if (value !== undefined) found.add(value);
      if (found.size >= MOST) return [...found];
    }
  }
  return [...found];
}

/** Stretches of text that begin with a value of the kind; for text those behind each place of the last anchor. */
function* placesOf(read: Read, text: string, values: Values): Generator<string> {
  if (read.kind !== 'text') {
    for (const match of text.matchAll(SHAPES[read.kind])) yield match[0];
    return;
  }
  const anchor = fillTemplate(read.after.at(-1) ?? '', values)?.toLowerCase() ?? '';
  if (anchor === '') return;
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(anchor); at >= 0; at = lower.indexOf(anchor, at + 1)) yield text.slice(at + anchor.length, at + anchor.length + 200);
}
