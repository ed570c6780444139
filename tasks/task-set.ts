// Task sets by name: parses what a user types, builds a set from its seed, and keeps built ones in a cache. What is in the set: gaia/composition.ts.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import { TaskDraw, type WrittenTask } from './gaia/compose.ts';
import { OPEN68, WARM_UPS } from './gaia/composition.ts';
import { buildWeb } from './gaia/web/build-web.ts';
import { renderPage } from './gaia/web/render-page.ts';
import { createWorld } from './gaia/world/world.ts';
import { TASK_TYPES, type TaskSetFacts, type TaskType } from './task.ts';
import { GENERATOR_VERSION, loadFacts } from './task-set-files.ts';

export interface TaskSetName {
  readonly kind: 'open68';
  readonly seed: number;
}

/** Reads a set's name as a user types it: `open68`, or `open68:seed=7`. @throws UsageError UNKNOWN_TASK_SET */
export function taskSetName(text: string): TaskSetName {
  const found = /^open68(?::seed=(\d{1,9}))?$/.exec(text);
  if (found) return { kind: 'open68', seed: Number(found[1] ?? 1) };
  throw new UsageError('UNKNOWN_TASK_SET', `there is no task set named ${JSON.stringify(text)}`, {
    remedy: 'Sets that exist: open68 (seed 1), open68:seed=N.',
  });
}

export interface BuildOptions {
  readonly name: 'open68';
  readonly seed: number;
  /** Where the built set shall be. Must not exist, or is replaced. */
  readonly directory: string;
}

/** Builds a set, in place of what is there. The same seed gives the same bytes on every machine; the directory appears whole or not at all. */
export async function buildTaskSet({ name, seed, directory }: BuildOptions): Promise<TaskSetFacts> {
  const files = await taskSetFiles(name, seed);
  writeDirectory(files.contents, directory, () => false);
  return files.facts;
}

/**
 * The directory of a built set, from the cache or built now. Safe when several processes ask at once: each builds apart, and the first to finish stays,
 * since others may already read it.
 * @returns `CACHE/open68-SEED-vGENERATOR`
 */
export async function ensureTaskSet({
  name,
  seed,
  cacheDirectory,
}: {
  readonly name: 'open68';
  readonly seed: number;
  readonly cacheDirectory: string;
}): Promise<string> {
  const directory = join(cacheDirectory, `${name}-${seed}-v${GENERATOR_VERSION}`);
  const built = () => isBuilt(directory, name, seed);
  if (!built()) writeDirectory((await taskSetFiles(name, seed)).contents, directory, built);
  return directory;
}

function isBuilt(directory: string, name: string, seed: number): boolean {
  try {
    const facts = loadFacts(directory);
    if (facts.name !== name || facts.seed !== seed || facts.generator !== GENERATOR_VERSION) return false;
    // Caches lie where systems tidy up: every byte is held against the hash, some 20 ms.
    return facts.hash === hashOfFiles(contentsOf(directory));
  } catch {
    // Absent or broken: either way it is built anew.
    return false;
  }
}

function contentsOf(directory: string): Map<string, Uint8Array> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(directory, join(parentPath, name)).replaceAll('\\', '/')).filter((path) => path !== 'set.json');
  return new Map(paths.map((path) => [path, readFileSync(join(directory, path))]));
}

/** @param keep whether what another process put there meanwhile is as good. @throws GaugeError TASK_SET_UNWRITABLE */
function writeDirectory(contents: ReadonlyMap<string, Uint8Array>, directory: string, keep: () => boolean): void {
  const partial = `${directory}.${randomUUID()}.partial`;
  try {
    for (const [path, bytes] of contents) {
      const target = join(partial, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
    moveIntoPlace(partial, directory, keep);
  } catch (cause) {
    throw new GaugeError('TASK_SET_UNWRITABLE', `the task set cannot be written to ${directory}: ${messageOf(cause)}`, {
      remedy: 'Free some space, or name a writable folder in AGENTGAUGE_CACHE.',
      cause,
    });
  } finally {
    rmSync(partial, { recursive: true, force: true });
    rmSync(`${partial}.old`, { recursive: true, force: true });
  }
}

/** A rename onto a directory that holds files fails on every system: the old one is moved aside first, unless it may stay. */
function moveIntoPlace(partial: string, directory: string, keep: () => boolean): void {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(partial, directory);
      return;
    } catch (thrown) {
      if (attempt === 3 || !['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(thrown))) throw thrown;
    }
    if (keep()) return;
    try {
      renameSync(directory, `${partial}.old`);
    } catch (thrown) {
      // Another process moved it first; the next attempt finds the place free or taken anew.
      if (codeOf(thrown) !== 'ENOENT') throw thrown;
    }
  }
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? '';
}

interface SetFiles {
  readonly facts: TaskSetFacts;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

async function taskSetFiles(name: 'open68', seed: number): Promise<SetFiles> {
  const world = createWorld(seed);
  const web = buildWeb(world);
  const draw = new TaskDraw({ world, web, seed });
  const counts: Record<TaskType, number> = { 'zero-tool': 0, document: 0, web: 0 };
  const tasks: WrittenTask[] = [];
  for (const { template, count } of OPEN68) {
    for (let turn = 0; turn < count; turn++) {
      counts[template.type] += 1;
      tasks.push(await draw.draw(template, turn, `${name}-${template.type}-${String(counts[template.type]).padStart(3, '0')}`));
    }
  }
  tasks.sort((a, b) => TASK_TYPES.indexOf(a.task.type) - TASK_TYPES.indexOf(b.task.type));
  const warmUps: WrittenTask[] = [];
  for (const { template, turn } of WARM_UPS) warmUps.push(await draw.draw(template, turn, `${name}-warm-up-${template.type}`));

  const all = [...tasks, ...warmUps];
  const pages = web.pages.map((page) => renderPage(page, seed));
  const contents = new Map<string, Uint8Array>([
    ['tasks.json', json(tasks.map(({ task }) => task))],
    ['warm-ups.json', json(warmUps.map(({ task }) => task))],
    ['targets.json', json(all.map(({ task, truth }) => ({ taskId: task.id, truth })))],
    ['plans.json', json(all.map(({ plan }) => plan))],
    ['web/pages.jsonl', new TextEncoder().encode(`${pages.map((page) => JSON.stringify(page)).join('\n')}\n`)],
    ...all.flatMap(({ files }) => files.map(({ path, bytes }) => [path, bytes] as const)),
  ]);
  const facts: TaskSetFacts = { name, seed, hash: hashOfFiles(contents), tasks: tasks.length, pages: pages.length, generator: GENERATOR_VERSION };
  return { facts, contents: new Map([...contents, ['set.json', json(facts)]]) };
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
}

function hashOfFiles(contents: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

export { loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps } from './task-set-files.ts';
