// A whole set from one seed: world, web, tasks and warm-ups. open68 draws every slot of the composition once; a generated set of n draws as many of each as
// keep its mix, from a world that grows with n, and asks each in company of its own (framing.ts).
import { GaugeError, messageOf } from '../../base/error.ts';
import { type Random, seededRandom } from '../../base/random.ts';
import type { SetName } from '../task.ts';
import { TASK_TYPES, type TaskType } from '../task.ts';
import { apportion } from './apportion.ts';
import { type DrawSetting, type Quota, TaskDraw, type WrittenTask } from './compose.ts';
import { OPEN68, WARM_UPS } from './composition.ts';
import type { Speaker } from './documents/speech-synthesis.ts';
import { fileMark, framed } from './framing.ts';
import type { TaskDraft, Template } from './template.ts';
import { buildWeb, type Web } from './web/build-web.ts';
import { openFirstSearch } from './web/first-search.ts';
import type { StoredPage } from './web/render-page.ts';
import { storedPages } from './web/stored-pages.ts';
import { createWorld, type World } from './world/world.ts';

export interface ComposedSet {
  readonly world: World;
  readonly web: Web;
  readonly pages: readonly StoredPage[];
  readonly tasks: readonly WrittenTask[];
  readonly warmUps: readonly WrittenTask[];
}

/** Tasks of open68, and the step in which the world of a generated set grows. */
export const OPEN68_SIZE = 68;
const LARGEST_MEASURE = 4;

/** How large a world so many tasks need. */
export function measureFor(tasks: number): number {
  return Math.min(LARGEST_MEASURE, Math.max(1, Math.ceil(tasks / (2 * OPEN68_SIZE))));
}

/** @param speaker who speaks recordings; by default Flite */
export async function composeSet({ kind, seed, n }: SetName, speaker?: Speaker): Promise<ComposedSet> {
  const world = createWorld(seed, measureFor(n));
  const web = buildWeb(world);
  const pages = await storedPages(world, web);
  const search = await openFirstSearch(pages, world);
  try {
    return { world, web, pages, ...(await drawTasks({ kind, seed, n }, { world, web, seed, search, speaker })) };
  } finally {
    search.close();
  }
}

async function drawTasks({ kind, seed, n }: SetName, setting: DrawSetting): Promise<Pick<ComposedSet, 'tasks' | 'warmUps'>> {
  const draw = new TaskDraw(setting);
  const slots = OPEN68.flatMap((quota) => Array.from({ length: quota.count }, (_, turn) => ({ quota, template: quota.template, turn })));
  const levels = kind === 'open68' ? undefined : await levelsOf(slots, { ...setting, speaker: undefined });
  const counts = levels === undefined ? slots.map(() => 1) : apportion(levels, n);
  const numbers: Record<TaskType, number> = { 'zero-tool': 0, document: 0, web: 0 };
  const tasks: WrittenTask[] = [];
  const rounds = Math.max(0, ...counts);
  for (let round = 0; round < rounds; round++) {
    for (const [i, slot] of slots.entries()) {
      if (round >= (counts[i] as number)) continue;
      const { template, turn } = askedIn(round, slot);
      numbers[template.type] += 1;
      const id = `${kind}-${template.type}-${String(numbers[template.type]).padStart(3, '0')}`;
      const level = levels?.[i]?.level;
      tasks.push(
        await draw.draw(template, turn, id, {
          round,
          ...(level === undefined ? {} : { level }),
          ...(kind === 'open68'
            ? {}
            : { frame: (draft, attempt) => framedDraft(draft, template.type, seededRandom('frame', seed, template.name, turn, round, attempt)) }),
        }),
      );
    }
  }
  tasks.sort((a, b) => TASK_TYPES.indexOf(a.task.type) - TASK_TYPES.indexOf(b.task.type));
  const warmUps: WrittenTask[] = [];
  for (const { template, turn } of WARM_UPS) warmUps.push(await draw.draw(template, turn, `${kind}-warm-up-${template.type}`));
  return { tasks, warmUps };
}

/** Further rounds go on to wordings that open68 leaves out, and to the templates that may stand in. */
function askedIn(round: number, { quota, turn: first }: Slot): { readonly template: Template; readonly turn: number } {
  const templates = [quota.template, ...(quota.instead ?? [])];
  const template = templates[round % templates.length] as Template;
  const cycle = Math.floor(round / templates.length);
  const own = template === quota.template;
  const turns = Math.max(template.turns ?? 1, own ? quota.count : 1);
  return { template, turn: (own ? first + cycle * quota.count : first + cycle) % turns };
}

interface Slot {
  readonly quota: Quota;
  readonly turn: number;
}

/** The same task in other company. Web sentences name what they are about; others get a mark, or two tasks would share a sentence. */
function framedDraft(draft: TaskDraft, type: TaskType, random: Random): TaskDraft {
  const mark = type === 'web' ? undefined : fileMark(random);
  const question = framed(mark === undefined ? draft.question : `This belongs to file ${mark}. ${draft.question}`, random);
  const chains = draft.plan.chains.map((chain) => (mark === undefined ? chain : { ...chain, sentence: chain.sentence.replace(/\.?$/, ` (file ${mark}).`) }));
  return { ...draft, question, plan: { ...draft.plan, question, chains } };
}

/**
 * What each slot writes, found by writing it once: level follows from the plan, and is assigned nowhere. Nobody is asked these drafts, so no search is held
 * against them.
 */
async function levelsOf(slots: readonly { readonly template: Quota['template']; readonly turn: number }[], { world, web, seed }: DrawSetting) {
  const draw = new TaskDraw({ world, web, seed });
  const found = [];
  for (const { template, turn } of slots) {
    try {
      const { task } = await draw.draw(template, turn, `slot-${template.type}-000`);
      found.push({ type: task.type, level: task.level, width: task.width });
    } catch (cause) {
      throw new GaugeError('TASK_SET_UNBUILDABLE', `turn ${turn} of ${template.name} writes nothing: ${messageOf(cause)}`, { cause });
    }
  }
  return found;
}
