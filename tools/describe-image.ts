// The tool `describe_image`: size, colours and text of a picture by OCR, or, where a vision model is set, what that says of it.
import type { ShelfFile } from './attachment-shelf.ts';
import { type ImageFacts, imageFacts } from './image-facts.ts';
import { readApart } from './reader-pool.ts';
import { readingsVersion } from './readings.ts';
import type { TextCache } from './text-cache.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';
import { Finding } from './tool-error.ts';
import type { VisionModel } from './vision-model.ts';

export const describeImage: Tool = {
  schema: toolSchema(
    'describe_image',
    'Describes a picture (png, jpg) of this task: its size, its colours, the text in it as read by OCR, and the coloured areas beside each line of text. A file within a zip archive is named ARCHIVE.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the file, for example attachment-1.png' },
      part: { type: 'integer', description: 'Which part of a text that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache, vision }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const part = integerOf(given, 'part');
    if (vision) return windowText(await seen(file, vision, cache), 'part', part);
    const text = await cache.get({
      reader: `picture-1 ${readingsVersion()} ${file.name}`,
      source: file.source,
      bytes: () => file.bytes(),
      read: (bytes) => readApart('picture', file, bytes),
      onDisk: true,
    });
    return windowText(text, 'part', part);
  },
};

/** Kinds that servers take. */
const MEDIA_TYPES: Readonly<Partial<Record<ImageFacts['kind'], string>>> = { PNG: 'image/png', JPEG: 'image/jpeg', GIF: 'image/gif', WebP: 'image/webp' };
/** What OpenAI's servers take of one picture. */
const MOST_BYTES = 20_000_000;

function seen(file: ShelfFile, vision: VisionModel, cache: TextCache): Promise<string> {
  return cache.get({
    reader: `vision-1 ${vision.key} ${file.name}`,
    source: file.source,
    bytes: () => file.bytes(),
    read: async (bytes) => {
      const facts = imageFacts(bytes);
      if (!facts) throw new Finding(`${file.name} is no picture that can be read.`);
      const mediaType = MEDIA_TYPES[facts.kind];
      if (mediaType === undefined) throw new Finding(`${file.name} is a ${facts.kind} picture, which is not read. ${Object.keys(MEDIA_TYPES).join(', ')} are.`);
      if (bytes.length > MOST_BYTES) throw new Finding(`${file.name} has ${bytes.length} bytes; pictures above ${MOST_BYTES / 1e6} MB are not read.`);
      const size = facts.width === undefined ? '' : `, ${facts.width} x ${facts.height} pixels`;
      return `Image: ${file.name}, ${facts.kind}${size}\nDescribed by ${vision.name}:\n${await vision.describe(mediaType, bytes)}`;
    },
    onDisk: true,
    always: true,
  });
}
