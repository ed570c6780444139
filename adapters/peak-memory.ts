// The high-water mark of this process's resident memory. On Linux the kernel keeps it and lets a process lower it again, so that each trial has its own.
import { readFileSync, writeFileSync } from 'node:fs';

export interface PeakMemory {
  readonly peakRssBytes: number;
  /** `vm-hwm`: since the last reset. `max-rss`: since the process began. */
  readonly rssMethod: 'vm-hwm' | 'max-rss';
}

/** @returns whether the kernel did it; proc(5), clear_refs, value 5 */
export function resetPeakMemory(): boolean {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    // No procfs, or a sandbox that forbids it: the peak is then the process's, and the record says so.
    return false;
  }
}

export function readPeakMemory(wasReset: boolean): PeakMemory {
  if (wasReset) {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return { peakRssBytes: Number(kilobytes) * 1024, rssMethod: 'vm-hwm' };
  }
  return { peakRssBytes: process.resourceUsage().maxRSS * 1024, rssMethod: 'max-rss' };
}
