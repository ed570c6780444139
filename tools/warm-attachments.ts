// Reads every attachment of a set once before the first trial, so that no row pays for the opening of a library or the first reading of a file.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Attachment } from '../tasks/task.ts';
import { AttachmentShelf } from './attachment-shelf.ts';
import { describeImage } from './describe-image.ts';
import { listArchive } from './list-archive.ts';
import { OCR_MISSING } from './ocr.ts';
import { readDocument } from './read-document.ts';
import { readPdf } from './read-pdf.ts';
import { readSpreadsheet } from './read-spreadsheet.ts';
import { readText } from './read-text.ts';
import type { Tool, ToolContext } from './tool.ts';
import { SPEECH_MISSING, transcribeAudio } from './transcribe-audio.ts';

/** What is not read by then is read by the trial that asks for it. Enough for the pictures of a fresh set, which are kept on disk once they were read. */
const BUDGET_MS = 20_000;

/** Of one archive: each is looked for from its beginning. */
const MOST_ENTRIES = 50;

/** A csv file may be asked for as text or as a table. */
const READERS: Readonly<Record<string, readonly Tool[]>> = {
  pdf: [readPdf],
  xlsx: [readSpreadsheet],
  xls: [readSpreadsheet],
  ods: [readSpreadsheet],
  csv: [readText, readSpreadsheet],
  docx: [readDocument],
  pptx: [readDocument],
  odt: [readDocument],
  html: [readDocument],
  png: [describeImage],
  jpg: [describeImage],
  jpeg: [describeImage],
  wav: [transcribeAudio],
  mp3: [transcribeAudio],
  ogg: [transcribeAudio],
  opus: [transcribeAudio],
  zip: [listArchive],
};

type Reading = Pick<ToolContext, 'cache' | 'speechFolder' | 'vision'>;

/** Files that nothing here can read: nothing was recorded of them, and their recogniser is not installed. */
export interface Unread {
  readonly pictures: readonly string[];
  readonly recordings: readonly string[];
}

export async function warmAttachments(taskSetDirectory: string, reading: Reading): Promise<Unread> {
  const [pictures, recordings]: [string[], string[]] = [[], []];
  const end = systemClock.nowMs() + BUDGET_MS;
  for (const attachment of await attachmentsOf(taskSetDirectory)) {
    const context = contextFor(taskSetDirectory, attachment, reading);
    const files = [attachment.name];
    for (const file of files) {
      if (systemClock.nowMs() > end) return { pictures, recordings };
      const text = await read(file, context);
      if (text.includes(OCR_MISSING)) pictures.push(attachment.path);
      if (text.includes(SPEECH_MISSING)) recordings.push(attachment.path);
      if (file.endsWith('.zip') && file.split('!/').length < 3)
        for (const [, inner] of [...text.matchAll(/^(.+) {2}\d+ bytes$/gm)].slice(0, MOST_ENTRIES)) files.push(`${file}!/${inner}`);
    }
  }
  return { pictures, recordings };
}

/** @returns what the first reader said; a file that cannot be read is the answer of the call that asks for it, not of the start */
async function read(file: string, context: ToolContext): Promise<string> {
  const texts: string[] = [];
  for (const tool of READERS[path.posix.extname(file).slice(1).toLowerCase()] ?? [readText]) {
    try {
      texts.push(await tool.run({ file }, context));
    } catch {
      texts.push('');
    }
  }
  return texts[0] ?? '';
}

function contextFor(taskSetDirectory: string, attachment: Attachment, reading: Reading): ToolContext {
  const none = () => Promise.reject(new Error('not needed to read files'));
  return { ...reading, shelf: new AttachmentShelf(taskSetDirectory, [attachment]), web: none, python: none };
}

async function attachmentsOf(taskSetDirectory: string): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const file of ['warm-ups.json', 'tasks.json']) {
    try {
      const tasks: unknown = JSON.parse(await readFile(path.join(taskSetDirectory, file), 'utf8'));
      if (Array.isArray(tasks)) attachments.push(...tasks.flatMap((task: { attachments?: Attachment[] }) => task.attachments ?? []));
    } catch {
      // A set of one's own may come without a list that this can read; then nothing of it is read ahead.
    }
  }
  return attachments;
}
