import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredPage } from '../tasks/gaia/web/render-page.ts';
import { mainTextOf } from './main-text.ts';
import { openTestSet, type TestSet } from './testing.ts';

const LONG = Array.from({ length: 400 }, (_, i) => `<p>Paragraph ${i} tells of nothing in particular.</p>`).join('\n');

const PAGES: Partial<StoredPage>[] = [
  { url: 'https://www.a.example/harlow', title: 'Harlow House', body: html('Harlow House', '<p>Opened in 1987 by <a href="/lee">Ann Lee</a>.</p>') },
  { url: 'https://www.a.example/lee', body: html('Ann Lee', '<p>Born in Zürich. She founded Harlow House.</p>') },
  { url: 'https://www.a.example/long/', body: html('Long page', LONG) },
  { url: 'https://www.a.example/moved', status: 301, location: '/harlow', body: '' },
  { url: 'https://www.a.example/circle', status: 302, location: 'https://www.a.example/circle', body: '' },
  { url: 'https://www.a.example/away', status: 302, location: 'https://unknown.example/', body: '' },
  { url: 'https://www.a.example/down', status: 503, body: html('Service unavailable', '<p>Down for a while, back soon enough, we hope.</p>') },
  { url: 'https://www.a.example/list.csv?year=1987', contentType: 'text/csv', body: 'a,b\n1,2\n' },
  {
    url: 'https://old.b.example/1252',
    contentType: 'text/html',
    encoding: 'windows-1252',
    body: html('Zoë’s café', '<p>5 € für Gäste, und das seit vielen Jahren.</p>'),
  },
  { url: 'https://old.b.example/blob', contentType: 'image/png', encoding: 'base64', body: Buffer.from('\x89PNG').toString('base64') },
];

function html(title: string, body: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><nav>Menu</nav><main><h1>${title}</h1>${body}</main><footer>Foot</footer></body></html>`;
}

let set: TestSet;
beforeAll(async () => {
  set = await openTestSet({}, PAGES);
});
afterAll(() => set.close());

async function fetchText(given: Record<string, unknown>): Promise<string> {
  const { status, text } = await set.run('web_fetch', given);
  expect(status).toBe(200);
  return text;
}

async function searchText(query: string): Promise<string> {
  const { status, text } = await set.run('web_search', { query });
  expect(status).toBe(200);
  return text;
}

describe('web_fetch', () => {
  it('gives title, address and main text with absolute links', async () => {
    expect(await fetchText({ url: 'https://www.a.example/harlow' })).toBe(
      'Title: Harlow House\nURL: https://www.a.example/harlow\n\n# Harlow House\n\nOpened in 1987 by [Ann Lee](https://www.a.example/lee).',
    );
  });

  it('takes an address without scheme, with http, with a fragment or without its last slash', async () => {
    for (const url of ['www.a.example/harlow', 'http://www.a.example/harlow', ' https://WWW.A.example/harlow#top ', 'https://www.a.example/harlow/']) {
      expect(await fetchText({ url })).toContain('URL: https://www.a.example/harlow\n');
    }
    expect(await fetchText({ url: 'https://www.a.example/long' })).toContain('URL: https://www.a.example/long/\n');
  });

  it('follows redirects and says where they end', async () => {
    expect(await fetchText({ url: 'https://www.a.example/moved' })).toContain('URL: https://www.a.example/harlow\n');
    expect(await fetchText({ url: 'https://www.a.example/circle' })).toBe('https://www.a.example/circle redirects more than 5 times.');
    expect(await fetchText({ url: 'https://www.a.example/away' })).toContain('The host unknown.example could not be found.');
  });

  it('gives pages that fail, unknown pages and unknown hosts as text', async () => {
    expect(await fetchText({ url: 'https://www.a.example/down' })).toContain('Status: 503 Service Unavailable\n\n# Service unavailable');
    expect(await fetchText({ url: 'https://www.a.example/nothing' })).toContain('Status: 404 Not Found\n\n# Page not found');
    expect(await fetchText({ url: 'https://nowhere.example/' })).toContain('The host nowhere.example could not be found.');
    expect(await fetchText({ url: 'not an address' })).toContain('is no web address');
    expect(await fetchText({ url: 'ftp://www.a.example/' })).toContain('Only http and https');
  });

  it('reaches nothing but the offline web', async () => {
    for (const url of [
      'http://127.0.0.1:22/',
      'http://localhost/',
      'http://[::1]/',
      'http://0x7f.1/',
      'http://169.254.169.254/latest/',
      'file:///etc/passwd',
    ]) {
      expect(await fetchText({ url })).toMatch(/could not be found|Only http and https/);
    }
  });

  it('gives a long page in parts and passages around a text', async () => {
    expect(await fetchText({ url: 'https://www.a.example/long/' })).toMatch(/\n\[page 1 of 3: characters 1-\d+ of \d+\. For the next one: page: 2\.\]$/);
    expect(await fetchText({ url: 'https://www.a.example/long/', page: 3 })).toContain('Paragraph 399 tells');
    expect(await fetchText({ url: 'https://www.a.example/long/', page: 9 })).toContain('There is no page 9: the text has 3 pages');
    const found = await fetchText({ url: 'https://www.a.example/long/', find: 'paragraph 250' });
    expect(found).toContain('"paragraph 250" occurs once.');
    expect(found).toContain('Paragraph 250 tells');
    expect(found).not.toContain('Paragraph 200 tells');
    expect(await fetchText({ url: 'https://www.a.example/long/', find: 'zeppelin' })).toContain('"zeppelin" does not occur in the text of this page');
  });

  it('reads other charsets and plain formats, and says what it cannot show', async () => {
    expect(await fetchText({ url: 'https://old.b.example/1252' })).toContain(
      'Title: Zoë’s café\nURL: https://old.b.example/1252\n\n# Zoë’s café\n\n5 € für Gäste',
    );
    expect(await fetchText({ url: 'https://www.a.example/list.csv?year=1987' })).toContain('\n\na,b\n1,2\n');
    expect(await fetchText({ url: 'https://old.b.example/blob' })).toContain('This address holds image/png (5 bytes), which cannot be shown as text.');
  });
});

describe('web_search', () => {
  it('numbers the results, each with title, address and snippet, best first', async () => {
    const lines = (await searchText('who opened harlow house?')).split('\n');
    expect(lines[0]).toBe('1. Harlow House');
    expect(lines[1]).toBe('   https://www.a.example/harlow');
    expect(lines[2]).toBe('   Harlow House Opened in 1987 by Ann Lee.');
    expect(lines[3]).toBe('2. Ann Lee');
  });

  it('finds words without their accents and in other forms', async () => {
    expect(await searchText('zurich')).toContain('1. Ann Lee');
    expect(await searchText('founding')).toContain('1. Ann Lee');
  });

  it('finds no page that answers with an error or a redirect', async () => {
    expect(await searchText('down for a while')).not.toContain('/down');
  });

  it('says so when there is no result, and what to try', async () => {
    expect(await searchText('xylophone')).toBe('No results for "xylophone". Try fewer or other words, such as the name alone.');
    expect(await searchText('')).toContain('No results for ""');
  });

  it.each(['"', 'NEAR(', 'a AND', '* OR *', 'title:x', "'; DROP TABLE pages; --", '^', '-harlow', '"harlow house', '\0', '東京', '((((', '{a b}'])(
    'takes %j as words, never as syntax',
    async (query) => {
      expect(await searchText(query)).toMatch(/^(No results|1\. )/);
    },
  );
});

describe('mainTextOf', () => {
  const text = async (body: string) =>
    (await mainTextOf(`<html><head><title>T</title></head><body>${body}</body></html>`, 'https://www.a.example/dir/page')).text;

  it('keeps headings, paragraphs, lists, quotations and code', async () => {
    expect(
      await text(
        '<h2>Two</h2><p>One <b>bold</b>\n word<br>next line</p><ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol start="3"><li>x</li></ol><blockquote><p>q</p></blockquote><pre>a\n  b</pre>',
      ),
    ).toBe('## Two\n\nOne bold word\nnext line\n\n- a\n  - b\n- c\n\n3. x\n\n> q\n\n```\na\n  b\n```');
  });

  it('writes tables as rows of equal width, with cells over several rows and columns', async () => {
    expect(
      await text(
        '<table><caption>Cap</caption><tr><th>Year</th><th>Name</th><th>N</th></tr><tr><td rowspan="2">1987</td><td>A|B</td><td>1</td></tr><tr><td colspan="2">C</td></tr></table>',
      ),
    ).toBe('Cap\n\n| Year | Name | N |\n| --- | --- | --- |\n| 1987 | A\\|B | 1 |\n| 1987 | C |  |');
  });

  it('writes definitions as one line each', async () => {
    expect(await text('<dl><dt>Opened</dt><dd>1987</dd><dt>Owner</dt><dd>Ann</dd></dl>')).toBe('Opened: 1987\nOwner: Ann');
  });

  it('leaves out what is not the text of the page', async () => {
    const clutter =
      '<div class="cookie-notice">Cookies</div><header>Site</header><nav>Menu</nav><aside>Ad</aside><form>Search</form><script>x()</script><style>p{}</style><p hidden>no</p><div role="dialog">Box</div><footer>Foot</footer>';
    expect(
      await text(
        `${clutter}<main><article><header><h1>Title</h1></header><p>This is the text of the page, and it is long enough.</p>${clutter.replace('<header>Site</header>', '')}</article></main>`,
      ),
    ).toBe('# Title\n\nThis is the text of the page, and it is long enough.');
  });

  it('reads the whole body when main is an empty shell', async () => {
    expect(await text('<main></main><div><p>All the text stands outside.</p></div>')).toBe('All the text stands outside.');
  });

  it('makes links absolute and leaves out those that lead nowhere', async () => {
    expect(await text('<p><a href="../up">up</a> <a href="#top">top</a> <a href="javascript:x()">js</a> <a href="//b.example/x">b</a></p>')).toBe(
      '[up](https://www.a.example/up) top js [b](https://b.example/x)',
    );
  });

  it('survives markup nested thousands deep', async () => {
    await expect(text(`${'<div>'.repeat(20_000)}deep`)).resolves.toBeTypeOf('string');
    await expect(text(`<p>${'<b>'.repeat(20_000)}deep`)).resolves.toBeTypeOf('string');
  });
});
