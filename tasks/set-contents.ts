// What was written, as the files of a set: the same for every set that comes from the world, whichever templates asked.
import type { WrittenTask } from './gaia/compose.ts';
import type { Web } from './gaia/web/build-web.ts';
import { oddPages } from './gaia/web/odd-pages.ts';
import { renderPage } from './gaia/web/render-page.ts';
import type { World } from './gaia/world/world.ts';
import { hashOfFiles, type SetContents, setJson } from './place-set.ts';
import type { TaskSetFacts } from './task.ts';
import { GENERATOR_VERSION } from './task-set-files.ts';

export interface WrittenSet {
  readonly name: string;
  readonly seed: number;
  readonly world: World;
  readonly web: Web;
  readonly tasks: readonly WrittenTask[];
  readonly warmUps: readonly WrittenTask[];
}

export async function contentsOfSet({ name, seed, world, web, tasks, warmUps }: WrittenSet): Promise<{ facts: TaskSetFacts; contents: SetContents }> {
  const all = [...tasks, ...warmUps];
  const pages = [...web.pages.map((page) => renderPage(page, seed)), ...(await oddPages(world, web))];
  const contents = new Map<string, Uint8Array>([
    ['tasks.json', setJson(tasks.map(({ task }) => task))],
    ['warm-ups.json', setJson(warmUps.map(({ task }) => task))],
    ['targets.json', setJson(all.map(({ task, truth }) => ({ taskId: task.id, truth })))],
    ['plans.json', setJson(all.map(({ plan }) => plan))],
    ['web/pages.jsonl', new TextEncoder().encode(`${pages.map((page) => JSON.stringify(page)).join('\n')}\n`)],
    ...all.flatMap(({ files }) => files.map(({ path, bytes }) => [path, bytes] as const)),
  ]);
  const facts: TaskSetFacts = { name, seed, hash: hashOfFiles(contents), tasks: tasks.length, pages: pages.length, generator: GENERATOR_VERSION };
  return { facts, contents: new Map([...contents, ['set.json', setJson(facts)]]) };
}
