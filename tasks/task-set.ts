// Task sets by name: parses what a user types, builds a set from its seed, and keeps built ones in a cache. What is in the set: gaia/composition.ts.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import { composeSet, OPEN68_SIZE } from './gaia/compose-set.ts';
import { renderPage } from './gaia/web/render-page.ts';
import type { SetName, TaskSetFacts } from './task.ts';
import { GENERATOR_VERSION, loadFacts } from './task-set-files.ts';

/** As a user types it. */
export const SET_FORMS = 'open68, open68:seed=N, generated:seed=N,n=N';
const MOST_TASKS = 2_000;
const FULL_NUMBER = /^\d{1,9}$/;

/** Reads a set's name as a user types it: `open68`, `open68:seed=7`, `generated:seed=7,n=500`. @throws UsageError UNKNOWN_TASK_SET or BAD_TASK_SET */
export function taskSetName(text: string): SetName {
  const [kind = '', ...rest] = text.split(':');
  if (kind !== 'open68' && kind !== 'generated') {
    throw new UsageError('UNKNOWN_TASK_SET', `there is no task set named ${JSON.stringify(text)}`, { remedy: `Sets that exist: ${SET_FORMS}.` });
  }
  const bad = (what: string) =>
    new UsageError('BAD_TASK_SET', `the task set ${JSON.stringify(text)} ${what}`, {
      remedy: kind === 'open68' ? 'For example: open68:seed=7' : 'For example: generated:seed=7,n=500',
    });
  const given = new Map<string, number>();
  for (const part of rest.join(':').split(',').filter(Boolean)) {
    const [key = '', value = ''] = part.split('=');
    if (key !== 'seed' && (key !== 'n' || kind === 'open68')) throw bad(`has ${JSON.stringify(key)}; it takes ${kind === 'open68' ? 'seed' : 'seed and n'}`);
    if (given.has(key)) throw bad(`has ${key} twice`);
    if (!FULL_NUMBER.test(value)) throw bad(`has ${key} ${JSON.stringify(value)}, not a whole number`);
    given.set(key, Number(value));
  }
  const n = given.get('n') ?? OPEN68_SIZE;
  if (n < 1 || n > MOST_TASKS) throw bad(`asks for ${n} tasks; from 1 to ${MOST_TASKS} can be made`);
  if (kind === 'generated' && !given.has('n')) throw bad('does not say how many tasks');
  return { kind, seed: given.get('seed') ?? 1, n };
}

export interface BuildOptions {
  readonly name: SetName['kind'];
  readonly seed: number;
  /** How many tasks a generated set has. @default 68 */
  readonly n?: number;
  /** Where the built set shall be. Must not exist, or is replaced. */
  readonly directory: string;
}

/** Builds a set, in place of what is there. The same seed gives the same bytes on every machine; the directory appears whole or not at all. */
export async function buildTaskSet({ name, seed, n = OPEN68_SIZE, directory }: BuildOptions): Promise<TaskSetFacts> {
  const files = await taskSetFiles({ kind: name, seed, n });
  writeDirectory(files.contents, directory, () => false);
  return files.facts;
}

/**
 * The directory of a built set, from the cache or built now. Safe when several processes ask at once: each builds apart, and the first to finish stays,
 * since others may already read it.
 * @returns `CACHE/open68-SEED-vGENERATOR`, `CACHE/generated-SEED-nN-vGENERATOR`
 */
export async function ensureTaskSet({ name, seed, n = OPEN68_SIZE, cacheDirectory }: EnsureOptions): Promise<string> {
  const directory = join(cacheDirectory, `${name}-${seed}${name === 'generated' ? `-n${n}` : ''}-v${GENERATOR_VERSION}`);
  const built = () => isBuilt(directory, { kind: name, seed, n });
  if (!built()) writeDirectory((await taskSetFiles({ kind: name, seed, n })).contents, directory, built);
  return directory;
}

export interface EnsureOptions {
  readonly name: SetName['kind'];
  readonly seed: number;
  readonly n?: number | undefined;
  readonly cacheDirectory: string;
}

function isBuilt(directory: string, { kind, seed, n }: SetName): boolean {
  try {
    const facts = loadFacts(directory);
    if (facts.name !== kind || facts.seed !== seed || facts.tasks !== n || facts.generator !== GENERATOR_VERSION) return false;
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

async function taskSetFiles(name: SetName): Promise<SetFiles> {
  const { kind, seed } = name;
  const { web, tasks, warmUps } = await composeSet(name);
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
  const facts: TaskSetFacts = { name: kind, seed, hash: hashOfFiles(contents), tasks: tasks.length, pages: pages.length, generator: GENERATOR_VERSION };
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
