// Texts read once: in memory by where they came from, on disk by content, so that no row waits longer than another and a second start is fast (method M2.5).
// Findings ("the file is damaged") are kept like texts; dead back ends are not.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Finding, GivenUp } from './tool-error.ts';

/** In the cache directory. Names are hashes, so nothing in it is found but by content, and all of it may be deleted at any time. */
export const TEXTS_FOLDER = 'texts';

/** `isPassing`: found for want of time or memory. All rows of a run get the same, and the next run tries again. */
type Kept = { readonly value: unknown } | { readonly finding: string; readonly isPassing?: true };

export interface Recipe<T> {
  /** Name and version of the reader, and whatever else its text depends on (findings name the file). */
  readonly reader: string;
  /** Where the bytes come from and which state of them, unique within this process. */
  readonly source: string;
  bytes(): Promise<Uint8Array>;
  /** Whatever it returns must survive JSON. */
  read(bytes: Uint8Array): Promise<T> | T;
  /** Left out for what is read faster than it is looked up; a function where a value may be one that another time is better. What was given up is never kept there. */
  readonly onDisk?: true | ((value: T) => boolean);
  /** Kept even where nothing else is: what costs money, or would be another text the next time. */
  readonly always?: true;
}

export class TextCache {
  /** Everything is read anew each time it is asked for, so that the time of a call is that of the tool. */
  readonly isOff: boolean;
  readonly #directory: string;
  readonly #memory = new Map<string, Promise<Kept>>();

  constructor(cacheDirectory: string, { isOff = false }: { readonly isOff?: boolean } = {}) {
    this.isOff = isOff;
    this.#directory = path.join(cacheDirectory, TEXTS_FOLDER);
  }

  /** @throws Finding when reading found that there is nothing to read, now or when it was first tried */
  async get<T>(recipe: Recipe<T>): Promise<T> {
    const outcome = await (this.isOff && !recipe.always ? recipe.bytes().then((bytes) => keep(recipe, bytes)) : this.#kept(recipe));
    if ('finding' in outcome) throw new Finding(outcome.finding);
    return outcome.value as T;
  }

  #kept<T>(recipe: Recipe<T>): Promise<Kept> {
    const key = `${recipe.reader}\n${recipe.source}`;
    let kept = this.#memory.get(key);
    if (!kept) {
      kept = this.#make(recipe);
      this.#memory.set(key, kept);
      kept.catch(() => this.#memory.delete(key));
    }
    return kept;
  }

  async #make<T>(recipe: Recipe<T>): Promise<Kept> {
    const bytes = await recipe.bytes();
    if (!recipe.onDisk) return keep(recipe, bytes);
    const name = createHash('sha256').update(`${recipe.reader}\n`).update(bytes).digest('hex').slice(0, 40);
    const file = path.join(this.#directory, `${name}.json`);
    const stored = await readStored(file);
    if (stored) return stored;
    const made = await keep(recipe, bytes);
    const isSettled = 'finding' in made ? !made.isPassing : recipe.onDisk === true || recipe.onDisk(made.value as T);
    if (isSettled) await this.#store(file, made);
    return made;
  }

  async #store(file: string, made: Kept): Promise<void> {
    try {
      await mkdir(this.#directory, { recursive: true });
      const partial = `${file}.${process.pid}.partial`;
      await writeFile(partial, JSON.stringify(made));
      await rename(partial, file);
    } catch {
      // The cache only saves time: on a full or read-only disk the text is read again at the next start.
    }
  }
}

async function keep<T>(recipe: Recipe<T>, bytes: Uint8Array): Promise<Kept> {
  try {
    return { value: await recipe.read(bytes) };
  } catch (thrown) {
    if (thrown instanceof Finding) return { finding: thrown.message, ...(thrown instanceof GivenUp ? { isPassing: true } : {}) };
    throw thrown;
  }
}

async function readStored(file: string): Promise<Kept | undefined> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof stored === 'object' && stored !== null && ('value' in stored || 'finding' in stored) ? (stored as Kept) : undefined;
  } catch {
    // Absent, cut short or from elsewhere: made anew.
    return undefined;
  }
}
