// A picture before it is a file: a white ground on which rectangles and text are drawn. Letters are fixed bitmaps (glyphs.json) of 44 pixels an em, so a
// capital is 32 pixels high and no machine draws one differently; each was seen to be read right (method in the folder's page).
import { readFileSync } from 'node:fs';

/** Each of 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export const COLORS = {
  black: [20, 20, 20],
  white: [255, 255, 255],
  green: [46, 139, 87],
  red: [205, 45, 45],
  blue: [40, 90, 190],
  orange: [240, 140, 20],
  purple: [128, 50, 160],
  paper: [250, 248, 240],
} as const satisfies Readonly<Record<string, Color>>;

interface Glyphs {
  readonly lineHeight: number;
  /** Advance, left bearing, top, width, and rows of bits as hexadecimal digits, each row padded to whole digits. */
  readonly glyphs: Readonly<Record<string, readonly [advance: number, left: number, top: number, width: number, rows: string]>>;
}

let loaded: Glyphs | undefined;

function glyphs(): Glyphs {
  loaded ??= JSON.parse(readFileSync(new URL('./glyphs.json', import.meta.url), 'utf8')) as Glyphs;
  return loaded;
}

export function textWidth(text: string): number {
  return [...text].reduce((width, sign) => width + (glyphs().glyphs[sign]?.[0] ?? 0), 0);
}

export class Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, ground: Color = COLORS.white) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
    this.rectangle(0, 0, width, height, ground);
  }

  rectangle(left: number, top: number, width: number, height: number, color: Color): void {
    for (let y = top; y < top + height; y++) for (let x = left; x < left + width; x++) this.#set(x, y, color);
  }

  /** @param top of the line, whose height is 52 @throws RangeError on a letter that has no glyph */
  text(text: string, left: number, top: number, color: Color = COLORS.black): void {
    let x = left;
    for (const sign of text) {
      const glyph = glyphs().glyphs[sign];
      if (!glyph) throw new RangeError(`there is no glyph for ${JSON.stringify(sign)}`);
      const [advance, bearing, glyphTop, width, rows] = glyph;
      const digits = Math.ceil(width / 4);
      for (let row = 0; row * digits < rows.length; row++) {
        const bits = rows.slice(row * digits, (row + 1) * digits);
        for (let column = 0; column < width; column++) {
          const digit = Number.parseInt(bits[column >> 2] as string, 16);
          if ((digit >> (3 - (column & 3))) & 1) this.#set(x + bearing + column, top + glyphTop + row, color);
        }
      }
      x += advance;
    }
  }

  /** The same picture stored upside down, as a camera does that leaves the turning to a flag. */
  turnedOver(): Picture {
    const turned = new Picture(this.width, this.height);
    const last = this.width * this.height - 1;
    for (let i = 0; i <= last; i++) for (let part = 0; part < 3; part++) turned.pixels[3 * (last - i) + part] = this.pixels[3 * i + part] as number;
    return turned;
  }

  #set(x: number, y: number, color: Color): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.pixels.set(color, 3 * (y * this.width + x));
  }
}
