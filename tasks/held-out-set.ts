// A task set from question templates outside the repository (method M5.4): whoever tunes has not seen them. A folder holds `templates.ts` (or .js, .mjs) whose
// export `templates` is a list of Template (gaia/template.ts) with a count each; the world, its web and the rules for a question are those of the open set.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UsageError } from '../base/error.ts';
import { TaskDraw, type WrittenTask } from './gaia/compose.ts';
import type { Template } from './gaia/template.ts';
import { buildWeb } from './gaia/web/build-web.ts';
import { openFirstSearch } from './gaia/web/first-search.ts';
import { storedPages } from './gaia/web/stored-pages.ts';
import { createWorld } from './gaia/world/world.ts';
import { heldOutFile } from './held-out-folder.ts';
import { isPlaced, placeSet, type SetContents } from './place-set.ts';
import { contentsOfSet, type WrittenSet } from './set-contents.ts';
import { TASK_TYPES } from './task.ts';
import { GENERATOR_VERSION } from './task-set-files.ts';

/** A template of one's own, and how many tasks it is to write. */
export interface HeldOutTemplate extends Template {
  /** @default 3 */
  readonly count?: number;
}

const NAME = 'held-out';
const REMEDY = 'Each template is { name, type, count, write({ world, web, random, turn }) }, as in examples/held-out/templates.ts.';

/** Whether a task set's name stands for the templates of `--held-out DIR`. */
export function isHeldOutSetName(text: string): boolean {
  return text === NAME;
}

/** @returns the directory of the built set. @throws UsageError HELD_OUT_MISSING, HELD_OUT_INVALID */
export async function ensureHeldOutSet(folder: string, seed: number, cacheDirectory: string): Promise<string> {
  const file = heldOutFile(folder, 'templates');
  if (file === undefined) throw new UsageError('HELD_OUT_MISSING', `${folder} holds no templates.ts (or .js, .mjs)`, { remedy: REMEDY });
  const version = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
  const directory = join(cacheDirectory, `${NAME}-${version}-${seed}-v${GENERATOR_VERSION}`);
  const built = () => isPlaced(directory, (facts) => facts.name === NAME && facts.seed === seed && facts.generator === GENERATOR_VERSION);
  if (!built()) placeSet(await filesOf(await templatesIn(file), file, seed), directory, built);
  return directory;
}

async function templatesIn(file: string): Promise<readonly HeldOutTemplate[]> {
  let templates: unknown;
  try {
    templates = ((await import(pathToFileURL(file).href)) as { templates?: unknown }).templates;
  } catch (cause) {
    throw new UsageError('HELD_OUT_INVALID', `${file} cannot be loaded: ${messageOf(cause)}`, { cause, remedy: 'It is imported as it stands by Node.' });
  }
  if (!Array.isArray(templates) || templates.length === 0)
    throw new UsageError('HELD_OUT_INVALID', `${file} exports no list named templates`, { remedy: REMEDY });
  templates.forEach((template: Partial<Record<keyof HeldOutTemplate, unknown>> | null, at) => {
    const { name, type, count = 3, write } = template ?? {};
    const problem =
      typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,59}$/.test(name)
        ? `.name is ${JSON.stringify(name)}, not letters, digits and dashes`
        : !TASK_TYPES.some((known) => known === type)
          ? `.type is ${JSON.stringify(type)}, not ${TASK_TYPES.join(', ')}`
          : !Number.isInteger(count) || (count as number) < 1
            ? `.count is ${JSON.stringify(count)}, not a whole number from 1`
            : typeof write === 'function'
              ? undefined
              : '.write is no function';
    if (problem !== undefined) throw new UsageError('HELD_OUT_INVALID', `${file}: templates[${at}]${problem}`, { remedy: REMEDY });
  });
  return templates as readonly HeldOutTemplate[];
}

async function filesOf(templates: readonly HeldOutTemplate[], file: string, seed: number): Promise<SetContents> {
  const world = createWorld(seed);
  const web = buildWeb(world);
  const pages = await storedPages(world, web);
  const search = await openFirstSearch(pages, world);
  try {
    const draw = new TaskDraw({ world, web, seed, search });
    return contentsOfSet({ name: NAME, seed, pages, ...(await drawTasks(templates, file, draw)) }).contents;
  } finally {
    search.close();
  }
}

async function drawTasks(templates: readonly HeldOutTemplate[], file: string, draw: TaskDraw): Promise<Pick<WrittenSet, 'tasks' | 'warmUps'>> {
  const write = async (template: HeldOutTemplate, turn: number, id: string): Promise<WrittenTask> => {
    try {
      return await draw.draw(template, turn, id);
    } catch (cause) {
      throw new UsageError('HELD_OUT_INVALID', `${file}: turn ${turn} of ${template.name} writes nothing that can be asked: ${messageOf(cause)}`, {
        cause,
        remedy: REMEDY,
      });
    }
  };
  const tasks: WrittenTask[] = [];
  for (const template of templates)
    for (let turn = 0; turn < (template.count ?? 3); turn++) {
      const number = tasks.filter(({ task }) => task.type === template.type).length + 1;
      tasks.push(await write(template, turn, `${NAME}-${template.type}-${String(number).padStart(3, '0')}`));
    }
  tasks.sort((a, b) => TASK_TYPES.indexOf(a.task.type) - TASK_TYPES.indexOf(b.task.type));
  const warmUps: WrittenTask[] = [];
  for (const type of TASK_TYPES) {
    const template = templates.find((candidate) => candidate.type === type);
    if (template) warmUps.push(await write(template, template.count ?? 3, `${NAME}-warm-up-${type}`));
  }
  return { tasks, warmUps };
}
