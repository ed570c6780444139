// Walks one solution plan through the real tools: carefully, as the plan says, or carelessly, as a reader who opens the first hit and takes the first match.
// The careless walk shows that the wrong copies of the offline web do mislead.
import { normalizeText, readValue } from '../tasks/evidence.ts';
import { evaluate, fillArguments } from '../tasks/formula.ts';
import type { PlannedCall, PlanStep, Read, SolutionPlan, Values } from '../tasks/plan.ts';
import type { Attachment } from '../tasks/task.ts';

/** The part of tools/toolbox.ts that a walk needs. */
export interface WalkTools {
  run(name: string, given: unknown, trial: { readonly attachments: readonly Attachment[] }): Promise<{ readonly status: number; readonly text: string }>;
}

export interface Walk {
  readonly answer?: string;
  /** What was read, by `step.name`. */
  readonly values: Values;
  /** Why the walk ended without an answer. */
  readonly stuck?: string;
  /** What the first call of the plan answered. */
  readonly firstText?: string;
}

export type WalkManner = 'careful' | 'careless';

export async function walkPlan(plan: SolutionPlan, tools: WalkTools, attachments: readonly Attachment[], manner: WalkManner = 'careful'): Promise<Walk> {
  const values: Record<string, string | number> = {};
  let firstText: string | undefined;
  for (const step of plan.steps) {
    if (!step.call) continue;
    const tries = [step.call, ...(step.secondTry && manner === 'careful' ? [step.secondTry] : [])];
    let failure = '';
    for (const call of tries) {
      const told = await perform(call, values, tools, attachments);
      firstText ??= told.text;
      failure = told.failure ?? readInto(values, step, told.text, manner);
      if (failure === '') break;
    }
    if (failure !== '') return { values, stuck: `${step.id}: ${failure}`, ...(firstText === undefined ? {} : { firstText }) };
  }
  const answer = answerOf(plan, values);
  return { values, ...(answer === undefined ? { stuck: 'the values give no answer' } : { answer }), ...(firstText === undefined ? {} : { firstText }) };
}

function answerOf(plan: SolutionPlan, values: Values): string | undefined {
  try {
    return evaluate(plan.answer, values);
  } catch (thrown) {
    // A careless walk can bring a word where a number is due: no answer, as for a person.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

async function perform(call: PlannedCall, values: Values, tools: WalkTools, attachments: readonly Attachment[]): Promise<{ text: string; failure?: string }> {
  const given = fillArguments(call.arguments, values);
  if (!given) return { text: '', failure: `${call.tool} needs a value that was not read` };
  const { status, text } = await tools.run(call.tool, given, { attachments });
  return status === 200 ? { text } : { text, failure: `${call.tool} ${JSON.stringify(given)} answered ${status}: ${text.slice(0, 200)}` };
}

/** @returns what was not found; empty when all was */
function readInto(values: Record<string, string | number>, step: PlanStep, text: string, manner: WalkManner): string {
  const passage = normalizeText(text);
  for (const read of step.reads) {
    const value = readValue(passage, manner === 'careful' ? read : carelessly(read, step), values);
    if (value === undefined)
      return `${step.call?.tool} shows no ${JSON.stringify(read.label)} after ${JSON.stringify(read.after)} in ${JSON.stringify(text.slice(0, 300))}`;
    values[`${step.id}.${read.name}`] = value;
  }
  return '';
}

/** Any address of a search, and any page whatever its title. */
function carelessly(read: Read, step: PlanStep): Read {
  if (step.call?.tool === 'web_search') return { ...read, after: [] };
  if (step.call?.tool === 'web_fetch') return { ...read, after: read.after.filter((anchor) => !anchor.startsWith('Title: ')) };
  return read;
}
