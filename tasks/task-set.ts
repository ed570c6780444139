// Task sets by name: parses what a user types, builds a set from its seed, and keeps built ones in a cache. What is in the set: gaia/composition.ts.
import { join } from 'node:path';
import { UsageError } from '../base/error.ts';
import { composeSet, OPEN68_SIZE } from './gaia/compose-set.ts';
import { type NaturalVoice, openVoice } from './gaia/documents/natural-voice.ts';
import { isPlaced, placeSet, type SetContents } from './place-set.ts';
import { contentsOfSet } from './set-contents.ts';
import { type SetName, type TaskSetFacts, VOICES } from './task.ts';
import { GENERATOR_VERSION } from './task-set-files.ts';

/** As a user types it. */
export const SET_FORMS = 'open68, open68:seed=N, generated:seed=N,n=N (both also with voice=joe), gaia:DIR, jsonl:FILE';
const MOST_TASKS = 2_000;
const FULL_NUMBER = /^\d{1,9}$/;

/** Reads a set's name as a user types it: `open68`, `open68:seed=7`, `generated:seed=7,n=500`. @throws UsageError UNKNOWN_TASK_SET or BAD_TASK_SET */
export function taskSetName(text: string): SetName {
  const [kind = '', ...rest] = text.split(':');
  if (kind === 'gaia' || kind === 'jsonl')
    throw new UsageError('UNKNOWN_TASK_SET', `${JSON.stringify(text)} has no plans, and this works on generated sets only`, {
      remedy: 'Name open68, open68:seed=N or generated:seed=N,n=N.',
    });
  if (kind !== 'open68' && kind !== 'generated') {
    throw new UsageError('UNKNOWN_TASK_SET', `there is no task set named ${JSON.stringify(text)}`, { remedy: `Sets that exist: ${SET_FORMS}.` });
  }
  const bad = (what: string) =>
    new UsageError('BAD_TASK_SET', `the task set ${JSON.stringify(text)} ${what}`, {
      remedy: kind === 'open68' ? 'For example: open68:seed=7' : 'For example: generated:seed=7,n=500',
    });
  const takes = kind === 'open68' ? ['seed', 'voice'] : ['seed', 'n', 'voice'];
  const given = new Map<string, string>();
  for (const part of rest.join(':').split(',').filter(Boolean)) {
    const [key = '', value = ''] = part.split('=');
    if (!takes.includes(key)) throw bad(`has ${JSON.stringify(key)}; it takes ${takes.join(', ')}`);
    if (given.has(key)) throw bad(`has ${key} twice`);
    if (key !== 'voice' && !FULL_NUMBER.test(value)) throw bad(`has ${key} ${JSON.stringify(value)}, not a whole number`);
    given.set(key, value);
  }
  const voice = VOICES.find((name) => name === given.get('voice'));
  if (given.has('voice') && voice === undefined) throw bad(`has voice ${JSON.stringify(given.get('voice'))}; there is ${VOICES.join(', ')}`);
  const n = Number(given.get('n') ?? OPEN68_SIZE);
  if (n < 1 || n > MOST_TASKS) throw bad(`asks for ${n} tasks; from 1 to ${MOST_TASKS} can be made`);
  if (kind === 'generated' && !given.has('n')) throw bad('does not say how many tasks');
  return { kind, seed: Number(given.get('seed') ?? 1), n, ...(voice === undefined ? {} : { voice }) };
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
  placeSet(files.contents, directory, () => false);
  return files.facts;
}

/**
 * The directory of a built set, from the cache or built now. Safe when several processes ask at once: each builds apart, and the first to finish stays,
 * since others may already read it.
 * @returns `CACHE/open68-SEED-vGENERATOR`, `CACHE/generated-SEED-nN-vGENERATOR`, with `-VOICE` before the last part
 * @throws GaugeError MISSING_VOICE before anything is built
 */
export async function ensureTaskSet({ name, seed, n = OPEN68_SIZE, voice, cacheDirectory }: EnsureOptions): Promise<string> {
  const wanted: SetName = { kind: name, seed, n, ...(voice === undefined ? {} : { voice }) };
  const parts = [name, seed, ...(name === 'generated' ? [`n${n}`] : []), ...(voice === undefined ? [] : [voice]), `v${GENERATOR_VERSION}`];
  const directory = join(cacheDirectory, parts.join('-'));
  const isRight = (facts: TaskSetFacts) => facts.name === titleOf(wanted) && facts.seed === seed && facts.tasks === n && facts.generator === GENERATOR_VERSION;
  const built = () => isPlaced(directory, isRight);
  if (!built()) placeSet((await taskSetFiles(wanted, voice && openVoice(voice, cacheDirectory))).contents, directory, built);
  return directory;
}

export interface EnsureOptions {
  readonly name: SetName['kind'];
  readonly seed: number;
  readonly n?: number | undefined;
  readonly voice?: SetName['voice'] | undefined;
  /** Of built sets, and of natural voices. */
  readonly cacheDirectory: string;
}

/** What a set calls itself: one with a natural voice is not promised byte for byte elsewhere. */
function titleOf({ kind, voice }: SetName): string {
  return voice === undefined ? kind : `${kind}:voice=${voice}`;
}

async function taskSetFiles(name: SetName, voice?: NaturalVoice): Promise<{ facts: TaskSetFacts; contents: SetContents }> {
  try {
    return await contentsOfSet({ name: titleOf(name), seed: name.seed, ...(await composeSet(name, voice)) });
  } finally {
    voice?.close();
  }
}

export { loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps } from './task-set-files.ts';
