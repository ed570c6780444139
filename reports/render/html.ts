// A report as one page for a browser: pictures before their table, blocks of rows under a heading, what tells a row always in view. Same report, same bytes.
import { escapeHtml } from '../../base/escape-html.ts';
import type { Picture } from '../pictures.ts';
import type { Report, Row, Section, Table } from '../report.ts';
import { modelWords, seedWords } from '../tables/caption.ts';
import { htmlPage, scrollBox } from './html-page.ts';
import { type Grid, type GridCell, layOutTable } from './lay-out-table.ts';

export interface HtmlOptions {
  /** Drawn above the table of the same id. */
  readonly pictures?: Readonly<Record<string, readonly Pick<Picture, 'title' | 'svg'>[]>>;
}

/** A browser bears no list of a million lines: the rest stands in the csv file. */
const LONGEST_LIST = 1_000;

export function renderHtml(report: Report, { pictures = {} }: HtmlOptions = {}): string {
  const { plan, taskSet } = report.manifest;
  const tables = Object.values(report.tables);
  const runs = Math.max(1, ...tables.map((table) => table.runs));
  // Of several runs the manifest is that of one of them.
  const what = runs === 1 ? `${plan.name} on ${taskSet.name}, ${seedWords(plan)}` : `${runs} runs on ${taskSet.name}`;
  return htmlPage(`Report: ${what}`, STYLE, [
    '<header>',
    `<h1>Report <small>${escapeHtml(what)}</small></h1>`,
    `<p class="model">${escapeHtml(modelWords(plan))}.</p>`,
    ...report.headline.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    `<nav aria-label="Tables"><ul>${tables.map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`).join('')}</ul></nav>`,
    '</header>',
    '<main>',
    ...tables.flatMap((table) => tableSection(table, pictures[table.id] ?? [])),
    '</main>',
  ]);
}

function tableSection(table: Table, pictures: readonly Pick<Picture, 'title' | 'svg'>[]): string[] {
  const id = escapeHtml(table.id);
  return [
    `<section aria-labelledby="${id}">`,
    `<h2 id="${id}">${escapeHtml(table.title)}</h2>`,
    pictures.length === 0 ? '' : `<div class="pictures">${pictures.map(figure).join('\n')}</div>`,
    `<p class="caption">${escapeHtml(table.caption)}</p>`,
    tableBox(table),
    table.notes.length === 0 ? '' : `<ul class="notes">${table.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>`,
    '</section>',
  ];
}

function figure({ title, svg }: Pick<Picture, 'title' | 'svg'>): string {
  return `<figure role="img" aria-label="${escapeHtml(title)}">${svg.trimEnd()}</figure>`;
}

function tableBox(table: Table): string {
  if (table.rows.length === 0) return '';
  if (table.isList !== true) return scrollBox(table.title, grid(table));
  const rows = table.rows.slice(0, LONGEST_LIST);
  const rest = table.rows.length - rows.length;
  return `<details><summary>${table.rows.length} ${table.rows.length === 1 ? 'line' : 'lines'}${rest === 0 ? '' : `, of which the first ${rows.length} stand here: tables/${escapeHtml(table.id)}.csv has all`}</summary>
${scrollBox(table.title, grid({ ...table, rows }))}</details>`;
}

function grid(table: Table): string {
  const laidOut = layOutTable(table);
  const { columns } = laidOut;
  const rank = columns.filter(({ title, label }) => label && title === 'rank').map(({ title }) => headCell(title, 'number'));
  const [name = '', ...more] = columns.filter(({ title, label }) => label && title !== 'rank').map(({ title }) => escapeHtml(title));
  const names = `<th scope="col" class="name">${name}${below(more)}</th>`;
  const values = columns.filter(({ label }) => !label).map(({ title, align }) => headCell(title, align === 'right' ? 'number' : ''));
  const blocks = blocksOf(table);
  const body = blocks.map(({ heading, rows }) => {
    const lines = rows.map((row) => bodyRow(row, laidOut));
    if (blocks.length > 1)
      lines.unshift(`<tr><th class="block" scope="rowgroup" colspan="${rank.length + 1 + values.length}"><span>${escapeHtml(heading)}</span></th></tr>`);
    return `<tbody>${lines.join('\n')}</tbody>`;
  });
  return `<table><thead><tr>${[...rank, names, ...values].join('')}</tr></thead>\n${body.join('\n')}</table>`;
}

function headCell(title: string, kind: string): string {
  return `<th scope="col"${kind === '' ? '' : ` class="${kind}"`}>${escapeHtml(title)}</th>`;
}

/** Framework, and below it whatever else tells the row: one cell, so that it stays in view whole. */
function bodyRow(row: Row, { columns, cellsOf }: Grid): string {
  const cells = cellsOf(row);
  const named = columns.flatMap(({ title, label }, at) => (label && title !== 'rank' ? [cells[at]?.text ?? ''] : []));
  const [name = '', ...more] = named.filter((text) => text !== '').map(escapeHtml);
  const header = `<th scope="row">${name}${below(more)}</th>`;
  const rank = columns.flatMap(({ title, label }, at) => (label && title === 'rank' ? [bodyCell(cells[at], 'right')] : []));
  const values = columns.flatMap(({ label, align }, at) => (label ? [] : [bodyCell(cells[at], align)]));
  return `<tr>${[...rank, header, ...values].join('')}</tr>`;
}

function below(words: readonly string[]): string {
  return words.length === 0 ? '' : `<small>${words.join(' · ')}</small>`;
}

function bodyCell(cell: GridCell | undefined, align: 'left' | 'right'): string {
  const text = `${cell?.text ?? ''}${cell?.claim === true ? ' claim' : ''}`;
  if (align === 'left') return textCell(text);
  // Interval and n below the figure: side by side a table of a dozen columns fits no screen.
  const [, figure = '', beside = ''] = /^(\S*) ?(.*)$/s.exec(escapeHtml(text)) ?? [];
  // It may break before its n, and nowhere else.
  return `<td class="number">${figure}${below(beside === '' ? [] : [beside.replace(/ (?!\()/g, '\u00a0')])}</td>`;
}

/** A text of many lines would make a row that fills the screen. */
function textCell(text: string): string {
  if (text.length <= LONG_TEXT) return `<td>${escapeHtml(text)}</td>`;
  if (text.length <= LONGEST_SHOWN) return `<td class="long">${escapeHtml(text)}</td>`;
  const beginning = `${text.slice(0, BEGINNING).toWellFormed()}…`;
  return `<td class="long"><details><summary>${escapeHtml(beginning)}</summary>${escapeHtml(text)}</details></td>`;
}

const LONG_TEXT = 32;
const LONGEST_SHOWN = 160;
const BEGINNING = 72;

const SECTIONS: Readonly<Record<Exclude<Section, 'ranked'>, string>> = {
  apart: 'our own, apart',
  floor: 'floors',
  'by-name': 'by name, not ranked',
};

interface Block {
  readonly heading: string;
  readonly rows: Row[];
}

/** Rows of one part, section and settings stand together where the table's order has them so; else it is one block. */
function blocksOf({ rows }: Table): Block[] {
  const isRanked = rows.some(({ rank }) => rank !== undefined);
  const blocks: Block[] = [];
  for (const row of rows) {
    const heading = headingOf(row, isRanked);
    const last = blocks.at(-1);
    if (last?.heading === heading) last.rows.push(row);
    else blocks.push({ heading, rows: [row] });
  }
  const distinct = new Set(blocks.map(({ heading }) => heading)).size;
  return distinct === blocks.length ? blocks : [{ heading: '', rows: [...rows] }];
}

function headingOf({ key: { taskType, level, settings }, section }: Row, isRanked: boolean): string {
  const part = taskType ?? (level === undefined ? undefined : `level ${level}`);
  const words = section === 'ranked' ? [isRanked ? 'ranked' : 'single', settings] : [SECTIONS[section]];
  return [part, ...words].filter((word) => word !== undefined).join(', ');
}

const STYLE = `
h1 small{font-weight:400;color:var(--faint)}
.model{font-weight:600}
nav ul{columns:22rem;padding-left:1.2rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(38rem,100%),1fr));gap:1rem;margin:1rem 0;max-width:88rem}
figure{margin:0;overflow-x:auto}
figure svg{width:100%;min-width:36rem;max-width:54rem;height:auto;border:1px solid var(--line);box-sizing:border-box}
.caption,.notes{color:var(--faint);font-size:.9rem}
.wide{border:1px solid var(--line);width:fit-content}
thead th{white-space:normal;border-bottom:1px solid var(--faint);font-size:.85rem}
thead th.number{min-width:3.2rem}
tbody td,tbody th[scope=row]{border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:hover td,tbody tr:hover th[scope=row]{background:var(--soft)}
th small,td small{display:block;color:var(--faint);font-weight:400}
tbody th[scope=row],thead th.name{border-right:1px solid var(--line)}
.number{text-align:right}td.number small{white-space:normal}
.long{white-space:normal;min-width:18rem;overflow-wrap:break-word}
th.block{padding-top:1rem;border-bottom:1px solid var(--line);color:var(--faint)}
th.block span{position:sticky;left:.55rem}
summary{cursor:pointer}section>details>summary{margin:.6rem 0}
@media(max-width:44rem){tbody th[scope=row]{white-space:normal;overflow-wrap:anywhere;min-width:6.5rem;max-width:9.5rem}}
@media print{td,thead th{white-space:normal}.long{min-width:8rem}figure svg{min-width:0;max-height:170mm}nav{display:none}}
`;
