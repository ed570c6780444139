// Puts npm's failure into plain words: address, cause, remedy. npm's own last lines stay below, for those who can read them. Must parse on Node 12.
import { Complaint } from './complaint.mjs';

const KEPT_LINES = 12;

/** First match wins; `words` get the text of npm and say cause and remedy. */
const CAUSES = [
  {
    match: /ENOSPC|EDQUOT|no space left/i,
    cause: (root) => `the disk is full (${root}, or npm's cache: see \`npm config get cache\`)`,
    remedy: 'free about 1 GB, then run the same command again: it starts the install anew',
  },
  {
    match:
      /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|DEPTH_ZERO_SELF|CERT_HAS_EXPIRED|CERT_UNTRUSTED|ERR_TLS_CERT|self.signed certificate|unable to get local issuer/i,
    cause: () => 'its certificate is not trusted, which is what a company proxy with a certificate of its own looks like',
    remedy:
      'point npm to that certificate: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem (or `npm config set cafile /path/to/ca.pem`), then run the same command again',
  },
  {
    match: /E407|407 Proxy|tunneling socket/i,
    cause: () => 'the proxy refused the request',
    remedy: "check `npm config get https-proxy` and the proxy's user and password, then run the same command again",
  },
  {
    match: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|ENETWORK|ENOTCACHED|network/i,
    cause: (_root, text) => `it is out of reach (${(/E[A-Z_]{5,}/.exec(text.replace(/ERR!|ERROR|EBADENGINE/g, '')) || ['no connection'])[0]})`,
    remedy: 'check the connection, the proxy (`npm config get https-proxy`) and the registry (`npm config get registry`), then run the same command again',
  },
  {
    match: /E401|E403|ENEEDAUTH/i,
    cause: () => 'it refused access',
    remedy: 'log in to that registry (`npm login`) or choose another with `npm config set registry`, then run the same command again',
  },
  {
    match: /E404|ETARGET/i,
    cause: () => 'it does not have a package of the lock',
    remedy: 'use a registry that mirrors all of npm: `npm config set registry`, then run the same command again',
  },
  {
    match: /EINTEGRITY/i,
    cause: () => 'a package came with other bytes than the lock says',
    remedy: 'run `npm cache verify` and the same command again; if it stays, do not trust that registry',
  },
  {
    match: /EUSAGE|in sync|can only install/i,
    cause: () => 'package.json and package-lock.json do not agree',
    remedy: 'run `npm install` to bring the lock up to date, or restore both files',
  },
  {
    match: /EACCES|EPERM|EROFS/i,
    cause: (root) => `a folder cannot be written (${root}, or npm's cache: see \`npm config get cache\`)`,
    remedy: 'make both folders yours (chown), then run the same command again',
  },
];

function addressIn(text) {
  const found = /https?:\/\/[^\s/,'"]+/.exec(text.replace(/https?:\/\/(docs\.npmjs|nodejs|github)[^\s]*/g, ''));
  return found ? found[0] : undefined;
}

export function npmComplaint(root, status, text) {
  const known = CAUSES.find((entry) => entry.match.test(text));
  const address = addressIn(text);
  const last = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^npm (ERR!|error)(\s+at .*|\s*)$/.test(line)) // no stack, no empty lines
    .filter((line, index, lines) => lines.indexOf(line) === index)
    .slice(-KEPT_LINES)
    .map((line) => `  | ${line}`)
    .join('\n');
  const said = last === '' ? '' : `\n  npm said:\n${last}`;
  if (!known) return new Complaint(`npm ci failed (${status})${said}`, 'mend what npm says above, then run the same command again');
  return new Complaint(`npm ci failed: ${address ? `registry ${address}: ` : ''}${known.cause(root, text)}${said}`, known.remedy);
}
