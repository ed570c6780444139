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
}

/** Steps in the plan's order, so that a later anchor may hold an earlier value. */
export function readEvidence(steps: readonly PlanStep[], conversation: Conversation): Evidence {
  const values: Record<string, string | number> = {};
  const done = new Set<string>();
  for (const step of steps) {
    const found = readStep(step, conversation.passages, values);
    if (!found) continue;
    Object.assign(values, found);
    if (step.call) done.add(step.id);
  }
  return { values, done };
}

/** All values of a step: from its own call's result if that is here, else from one passage, else each from where it stands. */
function readStep(step: PlanStep, passages: readonly Passage[], before: Values): Record<string, string | number> | undefined {
  if (step.reads.length === 0) return step.call ? undefined : {};
  const wanted = [step.call, step.secondTry].flatMap((call) => (call ? [filledCall(call, before)] : [])).filter((call) => call !== undefined);
  const ordered = [...passages].sort((a, b) => rank(a, wanted) - rank(b, wanted));
  for (const passage of ordered) {
    const found = readFrom(step, [passage], before);
    if (found) return found;
  }
  return readFrom(step, ordered, before);
}

function readFrom(step: PlanStep, passages: readonly Passage[], before: Values): Record<string, string | number> | undefined {
  const found: Record<string, string | number> = {};
  for (const read of step.reads) {
    const value = firstValue(read, passages, { ...before, ...found });
    if (value === undefined) return undefined;
    found[`${step.id}.${read.name}`] = value;
  }
  return found;
}

function firstValue(read: Read, passages: readonly Passage[], values: Values): string | number | undefined {
  for (const passage of passages) {
    for (const form of passage.forms) {
      const value = readValue(form, read, values) ?? (passage.kind === 'line' ? readValue(form, handedOver(read), values) : undefined);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** As a report says it: the label, and right behind it the value. */
function handedOver({ name, label, kind }: Read): Read {
  return { name, label, kind, after: [label] };
}

/** Results of the step's own calls first, results of unknown calls and hand-overs next, results of other calls last. */
function rank(passage: Passage, wanted: readonly PlannedCall[]): number {
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
  const texts = [...conversation.haystack].map(bareLetters);
  return (
    step.reads.length > 0 &&
    step.reads.every((read) =>
      texts.some((text) => {
        let from = 0;
        for (const anchor of read.after) {
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
