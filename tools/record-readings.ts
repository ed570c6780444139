// Makes recorded-readings.json: reads every picture of the default set with the real recogniser, and measures its error on drawn pages whose text is known.
// Run after any change of bytes in the pictures of open68:  node tools/record-readings.ts
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { seededRandom } from '../base/random.ts';
import { writtenPage } from '../tasks/gaia/templates/document-pictures.ts';
import { buildTaskSet } from '../tasks/task-set.ts';
import { OCR_ENGINE, type OcrLine, readLines } from './ocr.ts';
import { readPdfPages } from './pdf-text.ts';
import { readPicture } from './picture-text.ts';
import { RECORDED_FILE, type RecordedReadings, recordInto } from './readings.ts';

const DRAWN_PAGES = 30;

async function errorPercent(): Promise<{ percent: number; letters: number }> {
  let [wrong, letters] = [0, 0];
  for (let i = 0; i < DRAWN_PAGES; i++) {
    const random = seededRandom('recognition', i);
    const goods = random.shuffle(['Rope', 'Lamp oil', 'Slate', 'Canvas', 'Salt', 'Timber', 'Wool', 'Coal', 'Grain']).slice(0, 4);
    const lines = [
      'Bill of the winter store',
      ...goods.map((name) => `${name}: ${random.integer(11, 98)} crates at ${random.integer(105, 890)} pence`),
      `Adult ${random.integer(105, 490)}`,
    ];
    const { width, height, pixels } = writtenPage(lines);
    const read = await readLines({ width, height, data: pixels });
    const [said, found] = [lines.join('\n'), read.map(({ text }) => text).join('\n')];
    letters += said.length;
    wrong += distance(said, found);
  }
  return { percent: Math.round((10_000 * wrong) / letters) / 100, letters };
}

/** Letters to insert, remove or change (Levenshtein). */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, sign] of [...from].entries()) {
    const row = [i + 1];
    for (let j = 1; j <= to.length; j++)
      row.push(Math.min((row[j - 1] as number) + 1, (above[j] as number) + 1, (above[j - 1] as number) + (to[j - 1] === sign ? 0 : 1)));
    above = row;
  }
  return above[to.length] as number;
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'record-'));
  const readings = new Map<string, readonly OcrLine[]>();
  try {
    await buildTaskSet({ name: 'open68', seed: 1, directory: join(directory, 'set') });
    recordInto(readings);
    for (const path of readdirSync(join(directory, 'set', 'files'), { recursive: true, encoding: 'utf8' }).sort()) {
      const kind = extname(path);
      if (kind === '.pdf') await readPdfPages(path, readFileSync(join(directory, 'set', 'files', path)));
      if (kind === '.png' || kind === '.jpg') await readPicture(path, readFileSync(join(directory, 'set', 'files', path)));
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const { percent, letters } = await errorPercent();
  const recorded: RecordedReadings = {
    engine: OCR_ENGINE,
    recordedOn: systemClock.nowIso().slice(0, 10),
    characterErrorPercent: percent,
    lettersMeasured: letters,
    readings: Object.fromEntries(
      [...readings].map(([key, lines]) => [key, lines.map(({ text, left, top, width, height }) => [text, left, top, width, height] as const)]),
    ),
  };
  writeFileSync(RECORDED_FILE, `${JSON.stringify(recorded, null, 1)}\n`);
  process.stdout.write(`${readings.size} pictures recorded; character error rate ${percent} % of ${letters} letters\n`);
}

await main();
