// An Excel workbook of several sheets, plain tables without styles; also as an xls file of the old binary kind. SheetJS writes the parts uncompressed; fflate packs them anew with fixed times, so that the same sheets give the
// same bytes on every machine (zlib of Node differs between builds).
import { unzipSync } from 'fflate';
import type { AttachedFile } from '../template.ts';
import { zipOf } from './archive.ts';
import type { SheetTable } from './table.ts';
import { writerPackage } from './writer-package.ts';

export async function workbookFile(sheets: readonly SheetTable[], title: string, kind: 'xlsx' | 'xls' = 'xlsx'): Promise<AttachedFile> {
  const { utils, write } = await writerPackage('@e965/xlsx', () => import('@e965/xlsx'));
  const book = utils.book_new();
  for (const { name, columns, rows } of sheets) {
    const sheet = utils.aoa_to_sheet([[...columns], ...rows.map((row) => [...row])]);
    sheet['!cols'] = columns.map((_, i) => ({ wch: i === 0 ? 28 : 16 }));
    utils.book_append_sheet(book, sheet, name);
  }
  book.Props = { Title: title, Author: 'Office', CreatedDate: new Date('2026-01-05T08:00:00Z') };
  if (kind === 'xls') return { extension: 'xls', bytes: new Uint8Array(write(book, { type: 'array', bookType: 'biff8' }) as ArrayBuffer) };
  const parts = unzipSync(new Uint8Array(write(book, { type: 'array', bookType: 'xlsx', compression: false }) as ArrayBuffer));
  return { extension: 'xlsx', bytes: zipOf(parts) };
}
