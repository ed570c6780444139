// The invented sites. Hosts end in `.example` (RFC 2606), so that no address can ever be real.
import type { PageKind, Site } from './page.ts';

export const SITES = {
  museums: { host: 'www.museum-register.example', name: 'Museum Register', motto: 'Kept by the curators since the first catalogue.' },
  harbours: { host: 'www.harbour-almanac.example', name: 'Harbour Almanac', motto: 'Ships, lights and tides.' },
  towns: { host: 'www.townbook.example', name: 'Orvelland Townbook', motto: 'One page for every town.' },
  lives: { host: 'www.orvelland-lives.example', name: 'Orvelland Lives', motto: 'Short biographies, checked twice.' },
  firms: { host: 'ledger.firms-of-orvelland.example', name: 'Ledger of Firms', motto: 'Figures as filed.' },
  bridges: { host: 'www.bridge-survey.example', name: 'Bridge Survey', motto: 'Spans and their makers – a café-table project.', charset: 'windows-1252' },
  books: { host: 'www.bookshelf-index.example', name: 'Bookshelf Index', motto: 'What was printed, when and by whom.' },
  papers: { host: 'papers.open-shore.example', name: 'Open Shore Papers', motto: 'Research for everybody.' },
  festivals: { host: 'www.festival-diary.example', name: 'Festival Diary', motto: 'What is on, and what it cost.' },
  league: { host: 'www.league-annals.example', name: 'League Annals', motto: 'Every season, every table.' },
  shows: { host: 'www.exhibition-calendar.example', name: 'Exhibition Calendar', motto: 'What hung where.' },
  news: { host: 'www.orvelland-courier.example', name: 'Orvelland Courier', motto: 'The morning paper.' },
} as const satisfies Record<string, Site>;

/** Anyone may write there, and it shows. */
export const WIKI: Site = { host: 'en.wikelith.example', name: 'Wikelith', motto: 'The reference that readers write.' };

/** Everybody has an opinion there. */
export const FORUM: Site = { host: 'talk.quayside.example', name: 'Quayside Talk', motto: 'Opinions from the bench by the harbour.' };

/** Copies a few pages word for word, and says so. */
export const MIRROR: Site = { host: 'looking-glass.page-cache.example', name: 'Looking-glass', motto: "Other people's pages, kept warm.", charset: 'utf-16le' };

/** Short addresses of the museum register. */
export const SHORT_HOST = 'go.museum-register.example';

/** Where a site keeps what it no longer maintains. */
export function archiveOf(site: Site): Site {
  return {
    charset: 'windows-1252',
    host: `archive.${site.host.replace(/^[^.]+\./, '')}`,
    name: `${site.name} archive`,
    motto: 'Old copies, kept for the record.',
  };
}

const SITE_OF_KIND: Readonly<Partial<Record<PageKind, Site>>> = {
  museum: SITES.museums,
  ship: SITES.harbours,
  lighthouse: SITES.harbours,
  town: SITES.towns,
  person: SITES.lives,
  firm: SITES.firms,
  bridge: SITES.bridges,
  book: SITES.books,
  paper: SITES.papers,
  festival: SITES.festivals,
  club: SITES.league,
  season: SITES.league,
  article: SITES.news,
  exhibition: SITES.shows,
  thread: FORUM,
};

/** The site that is right about this kind of thing. */
export function siteOf(kind: PageKind): Site {
  const site = SITE_OF_KIND[kind];
  if (!site) throw new RangeError(`no site keeps pages of the kind ${kind}`);
  return site;
}
