import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { OPEN68, WARM_UPS } from '../tasks/gaia/composition.ts';
import type { TaskDraft, Template } from '../tasks/gaia/template.ts';
import { buildWeb } from '../tasks/gaia/web/build-web.ts';
import { createWorld } from '../tasks/gaia/world/world.ts';
import type { Task } from '../tasks/task.ts';
import { createToolbox, type Toolbox } from '../tools/toolbox.ts';
import { secondOpinion } from './second-opinion.ts';
import { type WalkTools, walkPlan } from './walk-plan.ts';

/** The default set's: its pictures and recordings have recorded readings, so that nothing here waits for a recogniser. */
const SEED = 1;
/** No template of documents has more. */
const MOST_WORDINGS = 3;
/** Drawn as the default set draws them, in the one wording that it asks. */
const PICTURES = ['document-sign-picture', 'document-chart-bars', 'document-scanned-bill'];
const world = createWorld(SEED);
const web = buildWeb(world);
const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-second-'));
const drafts: { readonly task: Task; readonly draft: TaskDraft }[] = [];
let toolbox: Toolbox;

/** One task of every kind in every wording, whether a set draws it or not. */
beforeAll(async () => {
  const templates = new Set([...OPEN68, ...WARM_UPS].flatMap(({ template, ...quota }) => [template, ...('instead' in quota ? (quota.instead ?? []) : [])]));
  for (const template of templates) {
    if (template.type !== 'document') continue;
    for (let turn = 0; turn < (PICTURES.includes(template.name) ? 1 : MOST_WORDINGS); turn++) {
      const draft = await drawn(template, turn);
      if (!draft) break;
      const id = `${template.name}-${turn}`;
      const attachments = (draft.attachments ?? []).map(({ extension, bytes }, i) => {
        const name = `attachment-${i + 1}.${extension}`;
        const path = `files/${id}/${name}`;
        mkdirSync(dirname(join(scratch, path)), { recursive: true });
        writeFileSync(join(scratch, path), bytes);
        return { name, path };
      });
      const task: Task = { id, type: 'document', level: 1, question: draft.question, attachments, template: template.name, width: 1, steps: 1 };
      drafts.push({ task, draft });
    }
  }
  toolbox = await createToolbox({ taskSetDirectory: scratch, cacheDirectory: join(scratch, 'cache') });
}, 120_000);
afterAll(async () => {
  await toolbox?.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

/** @returns `undefined` when there is no such wording */
async function drawn(template: Template, turn: number): Promise<TaskDraft | undefined> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      const draft = await template.write({ world, web, turn, random: seededRandom('task', SEED, template.name, turn, attempt) });
      if (draft) return draft;
    } catch (thrown) {
      if (thrown instanceof RangeError && /wordings/.test(thrown.message)) return undefined;
      throw thrown;
    }
  }
  throw new Error(`turn ${turn} of ${template.name} writes nothing`);
}

/** The tools, with a change to what the reading ones answer. */
function changed(change: (text: string) => string): WalkTools {
  return {
    run: async (name, given, trial) => {
      const result = await toolbox.run(name, given, trial);
      return name === 'calculator' ? result : { ...result, text: change(result.text) };
    },
  };
}

/** Programs are not read along a plan but run: what a changed figure in one does, only its run would tell. */
const RUN = ['document-program-run', 'document-program-over-data', 'document-code-output'];
/** Here a longer figure breaks the columns of the file, which is refused; there all that is read are days. */
const NO_FIGURES = ['document-atom-distance', 'document-spoken-days'];

describe('the second opinion on document tasks', () => {
  it('agrees with the truth of every kind of question in every wording', async () => {
    expect(new Set(drafts.map(({ task }) => task.template)).size).toBe(25);
    expect(drafts.length).toBeGreaterThan(40);
    const strays: unknown[] = [];
    for (const { task, draft } of drafts) {
      const { problem } = await secondOpinion(task, draft.truth, world, toolbox);
      if (problem) strays.push(problem);
    }
    expect(strays).toEqual([]);
    // A program in Python is run, and its interpreter started.
  }, 120_000);

  it('names both answers when the truth is another', async () => {
    for (const { task, draft } of drafts.filter(({ task }) => task.template !== 'document-code-output')) {
      const { agrees, problem } = await secondOpinion(task, 'ZZZZ', world, toolbox);
      expect(agrees).toBe(false);
      expect(problem).toEqual({
        code: 'solver-disagrees',
        taskId: task.id,
        message: `the second solver finds ${JSON.stringify(draft.truth)}, and the truth is "ZZZZ"`,
      });
    }
  });

  it('follows a changed figure to where the plan leads, or finds no answer', async () => {
    const strays: string[] = [];
    const moved = new Set<string>();
    let refused = 0;
    for (const { task, draft } of drafts.filter(({ task }) => !RUN.includes(task.template))) {
      const { values } = await walkPlan(draft.plan, toolbox, task.attachments);
      for (const value of new Set(Object.values(values))) {
        if (typeof value !== 'number' || value < 12) continue;
        const told = new RegExp(`(?<!\\d,|[\\d.-])(${value}|${String(value).replace(/\B(?=(\d{3})+$)/g, ',')})(?![\\d.-]|,\\d)`, 'g');
        // Larger, and for comparisons that this cannot tip, smaller.
        for (const other of [value + 3_000, 1]) {
          const tools = changed((text) => text.replace(told, String(other)));
          const { answer = '(none)' } = await walkPlan(draft.plan, tools, task.attachments);
          const { agrees, problem } = await secondOpinion(task, answer, world, tools);
          if (problem?.code === 'not-unique' || problem?.code === 'solver-stuck') refused += 1;
          else if (!agrees) strays.push(`${task.id}, ${value} as ${other}: ${problem?.message}`);
          else if (answer !== draft.truth) moved.add(task.template);
        }
      }
    }
    expect(strays).toEqual([]);
    expect(refused).toBeLessThan(10);
    const kinds = drafts.map(({ task }) => task.template).filter((kind) => !RUN.includes(kind) && !NO_FIGURES.includes(kind));
    expect(kinds.filter((kind) => !moved.has(kind))).toEqual([]);
  }, 120_000);
});
