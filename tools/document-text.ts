// Word files, presentations, OpenDocument texts and HTML files as one text each. What a file is follows from its content, not from its name.
import { readParts } from './archive.ts';
import { declaredInHtml, decodeText } from './decode-text.ts';
import { mainTextOf } from './main-text.ts';
import { odtText } from './odt-text.ts';
import { isEncryptedOffice } from './office-encryption.ts';
import { slideTexts } from './slides-text.ts';
import { Finding } from './tool-error.ts';
import { type Parts, wordText } from './word-text.ts';
import { parseXml } from './xml.ts';

const MAX_PARTS_BYTES = 50_000_000;

/** @throws Finding when the file is encrypted, damaged, too large or of another kind */
export async function readDocumentText(name: string, extension: string, bytes: Uint8Array): Promise<string> {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (head.startsWith('PK')) return officeText(name, bytes);
  if (head.startsWith('\xd0\xcf\x11\xe0')) throw new Finding(oldOffice(name, bytes));
  if (head.startsWith('%PDF')) throw new Finding(`${name} is a PDF: use read_pdf.`);
  const { text, isText } = decodeText(bytes, declaredInHtml(bytes));
  if (isText && (/^html?$|^xhtml$/.test(extension) || /<(?:!doctype html|html|body)\b/i.test(text.slice(0, 2_000)))) return htmlText(text);
  throw new Finding(`${name} is no Word file, presentation, OpenDocument text or HTML file.${isText ? ' It is text: use read_text.' : ''}`);
}

async function officeText(name: string, bytes: Uint8Array): Promise<string> {
  const files = await readParts(name, bytes, (path) => /\.(?:xml|rels)$|^mimetype$/.test(path) && !/theme|slideLayout|slideMaster/.test(path), MAX_PARTS_BYTES);
  const parts: Parts = (path) => {
    const content = files.get(path);
    return content && parseXml(decodeText(content).text, `${name} (${path})`);
  };
  if (files.has('word/document.xml')) return `Document: ${name}\n\n${wordText(parts)}`;
  if (files.has('ppt/presentation.xml')) {
    const slides = slideTexts(parts);
    return [`Presentation: ${name}, ${slides.length} ${slides.length === 1 ? 'slide' : 'slides'}`, ...slides].join('\n\n');
  }
  if (files.has('content.xml') && decodeText(files.get('mimetype') ?? new Uint8Array()).text.includes('text')) return `Document: ${name}\n\n${odtText(parts)}`;
  if (files.has('xl/workbook.xml') || files.has('content.xml')) throw new Finding(`${name} is a workbook: use read_spreadsheet.`);
  throw new Finding(`${name} is a zip archive and no document: use list_archive.`);
}

/** Word files of before 2007, and encrypted ones of any year, are compound files. */
function oldOffice(name: string, bytes: Uint8Array): string {
  if (isEncryptedOffice(bytes)) return `${name} is encrypted and needs a password, so it cannot be read.`;
  return `${name} is an Office file of the old binary kind (doc, ppt), which cannot be read.`;
}

async function htmlText(html: string): Promise<string> {
  const { title, text } = await mainTextOf(html, 'file:///');
  return title === '' ? text : `Title: ${title}\n\n${text}`;
}
