// The extension that a file's neutral name gets: its own, or what its first bytes say where it has none. Tools choose their reader by it.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

const OFFICE: readonly (readonly [string, string])[] = [
  ['xl/workbook.xml', '.xlsx'],
  ['word/document.xml', '.docx'],
  ['ppt/presentation.xml', '.pptx'],
];

/** Two to five letters or digits after a dot; anything else is a name with a dot in it. */
const EXTENSION = /^\.[A-Za-z0-9]{1,7}$/;

/** @returns such as `.pdf`; `.txt` for text, and the empty text for bytes that nobody knows */
export function extensionOf(file: string): string {
  const own = extname(file).toLowerCase();
  if (EXTENSION.test(own)) return own;
  const bytes = readFileSync(file);
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('%PDF-')) return '.pdf';
  if (head.startsWith('\x89PNG')) return '.png';
  if (head.startsWith('\xff\xd8\xff')) return '.jpg';
  if (head.startsWith('RIFF') && head.endsWith('WAVE')) return '.wav';
  if (head.startsWith('OggS')) return '.ogg';
  if (head.startsWith('ID3') || /^\xff[\xfb\xf3\xf2]/.test(head)) return '.mp3';
  if (head.startsWith('PK\x03\x04')) return OFFICE.find(([entry]) => bytes.includes(entry))?.[1] ?? '.zip';
  return isText(bytes) ? '.txt' : '';
}

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}
