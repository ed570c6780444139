// The tool `read_pdf`: the text of a PDF, page by page.

import type { ShelfFile } from './attachment-shelf.ts';
import { type PdfPage, renderPages } from './pdf-text.ts';
import { readApart } from './reader-pool.ts';
import { readingsVersion } from './readings.ts';
import type { TextCache } from './text-cache.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';
import { Finding } from './tool-error.ts';

export const readPdf: Tool = {
  schema: toolSchema(
    'read_pdf',
    'Reads the text of a PDF file of this task, page by page; columns of tables are parted by two blanks; scanned pages are read by OCR. A file within a zip archive is named ARCHIVE.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the file, for example attachment-1.pdf' },
      first_page: { type: 'integer', description: 'First page to read, from 1; the beginning if left out' },
      last_page: { type: 'integer', description: 'Last page to read; the end if left out' },
      part: { type: 'integer', description: 'Which part of a text that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache }) => {
    const pages = await pdfPages(await shelf.open(stringOf(given, 'file')), cache);
    const first = Math.max(1, integerOf(given, 'first_page') ?? 1);
    const last = Math.min(pages.length, integerOf(given, 'last_page') ?? pages.length);
    if (first > last)
      throw new Finding(
        `There are no pages ${first} to ${integerOf(given, 'last_page') ?? 'the end'}: the file has ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}.`,
      );
    return windowText(renderPages(pages.slice(first - 1, last), first, pages.length), 'part', integerOf(given, 'part'));
  },
};

function pdfPages(file: ShelfFile, cache: TextCache): Promise<PdfPage[]> {
  return cache.get({
    reader: `pdf-4 ${readingsVersion()} ${file.name}`,
    source: file.source,
    bytes: () => file.bytes(),
    read: (bytes) => readApart('pdf', file, bytes),
    onDisk: true,
  });
}
