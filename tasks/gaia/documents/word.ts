// A Word file of headings, paragraphs, lists and tables, with a tracked change where a template wants a figure that no longer holds. Own XML, packed by
// fflate: the packages that write Word files put the time and random ids into them.
import type { AttachedFile } from '../template.ts';
import { zipOf } from './archive.ts';
import type { SheetTable } from './table.ts';
import { OFFICE, officeShell, relations, xmlEscaped, xmlParts } from './xml-text.ts';

export type WordBlock =
  | { readonly heading: string; readonly level?: 1 | 2 }
  /** `struck` was deleted with changes tracked, and stands before the rest: who reads the final text does not see it. */
  | { readonly text: string; readonly struck?: string }
  | { readonly items: readonly string[] }
  /** The first column is merged downwards where a cell repeats the one above. */
  | { readonly table: SheetTable; readonly mergeFirst?: true };

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

export function wordFile(title: string, blocks: readonly WordBlock[]): AttachedFile {
  const body = blocks.map(blockXml).join('');
  const page =
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>';
  const parts = {
    ...officeShell(title, 'word/document.xml', {
      'word/document.xml': `${TYPE}.document.main+xml`,
      'word/styles.xml': `${TYPE}.styles+xml`,
      'word/numbering.xml': `${TYPE}.numbering+xml`,
    }),
    'word/_rels/document.xml.rels': relations([
      [`${OFFICE}/relationships/styles`, 'styles.xml'],
      [`${OFFICE}/relationships/numbering`, 'numbering.xml'],
    ]),
    'word/document.xml': `<w:document xmlns:w="${WORD}"><w:body>${body}${page}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${WORD}">${[1, 2].map((level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:spacing w:before="240" w:after="120"/></w:pPr><w:rPr><w:b/><w:sz w:val="${36 - 6 * level}"/></w:rPr></w:style>`).join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  };
  return { extension: 'docx', bytes: zipOf(xmlParts(parts)) };
}

function blockXml(block: WordBlock): string {
  if ('heading' in block) return paragraph(run(block.heading), `<w:pPr><w:pStyle w:val="Heading${block.level ?? 1}"/></w:pPr>`);
  if ('items' in block)
    return block.items.map((item) => paragraph(run(item), '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>')).join('');
  if ('table' in block) return tableXml(block.table, block.mergeFirst === true);
  const deleted =
    block.struck === undefined
      ? ''
      : `<w:del w:id="1" w:author="Office" w:date="2026-01-05T08:00:00Z"><w:r><w:delText xml:space="preserve">${xmlEscaped(block.struck)}</w:delText></w:r></w:del>`;
  return paragraph(deleted + run(block.text));
}

function paragraph(runs: string, properties = ''): string {
  return `<w:p>${properties}${runs}</w:p>`;
}

function run(text: string | number, bold = false): string {
  return `<w:r>${bold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${xmlEscaped(text)}</w:t></w:r>`;
}

function tableXml({ columns, rows }: SheetTable, mergeFirst: boolean): string {
  const cell = (content: string, merge = '') => `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${merge}</w:tcPr>${content}</w:tc>`;
  const head = `<w:tr>${columns.map((column) => cell(paragraph(run(column, true)))).join('')}</w:tr>`;
  const lines = rows.map((row, y) => {
    const cells = row.map((value, x) => {
      if (!mergeFirst || x > 0) return cell(paragraph(run(value)));
      const continued = y > 0 && rows[y - 1]?.[0] === value;
      return cell(paragraph(continued ? '' : run(value)), continued ? '<w:vMerge/>' : '<w:vMerge w:val="restart"/>');
    });
    return `<w:tr>${cells.join('')}</w:tr>`;
  });
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${columns.map(() => '<w:gridCol w:w="2400"/>').join('')}</w:tblGrid>${head}${lines.join('')}</w:tbl>${paragraph('')}`;
}
