// Keeps the cache small: drops what older versions of ours left there and what nobody used for a month. Everything it drops can be made anew; it knows our
// own names only, so a cache in a folder with other things harms none, and what somebody waited for (`python/`, `models/`, `speech/`, `voices/`) is never touched.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATOR_VERSION } from '../tasks/task-set-files.ts';
import { TEXTS_FOLDER } from '../tools/text-cache.ts';

const DAY_MS = 86_400_000;
/** A process that is at work may still read what it opened yesterday. */
const OUTDATED_DAYS = 1;
const UNUSED_DAYS = 30;
/** Texts of a set of 68 tasks take some 5 MB. */
const TEXTS_BYTES = 512_000_000;

/** @returns days without use after which it goes; `undefined` for what is not ours to drop */
function daysKept(name: string): number | undefined {
  const [, whole = name, partial] = /^(.*?)(\.[\w-]+\.partial(?:\.old)?)?$/.exec(name) ?? [];
  const generator = /^(?:open68|generated|held-out)-.*-v(\d+)$/.exec(whole)?.[1];
  const isText = /^[0-9a-f]{40}\.json$/.test(whole);
  if (generator === undefined && !isText && !/^own-[0-9a-f]{16}$/.test(whole) && !/^pyodide-[\d.]+-\d+\.snapshot$/.test(whole)) return undefined;
  // Of a killed process; of an older version; texts where they lay before they had a folder.
  const isOutdated = partial !== undefined || (generator !== undefined && Number(generator) < GENERATOR_VERSION) || isText;
  return isOutdated ? OUTDATED_DAYS : UNUSED_DAYS;
}

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly unusedMs: number;
}

/** Costs some milliseconds. Never throws: a cache that cannot be tidied is no reason not to run. */
export function tidyCache(directory: string, nowIso: string, { textsBytes = TEXTS_BYTES } = {}): void {
  const now = Date.parse(nowIso);
  for (const { path, name, unusedMs } of entriesOf(directory, now)) {
    const days = daysKept(name);
    if (days !== undefined && unusedMs > days * DAY_MS) drop(path);
  }
  let bytes = 0;
  const texts = entriesOf(join(directory, TEXTS_FOLDER), now).sort((a, b) => a.unusedMs - b.unusedMs);
  for (const text of texts) {
    bytes += text.bytes;
    if (bytes > textsBytes || text.unusedMs > (text.name.endsWith('.partial') ? OUTDATED_DAYS : UNUSED_DAYS) * DAY_MS) drop(text.path);
  }
}

function entriesOf(directory: string, now: number): Entry[] {
  return namesIn(directory).flatMap((name): Entry[] => {
    const path = join(directory, name);
    const own = statSync(path, { throwIfNoEntry: false });
    // Whoever uses a set reads its facts; the folder itself nobody needs to list.
    const facts = own?.isDirectory() === true ? (statSync(join(path, 'set.json'), { throwIfNoEntry: false }) ?? own) : own;
    return facts === undefined ? [] : [{ path, name, bytes: facts.size, unusedMs: now - Math.max(facts.atimeMs, facts.mtimeMs) }];
  });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // There is no cache yet, or it is closed to us.
    return [];
  }
}

function drop(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Somebody else's, or a read-only disk: it stays.
  }
}
