// One tool in a process of its own: its first call with nothing kept, calls on other material, the same call again, and what the process and its children then hold.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { sampleTreeMemory } from '../metrics/process-memory.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { interpreterOf, SANDBOX_ENVIRONMENT } from '../runners/python-environments.ts';
import type { Attachment } from '../tasks/task.ts';
import { createToolbox } from '../tools/toolbox.ts';
import { answer } from './measuring-child.ts';

/** What a child is told to call: a tool with these arguments in turn, on these files of a built set. */
export interface ToolCalls {
  readonly tool: string;
  readonly setDirectory: string;
  readonly attachments: readonly Attachment[];
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

export interface ToolCost {
  /** Until the toolbox is open: for the web tools with the index of all pages. */
  readonly openMs: number;
  readonly coldMs: number;
  readonly warmMs: readonly number[];
  /** The first call once more: from the cache, where results are kept. */
  readonly againMs: number;
  readonly heldBytes: number;
  readonly statuses: readonly number[];
  /** First line of what the first call gave. */
  readonly says: string;
}

async function measure({ tool, setDirectory, attachments, calls: [first = {}, ...others] }: ToolCalls): Promise<ToolCost> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-tools-'));
  try {
    // Without a list of tasks nothing is read ahead.
    mkdirSync(join(scratch, 'set'));
    for (const { path } of attachments) {
      cpSync(join(setDirectory, path), join(scratch, 'set', path));
      // The sentences of generated sets have recorded transcripts: a little quieter, they have to be heard.
      if (path.endsWith('.wav')) writeFileSync(join(scratch, 'set', path), quieter(readFileSync(join(setDirectory, path))));
    }
    if (tool.startsWith('web_')) symlinkSync(join(setDirectory, 'web'), join(scratch, 'set', 'web'));
    const interpreter = interpreterOf(SANDBOX_ENVIRONMENT.name);
    const before = (await sampleTreeMemory(process.pid))?.bytes ?? 0;
    const [openMs, toolbox] = await timed(() =>
      createToolbox({
        taskSetDirectory: join(scratch, 'set'),
        cacheDirectory: join(scratch, 'cache'),
        speechFolder: join(cacheDirectory(), 'speech'),
        ...(interpreter === undefined ? {} : { pythonInterpreter: interpreter }),
      }),
    );
    const call = (given: unknown) => timed(() => toolbox.run(tool, given, { attachments }));
    const [coldMs, cold] = await call(first);
    const warm = [];
    for (const given of others) warm.push(await call(given));
    const [againMs] = await call(first);
    const heldBytes = ((await sampleTreeMemory(process.pid))?.bytes ?? 0) - before;
    await toolbox.close();
    const statuses = [cold, ...warm.map(([, result]) => result)].map(({ status }) => status);
    return { openMs, coldMs, warmMs: warm.map(([ms]) => ms), againMs, heldBytes, statuses, says: cold.text.split('\n')[0] ?? '' };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param wav samples of 16 bits in one chunk */
function quieter(wav: Buffer): Buffer {
  const copy = Buffer.from(wav);
  for (let at = wav.indexOf('data') + 8; at + 1 < wav.length; at += 2) copy.writeInt16LE(Math.trunc(wav.readInt16LE(at) * 0.9), at);
  return copy;
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, value: T]> {
  const startMs = systemClock.nowMs();
  const value = await work();
  return [systemClock.nowMs() - startMs, value];
}

if (import.meta.main) answer(await measure(JSON.parse(process.argv[2] ?? '') as ToolCalls));
