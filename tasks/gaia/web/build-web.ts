// All pages of a world's offline web, and where templates look them up. No HTML here.
import { seededRandom } from '../../../base/random.ts';
import type { World } from '../world/world.ts';
import { entityPages } from './entity-pages.ts';
import { historyPages } from './history-pages.ts';
import { listPages } from './list-pages.ts';
import { newsPages } from './news-pages.ts';
import { type Link, type Page, type PageKind, type Site, urlOf } from './page.ts';
import { FORUM } from './sites.ts';
import { talkPages } from './talk-pages.ts';
import { archivedCopy, type Pools, wikiCopy } from './wrong-copies.ts';

export interface Web {
  readonly pages: readonly Page[];
  /** The right page about something. @throws RangeError when there is none: a template asked for what the world does not hold. */
  page(kind: PageKind, heading: string): Page;
  /** Copies of that page that carry other values; may be empty. */
  copiesOf(page: Page): readonly Page[];
}

/** Share of right pages that have an archived copy, and a wiki copy. */
const ARCHIVED: Readonly<Partial<Record<PageKind, number>>> = { person: 0.6, town: 0.7 };
const IN_WIKI = 0.35;

export function buildWeb(world: World): Web {
  const random = seededRandom('web', world.seed);
  const right = [...entityPages(world), ...listPages(world), ...historyPages(world), ...newsPages(world)];
  const pools: Pools = Map.groupBy(
    right.map((page) => ({ kind: page.kind, name: page.heading, url: urlOf(page) })),
    ({ kind }) => kind,
  );
  const copies = new Map<Page, Page[]>();
  for (const page of right) {
    if (page.kind === 'article') continue;
    const of: Page[] = [];
    if (random.next() < (ARCHIVED[page.kind] ?? 0.9)) of.push(archivedCopy(page, random, pools));
    if (page.kind !== 'list' && random.next() < IN_WIKI) of.push(wikiCopy(page, random, pools));
    copies.set(page, of);
  }
  const talk = talkPages(world, right);
  const content = [...right, ...[...copies.values()].flat(), ...talk];
  const sites = new Map(content.map((page) => [page.site.host, page.site]));
  const pages = [...content, ...[...sites.values()].flatMap((site) => sitePages(site, content))];
  const byHeading = new Map(
    [...right, ...talk.filter(({ kind, site }) => kind === 'thread' && site === FORUM)].map((page) => [`${page.kind}:${page.heading}`, page]),
  );
  return {
    pages,
    page: (kind, heading) => {
      const found = byHeading.get(`${kind}:${heading}`);
      if (!found) throw new RangeError(`the web has no ${kind} page headed ${JSON.stringify(heading)}`);
      return found;
    },
    copiesOf: (page) => copies.get(page) ?? [],
  };
}

/** Home, index and about: what the navigation of every page points to. */
function sitePages(site: Site, content: readonly Page[]): Page[] {
  const own = content.filter((page) => page.site.host === site.host);
  const links: Link[] = own.map((page) => ({ text: page.heading, url: urlOf(page) }));
  const shell = { kind: 'site' as const, site, facts: [], tables: [], prose: [], links: [] };
  return [
    { ...shell, path: '/', heading: 'Welcome', lead: site.motto, links: links.slice(0, 6), paragraphs: 2 },
    { ...shell, path: '/index', heading: 'Index', lead: 'In the order in which they were added.', links, paragraphs: 0 },
    { ...shell, path: '/about', heading: 'About this site', lead: 'Who writes these pages, and how to reach the office.', paragraphs: 3 },
  ];
}
