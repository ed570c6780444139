// An OpenDocument text (odt) as Markdown: headings, lists, tables, notes where they stand.
import { cellsOfRow } from './document-table.ts';
import type { Parts } from './word-text.ts';
import { childOf, elementsOf, findElements, type XmlElement } from './xml.ts';

export function odtText(parts: Parts): string {
  return blocksOf(childOf(parts('content.xml'), 'body', 'text'))
    .join('\n\n')
    .trim();
}

function blocksOf(element: XmlElement | undefined): string[] {
  return elementsOf(element).flatMap((child): string[] => {
    switch (child.name) {
      case 'h':
        return nonEmpty(inlineText(child), '#'.repeat(levelOf(child.attributes['text:outline-level'])));
      case 'p':
        return nonEmpty(inlineText(child));
      case 'list':
        return [
          findElements(child, 'list-item', 'list-header')
            .map((item) => `- ${blocksOf(item).join(' ')}`)
            .join('\n'),
        ];
      case 'table':
        return [tableText(child)];
      case 'section':
      case 'list-item':
      case 'index-body':
        return blocksOf(child);
      default:
        return [];
    }
  });
}

function levelOf(outline: string | undefined): number {
  return Math.min(6, Math.max(1, Number(outline) || 1));
}

function nonEmpty(text: string, mark = ''): string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [mark === '' ? trimmed : `${mark} ${trimmed}`];
}

function inlineText(element: XmlElement): string {
  return element.children
    .map((child): string => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (child.name === 's') return ' '.repeat(Math.min(100, Number(child.attributes['text:c'] ?? 1) || 1));
      if (child.name === 'tab') return '\t';
      if (child.name === 'line-break') return '\n';
      if (child.name === 'note') return ` [${blocksOf(childOf(child, 'note-body')).join(' ')}]`;
      if (child.name === 'tracked-changes' || child.name === 'annotation') return '';
      return inlineText(child);
    })
    .join('');
}

function tableText(table: XmlElement): string {
  return findElements(table, 'table-row')
    .map((row) => {
      const cells = elementsOf(row)
        .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
        .map((cell) => ({ text: blocksOf(cell).join(' '), span: Number(cell.attributes['table:number-columns-repeated'] ?? 1), vertical: 'none' as const }));
      return `| ${cellsOfRow(cells, []).join(' | ')} |`;
    })
    .join('\n');
}
