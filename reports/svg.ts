// The few words of SVG that our pictures are written in, and their frame. Not a drawing library.
import { escapeHtml } from '../base/escape-html.ts';

/** Every colour of a picture, and what stands for it where the reader's system is dark: the picture brings its own ground either way. */
const IN_THE_DARK: Readonly<Record<string, string>> = {
  '#ffffff': '#161615',
  '#1a1a1a': '#ececea',
  '#4a4a4a': '#b8b8b2',
  '#d9d9d9': '#3c3c3a',
  '#0b5fa5': '#6db3f2',
  '#7a3fa0': '#c99be8',
  '#6b6b6b': '#a3a39c',
  '#8a4b08': '#e0a062',
  '#b0762b': '#d9a75f',
};

/** @param title above the drawing, and for those who hear it. @param inTheDark colours of this picture beyond the common ones */
export function svgDocument(width: number, height: number, title: string, body: readonly string[], inTheDark: Readonly<Record<string, string>> = {}): string {
  const dark = Object.entries({ ...IN_THE_DARK, ...inTheDark }).flatMap(([light, other]) =>
    ['fill', 'stroke'].map((name) => `[${name}="${light}"]{${name}:${other}}`),
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>@media(prefers-color-scheme:dark){${dark.join('')}}</style>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    svgText(16, 24, title, 'font-size="14" font-weight="bold" fill="#1a1a1a"'),
    ...body,
    '</svg>',
  ].join('\n')}\n`;
}

export function svgText(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${at(x)}" y="${at(y)}" ${attributes}>${escapeXml(words)}</text>`;
}

/** A tenth of a pixel: more would print the order of a sum. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** XML has no place for control characters, escaped or not. */
function escapeXml(words: string): string {
  return escapeHtml(words.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd'));
}
