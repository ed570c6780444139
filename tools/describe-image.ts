// The tool `describe_image`: size, colours and text of a picture.
import { readApart } from './reader-pool.ts';
import { readingsVersion } from './readings.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';

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
  run: async (given, { shelf, cache }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const text = await cache.get({
      reader: `picture-1 ${readingsVersion()} ${file.name}`,
      source: file.source,
      bytes: () => file.bytes(),
      read: (bytes) => readApart('picture', file, bytes),
      onDisk: true,
    });
    return windowText(text, 'part', integerOf(given, 'part'));
  },
};
