// Who composes a set asks the search about pages before any tool can read them (tasks/gaia/web/stored-pages.ts): both must see the same words.
import { expect, it } from 'vitest';
import { buildWeb } from '../tasks/gaia/web/build-web.ts';
import { seenPages, storedPages } from '../tasks/gaia/web/stored-pages.ts';
import { createWorld } from '../tasks/gaia/world/world.ts';
import { plainText } from '../tasks/search-index.ts';
import { bytesOf } from './offline-web.ts';
import { pageText } from './page-text.ts';

it('sees each kind of page of a set as the tools read it, letter by letter', async () => {
  const world = createWorld(17);
  const stored = await storedPages(world, buildWeb(world));
  const seen = new Map(seenPages(stored, world).map((page) => [page.url, page]));
  expect([...seen.keys()]).toEqual(stored.flatMap(({ url, status }) => (status === 200 ? [url] : [])));
  const kinds = Map.groupBy(
    stored.filter(({ status }) => status === 200),
    ({ url }) => new URL(url).host + new URL(url).pathname.split('/')[1],
  );
  expect(kinds.size).toBeGreaterThan(60);
  for (const page of [...kinds.values()].flatMap((of) => of.slice(0, 6))) {
    const { title, text } = await pageText(page.url, page.contentType, bytesOf(page));
    expect(seen.get(page.url), page.url).toEqual({ url: page.url, title, text: plainText(text) });
  }
});
