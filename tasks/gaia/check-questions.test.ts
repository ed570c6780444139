import { describe, expect, it } from 'vitest';
import type { SolutionPlan } from '../plan.ts';
import type { Task } from '../task.ts';
import { checkQuestions, givesAway } from './check-questions.ts';

const search = { tool: 'web_search', arguments: { query: 'tern' } };
const read = (label: string) => ({ name: 'x', label, after: ['x'], kind: 'number' as const });
const step = (id: string, needs: string[] = [], label = id) => ({ id, needs, call: search, reads: [read(`[${label}]`)] });

/** A set of one task, right but for what a test changes. */
function contents(
  changes: {
    task?: Partial<Task>;
    plan?: Partial<SolutionPlan>;
    truth?: string;
    more?: { question: string; template?: string; sentence?: string; label?: string }[];
  } = {},
) {
  const question = 'How long is the quay of Selkmoor in metres?';
  const task: Task = { id: 't1', type: 'web', level: 1, question, attachments: [], template: 'quay', width: 1, steps: 2, ...changes.task };
  const plan: SolutionPlan = {
    question: task.question,
    steps: [step('s1', [], 'first'), step('s2', ['s1'], 'second')],
    chains: [{ sentence: 'Find the length of the quay.', steps: ['s1', 's2'] }],
    answer: { value: 's2.x' },
    nearMisses: [],
    ...changes.plan,
  };
  const more = (changes.more ?? []).map(({ question: asked, template, sentence, label }, i) => ({
    task: { ...task, id: `t${i + 2}`, question: asked, template: template ?? `other-${i}`, steps: 1 },
    plan: {
      ...plan,
      question: asked,
      steps: [step('s1', [], label ?? `third-${i}`)],
      chains: [{ sentence: sentence ?? `Look elsewhere, ${i}.`, steps: ['s1'] }],
    },
  }));
  const tasks = [task, ...more.map((entry) => entry.task)];
  return {
    facts: { name: 'mine', seed: 1, hash: '', tasks: tasks.length, pages: 0, generator: 1 },
    tasks,
    warmUps: [],
    targets: new Map(tasks.map(({ id }) => [id, changes.truth ?? '412'])),
    plans: [plan, ...more.map((entry) => entry.plan)],
  };
}
const codes = (of: Parameters<typeof checkQuestions>[0]) => checkQuestions(of).map(({ code }) => code);

describe('checking the questions of a set', () => {
  it('finds nothing in a set that is right', () => {
    expect(checkQuestions(contents())).toEqual([]);
  });

  it('finds a level that the steps do not give', () => {
    expect(codes(contents({ task: { level: 2 } }))).toEqual(['level']);
    expect(codes(contents({ task: { steps: 3 } }))).toEqual(['level']);
  });

  it('finds a truth in the question, in a file name and in the sentence of a chain', () => {
    expect(codes(contents({ task: { question: 'Is the quay 412 metres long?' } }))).toEqual(['truth-given-away']);
    expect(codes(contents({ task: { attachments: [{ name: 'quay-412.pdf', path: 'files/web-001/quay-412.pdf' }] } }))).toEqual(['truth-given-away']);
    expect(codes(contents({ plan: { chains: [{ sentence: 'Confirm 412.', steps: ['s1', 's2'] }] } }))).toEqual(['truth-given-away']);
  });

  it('finds chains that lean on each other, and one that is two', () => {
    const two = [
      { sentence: 'One.', steps: ['s1'] },
      { sentence: 'Two.', steps: ['s2'] },
    ];
    expect(codes(contents({ task: { width: 2 }, plan: { chains: two } }))).toEqual(['chains']);
    expect(codes(contents({ plan: { steps: [step('s1', [], 'first'), step('s2', [], 'second')] } }))).toEqual(['chains']);
    expect(codes(contents({ plan: { steps: [step('s1', ['s2'], 'first'), step('s2', [], 'second')] } }))).toEqual(['chains']);
  });

  it('finds questions, sentences and labels that are twins', () => {
    expect(codes(contents({ more: [{ question: 'How long is the quay of Dornmoor in metres?' }] }))).toEqual(['twin-questions']);
    expect(codes(contents({ more: [{ question: 'Who lights the lamp?', sentence: 'FIND the length of the quay.' }] }))).toEqual([
      'twin-sentences',
      'twin-sentences',
    ]);
    expect(codes(contents({ more: [{ question: 'Who lights the lamp?', label: 'FIRST' }] }))).toEqual(['twin-labels', 'twin-labels']);
  });

  it('allows three tasks of one template', () => {
    const more = ['Who lights the lamp?', 'What does rope cost?', 'When was Mr Tarr born?'].map((question) => ({ question, template: 'quay' }));
    expect(codes(contents({ more: more.slice(0, 2) }))).toEqual([]);
    expect(codes(contents({ more }))).toEqual(['template']);
  });

  it('counts types and levels of open68', () => {
    const wrong = contents();
    expect(codes({ ...wrong, facts: { ...wrong.facts, name: 'open68' } })).toEqual(Array(6).fill('composition'));
  });
});

describe('what gives a truth away', () => {
  it.each([
    ['there were 48,210 visitors', '48210', true],
    ['there were 148,210 visitors', '48210', false],
    ['it weighs 1.1 tons', '1', false],
    ['it weighs 1.1 tons', '1.1', true],
    ['seen at Selkmoor, they say', 'selkmoor', true],
    ['Selkmoorsey is no such place', 'Selkmoor', false],
  ])('%s / %s: %s', (text, truth, away) => {
    expect(givesAway(text, truth)).toBe(away);
  });

  it('looks for entries of a list, unless only the whole list counts', () => {
    expect(givesAway('Iron Tern came in', 'Amber Gannet, Iron Tern')).toBe(true);
    expect(givesAway('Iron Tern came in', 'Amber Gannet, Iron Tern', 'whole')).toBe(false);
  });
});
