// Pictures as PNG (own writer over fflate: no ancillary chunk, no filter) and JPEG (jpeg-js, pure JavaScript), with an orientation flag where one is wanted.
import { zlibSync } from 'fflate';
import type { AttachedFile } from '../template.ts';
import type { Picture } from './picture.ts';
import { writerPackage } from './writer-package.ts';

export function pngBytes({ width, height, pixels }: Picture): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Eight bits, true colour, no interlacing.
  header.set([8, 2, 0, 0, 0], 8);
  const lines = new Uint8Array(height * (1 + width * 3));
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * width * 3, (y + 1) * width * 3), y * (1 + width * 3) + 1);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return joined([signature, chunk('IHDR', header), chunk('IDAT', zlibSync(lines, { level: 6 })), chunk('IEND', new Uint8Array())]);
}

export function pngFile(picture: Picture): AttachedFile {
  return { extension: 'png', bytes: pngBytes(picture) };
}

/** @param orientation as cameras write it: 3 says that what is stored is upside down, and the picture is stored so */
export async function jpegFile(picture: Picture, orientation: 1 | 3 = 1): Promise<AttachedFile> {
  const { encode } = await writerPackage('jpeg-js', async () => (await import('jpeg-js')).default);
  const { width, height, pixels } = orientation === 3 ? picture.turnedOver() : picture;
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++) rgba.set(pixels.subarray(3 * i, 3 * i + 3), 4 * i);
  const plain = Uint8Array.from(encode({ width, height, data: rgba }, 90).data);
  return { extension: 'jpg', bytes: orientation === 1 ? plain : joined([plain.subarray(0, 2), orientationSegment(orientation), plain.subarray(2)]) };
}

/** Exif with one entry, big-endian: tag 0x0112, type short, count 1. */
function orientationSegment(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const body = [...new TextEncoder().encode('Exif'), 0, 0, ...tiff];
  return Uint8Array.from([0xff, 0xe1, 0, body.length + 2, ...body]);
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, checksum(bytes.subarray(4, content.length + 8)));
  return bytes;
}

/** CRC-32, as the PNG specification has it (annex D). */
function checksum(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
