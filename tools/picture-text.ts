// A picture in words: kind, size, colours, the text that OCR finds, each line with the coloured areas beside it (a chart's bar, a legend's mark).
import { type ColorArea, colorFacts } from './color-areas.ts';
import { decodeImage, type Pixels } from './decode-image.ts';
import { OCR_MISSING } from './ocr.ts';
import { readText } from './readings.ts';

const TURNS: Readonly<Record<number, string>> = {
  2: 'mirrored',
  3: 'upside down',
  4: 'mirrored upside down',
  5: 'mirrored on its side',
  6: 'on its side',
  7: 'mirrored on its side',
  8: 'on its side',
};

/** @throws Finding when it is no picture, of a kind that is not read, too large or damaged */
export async function readPicture(name: string, bytes: Uint8Array): Promise<string> {
  const { facts, pixels } = await decodeImage(name, bytes);
  const { shares, areas } = colorFacts(pixels);
  const reading = await readText(withoutSolids(pixels, areas));
  const stored = TURNS[facts.orientation];
  const lines = [
    `Image: ${name}, ${facts.kind}, ${pixels.width} x ${pixels.height} pixels`,
    ...(stored === undefined ? [] : [`It is stored ${stored}, as its orientation flag says; seen upright here.`]),
    `Colours: ${shares.map(([color, percent]) => `${color} ${percent} %`).join(', ')}`,
  ];
  const solids = areas.filter(({ solid }) => solid);
  const unused = new Set(solids);
  if (reading) {
    lines.push(`Text (${reading.method}):`);
    for (const { text, top, height } of reading.lines) {
      const beside = solids.filter((area) => area.top < top + height && top < area.top + area.height);
      for (const area of beside) unused.delete(area);
      lines.push(beside.length === 0 ? text : `${text}  [beside it: ${beside.map(described).join('; ')}]`);
    }
    if (reading.lines.length === 0) lines.push('(none found)');
  } else lines.push(OCR_MISSING);
  if (unused.size > 0) lines.push('Areas of one colour:', ...[...unused].map((area) => `${described(area)} at ${area.left}, ${area.top}`));
  return lines.join('\n');
}

function described({ color, width, height }: ColorArea): string {
  return `${color} ${width} x ${height}`;
}

/** A solid bar is no letter, and would be taken for one. */
export function withoutSolids(pixels: Pixels, areas: readonly ColorArea[]): Pixels {
  const data = Uint8Array.from(pixels.data);
  const { width, height } = pixels;
  for (const area of areas.filter(({ solid }) => solid)) {
    for (let y = Math.max(0, area.top - MARGIN); y < Math.min(height, area.top + area.height + MARGIN); y++)
      data.fill(255, 3 * (y * width + Math.max(0, area.left - MARGIN)), 3 * (y * width + Math.min(width, area.left + area.width + MARGIN)));
  }
  return { width, height, data };
}

/** Pixels around an area: edges are between two points of the grid, and JPEG blurs them. */
const MARGIN = 6;
