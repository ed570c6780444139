// Pictures as pixels, upright: PNG by an own reader, JPEG by jpeg-js (pure JavaScript). Sizes are held against a limit before anything is unpacked.
import { inflateSync } from 'node:zlib';
import { messageOf } from '../base/error.ts';
import { type ImageFacts, imageFacts } from './image-facts.ts';
import { Finding, loadPackage } from './tool-error.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly data: Uint8Array;
}

export const MAX_PIXELS = 40_000_000;

/** @throws Finding when it is no picture, of a kind that is not read, too large or damaged */
export async function decodeImage(name: string, bytes: Uint8Array): Promise<{ readonly facts: ImageFacts; readonly pixels: Pixels }> {
  const facts = imageFacts(bytes);
  if (!facts) throw new Finding(`${name} is no picture that can be read.`);
  const { kind, width, height } = facts;
  if (width !== undefined && height !== undefined && width * height > MAX_PIXELS)
    throw new Finding(`${name} has ${width} x ${height} pixels; pictures above ${MAX_PIXELS / 1e6} megapixels are not read.`);
  if (kind === 'PNG') return { facts, pixels: decodePng(name, Buffer.from(bytes)) };
  if (kind === 'JPEG') return { facts, pixels: turned(await decodeJpeg(name, bytes), facts.orientation) };
  throw new Finding(`${name} is a ${kind} picture, which is not read. PNG and JPEG are.`);
}

async function decodeJpeg(name: string, bytes: Uint8Array): Promise<Pixels> {
  const { decode } = await loadPackage('jpeg-js', async () => (await import('jpeg-js')).default);
  try {
    const { width, height, data } = decode(bytes, { useTArray: true, formatAsRGBA: false, maxResolutionInMP: MAX_PIXELS / 1e6, maxMemoryUsageInMB: 700 });
    return { width, height, data };
  } catch (cause) {
    throw new Finding(`${name} is a damaged JPEG picture: ${messageOf(cause)}.`);
  }
}

/** Orientations as Exif numbers them: which stored pixel stands at x, y of the upright picture. */
function turned({ width, height, data }: Pixels, orientation: number): Pixels {
  if (orientation < 2 || orientation > 8) return { width, height, data };
  const [wide, high] = orientation >= 5 ? [height, width] : [width, height];
  const upright = new Uint8Array(data.length);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const [column, row] = storedAt(orientation, x, y, width, height);
      const from = 3 * (row * width + column);
      upright.set(data.subarray(from, from + 3), 3 * (y * wide + x));
    }
  }
  return { width: wide, height: high, data: upright };
}

function storedAt(orientation: number, x: number, y: number, width: number, height: number): [column: number, row: number] {
  const [right, bottom] = [width - 1, height - 1];
  switch (orientation) {
    case 2:
      return [right - x, y];
    case 3:
      return [right - x, bottom - y];
    case 4:
      return [x, bottom - y];
    case 5:
      return [y, x];
    case 6:
      return [y, bottom - x];
    case 7:
      return [right - y, bottom - x];
    default:
      return [right - y, x];
  }
}

/** Samples a pixel by colour type (PNG specification, 11.2.2). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function decodePng(name: string, bytes: Buffer): Pixels {
  const damaged = (why: string) => new Finding(`${name} is a damaged PNG picture: ${why}.`);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, colorType = 0, , , interlaced = 0] = bytes.subarray(24, 29);
  const samples = SAMPLES[colorType];
  if (samples === undefined || ![1, 2, 4, 8, 16].includes(depth) || width === 0 || height === 0) throw damaged('its header makes no sense');
  if (interlaced !== 0) throw new Finding(`${name} is an interlaced PNG picture, which is not read.`);
  const data: Buffer[] = [];
  let palette: Buffer = Buffer.alloc(0);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + size);
    if (type === 'IDAT') data.push(content);
    if (type === 'PLTE') palette = content;
    at += 12 + size;
  }
  const step = Math.max(1, (samples * depth) >> 3);
  const lineBytes = Math.ceil((width * samples * depth) / 8);
  let lines: Buffer;
  try {
    lines = inflateSync(Buffer.concat(data), { maxOutputLength: height * (lineBytes + 1) });
  } catch (cause) {
    throw damaged(messageOf(cause));
  }
  if (lines.length < height * (lineBytes + 1)) throw damaged('it ends too early');
  unfilter(lines, height, lineBytes, step);
  return { width, height, data: colorsOf(lines, { width, height, depth, colorType, samples, lineBytes, palette }) };
}

interface PngLayout {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly samples: number;
  readonly lineBytes: number;
  readonly palette: Buffer;
}

/** Samples to colours, on a white ground where they are transparent. */
function colorsOf(lines: Buffer, { width, height, depth, colorType, samples, lineBytes, palette }: PngLayout): Uint8Array {
  const out = new Uint8Array(width * height * 3);
  const sample = (line: number, index: number): number => {
    if (depth === 8) return lines[line + index] as number;
    if (depth === 16) return lines[line + 2 * index] as number;
    const value = ((lines[line + ((index * depth) >> 3)] as number) >> (8 - depth - ((index * depth) & 7))) & ((1 << depth) - 1);
    return colorType === 3 ? value : Math.round((value * 255) / ((1 << depth) - 1));
  };
  const hasAlpha = samples === 2 || samples === 4;
  for (let y = 0; y < height; y++) {
    const line = y * (lineBytes + 1) + 1;
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x);
      const from = x * samples;
      const alpha = hasAlpha ? sample(line, from + samples - 1) : 255;
      const entry = colorType === 3 ? 3 * sample(line, from) : 0;
      for (let i = 0; i < 3; i++) {
        const value = colorType === 3 ? (palette[entry + i] ?? 0) : sample(line, samples < 3 ? from : from + i);
        out[at + i] = alpha === 255 ? value : Math.round(value * (alpha / 255) + 255 - alpha);
      }
    }
  }
  return out;
}

/** In place (PNG specification, 9.2). */
function unfilter(lines: Buffer, height: number, lineBytes: number, step: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (lineBytes + 1);
    const filter = lines[start];
    for (let x = 0; x < lineBytes; x++) {
      const at = start + 1 + x;
      const left = x >= step ? (lines[at - step] as number) : 0;
      const up = y > 0 ? (lines[at - lineBytes - 1] as number) : 0;
      const corner = x >= step && y > 0 ? (lines[at - lineBytes - 1 - step] as number) : 0;
      const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : filter === 4 ? paeth(left, up, corner) : 0;
      lines[at] = (lines[at] as number) + guess;
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
