// The tool `list_archive`: what a zip archive holds, one line a file.
import { type ArchiveEntry, listEntries } from './archive.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';

export const listArchive: Tool = {
  schema: toolSchema(
    'list_archive',
    'Lists the files of a zip archive of this task with their sizes. Read one of them with the other tools as ARCHIVE.zip!/PATH; an archive within the archive is listed and read alike, as ARCHIVE.zip!/INNER.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the archive, for example attachment-1.zip' },
      part: { type: 'integer', description: 'Which part of a list that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const { entries, more } = await cache.get({
      reader: `archive-2 ${file.name}`,
      source: file.source,
      bytes: () => file.bytes(),
      read: (bytes) => listEntries(file.name, bytes),
    });
    if (entries.length === 0) return `${file.name} holds no files.`;
    const lines = entries.map(lineOf);
    if (more > 0) lines.push(`(and ${more} more, not listed)`);
    return windowText(lines.join('\n'), 'part', integerOf(given, 'part'));
  },
};

function lineOf({ name, sizeBytes }: ArchiveEntry): string {
  return `${name}  ${sizeBytes} bytes`;
}
