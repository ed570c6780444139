// Opens the web of a built set: serves its pages, reads their main texts once (kept on disk by the content of the whole web), and indexes them for search.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import type { StoredPage } from '../tasks/gaia/web/render-page.ts';
import { type IndexedPage, indexPages, type SearchDials } from '../tasks/search-index.ts';
import { fetchPage } from './fetch-page.ts';
import type { MainText } from './main-text.ts';
import { bytesOf, serveWeb } from './offline-web.ts';
import { isPdf, pageText, pageTextApart } from './page-text.ts';
import type { TextCache } from './text-cache.ts';
import { ToolError } from './tool-error.ts';
import type { Web } from './web.ts';

interface PreparedPage extends IndexedPage {
  /** Hash of what was read, so that only the very same bytes get this text. */
  readonly content: string;
  /** Its text says only that reading it took too much. */
  readonly isGivenUp?: true;
}

export const PAGES_FILE = path.join('web', 'pages.jsonl');

/** @throws ToolError `WEB_UNREADABLE` when a line of the file is no page */
export async function openWeb(taskSetDirectory: string, cache: TextCache, dials: SearchDials = {}): Promise<Web> {
  const file = path.join(taskSetDirectory, PAGES_FILE);
  const stored = await readFile(file);
  const pages = parsePages(stored.toString('utf8'), file);
  const prepared = await cache.get({
    reader: 'web-2',
    source: file,
    bytes: async () => stored,
    read: () => prepareAll(pages),
    onDisk: (all) => !all.some(({ isGivenUp }) => isGivenUp),
  });
  const texts = new Map(prepared.map((page) => [`${page.url}\n${page.content}`, page]));
  const index = await indexPages(prepared, dials);
  const server = await serveWeb(pages);
  const agent = new Agent({ keepAlive: true });
  const web: Web = {
    search: (query) => index.search(query),
    fetch: async (address) => {
      const { url, status, statusText, contentType, bytes } = await fetchPage(address, server, agent);
      const key = `${url}\n${contentHash(contentType, bytes)}`;
      let page = cache.isOff ? undefined : texts.get(key);
      if (!page) {
        page = { url, content: '', ...(await textOf(url, contentType, bytes)) };
        texts.set(key, page);
      }
      return { url, status, statusText, title: page.title, text: page.text };
    },
    close: async () => {
      agent.destroy();
      index.close();
      await server.close();
    },
  };
  // Opens the one connection and compiles both paths, so that the first row's first call is like every other.
  const [first] = prepared;
  for (let i = 0; first && i < 3; i++) {
    web.search(first.title);
    await web.fetch(first.url);
  }
  return web;
}

function parsePages(text: string, file: string): StoredPage[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      const page = JSON.parse(line) as StoredPage;
      if (!URL.canParse(page.url) || typeof page.body !== 'string' || !Number.isInteger(page.status)) throw new TypeError('url, status and body are needed');
      return [page];
    } catch (cause) {
      throw new ToolError('WEB_UNREADABLE', `line ${i + 1} of ${file} is no page`, { remedy: 'build the task set again', cause });
    }
  });
}

/** Only pages that answer are found by search; a redirect is found where it leads. */
async function prepareAll(pages: readonly StoredPage[]): Promise<PreparedPage[]> {
  const prepared: PreparedPage[] = [];
  for (const page of pages) {
    if (page.status !== 200) continue;
    const bytes = bytesOf(page);
    const url = new URL(page.url).href;
    const { title, text, ...more } = await textOf(url, page.contentType, bytes);
    prepared.push({ url, content: contentHash(page.contentType, bytes), title: title === '' ? page.title : title, text, ...more });
  }
  return prepared;
}

/** HTML of a set takes a millisecond or two, less than to hand it over. */
function textOf(url: string, contentType: string, bytes: Uint8Array): Promise<MainText & { readonly isGivenUp?: true }> {
  return isPdf(contentType) ? pageTextApart(url, contentType, bytes) : pageText(url, contentType, bytes);
}

function contentHash(contentType: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${contentType}\n`).update(bytes).digest('hex').slice(0, 32);
}
