// The files that one trial may read, by neutral name. A name is looked up, never joined to a path, so nothing that a model writes can climb anywhere;
// the paths behind the names must lie in the set's directory even when links are followed.
import { realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Attachment } from '../tasks/task.ts';
import { readEntry } from './archive.ts';
import { Finding, ToolError } from './tool-error.ts';

export interface ShelfFile {
  /** As the model named it. */
  readonly name: string;
  /** Lower case, without the dot; empty when there is none. */
  readonly extension: string;
  /** Differs when the content may differ: a key for caches. */
  readonly source: string;
  bytes(): Promise<Uint8Array>;
}

const MAX_FILE_BYTES = 50_000_000;
/** An archive within an archive is opened, a third is not. */
const MAX_ARCHIVES = 2;

function entryOf(archive: ShelfFile, path: string): ShelfFile {
  return {
    name: `${archive.name}!/${path}`,
    extension: extensionOf(path),
    source: `${archive.source}!/${path}`,
    bytes: async () => readEntry(archive.name, await archive.bytes(), path),
  };
}

export class AttachmentShelf {
  readonly #directory: string | undefined;
  readonly #attachments: readonly Attachment[];

  constructor(directory: string | undefined, attachments: readonly Attachment[]) {
    this.#directory = directory;
    this.#attachments = attachments;
  }

  get names(): string[] {
    return this.#attachments.map(({ name }) => name);
  }

  /**
   * @param file a neutral name, or `ARCHIVE!/PATH` for a file within a zip archive, `ARCHIVE!/ARCHIVE!/PATH` for one within that
   * @throws Finding when there is no such file; ToolError when a file that the set promises cannot be reached
   */
  async open(file: string): Promise<ShelfFile> {
    const [name = '', ...inner] = file.trim().split('!/');
    if (inner.length > MAX_ARCHIVES) throw new Finding(`"${file}" lies more than ${MAX_ARCHIVES} archives deep, which is not opened.`);
    const attachment = this.#attachments.find((candidate) => candidate.name === name);
    if (!attachment) throw new Finding(this.#noSuchFile(name));
    return inner.reduce(entryOf, this.#reach(attachment));
  }

  #reach(attachment: Attachment): ShelfFile {
    const { real, size, modifiedMs } = this.#locate(attachment);
    if (size > MAX_FILE_BYTES) throw new Finding(`${attachment.name} has ${size} bytes; files above ${MAX_FILE_BYTES / 1e6} MB are not read.`);
    return {
      name: attachment.name,
      extension: extensionOf(attachment.name),
      source: `${real}\n${size}\n${modifiedMs}`,
      bytes: () => readFile(real),
    };
  }

  /** Synchronous: three looks at the file system cost less than one trip to the thread pool, and vary less. */
  #locate(attachment: Attachment): { real: string; size: number; modifiedMs: number } {
    if (this.#directory === undefined) throw new ToolError('NO_TASK_SET', `${attachment.name} belongs to a task set, and none was configured`);
    try {
      const root = realpathSync.native(this.#directory);
      const real = realpathSync.native(path.resolve(root, attachment.path));
      if (!real.startsWith(root + path.sep)) throw new ToolError('ATTACHMENT_OUTSIDE', `${attachment.name} lies outside the task set's directory`);
      const facts = statSync(real);
      if (!facts.isFile()) throw new ToolError('ATTACHMENT_MISSING', `${attachment.name} is no file in the task set`);
      return { real, size: facts.size, modifiedMs: facts.mtimeMs };
    } catch (cause) {
      if (cause instanceof ToolError) throw cause;
      throw new ToolError('ATTACHMENT_MISSING', `${attachment.name} is missing in the task set`, { remedy: 'build the task set again', cause });
    }
  }

  #noSuchFile(name: string): string {
    if (this.#attachments.length === 0) return `There is no file "${name}": this task has no attachments.`;
    return `There is no file "${name}". The files of this task are ${this.#attachments.map((attachment) => attachment.name).join(', ')}.`;
  }
}

function extensionOf(name: string): string {
  return path.posix.extname(name).slice(1).toLowerCase();
}
