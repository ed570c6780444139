import { describe, expect, it } from 'vitest';
import { type DrawSetting, TaskDraw } from './compose.ts';
import { OPEN68, WARM_UPS } from './composition.ts';
import { draftPlan, v } from './plan-draft.ts';
import { similarity, trigramsOf } from './similarity.ts';
import type { TaskDraft, Template } from './template.ts';
import { buildWeb } from './web/build-web.ts';
import { createWorld } from './world/world.ts';

const world = createWorld(1);
const drawFrom = (more: Partial<DrawSetting> = {}) => new TaskDraw({ world, web: buildWeb(world), seed: 1, ...more });

/** A template whose drafts are given in order; the last one again when they run out. */
function template(
  ...drafts: ({ question: string; truth: number; label?: string; sentence?: string; wrong?: number } | undefined)[]
): Template & { written: () => number } {
  let next = 0;
  return {
    name: 'scripted',
    type: 'document',
    written: () => next,
    write: (): TaskDraft | undefined => {
      const draft = drafts[Math.min(next++, drafts.length - 1)];
      if (!draft) return undefined;
      const { question, truth, label = 'depth', sentence = 'Measure it.', wrong = truth + 1 } = draft;
      const plan = draftPlan();
      const chain = plan.chain(sentence);
      const { x } = chain.step(
        { tool: 'read_text', arguments: { file: 'attachment-1.txt' } },
        { x: { label, after: ['x'], kind: 'number', value: truth, wrong } },
      );
      return { question, truth: String(truth), plan: plan.finish(question, v(x), truth), attachments: [{ extension: 'txt', bytes: new Uint8Array([120]) }] };
    },
  };
}

describe('drawing a task', () => {
  it('names attachments by number, and levels by steps', async () => {
    const { task, files } = await drawFrom().draw(template({ question: 'How deep is it?', truth: 44 }), 0, 'open68-document-009');
    expect(task).toMatchObject({ level: 1, steps: 1, width: 1, attachments: [{ name: 'attachment-1.txt', path: 'files/document-009/attachment-1.txt' }] });
    expect(files.map(({ path }) => path)).toEqual(['files/document-009/attachment-1.txt']);
  });

  it.each<[string, Parameters<typeof template>[0]]>([
    ['gives its truth away', { question: 'Is it 44 metres?', truth: 44 }],
    ['has the number of an attachment for a truth', { question: 'How deep is it?', truth: 1 }],
    ['has nothing that could mislead', { question: 'How deep is it?', truth: 44, wrong: 44 }],
    ['tells its truth in a sentence', { question: 'How deep is it?', truth: 44, sentence: 'Confirm 44.' }],
    ['is unsuitable', undefined],
  ])('draws again when a draft %s', async (_, bad) => {
    const scripted = template(bad, { question: 'What is its depth?', truth: 52 });
    expect((await drawFrom().draw(scripted, 0, 'open68-document-001')).truth).toBe('52');
    expect(scripted.written()).toBe(2);
  });

  it('draws again when the first search would show the truth, and asks it about what is acceptable otherwise alone', async () => {
    const asked: string[] = [];
    const search = {
      shows: (_: unknown, truth: string) => {
        asked.push(truth);
        return truth === '44';
      },
    };
    const scripted = template(
      { question: 'Is it 12 metres?', truth: 12 },
      { question: 'How deep is it?', truth: 44 },
      { question: 'What is its depth?', truth: 52 },
    );
    expect((await drawFrom({ search }).draw(scripted, 0, 'open68-document-001')).truth).toBe('52');
    expect(asked).toEqual(['44', '52']);
  });

  it.each([
    ['question', { question: 'How deep is the well of Selkmoor now?', truth: 71, label: 'other', sentence: 'Another way.' }],
    ['label', { question: 'Quite another thing is asked.', truth: 71, sentence: 'Another way.' }],
    ['sentence', { question: 'Quite another thing is asked.', truth: 71, label: 'other', sentence: 'MEASURE IT.' }],
  ])('draws again when a %s repeats one of an earlier task', async (_, twin) => {
    const draw = drawFrom();
    await draw.draw(template({ question: 'How deep is the well of Selkmoor?', truth: 44 }), 0, 'open68-document-001');
    const scripted = template(twin, { question: 'Name the width of that bay.', truth: 93, label: 'width', sentence: 'Look at the chart.' });
    expect((await draw.draw(scripted, 1, 'open68-document-002')).truth).toBe('93');
  });

  it('gives up with the last reason', async () => {
    await expect(drawFrom().draw(template({ question: 'Is it 44 metres?', truth: 44 }), 0, 'x-document-1')).rejects.toThrow(
      /scripted wrote no acceptable task .* the truth 44 stands in the question/,
    );
  });
});

describe('the composition of open68', () => {
  it('has 7, 19 and 42 tasks by type, at most three of a template, and at least 18 templates', () => {
    const count = (type: string) => OPEN68.filter(({ template: of }) => of.type === type).reduce((sum, { count: tasks }) => sum + tasks, 0);
    expect([count('zero-tool'), count('document'), count('web')]).toEqual([7, 19, 42]);
    expect(Math.max(...OPEN68.map(({ count: tasks }) => tasks))).toBeLessThanOrEqual(3);
    expect(new Set(OPEN68.map(({ template: of }) => of.name)).size).toBe(OPEN68.length);
    expect(OPEN68.length).toBeGreaterThanOrEqual(18);
  });

  it('draws warm-ups in a turn that no planned task has', () => {
    for (const { template: of, turn } of WARM_UPS) expect(turn).toBeGreaterThanOrEqual(OPEN68.find((quota) => quota.template === of)?.count ?? 0);
  });
});

describe('likeness of questions', () => {
  it('is 1 for the same words, 0 for none shared, and counts case and blanks as nothing', () => {
    expect(similarity(trigramsOf('How deep?'), trigramsOf('  how   DEEP? '))).toBe(1);
    expect(similarity(trigramsOf('abc'), trigramsOf('xyz'))).toBe(0);
    expect(similarity(trigramsOf('how deep is the well'), trigramsOf('how deep is the sea'))).toBeGreaterThan(0.7);
  });
});
