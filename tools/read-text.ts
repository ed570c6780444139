// The tool `read_text`: plain text, CSV, JSON and code as they stand, whatever their encoding.
import { type Decoded, decodeText, guessRemark } from './decode-text.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';
import { Finding } from './tool-error.ts';

export const readText: Tool = {
  schema: toolSchema(
    'read_text',
    'Reads a text file (txt, csv, json, xml, md, code) of this task. A file within a zip archive is named ARCHIVE.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the file, for example attachment-1.csv' },
      start_line: { type: 'integer', description: 'First line to read, from 1; the beginning if left out' },
      end_line: { type: 'integer', description: 'Last line to read; the end if left out' },
      part: { type: 'integer', description: 'Which part of a text that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const { text, guessed } = await cache.get({
      reader: `text-2 ${file.name}`,
      source: file.source,
      bytes: () => file.bytes(),
      read: (bytes) => textOf(file.name, bytes),
    });
    const lines = linesOf(text, integerOf(given, 'start_line'), integerOf(given, 'end_line'));
    return windowText(guessed === undefined ? lines : `${guessRemark(guessed)}\n${lines}`, 'part', integerOf(given, 'part'));
  },
};

function textOf(name: string, bytes: Uint8Array): Pick<Decoded, 'text' | 'guessed'> {
  if (bytes.length === 0) throw new Finding(`${name} is empty.`);
  const { isText, text, guessed } = decodeText(bytes);
  if (isText) return { text, ...(guessed === undefined ? {} : { guessed }) };
  throw new Finding(`${name} is not a text file.${toolFor(bytes)}`);
}

function toolFor(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 5)).toString('latin1');
  if (head === '%PDF-') return ' It is a PDF: use read_pdf.';
  if (head.startsWith('PK')) return ' It is a workbook, a document or a zip archive: use read_spreadsheet, read_document or list_archive.';
  return '';
}

function linesOf(text: string, start: number | undefined, end: number | undefined): string {
  if (start === undefined && end === undefined) return text;
  const lines = text.replace(/\n$/, '').split('\n');
  const first = Math.max(1, start ?? 1);
  const last = Math.min(lines.length, end ?? lines.length);
  if (first > last) throw new Finding(`There are no lines ${first} to ${end ?? 'the end'}: the file has ${lines.length} lines.`);
  return lines.slice(first - 1, last).join('\n');
}
