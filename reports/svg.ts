// The few words of SVG that our pictures are written in. Not a drawing library.

export function svgText(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${at(x)}" y="${at(y)}" ${attributes}>${escapeXml(words)}</text>`;
}

/** A tenth of a pixel: more would print the order of a sum. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function escapeXml(words: string): string {
  return words
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
