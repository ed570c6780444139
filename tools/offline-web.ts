// Serves the pages of a built set over real loopback HTTP, by Host header, with their statuses and redirects. Resolving names to it is the fetcher's part.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoredPage } from '../tasks/gaia/web/render-page.ts';

export interface OfflineWeb {
  readonly port: number;
  /** Whether any page of the set has this host. */
  knowsHost(host: string): boolean;
  close(): Promise<void>;
}

export async function serveWeb(pages: readonly StoredPage[]): Promise<OfflineWeb> {
  const byAddress = new Map(pages.map((page) => [addressOf(page.url), page]));
  const hosts = new Set(pages.map((page) => new URL(page.url).hostname));
  const server = createServer((request, response) => {
    request.resume();
    const address = `${(request.headers.host ?? '').toLowerCase()}${request.url ?? '/'}`;
    const page = byAddress.get(address);
    if (page) {
      const bytes = bytesOf(page);
      const location = page.location === undefined ? [] : ['Location', page.location];
      const answer = () => {
        response.writeHead(page.status, ['Content-Type', page.contentType, 'Content-Length', String(bytes.length), ...location]);
        response.end(bytes);
      };
      if (page.delayMs === undefined) answer();
      else setTimeout(answer, page.delayMs);
      return;
    }
    const twin = byAddress.get(address.endsWith('/') ? address.slice(0, -1) : `${address}/`);
    if (twin) {
      response.writeHead(301, { Location: twin.url, 'Content-Length': 0 });
      response.end();
      return;
    }
    response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><title>Page not found</title><main><h1>Page not found</h1><p>There is no page at this address on this site.</p></main>');
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    knowsHost: (host) => hosts.has(host),
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Host, path and query: the scheme and the fragment make no difference here. */
function addressOf(url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname}${search}`;
}

export function bytesOf(page: Pick<StoredPage, 'body' | 'encoding'>): Uint8Array {
  switch ((page.encoding ?? 'utf-8').toLowerCase()) {
    case 'base64':
      return Buffer.from(page.body, 'base64');
    case 'utf-16le':
      return Buffer.from(`\uFEFF${page.body}`, 'utf16le');
    case 'windows-1252':
    case 'iso-8859-1':
    case 'latin1':
      return Uint8Array.from(page.body, (character) => WINDOWS_1252.get(character) ?? 0x3f);
    default:
      return Buffer.from(page.body, 'utf8');
  }
}

const WINDOWS_1252 = new Map(Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]));
