// One GET over real HTTP to the offline web, following redirects. Names are resolved here and only here: `.example` hosts of the set go to the loopback
// server, every other host does not exist, so no request can leave the machine.
import { type Agent, type IncomingMessage, request } from 'node:http';
import { boundedBody } from './bounded-body.ts';
import type { OfflineWeb } from './offline-web.ts';
import { Finding } from './tool-error.ts';
import { redirectOf, webAddress } from './web-address.ts';

export interface Response {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const MAX_REDIRECTS = 5;
const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 10_000;

/** @throws Finding when the address is none, its host is unknown, redirects do not end, or the exchange breaks */
export async function fetchPage(address: string, web: OfflineWeb, agent: Agent): Promise<Response> {
  let url = securely(webAddress(address));
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!web.knowsHost(url.hostname)) throw new Finding(`The host ${url.hostname} could not be found. Check the address, or use web_search to find pages.`);
    const { response, bytes } = await exchange(url, web.port, agent);
    const next = redirectOf(response, url);
    if (next === undefined) {
      const { statusCode = 0, statusMessage = '', headers } = response;
      return { url: url.href, status: statusCode, statusText: statusMessage, contentType: headers['content-type'] ?? '', bytes };
    }
    url = securely(next);
  }
  throw new Finding(`${address} redirects more than ${MAX_REDIRECTS} times.`);
}

/** As browsers do now: one spelling of an address, whichever was typed. */
function securely(url: URL): URL {
  url.protocol = 'https:';
  return url;
}

function exchange(url: URL, port: number, agent: Agent): Promise<{ response: IncomingMessage; bytes: Uint8Array }> {
  return new Promise((resolve, reject) => {
    const brokenBy = (cause: Error) => new Finding(`${url.href} could not be fetched: ${cause.message}.`);
    const sent = request(
      { agent, host: '127.0.0.1', port, path: `${url.pathname}${url.search}`, headers: { Host: url.host }, timeout: TIMEOUT_MS },
      (response) => {
        boundedBody({ url, response, body: response, maxBytes: MAX_BYTES, stop: () => sent.destroy(), brokenBy }).then(resolve, reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', (cause) => reject(brokenBy(cause)));
    sent.end();
  });
}
