// A report as Markdown: GitHub's tables, every word of foreign text kept and escaped. Pure: same report, same bytes.
import type { Report, Table } from '../report.ts';
import { layOutTable } from './lay-out-table.ts';

export interface Picture {
  readonly title: string;
  /** Relative to the Markdown file. */
  readonly path: string;
}

export interface MarkdownOptions {
  /** Linked under the table of the same id. */
  readonly pictures?: Readonly<Record<string, readonly Picture[]>>;
}

export function renderMarkdown(report: Report, options: MarkdownOptions = {}): string {
  const parts = [['# Report'], ...report.headline.map((sentence) => [escapeText(sentence)])];
  for (const table of Object.values(report.tables)) {
    parts.push(...tableParts(table));
    for (const { title, path } of options.pictures?.[table.id] ?? []) parts.push([`![${escapeText(title)}](${path})`]);
  }
  // Joined once: a list may have as many lines as the run has trials.
  return parts
    .filter(([first]) => first !== undefined && first !== '')
    .flatMap((lines, index) => [...(index === 0 ? [] : ['']), ...lines])
    .concat('')
    .join('\n');
}

/** Each part is its lines. */
function tableParts(table: Table): string[][] {
  return [
    [`## ${escapeText(table.title)}`],
    [escapeText(table.caption)],
    table.rows.length > 0 ? grid(table) : [],
    table.notes.map((note) => `- ${escapeText(note)}`),
  ];
}

function grid(table: Table): string[] {
  const { columns, cellsOf } = layOutTable(table);
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  return [
    line(columns.map((column) => escapeText(column.title))),
    line(columns.map((column) => (column.align === 'right' ? '---:' : '---'))),
    ...table.rows.map((row) => line(cellsOf(row).map((cell) => `${escapeText(cell.text)}${cell.claim ? ' *claim*' : ''}`))),
  ];
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
