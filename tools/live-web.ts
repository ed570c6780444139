// The live web, for runs with real models: search by a provider with a key, and one GET per page that can reach nothing but the public internet. The answer of
// the resolver is checked, and the connection goes to that very answer, after every redirect anew: a name cannot change between check and use.
import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { holdsOfficialData } from './blocklist.ts';
import { boundedBody } from './bounded-body.ts';
import { decodeText } from './decode-text.ts';
import { pageTextApart } from './page-text.ts';
import { isPublicAddress } from './public-address.ts';
import { AGENT_NAME, robotsAllow } from './robots.ts';
import type { SearchProvider } from './search-providers.ts';
import { Finding } from './tool-error.ts';
import type { Web } from './web.ts';
import { redirectOf, webAddress } from './web-address.ts';

export interface LiveWebOptions {
  readonly provider: SearchProvider;
  /** Places that nothing is fetched from and that search does not show. @default holdsOfficialData */
  readonly isBlocked?: (address: string) => boolean;
  /** @default isPublicAddress */
  readonly mayReach?: (address: string) => boolean;
  /** @default the system's resolver */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Of a whole fetch, redirects included. @default 20 seconds */
  readonly timeoutMs?: number;
  /** After decompression. @default 5 MB */
  readonly maxBytes?: number;
  /** What hosts ask of programs in their robots.txt. @default obeyed */
  readonly robots?: 'obeyed' | 'ignored';
}

const MAX_REDIRECTS = 5;

export function openLiveWeb(options: LiveWebOptions): Web {
  const { provider, isBlocked = holdsOfficialData, mayReach = isPublicAddress, resolve = resolveAll, timeoutMs = 20_000, maxBytes = 5_000_000 } = options;
  const rules = new Map<string, string>();
  /** Kept once a host has answered; a host that is in trouble is asked again next time. @throws Finding when the page is not to be fetched */
  const askHost = async (url: URL, get: (url: URL) => Promise<Exchange>) => {
    let text = rules.get(url.origin);
    if (text === undefined) {
      let at: URL | undefined = new URL('/robots.txt', url);
      let [status, bytes]: [number, Uint8Array] = [0, new Uint8Array()];
      for (let redirects = 0; at && redirects <= MAX_REDIRECTS; redirects++) {
        const answer: Exchange = await get(at);
        [status, bytes] = [answer.response.statusCode ?? 0, answer.bytes];
        const next = redirectOf(answer.response, at);
        at = next && withoutLogin(next);
      }
      if (status >= 500)
        throw new Finding(
          `${url.hostname} does not say now what programs may read (its robots.txt answers ${status}), so ${url.href} is not fetched. Use another page, or try again later.`,
        );
      text = status === 200 ? decodeText(bytes).text : '';
      rules.set(url.origin, text);
    }
    if (!robotsAllow(text, `${url.pathname}${url.search}`))
      throw new Finding(`${url.href} is not fetched: ${url.hostname} asks programs to keep away from it (robots.txt). Use another page.`);
  };
  return {
    search: async (query) => (await provider.search(query)).filter(({ url }) => !isBlocked(url)),
    fetch: async (address, visited) => {
      const signal = AbortSignal.timeout(timeoutMs);
      // One answer a host: what was checked is what is connected to, for its rules and its page alike.
      const pins = new Map<string, Promise<LookupAddress>>();
      const get = async (of: URL) => {
        let pinned = pins.get(of.hostname);
        if (!pinned) {
          pinned = pinnedAddress(of, resolve, mayReach);
          pins.set(of.hostname, pinned);
        }
        return exchange(of, await pinned, signal, maxBytes, timeoutMs);
      };
      let url = withoutLogin(webAddress(address));
      let setsCookies = false;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        visited?.(url.href);
        if (isBlocked(url.href)) throw new Finding(`${url.href} is closed to these tasks, and is not fetched.`);
        if (options.robots !== 'ignored') await askHost(url, get);
        const { response, bytes } = await get(url);
        setsCookies ||= response.headers['set-cookie'] !== undefined;
        const next = redirectOf(response, url);
        if (!next) {
          const { title, text } = await pageTextApart(url.href, response.headers['content-type'] ?? '', bytes);
          return { url: url.href, status: response.statusCode ?? 0, statusText: response.statusMessage ?? '', title, text };
        }
        url = withoutLogin(next);
      }
      throw new Finding(`${address} redirects more than ${MAX_REDIRECTS} times.${setsCookies ? ' It sets cookies on the way, which are not kept here.' : ''}`);
    },
    close: async () => {},
  };
}

/** Nobody's name and password go out with a request. */
function withoutLogin(url: URL): URL {
  url.username = '';
  url.password = '';
  return url;
}

/** All answers must be public, since any of them may be used next time. */
async function pinnedAddress(url: URL, resolve: NonNullable<LiveWebOptions['resolve']>, mayReach: (address: string) => boolean): Promise<LookupAddress> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const literal = isIP(host);
  let answers: readonly LookupAddress[];
  try {
    answers = literal === 0 ? await resolve(host) : [{ address: host, family: literal }];
  } catch {
    throw new Finding(`The host ${url.hostname} could not be found. Check the address, or use web_search to find pages.`);
  }
  const [first] = answers;
  if (!first) throw new Finding(`The host ${url.hostname} could not be found. Check the address, or use web_search to find pages.`);
  if (!answers.every(({ address }) => mayReach(address))) throw new Finding(`${url.hostname} is not on the public internet, and is not fetched.`);
  return first;
}

interface Exchange {
  readonly response: IncomingMessage;
  readonly bytes: Uint8Array;
}

function exchange(url: URL, pinned: LookupAddress, signal: AbortSignal, maxBytes: number, timeoutMs: number): Promise<Exchange> {
  // Node asks with `all` or without, and wants its answer in that form.
  const lookup: LookupFunction = (_host, options, done) => (options.all ? done(null, [pinned]) : done(null, pinned.address, pinned.family));
  return new Promise((resolve, reject) => {
    const brokenBy = (cause: Error) =>
      new Finding(signal.aborted ? `${url.href} did not answer within ${timeoutMs / 1000} s.` : `${url.href} could not be fetched: ${cause.message}.`);
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const headers = { 'User-Agent': AGENT_NAME, Accept: 'text/html,application/xhtml+xml,application/pdf,*/*;q=0.5', 'Accept-Encoding': 'gzip, deflate, br' };
    const sent = send(url, { lookup, signal, headers, agent: false }, (response) => {
      boundedBody({ url, response, body: decompressed(response), maxBytes, stop: () => sent.destroy(), brokenBy }).then(resolve, reject);
    });
    sent.on('error', (cause) => reject(brokenBy(cause)));
    sent.end();
  });
}

function decompressed(response: IncomingMessage): NodeJS.ReadableStream {
  switch (response.headers['content-encoding']) {
    case 'gzip':
    case 'x-gzip':
      return response.pipe(createGunzip());
    case 'deflate':
      return response.pipe(createInflate());
    case 'br':
      return response.pipe(createBrotliDecompress());
    default:
      return response;
  }
}

function resolveAll(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    resolveName(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
