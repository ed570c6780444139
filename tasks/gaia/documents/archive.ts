// Zip archives with fixed times and a fixed level, packed by fflate (pure JavaScript).
import { zipSync } from 'fflate';
import type { AttachedFile } from '../template.ts';

export function zipOf(entries: Readonly<Record<string, Uint8Array>>): Uint8Array {
  // A zip entry's time has no zone: fflate reads local fields, so these are given as local fields, in the zone of this moment.
  const mtime = new Date(2026, 0, 5, 12, 0, 0);
  const named = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return zipSync(Object.fromEntries(named.map(([path, bytes]) => [path, [bytes, { mtime, level: 6 }] as const])), { mtime });
}

export function archiveFile(entries: Readonly<Record<string, AttachedFile>>): AttachedFile {
  return { extension: 'zip', bytes: zipOf(Object.fromEntries(Object.entries(entries).map(([path, file]) => [path, file.bytes]))) };
}
