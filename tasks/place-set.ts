// A built set's way onto the disk: whole or not at all, and held against its hash before it is used again.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { GaugeError, messageOf } from '../base/error.ts';
import type { TaskSetFacts } from './task.ts';
import { loadFacts } from './task-set-files.ts';

/** Files by their path below the set's directory. */
export type SetContents = ReadonlyMap<string, Uint8Array>;

/** @param isRight whether these are the facts of the set that is wanted */
export function isPlaced(directory: string, isRight: (facts: TaskSetFacts) => boolean): boolean {
  try {
    const facts = loadFacts(directory);
    if (!isRight(facts)) return false;
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

/** @param keep whether what another process put there meanwhile is as good; `isPrivate`: only this user may open it. @throws GaugeError TASK_SET_UNWRITABLE */
export function placeSet(contents: SetContents, directory: string, keep: () => boolean, { isPrivate = false } = {}): void {
  const partial = `${directory}.${randomUUID()}.partial`;
  try {
    if (isPrivate) mkdirSync(partial, { recursive: true, mode: 0o700 });
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

/** As every file of a set is written. */
export function setJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`);
}

/** Over paths, sizes and bytes: 16 hexadecimal digits. */
export function hashOfFiles(contents: SetContents): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}
