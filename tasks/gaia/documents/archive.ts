// Zip archives with fixed times and a fixed level, packed by fflate (pure JavaScript).
import { zipSync } from 'fflate';
import type { AttachedFile } from '../template.ts';

/** The local time of a zip entry has no zone, so fflate reads local fields: noon in the year's first month is the same everywhere. */
const PACKED_AT = new Date(2026, 0, 5, 12, 0, 0);

export function zipOf(entries: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const named = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return zipSync(Object.fromEntries(named.map(([path, bytes]) => [path, [bytes, { mtime: PACKED_AT, level: 6 }] as const])), { mtime: PACKED_AT });
}

export function archiveFile(entries: Readonly<Record<string, AttachedFile>>): AttachedFile {
  return { extension: 'zip', bytes: zipOf(Object.fromEntries(Object.entries(entries).map(([path, file]) => [path, file.bytes]))) };
}
