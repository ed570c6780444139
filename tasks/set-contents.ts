// What was written, as the files of a set: the same for every set that comes from the world, whichever templates asked.
import type { WrittenTask } from './gaia/compose.ts';
import type { StoredPage } from './gaia/web/render-page.ts';
import { hashOfFiles, type SetContents, setJson } from './place-set.ts';
import type { TaskSetFacts } from './task.ts';
import { GENERATOR_VERSION } from './task-set-files.ts';

export interface WrittenSet {
  readonly name: string;
  readonly seed: number;
  readonly pages: readonly StoredPage[];
  readonly tasks: readonly WrittenTask[];
  readonly warmUps: readonly WrittenTask[];
}

export function contentsOfSet({ name, seed, pages, tasks, warmUps }: WrittenSet): { facts: TaskSetFacts; contents: SetContents } {
  const all = [...tasks, ...warmUps];
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
