// Builds small task sets on disk for the tests of this folder, and a toolbox over them. Not part of the program.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StoredPage } from '../tasks/gaia/web/render-page.ts';
import type { Attachment } from '../tasks/task.ts';
import { createToolbox, type Toolbox, type ToolboxOptions, type ToolResult } from './toolbox.ts';

export interface TestSet {
  readonly directory: string;
  readonly toolbox: Toolbox;
  readonly attachments: readonly Attachment[];
  /** Runs a tool with all attachments of the set. */
  run(name: string, given: unknown): Promise<ToolResult>;
  close(): Promise<void>;
}

/** @param files bytes or text by neutral name */
export async function openTestSet(
  files: Readonly<Record<string, Uint8Array | string>>,
  pages: readonly Partial<StoredPage>[] = [],
  options: Partial<ToolboxOptions> = {},
): Promise<TestSet> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'tools-'));
  await mkdir(path.join(directory, 'files'));
  const attachments = Object.keys(files).map((name, i) => ({ name, path: `files/f${i}` }));
  for (const [i, content] of Object.values(files).entries()) await writeFile(path.join(directory, 'files', `f${i}`), content);
  await writeFile(path.join(directory, 'tasks.json'), JSON.stringify([{ attachments }]));
  if (pages.length > 0) {
    await mkdir(path.join(directory, 'web'));
    await writeFile(path.join(directory, 'web', 'pages.jsonl'), pages.map((page) => `${JSON.stringify(fullPage(page))}\n`).join(''));
  }
  const toolbox = await createToolbox({ taskSetDirectory: directory, cacheDirectory: path.join(directory, 'cache'), ...options }).catch(
    async (thrown: unknown) => {
      await rm(directory, { recursive: true });
      throw thrown;
    },
  );
  return {
    directory,
    toolbox,
    attachments,
    run: (name, given) => toolbox.run(name, given, { attachments }),
    close: async () => {
      await toolbox.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function fullPage(page: Partial<StoredPage>): StoredPage {
  return { url: 'https://www.a.example/', status: 200, contentType: 'text/html; charset=utf-8', title: '', body: '', ...page };
}
