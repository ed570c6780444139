// Which addresses the live web may be fetched from: those of the public internet. Private, loopback, link-local (where clouds keep their metadata), shared,
// documentation, multicast and reserved ranges are refused, in every spelling that carries one inside (mapped, translated, tunnelled). Pure.
import { BlockList, isIP } from 'node:net';

/** IANA special-purpose registries of IPv4 and IPv6 (RFC 6890 and its updates), without those that are globally reachable. */
const REFUSED_V4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** Everything outside 2000::/3 is refused besides these: 6to4 and Teredo carry an IPv4 address, the rest is documentation or local. */
const REFUSED_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const refused = new BlockList();
for (const [family, ranges] of [
  ['ipv4', REFUSED_V4],
  ['ipv6', REFUSED_V6],
] as const) {
  for (const range of ranges.split(' ')) {
    const [network = '', bits = ''] = range.split('/');
    refused.addSubnet(network, Number(bits), family);
  }
}
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** @param address as a resolver gives it, or as the host of a URL (with brackets) */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 4) return !refused.check(plain, 'ipv4');
  return family === 6 && globalV6.check(plain, 'ipv6') && !refused.check(plain, 'ipv6');
}
