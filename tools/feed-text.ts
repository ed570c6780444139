// A feed (RSS 2.0, RSS 1.0 or Atom) as title and Markdown: one entry a list item, with address, day and the start of its summary. Anything else is no feed.
import type { MainText } from './main-text.ts';
import { loadPackage } from './tool-error.ts';

const FEED_START = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<\?[^>]*>\s*)*<(?:rss|feed|rdf:RDF)[\s>]/i;
const LONGEST_SUMMARY = 280;
const MOST_ENTRIES = 500;

/** @returns `undefined` when the text does not begin as a feed does */
export async function feedText(xml: string, url: string): Promise<MainText | undefined> {
  if (!FEED_START.test(xml)) return undefined;
  const { DOMParser } = await loadPackage('linkedom', () => import('linkedom'));
  const document = new DOMParser().parseFromString(withoutCdata(xml), 'text/xml') as unknown as Document;
  const entries = [...document.querySelectorAll('item, entry')];
  const feed = document.querySelector('channel, feed');
  const title = textOf(feed, 'title') || 'Feed';
  const shown = entries.slice(0, MOST_ENTRIES).map((entry) => entryText(entry, url));
  const more = entries.length > shown.length ? `\n\n${entries.length - shown.length} more entries are not shown.` : '';
  return { title, text: `# ${title}\n\n${shown.length === 0 ? 'This feed has no entries.' : shown.join('\n')}${more}` };
}

function entryText(entry: Element, url: string): string {
  const title = textOf(entry, 'title') || 'Untitled';
  const link = childOf(entry, 'link');
  const address = link?.getAttribute('href') || link?.textContent?.trim() || '';
  const head = address !== '' && URL.canParse(address, url) ? `- [${title}](${new URL(address, url).href})` : `- ${title}`;
  const day = ['pubDate', 'published', 'updated', 'dc:date'].map((name) => textOf(entry, name)).find(Boolean);
  const summary = ['description', 'summary', 'content'].map((name) => textOf(entry, name)).find(Boolean) ?? '';
  const cut = summary.length > LONGEST_SUMMARY ? `${summary.slice(0, LONGEST_SUMMARY).trimEnd()} …` : summary;
  return [head, day === undefined ? '' : `  Published: ${isoDay(day)}`, cut === '' ? '' : `  ${cut}`].filter(Boolean).join('\n');
}

/** As the escaped text that it stands for. */
function withoutCdata(xml: string): string {
  return xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

/** An entry's own element of this name, whatever the case: parsers differ. */
function childOf(parent: Element | null, name: string): Element | undefined {
  return [...(parent?.children ?? [])].find((child) => child.tagName.toLowerCase() === name.toLowerCase());
}

/** Markup within a text (escaped or as CDATA) is left out. */
function textOf(parent: Element | null, name: string): string {
  const text = childOf(parent, name)?.textContent ?? '';
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `2025-09-15`; a day that cannot be read stands as it came. */
function isoDay(day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : new Date(at).toISOString().slice(0, 10);
}
