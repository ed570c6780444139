// Every page of a world's web as it is stored, and as a reader sees it: titles and texts on one line, without markup. The second form is for asking the search
// what it would show before there is a set to open; it knows pages of our own writing only, and a test of the tools holds it against their readers.
import type { IndexedPage } from '../../search-index.ts';
import type { World } from '../world/world.ts';
import type { Web } from './build-web.ts';
import { paperUrl } from './entity-pages.ts';
import { oddPages, paperText } from './odd-pages.ts';
import { renderPage, type StoredPage } from './render-page.ts';

export async function storedPages(world: World, web: Web): Promise<StoredPage[]> {
  return [...web.pages.map((page) => renderPage(page, world.seed)), ...(await oddPages(world, web))];
}

/** Pages that search can find: those that answer. */
export function seenPages(pages: readonly StoredPage[], world: World): IndexedPage[] {
  const papers = new Map(world.papers.map((paper) => [paperUrl(paper), paper]));
  return pages
    .filter(({ status }) => status === 200)
    .map(({ url, title, contentType, body }) => {
      const paper = papers.get(url);
      return { url, title, text: paper ? paperText(paper) : contentType.includes('xml') ? feedText(title, body) : mainText(body) };
    });
}

/** What stands in `main`, without tags. */
function mainText(html: string): string {
  return plain(/<main>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '');
}

/** Entry by entry: title, day and summary. */
function feedText(title: string, xml: string): string {
  const entries = [...xml.matchAll(/<(item|entry)>(.*?)<\/\1>/g)].map(([, , entry = '']) => {
    const within = (names: string) => new RegExp(`<(${names})>(.*?)</\\1>`).exec(entry)?.[2] ?? '';
    return `${within('title')} Published: ${new Date(within('pubDate|updated')).toISOString().slice(0, 10)} ${within('description|summary')}`;
  });
  return plain([title, ...entries].join(' '));
}

function plain(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replace(/\s+/g, ' ')
    .trim();
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' } as const;
