// The tool `read_document`: Word files, presentations, OpenDocument texts and HTML files as text.
import { readApart } from './reader-pool.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';

export const readDocument: Tool = {
  schema: toolSchema(
    'read_document',
    'Reads a Word file (docx), a presentation (pptx, with its notes), an OpenDocument text (odt) or an HTML file of this task. A file within a zip archive is named ARCHIVE.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the file, for example attachment-1.docx' },
      part: { type: 'integer', description: 'Which part of a text that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const text = await cache.get({
      reader: `document-1 ${file.name}`,
      source: file.source,
      bytes: () => file.bytes(),
      read: (bytes) => readApart('document', file, bytes),
      onDisk: true,
    });
    return windowText(text, 'part', integerOf(given, 'part'));
  },
};
