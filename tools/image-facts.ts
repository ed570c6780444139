// What the first bytes of a picture say: its kind by content (never by name), its size, and how it is to be turned. Decodes nothing.

export interface ImageFacts {
  readonly kind: 'PNG' | 'JPEG' | 'GIF' | 'BMP' | 'WebP' | 'TIFF' | 'HEIC';
  /** As stored. Absent where only a decoder of that kind could tell. */
  readonly width?: number;
  readonly height?: number;
  /** Exif's number, 1 to 8; 1 is upright. */
  readonly orientation: number;
}

export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (from: number, text: string) => view.toString('latin1', from, from + text.length) === text;
  if (at(0, '\x89PNG\r\n\x1a\n') && view.length >= 24) return { kind: 'PNG', width: view.readUInt32BE(16), height: view.readUInt32BE(20), orientation: 1 };
  if (view.length >= 4 && view.readUInt16BE(0) === 0xffd8) return jpegFacts(view);
  if (at(0, 'GIF8') && view.length >= 10) return { kind: 'GIF', width: view.readUInt16LE(6), height: view.readUInt16LE(8), orientation: 1 };
  if (at(0, 'BM')) return { kind: 'BMP', orientation: 1 };
  if (at(0, 'RIFF') && at(8, 'WEBP')) return { kind: 'WebP', orientation: 1 };
  if (at(0, 'II*\0') || at(0, 'MM\0*')) return { kind: 'TIFF', orientation: 1 };
  if (at(4, 'ftyp') && /^(?:heic|heix|hevc|mif1|msf1|avif)/.test(view.toString('latin1', 8, 12))) return { kind: 'HEIC', orientation: 1 };
  return undefined;
}

/** Walks the segments up to the picture itself. */
function jpegFacts(view: Buffer): ImageFacts {
  let orientation = 1;
  for (let at = 2; at + 9 < view.length && view[at] === 0xff; ) {
    const marker = view[at + 1] as number;
    const size = view.readUInt16BE(at + 2);
    if (marker === 0xe1) orientation = exifOrientation(view.subarray(at + 4, at + 2 + size)) ?? orientation;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { kind: 'JPEG', width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5), orientation };
    at += 2 + size;
  }
  return { kind: 'JPEG', orientation };
}

/** Tag 0x0112 of the first directory (Exif 2.3, 4.6.4). */
function exifOrientation(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || segment.length < 14) return undefined;
  const tiff = segment.subarray(6);
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry++) {
    const from = directory + 2 + 12 * entry;
    if (from + 12 > tiff.length) break;
    if (short(from) === 0x0112) return short(from + 8);
  }
  return undefined;
}
