// A presentation of slides with title, lines, a table, labels in grouped shapes, and speaker's notes. Own XML, packed by fflate, for the reasons of word.ts.
import type { AttachedFile } from '../template.ts';
import { zipOf } from './archive.ts';
import type { SheetTable } from './table.ts';
import { OFFICE, officeShell, relations, xmlEscaped, xmlParts } from './xml-text.ts';

export interface Slide {
  readonly title: string;
  readonly lines?: readonly string[];
  readonly table?: SheetTable;
  /** Labels of a drawing: text boxes two groups deep. */
  readonly drawing?: readonly string[];
  readonly notes?: string;
}

const NAMESPACES = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml';
const TREE_HEAD = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>';
const COLORS =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';

export function slidesFile(title: string, slides: readonly Slide[]): AttachedFile {
  const parts: Record<string, string> = {};
  const types: Record<string, string> = {};
  const put = (path: string, type: string, xml: string, links: Parameters<typeof relations>[0] = []) => {
    parts[path] = xml;
    types[path] = type;
    if (links.length > 0) parts[path.replace(/([^/]+)$/, '_rels/$1.rels')] = relations(links);
  };
  const link = (kind: string, target: string) => [`${OFFICE}/relationships/${kind}`, target] as const;
  const tree = (shapes: string) => `<p:cSld><p:spTree>${TREE_HEAD}${shapes}</p:spTree></p:cSld>`;
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 3}"/>`).join('');
  put(
    'ppt/presentation.xml',
    `${TYPE}.presentation.main+xml`,
    `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    [
      link('slideMaster', 'slideMasters/slideMaster1.xml'),
      link('notesMaster', 'notesMasters/notesMaster1.xml'),
      ...slides.map((_, i) => link('slide', `slides/slide${i + 1}.xml`)),
    ],
  );
  put(
    'ppt/slideMasters/slideMaster1.xml',
    `${TYPE}.slideMaster+xml`,
    `<p:sldMaster ${NAMESPACES}>${tree('')}${COLORS}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    [link('slideLayout', '../slideLayouts/slideLayout1.xml'), link('theme', '../theme/theme1.xml')],
  );
  put('ppt/slideLayouts/slideLayout1.xml', `${TYPE}.slideLayout+xml`, `<p:sldLayout ${NAMESPACES}>${tree('')}</p:sldLayout>`, [
    link('slideMaster', '../slideMasters/slideMaster1.xml'),
  ]);
  put('ppt/notesMasters/notesMaster1.xml', `${TYPE}.notesMaster+xml`, `<p:notesMaster ${NAMESPACES}>${tree('')}${COLORS}</p:notesMaster>`, [
    link('theme', '../theme/theme2.xml'),
  ]);
  for (const number of [1, 2]) put(`ppt/theme/theme${number}.xml`, 'application/vnd.openxmlformats-officedocument.theme+xml', THEME);
  slides.forEach((slide, i) => {
    const links = [link('slideLayout', '../slideLayouts/slideLayout1.xml')];
    if (slide.notes !== undefined) {
      links.push(link('notesSlide', `../notesSlides/notesSlide${i + 1}.xml`));
      put(
        `ppt/notesSlides/notesSlide${i + 1}.xml`,
        `${TYPE}.notesSlide+xml`,
        `<p:notes ${NAMESPACES}>${tree(shape(2, 'Notes', [slide.notes], '<p:ph type="body" idx="1"/>'))}</p:notes>`,
        [link('notesMaster', '../notesMasters/notesMaster1.xml'), link('slide', `../slides/slide${i + 1}.xml`)],
      );
    }
    put(`ppt/slides/slide${i + 1}.xml`, `${TYPE}.slide+xml`, `<p:sld ${NAMESPACES}>${tree(shapesOf(slide))}</p:sld>`, links);
  });
  return { extension: 'pptx', bytes: zipOf(xmlParts({ ...officeShell(title, 'ppt/presentation.xml', types), ...parts })) };
}

function shapesOf({ title, lines = [], table, drawing = [] }: Slide): string {
  const inner = drawing
    .map((label, i) => shape(20 + i, `Label ${i + 1}`, [label], '', 600_000 + 2_400_000 * (i % 4), 4_600_000 + 700_000 * Math.floor(i / 4)))
    .join('');
  return [
    shape(2, 'Title', [title], '<p:ph type="title"/>', 600_000, 400_000),
    lines.length === 0 ? '' : shape(3, 'Text', lines, '<p:ph type="body" idx="1"/>', 600_000, 1_500_000),
    table === undefined ? '' : tableFrame(table),
    inner === '' ? '' : group(10, group(11, inner)),
  ].join('');
}

function shape(id: number, name: string, lines: readonly string[], placeholder: string, x = 600_000, y = 1_500_000): string {
  const text = lines.map((line) => `<a:p><a:r><a:rPr lang="en-GB"/><a:t>${xmlEscaped(line)}</a:t></a:r></a:p>`).join('');
  const place = `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${placeholder === '' ? 2_200_000 : 10_900_000}" cy="600000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${text}</p:txBody></p:sp>`;
}

function group(id: number, inner: string): string {
  return `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="${id}" name="Group ${id}"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${inner}</p:grpSp>`;
}

function tableFrame({ name, columns, rows }: SheetTable): string {
  const cell = (value: string | number) =>
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-GB"/><a:t>${xmlEscaped(value)}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`;
  const lines = [columns, ...rows].map((row) => `<a:tr h="370840">${row.map(cell).join('')}</a:tr>`).join('');
  const grid = columns.map(() => `<a:gridCol w="${Math.floor(10_900_000 / columns.length)}"/>`).join('');
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="${xmlEscaped(name)}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="600000" y="2300000"/><a:ext cx="10900000" cy="${370_840 * (rows.length + 1)}"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${grid}</a:tblGrid>${lines}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

const color = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
const font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
/** The least that a reader of presentations takes for a theme. */
const THEME = `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements><a:clrScheme name="Office">${[
  ['dk1', '000000'],
  ['lt1', 'FFFFFF'],
  ['dk2', '1F3A5F'],
  ['lt2', 'EEEEEE'],
  ['accent1', '4472C4'],
  ['accent2', 'ED7D31'],
  ['accent3', 'A5A5A5'],
  ['accent4', 'FFC000'],
  ['accent5', '5B9BD5'],
  ['accent6', '70AD47'],
  ['hlink', '0563C1'],
  ['folHlink', '954F72'],
]
  .map(([name, value]) => color(name as string, value as string))
  .join(
    '',
  )}</a:clrScheme><a:fontScheme name="Office"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${`<a:ln w="6350">${fill}</a:ln>`.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
