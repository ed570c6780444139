// What a slip does to a call that would have been right. Forms are chosen by the plan's own call, not by the wire schema, so that every row meets the same one.
import type { PlannedCall } from '../tasks/plan.ts';
import type { SlipKind } from './rates.ts';

/** Names that a model might expect and that no task offers; one that a framework does offer is passed over. */
const EXPECTED_TOOLS = ['search_internet', 'open_document', 'lookup_value', 'fetch_record', 'query_table', 'get_page_text'];

/** @param draw in [0, 1) */
export function unknownToolName(draw: number, offered: readonly string[]): string {
  const free = EXPECTED_TOOLS.filter((name) => !offered.includes(name));
  return free[Math.floor(draw * free.length)] ?? 'unnamed_tool';
}

/** Kinds of several forms, each with its forms in the order in which a draw chooses among them. */
export const SLIP_FORMS = {
  'malformed-arguments': ['cut', 'empty', 'null'],
  'schema-violation': ['missing', 'wrong-type', 'coercible', 'extra-key'],
  'malformed-plan': ['prose', 'cut', 'wrong-brackets'],
} as const;

/** @returns the draw that chooses this form; nothing where the form does not fit what the call is given */
export function drawOfForm(kind: SlipKind, form: string, given: Given): number | undefined {
  const all: readonly string[] = Object.entries(SLIP_FORMS).find(([name]) => name === kind)?.[1] ?? [];
  const forms = all.filter((name) => name !== 'coercible' || hasNumber(given));
  const at = forms.indexOf(form);
  return at < 0 ? undefined : (at + 0.5) / forms.length;
}

/** Cut in the middle, empty, or `null` where an object belongs. */
export function malformedArguments(draw: number, right: string): string {
  switch (Math.floor(draw * 3)) {
    case 0:
      return right.slice(0, Math.max(2, Math.floor(right.length * 0.6)));
    case 1:
      return '';
    default:
      return 'null';
  }
}

type Given = PlannedCall['arguments'];

/** One required parameter missing, of the wrong type, a number written as text, or a parameter that nobody asked for. */
export function violatedArguments(draw: number, given: Given): Readonly<Record<string, unknown>> {
  const forms = [missing, wrongType, ...(hasNumber(given) ? [numberAsText] : []), extraKey];
  return (forms[Math.floor(draw * forms.length)] as (given: Given) => Readonly<Record<string, unknown>>)(given);
}

function hasNumber(given: Given): boolean {
  return Object.values(given).some((value) => typeof value === 'number');
}

function missing(given: Given): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(given).slice(1));
}

function wrongType(given: Given): Readonly<Record<string, unknown>> {
  const [key, value] = Object.entries(given)[0] ?? ['value', ''];
  return { ...given, [key]: typeof value === 'string' ? { value } : 'the first one' };
}

function numberAsText(given: Given): Readonly<Record<string, unknown>> {
  const [key, value] = Object.entries(given).find(([, entry]) => typeof entry === 'number') ?? ['value', 0];
  return { ...given, [key]: String(value) };
}

function extraKey(given: Given): Readonly<Record<string, unknown>> {
  return { ...given, note: 'as asked' };
}
