// Checkpoints as files: a folder a run, its lines in segments that are only ever replaced as a whole (written beside, then renamed).
// A segment that has grown to 64 KiB is left alone and the next begun, so that a commit costs the same at the end of a long run as at its start.
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { anotherWriter, type CheckpointStore } from '../checkpoint-store.ts';
import { WorkflowError } from '../workflow-error.ts';

const SEGMENT_CHARS = 65_536;
const SEGMENT = /^(\d{10})\.jsonl$/;

interface Tail {
  /** Number of lines before the open segment. */
  start: number;
  count: number;
  text: string;
}

export function openFileStore(folder: string, sync: boolean): CheckpointStore {
  const tails = new Map<string, Tail>();
  const chains = new Map<string, Promise<unknown>>();

  return { load: (run) => inTurn(run, () => load(run)), append: (run, at, lines) => inTurn(run, () => append(run, at, lines)), delete: forget };

  /** One thing at a time for each run, so that a load sees what was being written when an earlier execution was stopped. */
  function inTurn<Value>(run: string, act: () => Promise<Value>): Promise<Value> {
    const done = (chains.get(run) ?? Promise.resolve()).then(act, act);
    chains.set(run, done);
    const leave = () => {
      if (chains.get(run) === done) chains.delete(run);
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
