// Checkpoints as files: a folder a run, its lines in segments that are only ever replaced as a whole (written beside, then renamed).
// A segment that has grown to 64 KiB is left alone and the next begun, so that a commit costs the same at the end of a long run as at its start.
import { constants, copyFile, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { anotherWriter, type ClaimingStore } from '../checkpoint-store.ts';
import { WorkflowError } from '../workflow-error.ts';
import { inUse, isAtWork, letGo, newWriter, readWriter } from './writer.ts';

const SEGMENT_CHARS = 65_536;
const SEGMENT = /^(\d{10})\.jsonl$/;
const CLAIM = /^writer-(\d+)\.json$/;

/** What is under way in each run's folder, in this process: a load sees what was being written when an earlier execution was stopped, whichever store it had. */
const chains = new Map<string, Promise<unknown>>();

interface Tail {
  /** Number of lines before the open segment. */
  start: number;
  count: number;
  text: string;
}

export function openFileStore(folder: string, sync: boolean): ClaimingStore {
  const tails = new Map<string, Tail>();

  return {
    load: (run) => inTurn(run, () => load(run)),
    append: (run, at, lines) => inTurn(run, () => append(run, at, lines)),
    delete: forget,
    claim: (run) => inTurn(run, () => claim(run)),
  };

  function inTurn<Value>(run: string, act: () => Promise<Value>): Promise<Value> {
    const path = resolve(pathOf(run));
    const done = (chains.get(path) ?? Promise.resolve()).then(act, act);
    chains.set(path, done);
    const leave = () => {
      if (chains.get(path) === done) chains.delete(path);
    };
    done.then(leave, leave);
    return done;
  }

  async function load(run: string): Promise<string[]> {
    const path = pathOf(run);
    const lines: string[] = [];
    let tail: Tail = { start: 0, count: 0, text: '' };
    for (const name of (await namesIn(path)).filter((one) => SEGMENT.test(one)).sort()) {
      const start = Number(SEGMENT.exec(name)?.[1]);
      if (start !== lines.length) throw damaged(join(path, name), `it begins with line ${start} where ${lines.length} was expected`);
      const text = await readFile(join(path, name), 'utf8');
      if (!text.endsWith('\n')) throw damaged(join(path, name), 'its last line is not whole');
      const own = text.slice(0, -1).split('\n');
      for (const line of own) lines.push(line);
      tail = { start, count: own.length, text };
    }
    tails.set(run, tail);
    return lines;
  }

  async function append(run: string, at: number, lines: readonly string[]): Promise<void> {
    if (!tails.has(run)) await load(run);
    let tail = tails.get(run) as Tail;
    if (tail.start + tail.count !== at) throw anotherWriter(run, tail.start + tail.count, at);
    if (tail.text.length >= SEGMENT_CHARS) tail = { start: at, count: 0, text: '' };
    const text = `${tail.text}${lines.join('\n')}\n`;
    const path = pathOf(run);
    if (at === 0) await mkdir(path, { recursive: true });
    await replace(path, `${String(tail.start).padStart(10, '0')}.jsonl`, text);
    tails.set(run, { start: tail.start, count: tail.count + lines.length, text });
  }

  async function replace(path: string, name: string, text: string): Promise<void> {
    const beside = join(path, `${name}.part`);
    const file = await open(beside, 'w');
    try {
      await file.writeFile(text);
      if (sync) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(beside, join(path, name));
    if (!sync) return;
    // The new name is durable only with its folder; Windows has no such call and needs none.
    const around = await open(path, 'r').catch(() => undefined);
    await around?.sync().catch(() => undefined);
    await around?.close();
  }

  /**
   * Claims are files with rising numbers, made with their content or not at all, so that of two processes that find none, or a dead one, only one makes the next.
   * Who then sees another one at work beside its own was overtaken by two changes at once, and steps back.
   */
  async function claim(run: string): Promise<() => Promise<void>> {
    const path = pathOf(run);
    await mkdir(path, { recursive: true });
    const writer = newWriter();
    const beside = join(path, `${writer.token}.part`);
    await writeFile(beside, JSON.stringify(writer));
    try {
      for (;;) {
        const last = await lastClaim(run, path, undefined);
        const own = join(path, `writer-${last + 1}.json`);
        if (!(await createFrom(beside, own))) continue;
        try {
          await lastClaim(run, path, writer.token);
        } catch (error) {
          await rm(own, { force: true });
          throw error;
        }
        return () => {
          letGo(writer);
          return inTurn(run, () => rm(own, { force: true }));
        };
      }
    } catch (error) {
      letGo(writer);
      throw error;
    } finally {
      await rm(beside, { force: true });
    }
  }

  /** The highest number, and claims of the dead are cleared away below it. @throws WorkflowError `checkpoint-in-use` */
  async function lastClaim(run: string, path: string, own: string | undefined): Promise<number> {
    let last = 0;
    const dead: { readonly number: number; readonly file: string }[] = [];
    for (const name of await namesIn(path)) {
      const number = Number(CLAIM.exec(name)?.[1] ?? 0);
      if (number === 0) continue;
      last = Math.max(last, number);
      const file = join(path, name);
      const other = readWriter(await readFile(file, 'utf8').catch(() => ''));
      if (other !== undefined && other.token !== own && isAtWork(other)) throw inUse(run, other);
      if (other === undefined || other.token !== own) dead.push({ number, file });
    }
    // The highest stays: a number that was free again could be taken twice.
    for (const { number, file } of dead) if (number < last) await rm(file, { force: true });
    return last;
  }

  function forget(run: string): Promise<void> {
    return inTurn(run, async () => {
      tails.delete(run);
      await rm(pathOf(run), { recursive: true, force: true });
    });
  }

  /** `run-` before it, so that no name leads out of the folder. */
  function pathOf(run: string): string {
    return join(folder, `run-${encodeURIComponent(run)}`);
  }
}

/** @returns false when there is one already */
async function createFrom(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'EEXIST') return false;
    // A file system without hard links.
    try {
      await copyFile(source, target, constants.COPYFILE_EXCL);
    } catch (failure) {
      if ((failure as { readonly code?: unknown }).code === 'EEXIST') return false;
      throw failure;
    }
  }
  return true;
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

function damaged(file: string, what: string): WorkflowError {
  return new WorkflowError('checkpoint-corrupt', `the checkpoint ${file} is damaged: ${what}`, {
    remedy: 'Restore the folder from a copy, or delete it to start the run anew.',
  });
}
