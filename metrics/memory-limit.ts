// How much memory this process may use: what its control group allows, else what the host has. A share of the host's memory inside a container would say nothing.
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { posix } from 'node:path';

export interface MemoryLimit {
  readonly limitBytes: number;
  /** Where the figure comes from. `host`: no group sets a limit below the host's memory. */
  readonly source: 'cgroup-v2' | 'cgroup-v1' | 'host';
}

export interface MemoryLimitSources {
  /** @returns `undefined` where there is no such file */
  readonly read: (path: string) => string | undefined;
  readonly hostBytes: number;
}

/** The lowest limit from this process's group up to the root of the hierarchy: an ancestor's limit holds too. */
export function readMemoryLimit({ read, hostBytes }: MemoryLimitSources = { read: readOrNothing, hostBytes: totalmem() }): MemoryLimit {
  const groups = read('/proc/self/cgroup') ?? '';
  const v2 = lowest(read, '/sys/fs/cgroup', /^0::(.*)$/m.exec(groups)?.[1], 'memory.max');
  const v1 = lowest(read, '/sys/fs/cgroup/memory', /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1], 'memory.limit_in_bytes');
  // A version 1 group without a limit reads as the largest page-aligned number; either way, what passes the host's memory limits nothing.
  if (v2 !== undefined && v2 < hostBytes && v2 <= (v1 ?? v2)) return { limitBytes: v2, source: 'cgroup-v2' };
  if (v1 !== undefined && v1 < hostBytes) return { limitBytes: v1, source: 'cgroup-v1' };
  return { limitBytes: hostBytes, source: 'host' };
}

function lowest(read: MemoryLimitSources['read'], mount: string, group: string | undefined, file: string): number | undefined {
  let found: number | undefined;
  // Inside a container the path may name a place outside its view: the mount's own root is looked at in any case.
  for (let path = group ?? '/'; ; path = posix.dirname(path)) {
    const limit = parseLimit(read(posix.join(mount, path, file)));
    if (limit !== undefined) found = Math.min(found ?? limit, limit);
    if (path === '/' || path === '.') return found;
  }
}

/** `max` is no limit. Beyond 2^53 the exact number does not matter. */
function parseLimit(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  return /^\d+$/.test(trimmed) ? Number(trimmed) : undefined;
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Not Linux, not this version of control groups, or not ours to read.
  }
}
