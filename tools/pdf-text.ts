// Pages of a PDF as lines of text. pdf.js (as unpdf bundles it: 2 MB instead of 100, no native code) gives glyph runs with positions; their order is rebuilt in reading-order.ts.
import { MAX_PIXELS, type Pixels } from './decode-image.ts';
import { OCR_MISSING } from './ocr.ts';
import { linesOf, type Run } from './reading-order.ts';
import { readText } from './readings.ts';
import { Finding, loadPackage } from './tool-error.ts';

export interface PdfPage {
  readonly lines: readonly string[];
  /**
   * Absent for a page with text of its own. Else its pictures were read by OCR as `method` says; without it they could not be, for want of a recogniser
   * (`missing`), or because they are too large or no pictures but drawings.
   */
  readonly scan?: { readonly method?: string; readonly missing?: true };
  /** Beside text, in the order in which they are drawn. */
  readonly pictures?: readonly PdfPicture[];
}

/** In pixels. */
interface PdfPicture {
  readonly width: number;
  readonly height: number;
  /** What OCR read, or why it did not. */
  readonly says: string;
}

const MAX_PAGES = 1_000;
/** A smaller picture is a rule, a bullet or a mark. */
const SMALLEST_SIDE = 32;
/** Pixels of pictures beside text that are read in one document: some seconds. */
const PIXELS_READ = 4_000_000;

/** @throws Finding when the file is encrypted, damaged or no PDF */
export async function readPdfPages(name: string, bytes: Uint8Array): Promise<PdfPage[]> {
  const { getResolvedPDFJS } = await loadPackage('unpdf', () => import('unpdf'));
  const { getDocument, OPS, VerbosityLevel } = await getResolvedPDFJS();
  // The reader takes over the memory that it is given, so it gets a copy.
  const opening = getDocument({
    data: Uint8Array.from(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: MAX_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await opening.promise;
    const pages: PdfPage[] = [];
    const beside: Beside = { pixelsLeft: PIXELS_READ, seen: new Set() };
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const view = page.getViewport({ scale: 1 }).transform;
      const lines = linesOf(items.flatMap((item) => ('str' in item ? runOf(item, view) : [])));
      pages.push(lines.length > 0 ? await withPictures(lines, page, OPS.paintImageXObject, beside) : await readScan(page, OPS.paintImageXObject));
      page.cleanup();
    }
    return pages;
  } catch (thrown) {
    throw new Finding(refusal(name, thrown));
  } finally {
    await opening.destroy();
  }
}

interface PdfImage {
  readonly width: number;
  readonly height: number;
  readonly data?: Uint8Array | Uint8ClampedArray;
}

interface PageWithImages {
  getOperatorList(): Promise<{ readonly fnArray: readonly number[]; readonly argsArray: readonly unknown[] }>;
  readonly objs: { get(name: string, then: (image: unknown) => void): unknown };
  readonly commonObjs: { get(name: string, then: (image: unknown) => void): unknown };
}

/** A page without text: the pictures on it, read by OCR in the order in which they are drawn. */
async function readScan(page: PageWithImages, paintImage: number): Promise<PdfPage> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const lines: string[] = [];
  let method: string | undefined;
  for (const [i, operator] of fnArray.entries()) {
    if (operator !== paintImage) continue;
    const pixels = await pixelsNamed(page, argsArray[i] as ImageArguments);
    if (!pixels) continue;
    const reading = await readText(pixels);
    if (!reading) return { lines: [], scan: { missing: true } };
    lines.push(...reading.lines.map(({ text }) => text));
    method = reading.method;
  }
  // A picture above the size limit is no longer among the operators; what remains tells that something was drawn.
  if (fnArray.length === 0) return { lines };
  return { lines, scan: method === undefined ? {} : { method } };
}

/** Of a whole document: what may still be read, and what several pages share. */
interface Beside {
  pixelsLeft: number;
  readonly seen: Set<string>;
}

type ImageArguments = readonly [name: string, width: number, height: number];

/** A page with text: its pictures are named, and read as long as the document's share lasts. */
async function withPictures(lines: readonly string[], page: PageWithImages, paintImage: number, beside: Beside): Promise<PdfPage> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const pictures: PdfPicture[] = [];
  for (const [i, operator] of fnArray.entries()) {
    if (operator !== paintImage) continue;
    const image = argsArray[i] as ImageArguments;
    const [name, width, height] = image;
    if (Math.min(width, height) < SMALLEST_SIDE || beside.seen.has(name)) continue;
    if (isShared(name)) beside.seen.add(name);
    beside.pixelsLeft -= width * height;
    pictures.push({ width, height, says: beside.pixelsLeft < 0 ? 'not read, since the pictures before it took the time' : await textIn(page, image) });
  }
  return pictures.length === 0 ? { lines } : { lines, pictures };
}

async function textIn(page: PageWithImages, image: ImageArguments): Promise<string> {
  const pixels = await pixelsNamed(page, image);
  if (!pixels) return 'not read';
  const reading = await readText(pixels);
  if (!reading) return `not read: ${OCR_MISSING}`;
  return reading.lines.length === 0 ? 'no text found in it' : `read by ${reading.method}: ${reading.lines.map(({ text }) => text).join(' / ')}`;
}

async function pixelsNamed(page: PageWithImages, [name]: ImageArguments): Promise<Pixels | undefined> {
  const image = await new Promise<PdfImage | null>((resolve) => {
    (isShared(name) ? page.commonObjs : page.objs).get(name, (found) => resolve(found as PdfImage | null));
  });
  return image === null ? undefined : pixelsOf(image);
}

/** What pdf.js names so stands on several pages: a logo, a head. */
function isShared(name: string): boolean {
  return name.startsWith('g_');
}

/** Three or four bytes a pixel, or a bit. */
function pixelsOf({ width, height, data }: PdfImage): Pixels | undefined {
  if (!data) return undefined;
  const rgb = new Uint8Array(width * height * 3);
  const lineBytes = Math.ceil(width / 8);
  if (data.length === width * height * 3) rgb.set(data);
  else if (data.length === width * height * 4)
    for (let i = 0; i < width * height; i++) for (let part = 0; part < 3; part++) rgb[3 * i + part] = data[4 * i + part] as number;
  else if (data.length === lineBytes * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        rgb.fill(((data[y * lineBytes + (x >> 3)] as number) >> (7 - (x & 7))) & 1 ? 255 : 0, 3 * (y * width + x), 3 * (y * width + x + 1));
  else return undefined;
  return { width, height, data: rgb };
}

/**
 * `Page 1 of 4`, then its lines; pages are parted by a blank line. A first line warns of pages that are pictures.
 * @param first number of the first page given @param total pages of the document
 */
export function renderPages(pages: readonly PdfPage[], first: number, total = pages.length): string {
  const numbers = (wanted: (page: PdfPage) => boolean) => pages.flatMap((page, i) => (wanted(page) ? [first + i] : []));
  const read = numbers(({ scan }) => scan?.method !== undefined);
  const missing = numbers(({ scan }) => scan?.missing === true);
  const unreadable = numbers(({ scan }) => scan !== undefined && scan.method === undefined && !scan.missing);
  const method = pages.find(({ scan }) => scan?.method !== undefined)?.scan?.method;
  const warnings = [
    ...(read.length === 0 ? [] : [`[Without text, scanned: ${named(read)}. What stands there was read by ${method}.]`]),
    ...(missing.length === 0 ? [] : [`[Without text, scanned: ${named(missing)}. ${OCR_MISSING}]`]),
    ...(unreadable.length === 0 ? [] : [`[Without text: ${named(unreadable)}. What is drawn there is no text, and no picture that can be read.]`]),
  ];
  const texts = pages.map((page, i) =>
    [`Page ${first + i} of ${total}`, ...(page.lines.length > 0 ? page.lines : [emptyPage(page)]), ...(page.pictures ?? []).map(pictureLine)].join('\n'),
  );
  return [...warnings, texts.join('\n\n')].join('\n');
}

function pictureLine({ width, height, says }: PdfPicture): string {
  return `[Picture, ${width} x ${height} pixels, ${says}]`;
}

function emptyPage({ scan }: PdfPage): string {
  if (scan === undefined) return '(no text on this page)';
  return scan.method === undefined ? '(drawn, not read)' : '(a picture, no text found in it)';
}

/** `page 2`, `pages 2-3, 7` */
function named(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'page' : 'pages'} ${ranges(numbers)}`;
}

function ranges(numbers: readonly number[]): string {
  const spans: [from: number, to: number][] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
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
