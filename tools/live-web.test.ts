import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { manualClock } from '../base/clock.ts';
import { type LiveWebOptions, openLiveWeb } from './live-web.ts';
import { searchEnvironment, searchProvider } from './search-providers.ts';
import { createToolbox } from './toolbox.ts';

const PAGES: Record<string, RequestListener> = {
  '/page': (_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<title>Here</title><main><p>A page of the world outside, long enough.</p></main>'),
  '/zipped': (_, response) => response.setHeader('Content-Type', 'text/plain').setHeader('Content-Encoding', 'gzip').end(gzipSync('told in few bytes')),
  '/bomb': (_, response) =>
    response
      .setHeader('Content-Type', 'text/plain')
      .setHeader('Content-Encoding', 'gzip')
      .end(gzipSync(Buffer.alloc(3_000_000, 97))),
  '/moved': (_, response) => response.writeHead(302, { Location: '/page' }).end(),
  '/inside': (_, response) => response.writeHead(302, { Location: `http://inside.test:${port}/page` }).end(),
  '/metadata': (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/file': (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
  '/circle': (_, response) => response.writeHead(302, { Location: '/circle' }).end(),
  '/a': (_, response) => response.writeHead(302, { Location: '/b' }).end(),
  '/b': (_, response) => response.writeHead(307, { Location: '/a' }).end(),
  '/wants-cookie': ({ headers }, response) => {
    if (headers.cookie === undefined) response.writeHead(302, { Location: '/wants-cookie', 'Set-Cookie': 'seen=1' }).end();
    else response.end('in');
  },
  '/private/page': (_, response) => response.end('kept apart'),
  '/robots.txt': (_, response) => {
    if (robots.status > 299 && robots.status < 400) response.writeHead(robots.status, { Location: '/rules' }).end();
    else response.writeHead(robots.status).end(robots.text);
  },
  '/rules': (_, response) => response.end(robots.text),
  '/silent': () => {},
  '/search': (request, response) => {
    if (searchPage) return response.writeHead(searchPage.status, { 'Content-Type': searchPage.type }).end(searchPage.text);
    asked.push(`${request.headers.authorization ?? request.headers['x-api-key']}`);
    response.end(
      JSON.stringify({
        results: [{ title: 'T', url: 'https://t.example/', content: 'c <b>d</b>' }, { title: 'no address' }],
        organic: [{ title: 'S', link: 'https://s.example/', snippet: 's' }],
      }),
    );
  },
  '/res/v1/web/search': (request, response) => {
    asked.push(`${request.headers['x-subscription-token']}`);
    response.end(JSON.stringify({ web: { results: [{ title: 'B <strong>x</strong>', url: 'https://b.example/', description: 'b' }] } }));
  },
};

const asked: string[] = [];
let robots = { status: 404, text: '' };
/** Of every request that reached the server. */
let reached: string[] = [];
/** In place of results: status, type and text. */
let searchPage: { readonly status: number; readonly type: string; readonly text: string } | undefined;
afterEach(() => {
  robots = { status: 404, text: '' };
  reached = [];
  searchPage = undefined;
});
let port = 0;
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    reached.push(request.url ?? '');
    const page = PAGES[new URL(request.url ?? '/', 'http://x').pathname];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const none = { name: 'none', search: async () => [] };

/** A web in which outside.test lies outside, though it is this machine, and everything else keeps its place. */
function web(options: Partial<LiveWebOptions> = {}) {
  let outside = false;
  return openLiveWeb({
    provider: none,
    resolve: async (host) => {
      outside = host === 'outside.test';
      return [{ address: '127.0.0.1', family: 4 }];
    },
    mayReach: () => outside,
    ...options,
  });
}

const get = (path: string, options: Partial<LiveWebOptions> = {}) => web(options).fetch(`http://outside.test:${port}${path}`);

describe('fetching from the live web', () => {
  it('gives the main text, also of compressed and moved pages', async () => {
    expect(await get('/page')).toMatchObject({ status: 200, title: 'Here', text: 'A page of the world outside, long enough.' });
    expect((await get('/zipped')).text).toBe('told in few bytes');
    expect((await get('/moved')).url).toBe(`http://outside.test:${port}/page`);
    expect((await get('/gone')).status).toBe(404);
  });

  it('refuses what is not public, by name, by number, and behind a redirect', async () => {
    const open = openLiveWeb({ provider: none });
    for (const url of [
      `http://127.0.0.1:${port}/page`,
      `http://localhost:${port}/page`,
      `http://[::1]:${port}/`,
      `http://0x7f.1:${port}/`,
      'http://169.254.169.254/latest/',
      `http://[::ffff:127.0.0.1]:${port}/page`,
      `http://2130706433:${port}/page`,
      `http://[::ffff:a9fe:a9fe]/`,
    ])
      await expect(open.fetch(url)).rejects.toThrow(/not on the public internet/);
    await expect(open.fetch('file:///etc/passwd')).rejects.toThrow(/Only http and https/);
    expect(reached).toEqual([]);
    await expect(get('/inside')).rejects.toThrow('inside.test is not on the public internet');
    await expect(get('/file')).rejects.toThrow(/Only http and https/);
    const strict = { mayReach: (address: string) => address === '127.0.0.1' };
    await expect(get('/metadata', strict)).rejects.toThrow('169.254.169.254 is not on the public internet');
  });

  it('refuses a name as soon as one of its answers is not public', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    await expect(openLiveWeb({ provider: none, resolve }).fetch('https://two-faced.example/')).rejects.toThrow(/not on the public internet/);
  });

  it('connects to the answer that was checked, not to a second one', async () => {
    let asks = 0;
    const resolve = async () => {
      asks += 1;
      return [{ address: asks === 1 ? '127.0.0.1' : '10.0.0.7', family: 4 }];
    };
    expect((await get('/page', { resolve, mayReach: (address) => address === '127.0.0.1' })).status).toBe(200);
    expect(asks).toBe(1);
  });

  it('never reaches a second answer of the resolver, also behind a redirect to the same name', async () => {
    let asks = 0;
    const resolve = async () => {
      asks += 1;
      return [{ address: asks === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }];
    };
    const mayReach = (address: string) => address === '127.0.0.1';
    expect(await get('/moved', { resolve, mayReach })).toMatchObject({ status: 200, title: 'Here' });
    const later = web({ resolve, mayReach });
    await expect(later.fetch(`http://outside.test:${port}/page`)).rejects.toThrow(/not on the public internet/);
  });

  it('refuses a blocked place, also behind a redirect, and tells every address that was asked for', async () => {
    const visited: string[] = [];
    const base = `http://outside.test:${port}`;
    const isBlocked = (address: string) => address.endsWith('/page');
    await expect(web({ isBlocked }).fetch(`${base}/moved`, (url) => visited.push(url))).rejects.toThrow(/page is closed to these tasks/);
    expect(visited).toEqual([`${base}/moved`, `${base}/page`]);
    await expect(web().fetch('https://huggingface.co/datasets/gaia-benchmark/GAIA')).rejects.toThrow(/closed to these tasks/);
  });

  it('leaves blocked places out of what search finds', async () => {
    const hit = (url: string) => ({ title: 'T', url, snippet: '' });
    const provider = {
      name: 'both',
      search: async () => [hit('https://huggingface.co/datasets/gaia-benchmark/GAIA'), hit('https://en.wikipedia.org/wiki/Gaia')],
    };
    expect(await web({ provider }).search('gaia')).toEqual([hit('https://en.wikipedia.org/wiki/Gaia')]);
  });

  it('ends when a page is too large, too slow or redirects for ever', async () => {
    await expect(get('/bomb', { maxBytes: 100_000 })).rejects.toThrow(/larger than 0.1 MB/);
    await expect(get('/silent', { timeoutMs: 200 })).rejects.toThrow(/did not answer within 0.2 s/);
    for (const path of ['/circle', '/a']) await expect(get(path)).rejects.toThrow(/redirects more than 5 times\.$/);
    await expect(get('/wants-cookie')).rejects.toThrow(/redirects more than 5 times\. It sets cookies on the way, which are not kept here\.$/);
    await expect(web({ resolve: () => Promise.reject(new Error('none')) }).fetch('https://nowhere.example/')).rejects.toThrow(/could not be found/);
  });
});

describe('what a host asks of programs', () => {
  it.each([
    ['nothing, when it has no such file', { status: 404, text: 'gone' }, true],
    ['nothing of us', { status: 200, text: 'User-agent: elsebot\nDisallow: /' }, true],
    ['to keep away', { status: 200, text: 'User-agent: *\nDisallow: /private' }, false],
    ['to keep away, told elsewhere', { status: 301, text: 'User-agent: *\nDisallow: /private' }, false],
  ])('is %s', async (_, given, fetched) => {
    robots = given;
    if (fetched) expect((await get('/private/page')).status).toBe(200);
    else await expect(get('/private/page')).rejects.toThrow(/is not fetched: outside\.test asks programs to keep away from it/);
    expect(reached.includes('/private/page')).toBe(fetched);
    expect((await get('/page')).status).toBe(200);
  });

  it('holds a page back while it cannot be known, and is asked again; whoever runs the study may turn it off', async () => {
    const one = web();
    const url = `http://outside.test:${port}/page`;
    robots = { status: 503, text: '' };
    await expect(one.fetch(url)).rejects.toThrow(/its robots\.txt answers 503\), so .* is not fetched/);
    expect(reached).toEqual(['/robots.txt']);
    robots = { status: 404, text: '' };
    expect((await one.fetch(url)).status).toBe(200);
    expect((await one.fetch(url)).status).toBe(200);
    expect(reached).toEqual(['/robots.txt', '/robots.txt', '/page', '/page']);
    robots = { status: 503, text: '' };
    expect((await get('/page', { robots: 'ignored' })).status).toBe(200);
  });
});

it('tells the broker which addresses a tool call asked for, also where it was refused', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agentgauge-live-'));
  vi.stubEnv('AGENTGAUGE_SEARCH', 'brave');
  vi.stubEnv('BRAVE_API_KEY', 'k');
  try {
    const toolbox = await createToolbox({ taskSetDirectory: folder, cacheDirectory: folder });
    const url = `http://127.0.0.1:${port}/page`;
    expect(await toolbox.run('web_fetch', { url }, { attachments: [] })).toEqual({
      status: 200,
      text: '127.0.0.1 is not on the public internet, and is not fetched.',
      urls: [url],
    });
    expect(await toolbox.run('calculator', { expression: '1+1' }, { attachments: [] })).not.toHaveProperty('urls');
    await toolbox.close();
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
});

describe('search providers', () => {
  it.each([
    ['tavily', 'TAVILY_API_KEY', 'Bearer k', [{ title: 'T', url: 'https://t.example/', snippet: 'c d' }]],
    ['brave', 'BRAVE_API_KEY', 'k', [{ title: 'B x', url: 'https://b.example/', snippet: 'b' }]],
    ['serper', 'SERPER_API_KEY', 'k', [{ title: 'S', url: 'https://s.example/', snippet: 's' }]],
  ])('ask %s in its own form, with the key in a header', async (name, variable, header, hits) => {
    const provider = searchProvider({ AGENTGAUGE_SEARCH: name, [variable]: 'k' }, `http://127.0.0.1:${port}`);
    expect(await provider?.search('salt harbour')).toEqual(hits);
    expect(asked.at(-1)).toBe(header);
  });

  it.each([
    ['a human check under 202', { status: 202, type: 'text/html; charset=utf-8', text: '<form>Are you a person?</form>' }],
    ['a human check under 200', { status: 200, type: 'text/html', text: '<form>Are you a person?</form>' }],
    ['too many requests', { status: 429, type: 'application/json', text: '{}' }],
  ])('are blocked by %s, which is never no results, and leave the provider alone for longer each time', async (_, given) => {
    const clock = manualClock();
    const provider = searchProvider({ AGENTGAUGE_SEARCH: 'tavily', TAVILY_API_KEY: 'k' }, `http://127.0.0.1:${port}`, clock);
    searchPage = given;
    const search = () => expect(provider?.search('salt')).rejects;
    await search().toMatchObject({
      code: 'SEARCH_BLOCKED',
      message: expect.stringMatching(/^search by tavily is blocked: /),
      remedy: 'it is asked again in 30 s',
    });
    await search().toMatchObject({ code: 'SEARCH_BLOCKED' });
    expect(reached).toHaveLength(1);
    clock.advance(30_001);
    await search().toMatchObject({ remedy: 'it is asked again in 60 s' });
    expect(reached).toHaveLength(2);
    searchPage = undefined;
    clock.advance(60_001);
    expect(await provider?.search('salt')).toHaveLength(1);
  });

  it('tell no results where there are none', async () => {
    searchPage = { status: 200, type: 'application/json', text: '{"results":[]}' };
    const provider = searchProvider({ AGENTGAUGE_SEARCH: 'tavily', TAVILY_API_KEY: 'k' }, `http://127.0.0.1:${port}`);
    expect(await provider?.search('salt')).toEqual([]);
  });

  it('take no more of the environment than their name and key', () => {
    const environment = { AGENTGAUGE_SEARCH: 'brave', BRAVE_API_KEY: 'b', TAVILY_API_KEY: 't', HOME: '/root' };
    expect(searchEnvironment(environment)).toEqual({ AGENTGAUGE_SEARCH: 'brave', BRAVE_API_KEY: 'b' });
    expect(searchEnvironment({ BRAVE_API_KEY: 'b' })).toEqual({});
    expect(searchEnvironment({ AGENTGAUGE_SEARCH: 'brave', AGENTGAUGE_ROBOTS: 'ignored' })).toEqual({
      AGENTGAUGE_SEARCH: 'brave',
      AGENTGAUGE_ROBOTS: 'ignored',
    });
  });

  it('say what is missing, and are absent unless named', async () => {
    expect(searchProvider({})).toBeUndefined();
    expect(() => searchProvider({ AGENTGAUGE_SEARCH: 'altavista' })).toThrow(expect.objectContaining({ code: 'UNKNOWN_SEARCH_PROVIDER' }));
    expect(() => searchProvider({ AGENTGAUGE_SEARCH: 'brave' })).toThrow(expect.objectContaining({ code: 'SEARCH_KEY_MISSING' }));
    const lost = searchProvider({ AGENTGAUGE_SEARCH: 'tavily', TAVILY_API_KEY: 'secret-key' }, `http://127.0.0.1:${port}/gone`);
    await expect(lost?.search('x')).rejects.toMatchObject({ code: 'SEARCH_FAILED', message: expect.not.stringContaining('secret-key') });
  });
});
