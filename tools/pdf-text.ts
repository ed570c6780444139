// Pages of a PDF as lines of text. pdf.js (as unpdf bundles it: 2 MB instead of 100, no native code) gives glyph runs with positions; their order is rebuilt in reading-order.ts.
import { linesOf, type Run } from './reading-order.ts';
import { Finding, loadPackage } from './tool-error.ts';

/** A page as its lines; none when it holds no text. */
export type PdfPage = readonly string[];

const MAX_PAGES = 1_000;

/** @throws Finding when the file is encrypted, damaged or no PDF */
export async function readPdfPages(name: string, bytes: Uint8Array): Promise<PdfPage[]> {
  const { getResolvedPDFJS } = await loadPackage('unpdf', () => import('unpdf'));
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  // The reader takes over the memory that it is given, so it gets a copy.
  const opening = getDocument({
    data: Uint8Array.from(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await opening.promise;
    const pages: PdfPage[] = [];
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const view = page.getViewport({ scale: 1 }).transform;
      pages.push(linesOf(items.flatMap((item) => ('str' in item ? runOf(item, view) : []))));
      page.cleanup();
    }
    return pages;
  } catch (thrown) {
    throw new Finding(refusal(name, thrown));
  } finally {
    await opening.destroy();
  }
}

/** `Page 1 of 4`, then its lines; pages are parted by a blank line. @param first number of the first page given @param total pages of the document */
export function renderPages(pages: readonly PdfPage[], first: number, total = pages.length): string {
  return pages.map((lines, i) => [`Page ${first + i} of ${total}`, ...(lines.length === 0 ? ['(no text on this page)'] : lines)].join('\n')).join('\n\n');
}

function refusal(name: string, thrown: unknown): string {
  const kind = thrown instanceof Error ? thrown.name : '';
  if (kind === 'PasswordException') return `${name} is encrypted and needs a password, so it cannot be read.`;
  if (kind === 'InvalidPDFException') return `${name} cannot be read: it is damaged or no PDF.`;
  return `${name} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

interface TextItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

/** Text matrix times page view: from the file's own axes to a page seen upright, y growing downwards. */
function runOf({ str, transform, width }: TextItem, view: readonly number[]): Run[] {
  if (str.trim() === '') return [];
  const [a = 1, b = 0, , , e = 0, f = 0] = transform;
  const [c = 0, d = 0] = transform.slice(2);
  const [va = 1, vb = 0, vc = 0, vd = -1, ve = 0, vf = 0] = view;
  const alongX = va * a + vc * b;
  const alongY = vb * a + vd * b;
  const run = { text: str, x: va * e + vc * f + ve, y: vb * e + vd * f + vf, width, size: Math.hypot(c, d) || Math.hypot(a, b) };
  return [{ ...run, upright: Math.abs(alongY) <= Math.abs(alongX) }];
}
