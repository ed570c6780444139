// A report as PDF: pages of prose and tables in a standard font, with fixed dates and plain deflate (pako within pdf-lib), so that bytes follow from content.
import type { AttachedFile } from '../template.ts';
import { grouped } from '../web/page.ts';
import type { SheetTable } from './table.ts';
import { writerPackage } from './writer-package.ts';

export interface ReportPage {
  readonly heading: string;
  readonly paragraphs?: readonly string[];
  readonly tables?: readonly SheetTable[];
  /** Prose in two columns, below the paragraphs. */
  readonly columns?: readonly [left: readonly string[], right: readonly string[]];
  /** A JPEG picture that fills the page, which then has no text at all. */
  readonly scan?: Uint8Array;
}

const A4: [number, number] = [595.28, 841.89];
const MARGIN = 56;
const LINE = 15;
const DATED = new Date('2026-01-05T08:00:00Z');

/** One page each; what does not fit a page is a defect of the template and throws RangeError. */
export async function pdfFile(title: string, pages: readonly ReportPage[]): Promise<AttachedFile> {
  const { PDFDocument, StandardFonts } = await writerPackage('@cantoo/pdf-lib', () => import('@cantoo/pdf-lib'));
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setProducer('Office');
  document.setCreator('Office');
  document.setCreationDate(DATED);
  document.setModificationDate(DATED);
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  for (const [index, { heading, paragraphs = [], tables = [], columns, scan }] of pages.entries()) {
    const page = document.addPage(A4);
    if (scan) {
      const image = await document.embedJpg(scan);
      const { width, height } = image.scaleToFit(A4[0] - 40, A4[1] - 40);
      page.drawImage(image, { x: 20, y: A4[1] - 20 - height, width, height });
      continue;
    }
    let y = A4[1] - MARGIN;
    const write = (text: string, x: number, font = plain, size = 10) => page.drawText(text, { x, y, font, size });
    const down = (lines = 1) => {
      y -= LINE * lines;
      if (y < MARGIN) throw new RangeError(`page ${index + 1} of ${title} is too full`);
    };
    write(heading, MARGIN, bold, 14);
    down(2);
    for (const paragraph of paragraphs) {
      for (const line of wrapped(paragraph, 92)) {
        write(line, MARGIN);
        down();
      }
      down();
    }
    const top = y;
    for (const [side, prose] of (columns ?? []).entries()) {
      y = top;
      for (const paragraph of prose) {
        for (const line of wrapped(paragraph, 42)) {
          write(line, MARGIN + side * 250);
          down();
        }
        down();
      }
    }
    for (const table of tables) {
      write(table.name, MARGIN, bold, 11);
      down(1.4);
      const place = columnPlaces(table);
      table.columns.forEach((column, i) => {
        write(column, place(i), bold, 9);
      });
      down();
      for (const row of table.rows) {
        row.forEach((cell, i) => {
          write(typeof cell === 'number' ? grouped(cell) : cell, place(i), plain, 9);
        });
        down();
      }
      down();
    }
    page.drawText(`${title}, page ${index + 1} of ${pages.length}`, { x: MARGIN, y: 30, font: plain, size: 8 });
  }
  return { extension: 'pdf', bytes: await document.save({ useObjectStreams: false, addDefaultPage: false }) };
}

/** The key column takes what it needs, the others share the rest. */
function columnPlaces({ columns, rows }: SheetTable): (index: number) => number {
  const first = Math.max(...[columns[0] ?? '', ...rows.map(([key]) => String(key))].map((text) => text.length)) * 5.4 + 24;
  const each = (A4[0] - 2 * MARGIN - first) / Math.max(1, columns.length - 1);
  return (index) => MARGIN + (index === 0 ? 0 : first + (index - 1) * each);
}

function wrapped(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
