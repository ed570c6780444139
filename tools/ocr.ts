// Text in pictures by Tesseract 5 (its WebAssembly core and English weights from npm, nothing is fetched). The core without relaxed SIMD is pinned: it does the
// same arithmetic on every processor. Runs in a reader thread; started when first needed and kept.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type { Pixels } from './decode-image.ts';
import { loadPackage, ToolError } from './tool-error.ts';

export const OCR_ENGINE = 'Tesseract 5 LSTM, English, core 7.0.0 without relaxed SIMD';
/** What must be installed to read pictures that no recorded reading covers. */
export const OCR_PACKAGES: readonly string[] = ['tesseract.js-core', '@tesseract.js-data/eng'];

/** What a tool says where a picture cannot be read for want of them. */
export const OCR_MISSING = `Text in pictures cannot be read: the optional packages ${OCR_PACKAGES.join(' and ')} are not installed.`;

/** A line as it was read, with its place in pixels. */
export interface OcrLine {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Core {
  readonly FS: { writeFile(path: string, content: Uint8Array): void };
  readonly TessBaseAPI: new () => {
    Init(path: string, language: string, mode: number): number;
    SetImageFile(exif: number, angle: number, upscale: boolean): number;
    SetVariable(name: string, value: string): void;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
  };
}

let engine: Promise<{ core: Core; api: InstanceType<Core['TessBaseAPI']> }> | undefined;

async function start(): Promise<{ core: Core; api: InstanceType<Core['TessBaseAPI']> }> {
  const require = createRequire(import.meta.url);
  const make = await loadPackage(
    'tesseract.js-core',
    async () => require('tesseract.js-core/tesseract-core-simd-lstm.js') as (options: object) => Promise<Core>,
  );
  const weights = await loadPackage('@tesseract.js-data/eng', async () => require.resolve('@tesseract.js-data/eng/package.json'));
  const core = await make({ TesseractProgress: () => {}, print: () => {}, printErr: () => {} });
  core.FS.writeFile('/eng.traineddata', gunzipSync(readFileSync(weights.replace(/package\.json$/, '4.0.0_best_int/eng.traineddata.gz'))));
  const api = new core.TessBaseAPI();
  if (api.Init('/', 'eng', LSTM_ONLY) !== 0) throw new ToolError('OCR_START', 'the recogniser of text did not start', { remedy: 'install its packages again' });
  return { core, api };
}

const LSTM_ONLY = 1;
/** Page mode: one block of lines. The layout analysis of the other modes parts a line where a bar or a gap stands in it. */
const ONE_BLOCK = '6';

/** @throws ToolError MISSING_PACKAGE */
export async function readLines({ width, height, data }: Pixels): Promise<OcrLine[]> {
  engine ??= start();
  engine.catch(() => {
    engine = undefined;
  });
  const { core, api } = await engine;
  core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), data]));
  if (api.SetImageFile(1, 0, false) !== 0) return [];
  api.SetVariable('tessedit_pageseg_mode', ONE_BLOCK);
  api.Recognize(null);
  return joinedLines(wordsOf(api.GetTSVText(0)));
}

/** Words below this confidence (of 100) are specks. */
const MIN_CONFIDENCE = 30;

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. Level 5 is a word. */
function wordsOf(table: string): OcrLine[] {
  return table.split('\n').flatMap((row) => {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level !== '5' || Number(confidence) < MIN_CONFIDENCE || text.trim() === '') return [];
    return [{ text: text.trim(), left: Number(left), top: Number(top), width: Number(width), height: Number(height) }];
  });
}

/** Words whose middles are at one height are a line; a wide gap within it parts columns (two blanks). */
function joinedLines(words: readonly OcrLine[]): OcrLine[] {
  const rows: OcrLine[][] = [];
  const middle = ({ top, height }: OcrLine) => top + height / 2;
  for (const word of [...words].sort((a, b) => middle(a) - middle(b) || a.left - b.left)) {
    const row = rows.at(-1);
    const last = row?.[0];
    if (row && last && middle(word) - middle(last) < 0.5 * Math.max(...row.map(({ height }) => height))) row.push(word);
    else rows.push([word]);
  }
  return rows.map((row) => {
    row.sort((a, b) => a.left - b.left);
    const height = Math.max(...row.map((word) => word.height));
    let [text, end] = ['', 0];
    for (const word of row) {
      text += text === '' ? word.text : (word.left - end > height ? '  ' : ' ') + word.text;
      end = word.left + word.width;
    }
    const [left, top] = [(row[0] as OcrLine).left, Math.min(...row.map((word) => word.top))];
    return { text, left, top, width: end - left, height };
  });
}
