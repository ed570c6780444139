// Builds a solution plan while a template writes it: numbers the steps, finds what each needs, and knows what each value will be, so that the answer is
// checked and the near misses are worked out when the set is built, without a tool.
import { answerText, evaluate } from '../formula.ts';
import type { Chain, Formula, PlannedCall, PlanStep, Read, SolutionPlan, Values } from '../plan.ts';

type Scalar = string | number;

/** A read, the value that stands there, and what a careless reader would find instead. */
export interface DraftRead extends Omit<Read, 'name'> {
  readonly value: Scalar;
  readonly wrong?: Scalar;
}

export interface StepOptions {
  readonly associative?: true;
  readonly secondTry?: PlannedCall;
}

export interface ChainDraft {
  /** @returns the address of each value: `s3.visitors` */
  step<Name extends string>(call: PlannedCall, reads: Readonly<Record<Name, DraftRead>>, options?: StepOptions): Record<Name, string>;
  /** A step of the calculator. @returns the address of its value */
  calculate(label: string, formula: Formula): string;
  /** A step of thought. */
  think(): void;
}

export interface PlanDraft {
  chain(sentence: string): ChainDraft;
  /** @throws Error when the plan does not lead to the truth: the template is wrong. */
  finish(question: string, answer: Formula, truth: Scalar): SolutionPlan;
}

interface Entry {
  readonly step: PlanStep;
  readonly values: Readonly<Record<string, { readonly value: Scalar; readonly wrong?: Scalar } | { readonly formula: Formula }>>;
}

export function draftPlan(): PlanDraft {
  const entries: Entry[] = [];
  const chains: { sentence: string; steps: string[] }[] = [];
  const openChain = (sentence: string): ChainDraft => {
    const steps: string[] = [];
    chains.push({ sentence, steps });
    const push = (step: Omit<PlanStep, 'id' | 'needs'>, values: Entry['values']): string => {
      const id = `s${entries.length + 1}`;
      entries.push({ step: { id, needs: needsOf(step), ...step }, values });
      steps.push(id);
      return id;
    };
    return {
      step: (call, drafts, options = {}) => {
        const names = Object.keys(drafts) as (keyof typeof drafts)[];
        const reads = names.map((name): Read => {
          const { value: _, wrong: __, ...read }: DraftRead = drafts[name];
          return { name, ...read, label: bracketed(read.label) };
        });
        const id = push({ call, reads, ...options }, drafts);
        return Object.fromEntries(names.map((name) => [name, `${id}.${name}`])) as Record<(typeof names)[number], string>;
      },
      calculate: (label, formula) => {
        const expression = expressionOf(formula, true);
        const read: Read = { name: 'value', label: bracketed(label), after: [expression, '='], kind: 'number' };
        return `${push({ call: { tool: 'calculator', arguments: { expression } }, reads: [read] }, { value: { formula } })}.value`;
      },
      think: () => {
        push({ reads: [] }, {});
      },
    };
  };
  return { chain: openChain, finish: (question, answer, truth) => finish(entries, chains, question, answer, answerText(truth)) };
}

function finish(entries: readonly Entry[], chains: readonly Chain[], question: string, answer: Formula, truth: string): SolutionPlan {
  const reached = evaluate(answer, valuesOf(entries));
  if (reached !== truth)
    throw new Error(`the plan of ${JSON.stringify(question)} leads to ${JSON.stringify(reached)}, and the truth is ${JSON.stringify(truth)}`);
  const wrongs: [path: string, wrong: Scalar][] = entries.flatMap(({ step, values }) =>
    Object.entries(values).flatMap(([name, draft]): [string, Scalar][] =>
      'formula' in draft || draft.wrong === undefined ? [] : [[`${step.id}.${name}`, draft.wrong]],
    ),
  );
  // One value misread, or all of them: who opens the wrong copy reads everything there.
  const misread: Values[] = [...wrongs.map(([path, wrong]) => ({ [path]: wrong })), Object.fromEntries(wrongs)];
  const misses = new Set(misread.map((changed) => evaluate(answer, valuesOf(entries, changed))).filter((miss) => miss !== undefined && miss !== truth));
  return { question, steps: entries.map(({ step }) => step), chains, answer, nearMisses: [...misses].slice(0, 4) as string[] };
}

/** Every value of the plan when its reads find what they should, but for the changed ones; sums follow their parts. */
function valuesOf(entries: readonly Entry[], changed: Values = {}): Values {
  const values: Record<string, Scalar> = {};
  for (const { step, values: drafts } of entries) {
    for (const [name, draft] of Object.entries(drafts)) {
      const path = `${step.id}.${name}`;
      values[path] = changed[path] ?? ('formula' in draft ? Number(evaluate(draft.formula, values)) : draft.value);
    }
  }
  return values;
}

/** Marks where a label begins and ends: `[master of Iron Tern]` is no part of `[birthday of the master of Iron Tern]`, so neither is read for the other. */
function bracketed(label: string): string {
  return `[${label}]`;
}

function needsOf(step: Omit<PlanStep, 'id' | 'needs'>): string[] {
  const texts = [...Object.values(step.call?.arguments ?? {}), ...step.reads.flatMap(({ after }) => after)];
  const found = texts.flatMap((text) => [...String(text).matchAll(/\{\{(s\d+)\./g)].map(([, id]) => id as string));
  return [...new Set(found)];
}

const SIGNS = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

/** A formula as the calculator takes it. Divisions inside a sum are put in parentheses, so that nobody has to know precedence. */
function expressionOf(formula: Formula, outermost = false): string {
  if ('value' in formula) return `{{${formula.value}}}`;
  if ('constant' in formula) return String(formula.constant);
  if (formula.op === 'add' || formula.op === 'subtract' || formula.op === 'multiply' || formula.op === 'divide') {
    const inner = formula.of.map((part) => expressionOf(part)).join(` ${SIGNS[formula.op]} `);
    return outermost ? inner : `(${inner})`;
  }
  if (formula.op === 'mean') return `(${formula.of.map((part) => expressionOf(part)).join(' + ')}) / ${formula.of.length}`;
  throw new RangeError(`the calculator is given no ${formula.op}`);
}

/** Shorthand for formulas. */
export const v = (value: string): Formula => ({ value });
export const c = (constant: number | string): Formula => ({ constant });
export const op = (name: 'add' | 'subtract' | 'multiply' | 'divide' | 'minimum' | 'maximum' | 'mean' | 'concatenate', ...of: readonly Formula[]): Formula => ({
  op: name,
  of,
});
export const rounded = (of: Formula, digits: number): Formula => ({ op: 'round', digits, of });
