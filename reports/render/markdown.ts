// A report as Markdown: GitHub's tables, every word of foreign text kept and escaped. Pure: same report, same bytes.
import type { Picture } from '../pictures.ts';
import type { Report, Table } from '../report.ts';
import { inPieces } from './in-pieces.ts';
import { layOutTable } from './lay-out-table.ts';

export interface MarkdownOptions {
  /** Linked under the table of the same id. */
  readonly pictures?: Readonly<Record<string, readonly Pick<Picture, 'title' | 'path'>[]>>;
  /** The same report as a page for a browser, relative to the Markdown file. */
  readonly page?: string;
}

export function renderMarkdown(report: Report, options: MarkdownOptions = {}): string {
  return [...markdownPieces(report, options)].join('');
}

/** What `renderMarkdown` gives, in pieces. */
export function* markdownPieces(report: Report, { pictures = {}, page }: MarkdownOptions = {}): Generator<string> {
  yield '# Report\n';
  if (page !== undefined) yield `\nAs a page for a browser, names and heads always in view: [${page}](${page})\n`;
  for (const sentence of report.headline) yield `\n${escapeText(sentence)}\n`;
  for (const table of Object.values(report.tables)) {
    yield `\n## ${escapeText(table.title)}\n\n${escapeText(table.caption)}\n`;
    if (table.rows.length > 0) yield* grid(table);
    if (table.notes.length > 0) yield `\n${table.notes.map((note) => `- ${escapeText(note)}\n`).join('')}`;
    for (const { title, path } of pictures[table.id] ?? []) yield `\n![${escapeText(title)}](${path})\n`;
  }
}

function* grid(table: Table): Generator<string> {
  const { columns, cellsOf } = layOutTable(table);
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |\n`;
  yield `\n${line(columns.map(({ title }) => escapeText(title)))}${line(columns.map(({ align }) => (align === 'right' ? '---:' : '---')))}`;
  for (const rows of inPieces(table.rows)) {
    yield rows.map((row) => line(cellsOf(row).map(({ text, claim }) => `${escapeText(text)}${claim ? ' *claim*' : ''}`))).join('');
  }
}

/** Foreign text in a table cell or a paragraph: every sign that Markdown or HTML would read is escaped, a line break becomes a `<br>`. */
export function escapeText(text: string): string {
  // Most cells hold no such sign, and a list has a million of them.
  if (!/[&<>\\`*_|~\]\r\n]|^[#+-]/.test(text)) return text;
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replace(/[\\`*_|~]/g, '\\$&')
      // A bracket alone is only a bracket, so `[49.9, 72.4]` stays readable in the raw text; with a target behind it, it would be a link.
      .replace(/\](?=[([:])/g, '\\]')
      .replace(/^[#+-]/, '\\$&')
      .replace(/\r\n|\r|\n/g, '<br>')
  );
}
