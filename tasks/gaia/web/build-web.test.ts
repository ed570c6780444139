import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { createWorld } from '../world/world.ts';
import { buildWeb } from './build-web.ts';
import { fillerParagraph } from './filler.ts';
import { oddPages } from './odd-pages.ts';
import { titleOf, urlOf } from './page.ts';
import { RELAY_HOST } from './relay.ts';
import { renderPage } from './render-page.ts';

const world = createWorld(3);
const web = buildWeb(world);
const odd = await oddPages(world, web);
const stored = [...web.pages.map((page) => renderPage(page, 3)), ...odd];

describe('the offline web', () => {
  it('has at least fifteen hundred pages, each with an address of its own under .example', () => {
    expect(stored.length).toBeGreaterThanOrEqual(1_500);
    expect(new Set(stored.map(({ url }) => url)).size).toBe(stored.length);
    for (const { url } of stored) expect(new URL(url).host).toMatch(/\.example$/);
  });

  it('links to nothing that is not there', () => {
    const pages = new Set(stored.map(({ url }) => url));
    const links = stored.flatMap(({ body }) => [...body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href as string));
    expect(links.length).toBeGreaterThan(stored.length * 5);
    expect(links.filter((href) => !pages.has(href))).toEqual([]);
  });

  it('has no title that is part of another, so that an anchor cannot take a copy for the right page', () => {
    const titles = web.pages.map((page) => titleOf(page).toLowerCase());
    const right = web.pages.filter((page) => !page.notice && page.kind !== 'site').map((page) => titleOf(page).toLowerCase());
    for (const title of right) expect(titles.filter((other) => other.includes(`. ${title}`) || other.startsWith(title))).toEqual([title]);
  });

  it('gives copies other values in every number, date and name', () => {
    let compared = 0;
    for (const page of web.pages) {
      for (const copy of web.copiesOf(page)) {
        expect(copy.notice).toBeDefined();
        expect(urlOf(copy)).not.toBe(urlOf(page));
        page.facts.forEach(({ field, cell }, i) => {
          expect(copy.facts[i]?.field).toBe(field);
          if (cell.kind === 'text' || (cell.kind === 'entity' && cell.pool === 'pdf')) return;
          compared += 1;
          expect(copy.facts[i]?.cell.value).not.toBe(cell.value);
        });
      }
    }
    expect(compared).toBeGreaterThan(300);
  });

  it('surrounds the text with what real pages have', () => {
    for (const { body } of stored.slice(0, 20)) for (const mark of ['cookie-notice', '<nav>', 'class="advert"', '<footer']) expect(body).toContain(mark);
  });

  it('holds what the web holds besides pages of text: papers, feeds, redirects, pages gone, down and guarded, old charsets and slow hosts', () => {
    const count = (of: (page: (typeof stored)[number]) => boolean) => stored.filter(of).length;
    expect(count(({ contentType }) => contentType === 'application/pdf')).toBe(world.papers.length);
    expect(count(({ contentType }) => /rss|atom/.test(contentType))).toBe(2);
    const pages = new Set(stored.map(({ url }) => url));
    for (const { location } of stored.filter(({ status }) => status === 301)) expect(pages).toContain(location);
    for (const status of [301, 403, 404, 410, 503]) expect(count((page) => page.status === status)).toBeGreaterThan(4);
    for (const encoding of ['windows-1252', 'utf-16le']) expect(count((page) => page.encoding === encoding)).toBeGreaterThan(10);
    expect(count(({ delayMs }) => delayMs !== undefined)).toBeGreaterThan(10);
    expect(count(({ url }) => url.includes('?page=2'))).toBeGreaterThan(4);
  });

  it('gives orders to agents on some copies and threads, and never on a right page', () => {
    const ordering = web.pages.filter(({ injection }) => injection !== undefined);
    expect(ordering.length).toBeGreaterThan(20);
    for (const page of ordering) expect(page.notice !== undefined || page.kind === 'thread').toBe(true);
    const naming = stored.filter(({ body, encoding }) => encoding !== 'base64' && body.includes(RELAY_HOST));
    expect(naming).toHaveLength(ordering.length);
  });

  it('keeps digits out of filler, so that no value is read there', () => {
    const random = seededRandom('filler', 1);
    for (let i = 0; i < 300; i++) expect(fillerParagraph(random)).not.toMatch(/\d|\|/);
  });
});
