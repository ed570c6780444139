// The search of the offline web: SQLite's FTS5 in memory over the pages of a set, ranked by bm25. A query is words, never FTS syntax, so that no text can be a
// syntax error. The tools offer it; who composes a set asks it what a first search would show.

import { drawUnit } from '../base/random.ts';
import { snippetOf } from './snippet.ts';

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** About 160 characters around what was found. */
  readonly snippet: string;
}

export interface IndexedPage {
  readonly url: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** How good the search is. Both dials are drawn from addresses and words, so that every row meets the same. */
export interface SearchDials {
  /** Share of the pages that the index knows, from 0 to 1. @default 1 */
  readonly recall?: number;
  /** Chance of each place in the results to be taken by a page that has nothing to do with the query, from 0 to 1. @default 0 */
  readonly noise?: number;
}

export interface SearchIndex {
  search(query: string): SearchHit[];
  close(): void;
}

const RESULTS = 8;
/** A word in the title says more of what a page is about than one in its text. */
const TITLE_WEIGHT = 5;

export async function indexPages(all: readonly IndexedPage[], { recall = 1, noise = 0 }: SearchDials = {}): Promise<SearchIndex> {
  const pages = recall >= 1 ? all : all.filter(({ url }) => drawUnit('recall', url) < recall);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE pages USING fts5(title, text, tokenize = 'porter unicode61 remove_diacritics 2')`);
  const insert = database.prepare('INSERT INTO pages(rowid, title, text) VALUES (?, ?, ?)');
  const plain = pages.map((page) => plainText(page.text));
  database.exec('BEGIN');
  for (const [i, page] of pages.entries()) insert.run(i, page.title, plain[i] ?? '');
  database.exec('COMMIT');
  const select = database.prepare(`SELECT rowid AS page FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, ${TITLE_WEIGHT}, 1), rowid LIMIT ${RESULTS}`);
  return {
    search: (query) => {
      const words = searchWords(query);
      if (words.length === 0) return [];
      const rows = select.all(matchExpression(query, words)) as { page: number }[];
      const stray = (rank: number, page: number) =>
        noise > 0 && drawUnit('noise', query, rank) < noise ? Math.floor(drawUnit('stray', query, rank) * pages.length) : page;
      return rows.flatMap((row, rank) => {
        const page = stray(rank, row.page);
        const found = pages[page];
        return found ? [{ title: found.title, url: found.url, snippet: snippetOf(plain[page] ?? '', words) }] : [];
      });
    },
    close: () => database.close(),
  };
}

/** Words of a query in lower case, without those that every page holds (unless there are no others), each once, at most forty. */
export function searchWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !STOPWORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, 40);
}

/** Any of the words; phrases that stand in quotation marks count once more as phrases. */
function matchExpression(query: string, words: readonly string[]): string {
  const phrases = [...query.matchAll(/["“”]([^"“”]+)["“”]/g)].map(([, phrase]) => wordsOf(phrase ?? '').join(' ')).filter((phrase) => phrase.includes(' '));
  return [...words, ...phrases].map((term) => `"${term}"`).join(' OR ');
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** What a reader would see of the Markdown, on one line. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/^[#>\s-]+|\|[ -]+(?=\|)|[|`]/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const STOPWORDS = new Set(
  'a an and are as at be by did do does for from had has have how if in into is it its many much of on or that the their there these this to was were what when where which who whom whose why will with you'.split(
    ' ',
  ),
);
