// Readings of text in pictures: those that were recorded for the default set, by content, else the recogniser's own. A recorded one was made by a real run
// of the same recogniser (record-readings.ts) and is used wherever it fits, so that every machine reads the same and needs no recogniser.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Pixels } from './decode-image.ts';
import { OCR_ENGINE, type OcrLine, readLines } from './ocr.ts';
import { ToolError } from './tool-error.ts';

export interface Reading {
  readonly lines: readonly OcrLine[];
  /** How it came about, for whoever reads the answer. */
  readonly method: string;
}

type PackedLine = readonly [text: string, left: number, top: number, width: number, height: number];

export interface RecordedReadings {
  readonly engine: string;
  /** `YYYY-MM-DD` */
  readonly recordedOn: string;
  /** Share of letters read wrongly, over drawn pages whose text is known. */
  readonly characterErrorPercent: number;
  readonly lettersMeasured: number;
  readonly readings: Readonly<Record<string, readonly PackedLine[]>>;
}

export const RECORDED_FILE = new URL('./recorded-readings.json', import.meta.url);
let recorded: RecordedReadings | undefined;

function recordedReadings(): RecordedReadings | undefined {
  if (!recorded && existsSync(RECORDED_FILE)) recorded = JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as RecordedReadings;
  return recorded;
}

/** Changes with what was recorded: part of the key under which texts with readings in them are cached. */
export function readingsVersion(): string {
  version ??= existsSync(RECORDED_FILE) ? createHash('sha256').update(readFileSync(RECORDED_FILE)).digest('hex').slice(0, 8) : 'none';
  return version;
}
let version: string | undefined;

let recording: Map<string, readonly OcrLine[]> | undefined;

/** From now on every picture is read by the recogniser itself, and kept in `readings` too. */
export function recordInto(readings: Map<string, readonly OcrLine[]>): void {
  recording = readings;
}

/** What a reading is kept under: the pixels that the recogniser sees. */
function readingKey({ width, height, data }: Pixels): string {
  return createHash('sha256').update(`${width}x${height}\n`).update(data).digest('hex').slice(0, 32);
}

/** @returns `undefined` when nothing was recorded and the recogniser is not installed */
export async function readText(pixels: Pixels): Promise<Reading | undefined> {
  if (recording) {
    const lines = await readLines(pixels);
    recording.set(readingKey(pixels), lines);
    return { lines, method: 'OCR' };
  }
  const kept = recordedReadings();
  const lines = kept?.readings[readingKey(pixels)];
  if (kept && lines) {
    return {
      lines: lines.map(([text, left, top, width, height]) => ({ text, left, top, width, height })),
      method: `OCR: ${kept.engine}; recorded ${kept.recordedOn}, character error rate ${kept.characterErrorPercent} %`,
    };
  }
  try {
    return { lines: await readLines(pixels), method: `OCR: ${OCR_ENGINE}; read now` };
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.code === 'MISSING_PACKAGE') return undefined;
    throw thrown;
  }
}
