// An address as a model writes it, read as a person means it, and where a redirect leads. Whether its host may be asked is decided elsewhere.
import type { IncomingMessage } from 'node:http';
import { Finding } from './tool-error.ts';

/** Forgives what people leave out: the scheme, and blanks around the address. @throws Finding when it is no address of the web */
export function webAddress(address: string): URL {
  const trimmed = address.trim();
  const full = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d/.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === '' || !URL.canParse(full)) throw new Finding(`"${address}" is no web address. One looks like https://www.site.example/page.`);
  const url = new URL(full);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Finding(`Only http and https addresses can be fetched, not ${url.protocol}`);
  url.hash = '';
  return url;
}

/** @returns `undefined` for an answer that is no redirect. @throws Finding when it leads to no address */
export function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, url: URL): URL | undefined {
  if (statusCode < 300 || statusCode > 399 || location === undefined) return undefined;
  if (!URL.canParse(location, url)) throw new Finding(`${url.href} redirects to "${location}", which is no address.`);
  return webAddress(new URL(location, url).href);
}
