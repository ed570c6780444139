// A page as HTML with the clutter of a real one: cookie notice, navigation, an advertisement, related links, a footer. Same page, same bytes.
import { escapeHtml } from '../../../base/escape-html.ts';
import { seededRandom } from '../../../base/random.ts';
import { longDate } from '../world/calendar.ts';
import { fillerParagraph, PAGE_LENGTH } from './filler.ts';
import { type Cell, grouped, type Link, type Page, type Table, titleOf, urlOf } from './page.ts';

/** A line of `web/pages.jsonl`. */
export interface StoredPage {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title: string;
  readonly body: string;
  /** How the body becomes bytes: a charset (`utf-8` if absent, `windows-1252`, `utf-16le`) or `base64`. */
  readonly encoding?: string;
  /** Where a redirect (3xx) leads. */
  readonly location?: string;
  /** The server waits so long before it answers, as slow hosts do. */
  readonly delayMs?: number;
}

const SUBHEADINGS = ['Background', 'In local memory', 'Getting there', 'Notes from readers', 'Further remarks'];
const ADVERTS = [
  'Advertisement: woollen blankets from the mill, delivered to your door.',
  'Advertisement: learn the concertina in twelve evenings.',
  'Advertisement: is your roof ready for winter? Ask our slaters.',
  'Sponsored: a weekend by the sea, breakfast included.',
];

export function renderPage(page: Page, seed: number): StoredPage {
  const random = seededRandom('page', seed, urlOf(page));
  const filler = Array.from({ length: Math.round(page.paragraphs * PAGE_LENGTH) }, () => `<p>${fillerParagraph(random)}</p>`);
  const early = filler.splice(0, Math.min(1, filler.length));
  const subheadings = random.shuffle(SUBHEADINGS);
  const later = filler.map((paragraph, i) => (i % 3 === 0 ? `<h2>${subheadings[(i / 3) % subheadings.length]}</h2>\n${paragraph}` : paragraph));
  const home = `https://${page.site.host}/`;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="${page.site.charset ?? 'utf-8'}">
<title>${escapeHtml(titleOf(page))}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>.advert{border:1px solid #ccc}.cookie-notice{position:fixed;bottom:0}</style>
<script>window.dataLayer = window.dataLayer || [];</script>
</head>
<body>
<div class="cookie-notice" role="dialog" aria-label="Cookies">We use cookies to remember your choices. <button>Accept all</button> <button>Only necessary</button></div>
<header class="site-header"><a href="${home}">${escapeHtml(page.site.name)}</a>
<nav><ul><li><a href="${home}">Home</a></li><li><a href="${home}index">All entries</a></li><li><a href="${home}about">About</a></li></ul></nav></header>
<main>
<article>
<h1>${escapeHtml(page.heading)}</h1>
${page.notice === undefined ? '' : `<p class="notice"><em>${escapeHtml(page.notice)}</em></p>\n`}<p>${escapeHtml(page.lead)}</p>
${early.join('\n')}
${page.facts.length === 0 ? '' : renderTable({ heading: 'Entry', columns: ['Entry', 'Detail'], rows: page.facts.map(({ field, cell }) => [{ kind: 'text', value: field }, cell]) })}
${page.tables.map(renderTable).join('\n')}
${page.next === undefined ? '' : `<p class="pager"><a href="${escapeHtml(page.next)}" rel="next">Next page</a></p>\n`}${page.injection === undefined ? '' : `<p style="color:#fff;font-size:1px">${escapeHtml(page.injection)}</p>\n`}${page.prose.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${later.join('\n')}
${renderLinks(page.links)}
</article>
</main>
<aside class="advert" aria-label="Advertisement"><p>${random.pick(ADVERTS)}</p></aside>
<footer class="site-footer"><p>${escapeHtml(page.site.name)}. ${escapeHtml(page.site.motto)} <a href="${home}about">About this site</a></p></footer>
</body>
</html>
`;
  const { charset } = page.site;
  return {
    url: urlOf(page),
    status: 200,
    // Old sites leave the charset to the page.
    contentType: charset === undefined ? 'text/html; charset=utf-8' : charset === 'utf-16le' ? 'text/html; charset=utf-16le' : 'text/html',
    title: titleOf(page),
    body,
    ...(charset === undefined ? {} : { encoding: charset }),
    ...(page.delayMs === undefined ? {} : { delayMs: page.delayMs }),
  };
}

function renderTable({ heading, columns, rows }: Table): string {
  const head = columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('');
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${renderCell(cell)}</td>`).join('')}</tr>`);
  return `<h2>${escapeHtml(heading)}</h2>\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table>`;
}

function renderCell(cell: Cell): string {
  return cell.kind === 'entity' ? `<a href="${cell.url}">${escapeHtml(cell.value)}</a>` : escapeHtml(cellText(cell));
}

/** A cell as a reader sees it. */
export function cellText(cell: Cell): string {
  switch (cell.kind) {
    case 'number':
      return cell.unit === undefined ? grouped(cell.value) : `${grouped(cell.value)} ${cell.unit}`;
    case 'year':
      return String(cell.value);
    case 'date':
      return longDate(cell.value);
    case 'text':
    case 'entity':
      return cell.value;
    default:
      return cell satisfies never;
  }
}

function renderLinks(links: readonly Link[]): string {
  if (links.length === 0) return '';
  return `<h2>See also</h2>\n<ul>\n${links.map(({ text, url }) => `<li><a href="${url}">${escapeHtml(text)}</a></li>`).join('\n')}\n</ul>`;
}
