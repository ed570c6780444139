// Whether a trial on the live web got to see its own task there: then its answer may have been looked up, however right it is.
import type { ToolCall } from '../base/traffic.ts';
import { squeezed } from './redaction.ts';

const WEB_TOOLS = new Set(['web_search', 'web_fetch']);
/** So many letters and digits of a question in one stretch are no chance, and no title that a question quotes. */
const STRETCH = 80;
/** Shorter questions and truths stand anywhere. */
const SHORTEST = 30;

/** @param toolCalls with their results. @returns `undefined` also where results were not kept */
export function leakOf(toolCalls: readonly ToolCall[], question: string, truth: string | undefined): 'question' | 'truth' | undefined {
  const seen = toolCalls
    .filter(({ name, result }) => WEB_TOOLS.has(name) && result !== undefined && !isEcho(result))
    .map(({ result }) => squeezed(result ?? ''));
  const stretches = stretchesOf(squeezed(question));
  if (seen.some((text) => stretches.some((stretch) => text.includes(stretch)))) return 'question';
  const told = squeezed(truth ?? '');
  return told.length >= SHORTEST && seen.some((text) => text.includes(told)) ? 'truth' : undefined;
}

/** A search that finds nothing repeats what was searched for. */
function isEcho(result: string): boolean {
  return result.startsWith('No results for "');
}

/** The whole of a short question, each stretch of a long one. */
function stretchesOf(question: string): string[] {
  if (question.length < SHORTEST) return [];
  const length = Math.min(STRETCH, question.length);
  return Array.from({ length: question.length - length + 1 }, (_, start) => question.slice(start, start + length));
}
