// Which plan steps have their evidence in a request, and the values that stand there (method M4.2). It reads texts only: no value is known beforehand.
import { readValue } from '../tasks/evidence.ts';
import { fillArguments, fillTemplate } from '../tasks/formula.ts';
import type { PlannedCall, PlanStep, Read, Values } from '../tasks/plan.ts';
import type { Conversation, Passage } from './conversation.ts';
import { bareToolName } from './offered-tools.ts';

export interface Evidence {
  /** Right readings of everything that stands in the request. */
  readonly values: Values;
  /** Steps with a call whose every value stands there. */
  readonly done: ReadonlySet<string>;
  /** Those of them whose values another agent's words gave and no result: each is a hand-over with a draw of its own (method M4.6). */
  readonly handedOver: ReadonlySet<string>;
}

/**
 * Steps in the plan's order, so that a later anchor may hold an earlier value.
 * @param reportsFirst whoever joins what others found goes by their reports, and looks into results only for what those leave out
 */
export function readEvidence(steps: readonly PlanStep[], conversation: Conversation, reportsFirst = false): Evidence {
  const values: Record<string, string | number> = {};
  const done = new Set<string>();
  const handed = new Set<string>();
  for (const step of steps) {
    const found = readStep(step, conversation.passages, values, reportsFirst);
    if (!found) continue;
    Object.assign(values, found.values);
    if (!step.call) continue;
    done.add(step.id);
    if (found.handedOver) handed.add(step.id);
  }
  return { values, done, handedOver: handed };
}

interface FoundStep {
  readonly values: Record<string, string | number>;
  readonly handedOver: boolean;
}

/** All values of a step: from its own call's result if that is here, else from one passage, else each from where it stands. */
function readStep(step: PlanStep, passages: readonly Passage[], before: Values, reportsFirst: boolean): FoundStep | undefined {
  if (step.reads.length === 0) return step.call ? undefined : { values: {}, handedOver: false };
  const wanted = [step.call, step.secondTry].flatMap((call) => (call ? [filledCall(call, before)] : [])).filter((call) => call !== undefined);
  const ordered = [...passages].sort((a, b) => rank(a, wanted, reportsFirst) - rank(b, wanted, reportsFirst));
  if (reportsFirst) {
    // A report has a line for each value.
    const told = readFrom(
      step,
      ordered.filter(({ kind }) => kind === 'line'),
      before,
    );
    if (told) return told;
  }
  for (const passage of ordered) {
    const found = readFrom(step, [passage], before);
    if (found) return found;
  }
  return readFrom(step, ordered, before);
}

function readFrom(step: PlanStep, passages: readonly Passage[], before: Values): FoundStep | undefined {
  const values: Record<string, string | number> = {};
  let handedOver = false;
  for (const read of step.reads) {
    const found = firstValue(read, passages, { ...before, ...values });
    if (found === undefined) return undefined;
    values[`${step.id}.${read.name}`] = found.value;
    handedOver ||= found.labelled;
  }
  return { values, handedOver };
}

function firstValue(read: Read, passages: readonly Passage[], values: Values): { readonly value: string | number; readonly labelled: boolean } | undefined {
  for (const passage of passages) {
    for (const form of passage.forms) {
      const labelled = passage.kind === 'line' ? readValue(form, handedOver(read), values) : undefined;
      const value = labelled ?? readValue(form, read, values);
      if (value !== undefined) return { value, labelled: labelled !== undefined };
    }
  }
  return undefined;
}

/** As a report says it: the label, and right behind it the value, to the end of its line or of the text in which it was quoted. */
function handedOver({ name, label, kind }: Read): Read {
  return { name, label, kind, after: [label], until: REPORT_ENDS };
}

const REPORT_ENDS = ['\n', ';', '|', '",', '"]', '"}', '\\n', '\\"', ' ['];

/** Results of the step's own calls first, results of unknown calls and hand-overs next, results of other calls last. */
function rank(passage: Passage, wanted: readonly PlannedCall[], reportsFirst: boolean): number {
  if (passage.kind === 'line' && reportsFirst) return -1;
  if (!passage.origin) return 1;
  const { origin } = passage;
  return wanted.some((call) => sameCall(call, origin)) ? 0 : 2;
}

function sameCall(call: PlannedCall, origin: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }): boolean {
  if (bareToolName(origin.name, [call.tool]) !== call.tool) return false;
  return Object.entries(call.arguments).every(([key, value]) => String(origin.arguments[key]) === String(value));
}

/** @returns `undefined` while a value that the call needs is not known */
export function filledCall(call: PlannedCall, values: Values): PlannedCall | undefined {
  const filled = fillArguments(call.arguments, values);
  return filled && { tool: call.tool, arguments: filled };
}

/** Whether a step's anchors and something behind them stand in the request although `readEvidence` did not read them: our reader failed, not the framework (method M4.3). */
export function missedByMatcher(step: PlanStep, conversation: Conversation, values: Values): boolean {
  const texts = conversation.haystack.map((text) => ({ letters: bareLetters(text), isReport: conversation.reports.has(text) }));
  return (
    step.reads.length > 0 &&
    step.reads.every((read) =>
      texts.some(({ letters: text, isReport }) => {
        let from = 0;
        for (const anchor of isReport ? [read.label] : read.after) {
          const filled = fillTemplate(anchor, values);
          if (filled === undefined) return false;
          // An anchor of signs alone, such as a cell's border, has no letters and is passed over.
          const letters = bareLetters(filled);
          const at = text.indexOf(letters, from);
          if (at < 0) return false;
          from = at + letters.length;
        }
        const rest = text.slice(from, from + 150);
        return read.kind === 'number' || read.kind === 'date' ? /\d/.test(rest) : rest !== '';
      }),
    )
  );
}

function bareLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]|[^\p{L}\p{N}]/gu, '');
}
