// A Word file (docx) as Markdown: marks, lists, tables, footnotes and comments, as its readers see it: what was deleted with changes tracked is left out.
import { cellsOfRow, type Merge } from './document-table.ts';
import { childOf, elementsOf, findElements, type XmlElement } from './xml.ts';

/** A part of the file by its path, `undefined` when there is none. */
export type Parts = (path: string) => XmlElement | undefined;

export function wordText(parts: Parts): string {
  const marks = marksOfStyles(parts('word/styles.xml'));
  const body = childOf(parts('word/document.xml'), 'body');
  const sections = [blocksOf(body, marks).join('\n\n')];
  for (const [kind, path] of [
    ['Footnote', 'word/footnotes.xml'],
    ['Endnote', 'word/endnotes.xml'],
    ['Comment', 'word/comments.xml'],
  ] as const) {
    for (const note of findElements(parts(path), kind.toLowerCase())) {
      const text = blocksOf(note, marks).join(' ');
      // The separators that Word keeps among the notes have a type and no text.
      if (text !== '' && note.attributes['w:type'] === undefined) sections.push(`[${kind} ${note.attributes['w:id'] ?? ''}] ${text}`);
    }
  }
  return sections.join('\n\n').trim();
}

/** What stands before a paragraph, by the id of its style: `#` of a heading, `-` of a list. Ids differ by language, names do not. */
function marksOfStyles(styles: XmlElement | undefined): Marks {
  const marks = new Map<string, string>();
  for (const style of elementsOf(styles, 'style')) {
    const name = childOf(style, 'name')?.attributes['w:val']?.toLowerCase() ?? '';
    const level = name === 'title' ? 1 : Number(/^heading (\d)$/.exec(name)?.[1] ?? 0);
    const mark = level > 0 ? '#'.repeat(level) : childOf(style, 'pPr', 'numPr') ? '-' : '';
    if (mark !== '') marks.set(style.attributes['w:styleId'] ?? '', mark);
  }
  return marks;
}

type Marks = ReadonlyMap<string, string>;

function blocksOf(element: XmlElement | undefined, marks: Marks): string[] {
  const blocks: string[] = [];
  let list: string[] = [];
  const closeList = () => {
    if (list.length > 0) blocks.push(list.join('\n'));
    list = [];
  };
  for (const child of elementsOf(element)) {
    if (child.name === 'p') {
      const text = inlineText(child).trim();
      const properties = childOf(child, 'pPr');
      const mark = childOf(properties, 'numPr') ? '-' : (marks.get(childOf(properties, 'pStyle')?.attributes['w:val'] ?? '') ?? '');
      if (text !== '' && mark === '-') list.push(`- ${text}`);
      else {
        closeList();
        if (text !== '') blocks.push(mark === '' ? text : `${mark} ${text}`);
      }
      blocks.push(...findElements(child, 'txbxContent').flatMap((box) => blocksOf(box, marks)));
    } else {
      closeList();
      if (child.name === 'tbl') blocks.push(tableText(child, marks));
      else if (CONTAINERS.has(child.name)) blocks.push(...blocksOf(child, marks));
    }
  }
  closeList();
  return blocks;
}

const CONTAINERS = new Set(['sdt', 'sdtContent', 'ins', 'smartTag', 'customXml', 'moveTo']);
/** Not part of the line: text boxes are blocks of their own, deleted and moved text is gone. */
const LEFT_OUT = new Set(['pPr', 'rPr', 'del', 'moveFrom', 'txbxContent', 'Fallback', 'instrText', 'delText']);

function inlineText(element: XmlElement): string {
  return elementsOf(element)
    .map((child): string => {
      if (LEFT_OUT.has(child.name)) return '';
      if (child.name === 't') return child.children.filter((part) => typeof part === 'string').join('');
      if (child.name === 'tab') return '\t';
      if (child.name === 'br' || child.name === 'cr') return '\n';
      if (child.name === 'footnoteReference' || child.name === 'endnoteReference') return `[${child.attributes['w:id'] ?? ''}]`;
      if (child.name === 'docPr') return child.attributes['descr'] ? `[picture: ${child.attributes['descr']}]` : '';
      return inlineText(child);
    })
    .join('');
}

function tableText(table: XmlElement, marks: Marks): string {
  let above: readonly string[] = [];
  return findElements(table, 'tr')
    .map((row) => {
      const cells = findElements(row, 'tc').map((cell) => {
        const properties = childOf(cell, 'tcPr');
        const merge = childOf(properties, 'vMerge');
        const vertical: Merge = merge && merge.attributes['w:val'] !== 'restart' ? 'continued' : 'none';
        return { text: blocksOf(cell, marks).join(' '), span: Number(childOf(properties, 'gridSpan')?.attributes['w:val'] ?? 1), vertical };
      });
      above = cellsOfRow(cells, above);
      return `| ${above.join(' | ')} |`;
    })
    .join('\n');
}
