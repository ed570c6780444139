// One spelling for one value, so that equal values have equal hashes on every machine. Keys are sorted by code unit; absent keys stay absent.
import { hash } from 'node:crypto';

/** JSON with sorted keys and no blanks. `undefined` members vanish; a number that JSON cannot hold is a TypeError rather than null. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The first `length` hex digits of the SHA-256 of the canonical JSON. */
export function hashOf(value: unknown, length = 16): string {
  return hash('sha256', canonicalJson(value)).slice(0, length);
}

function sorted(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
