// The readers that parse files nobody has vouched for, by name. They run in a thread of their own (reader-worker.ts), so this imports each when first asked.
import type { HeardFile } from './audio-text.ts';
import type { MainText } from './main-text.ts';
import type { PdfPage } from './pdf-text.ts';
import type { Sheet } from './workbook.ts';

export interface Readings {
  readonly audio: HeardFile;
  readonly document: string;
  /** Of the web: `name` is its address, `extension` its content type. */
  readonly page: MainText;
  readonly pdf: PdfPage[];
  readonly picture: string;
  readonly workbook: Sheet[];
}
export type ReaderName = keyof Readings;

export interface ReadRequest {
  readonly reader: ReaderName;
  readonly name: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

export async function readWith({ reader, name, extension, bytes }: ReadRequest): Promise<Readings[ReaderName]> {
  switch (reader) {
    case 'audio':
      return (await import('./audio-text.ts')).readAudio(name, bytes);
    case 'document':
      return (await import('./document-text.ts')).readDocumentText(name, extension, bytes);
    case 'page':
      return (await import('./page-text.ts')).pageText(name, extension, bytes);
    case 'pdf':
      return (await import('./pdf-text.ts')).readPdfPages(name, bytes);
    case 'picture':
      return (await import('./picture-text.ts')).readPicture(name, bytes);
    case 'workbook':
      return (await import('./workbook.ts')).readWorkbook(name, extension, bytes);
    default:
      return reader satisfies never;
  }
}
