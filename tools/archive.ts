// Reads zip archives that nobody has vouched for: names that climb out are refused by the reader, sizes are counted as bytes come out, never believed.
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../base/error.ts';
import { Finding, loadPackage } from './tool-error.ts';

export interface ArchiveEntry {
  readonly name: string;
  readonly sizeBytes: number;
}

export const MAX_ENTRY_BYTES = 20_000_000;
const MAX_ENTRIES = 10_000;
const SHOWN_NAMES = 20;

export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[];
  /** Entries beyond those that are listed, by what the archive itself claims. */
  readonly more: number;
}

/** @returns the files of the archive in its own order, folders left out. @throws Finding when it is damaged or no archive */
export async function listEntries(archive: string, bytes: Uint8Array): Promise<ArchiveListing> {
  const entries: ArchiveEntry[] = [];
  let [seen, claimed] = [0, 0];
  await walk(archive, bytes, async (entry, zip) => {
    entries.push({ name: entry.fileName, sizeBytes: entry.uncompressedSize });
    seen = zip.entriesRead;
    claimed = zip.entryCount;
    return entries.length >= MAX_ENTRIES;
  });
  return { entries, more: entries.length >= MAX_ENTRIES ? claimed - seen : 0 };
}

/** @throws Finding when there is no such entry, it cannot be read, or it is larger than `MAX_ENTRY_BYTES` */
export async function readEntry(archive: string, bytes: Uint8Array, wanted: string): Promise<Uint8Array> {
  let content: Uint8Array | undefined;
  const names: string[] = [];
  await walk(archive, bytes, async (entry, zip) => {
    names.push(entry.fileName);
    if (entry.fileName !== wanted) return false;
    content = await unpack(archive, entry, zip);
    return true;
  });
  if (content) return content;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  throw new Finding(
    `There is no "${wanted}" in ${archive}. It holds ${shown === '' ? 'no files' : shown}${names.length > SHOWN_NAMES ? `, and ${names.length - SHOWN_NAMES} more` : ''}.`,
  );
}

/** Visits the files of an archive until `visit` says that it has what it wants. */
async function walk(archive: string, bytes: Uint8Array, visit: (entry: Entry, zip: ZipFile) => Promise<boolean>): Promise<void> {
  const yauzl = await loadPackage('yauzl', () => import('yauzl'));
  const damaged = (cause: Error) => new Finding(`${archive} cannot be read as a zip archive: ${cause.message}.`);
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(Buffer.from(bytes), { lazyEntries: true, validateEntrySizes: true }, (cause, opened) =>
      cause ? reject(new Finding(`${damaged(cause).message}${namedInBeginning(bytes)}`)) : resolve(opened),
    );
  });
  await new Promise<void>((resolve, reject) => {
    zip.on('error', (cause: Error) => reject(damaged(cause)));
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      if (entry.fileName.endsWith('/')) return zip.readEntry();
      visit(entry, zip).then((done) => (done ? resolve() : zip.readEntry()), reject);
    });
    zip.readEntry();
  });
}

/** An archive that is cut short has lost its list, which stands at its end; each file's own head still names it. */
function namedInBeginning(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  for (let at = view.indexOf('PK\x03\x04'); at >= 0 && at + 30 <= view.length && names.length < SHOWN_NAMES; at = view.indexOf('PK\x03\x04', at + 30))
    names.push(view.toString('utf8', at + 30, at + 30 + view.readUInt16LE(at + 26)));
  return names.length === 0 ? '' : ` It is damaged or cut short; what is left of it names ${names.join(', ')}.`;
}

/**
 * What is in the archive, really unpacked: for libraries that unpack without asking. Counting stops beyond a limit.
 * @param mark bytes whose occurrences are counted, such as the tag of a cell
 */
export async function measureArchive(
  archive: string,
  bytes: Uint8Array,
  { mark, maxBytes, maxMarks }: { readonly mark: string; readonly maxBytes: number; readonly maxMarks: number },
): Promise<{ readonly bytes: number; readonly marks: number }> {
  let [total, marks] = [0, 0];
  await walk(archive, bytes, async (entry, zip) => {
    for await (const chunk of await openEntry(archive, entry, zip)) {
      total += chunk.length;
      for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + mark.length)) marks += 1;
      if (total > maxBytes || marks > maxMarks) return true;
    }
    return false;
  });
  return { bytes: total, marks };
}

/**
 * The parts of a document that is a zip archive (docx, pptx, odt), by name.
 * @throws Finding when the archive cannot be read, or those wanted unpack to more than `limit` bytes
 */
export async function readParts(archive: string, bytes: Uint8Array, wanted: (name: string) => boolean, limit: number): Promise<Map<string, Uint8Array>> {
  const parts = new Map<string, Uint8Array>();
  let total = 0;
  await walk(archive, bytes, async (entry, zip) => {
    if (!wanted(entry.fileName)) return false;
    const chunks: Buffer[] = [];
    for await (const chunk of await openEntry(archive, entry, zip)) {
      total += chunk.length;
      if (total > limit) throw new Finding(`${archive} unpacks to more than ${limit / 1e6} MB and is not read.`);
      chunks.push(chunk);
    }
    parts.set(entry.fileName, Buffer.concat(chunks));
    return false;
  });
  return parts;
}

async function unpack(archive: string, entry: Entry, zip: ZipFile): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await openEntry(archive, entry, zip)) {
    size += chunk.length;
    if (size > MAX_ENTRY_BYTES) throw new Finding(`${archive}!/${entry.fileName} is larger than ${MAX_ENTRY_BYTES / 1e6} MB when unpacked and is not read.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The unpacked bytes of one entry as they come. What breaks on the way ends as a Finding. */
async function openEntry(archive: string, entry: Entry, zip: ZipFile): Promise<AsyncIterable<Buffer>> {
  const place = `${archive}!/${entry.fileName}`;
  if (entry.isEncrypted()) throw new Finding(`${place} is encrypted and cannot be read.`);
  const unreadable = (cause: unknown) => new Finding(`${place} cannot be read: ${messageOf(cause)}.`);
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (cause, opened) => (cause ? reject(unreadable(cause)) : resolve(opened)));
  });
  return (async function* () {
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (cause) {
      throw unreadable(cause);
    }
  })();
}
