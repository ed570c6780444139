// Pages that look like the right one and are not: archived copies with older figures, and a wiki with careless ones. Every value in them differs from the
// right page's; every name in them has a page of its own, so that following it leads somewhere (method M4.8).
import type { Random } from '../../../base/random.ts';
import { addDays } from '../world/calendar.ts';
import { type Cell, type Page, type PageKind, slugOf } from './page.ts';
import { archiveOf, WIKI } from './sites.ts';
import { injectionOf } from './talk-pages.ts';

/** Names that may stand in an entity cell of this pool, with their addresses. */
export type Pools = ReadonlyMap<PageKind, readonly { readonly name: string; readonly url: string }[]>;

export function archivedCopy(page: Page, random: Random, pools: Pools): Page {
  const heading = `${page.heading} ${page.kind === 'season' ? 'as first printed' : 'before the last audit'}`;
  return {
    ...distorted(page, random, pools),
    ...loudness(
      random,
      `${page.heading}: the entry for ${page.heading} as it stood when the old volumes were scanned. ${page.heading} is kept here for the record.`,
    ),
    site: archiveOf(page.site),
    heading,
    path: `/copies/${slugOf(page.heading)}`,
    ...(random.next() < SHARE_SLOW ? { delayMs: SLOW_MS } : {}),
    notice: 'This is an old copy. Many of its figures have been corrected since; the register itself has the current ones.',
  };
}

export function wikiCopy(page: Page, random: Random, pools: Pools): Page {
  return {
    ...distorted(page, random, pools),
    ...loudness(random, `${page.heading} is described here by readers of ${WIKI.name}. What is known about ${page.heading} was put together from memory.`),
    site: WIKI,
    heading: `${page.heading} explained`,
    path: `/wiki/${slugOf(page.heading)}`,
    ...injectionOf(random),
    notice: 'This article has no sources. You can help by adding some.',
  };
}

/** A short page that keeps naming its subject is found before the right one, a long vague one behind it. Both kinds exist. */
function loudness(random: Random, loudLead: string): Pick<Page, 'lead' | 'paragraphs'> {
  if (random.next() < SHARE_LOUD) return { lead: loudLead, paragraphs: 1 };
  return { lead: 'The text below was taken over from an earlier collection, and nobody has looked at it for some time.', paragraphs: 10 };
}

/** So that opening the first hit is right often enough to tempt, and wrong often enough to cost. */
const SHARE_LOUD = 0.3;

/** Old volumes stand on slow machines. */
const SHARE_SLOW = 0.1;
const SLOW_MS = 200;

function distorted(page: Page, random: Random, pools: Pools): Page {
  const facts = page.facts.map(({ field, cell }) => ({ field, cell: distort(cell, random, pools) }));
  const tables = page.tables.map((table) => ({ ...table, rows: distortRows(table.rows, random, pools) }));
  const renamed = (paragraph: string) => {
    const clubs = pools.get('club')?.map(({ name }) => name) ?? [];
    return clubs
      .reduce((text, name, i) => text.replace(name, `{${(i + 3) % clubs.length}}`), paragraph)
      .replace(/\{(\d+)\}/g, (_, i: string) => clubs[Number(i)] ?? '');
  };
  const cells = [...facts.map(({ cell }) => cell), ...tables.flatMap(({ rows }) => rows.flat())];
  const links = cells.flatMap((cell) => (cell.kind === 'entity' ? [{ text: cell.value, url: cell.url }] : []));
  const { next: _, ...alone } = page;
  return { ...alone, facts, tables, prose: page.prose.map(renamed), links: links.slice(0, 4) };
}

/** The key of a row stays, or the reader would not find it. */
function distortRows(rows: readonly (readonly Cell[])[], random: Random, pools: Pools): Cell[][] {
  return rows.map(([key, ...cells]) => [key as Cell, ...cells.map((cell) => distort(cell, random, pools))]);
}

function distort(cell: Cell, random: Random, pools: Pools): Cell {
  switch (cell.kind) {
    case 'number': {
      const step = Math.max(1, Math.round(Math.abs(cell.value) * (0.04 + random.next() * 0.14)));
      const value = random.next() < 0.5 && cell.value > step ? cell.value - step : cell.value + step;
      return { ...cell, value: Number(value.toFixed(2)) };
    }
    case 'year':
      return { ...cell, value: cell.value + (random.next() < 0.5 ? -1 : 1) * random.integer(1, 18) };
    case 'date':
      return { ...cell, value: addDays(cell.value, (random.next() < 0.5 ? -1 : 1) * random.integer(11, 480)) };
    case 'entity': {
      const others = (pools.get(cell.pool) ?? []).filter(({ name }) => name !== cell.value);
      if (others.length === 0) return cell;
      const other = random.pick(others);
      return { ...cell, value: other.name, url: other.url };
    }
    case 'text':
      return cell;
    default:
      return cell satisfies never;
  }
}
