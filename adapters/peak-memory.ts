// The high-water mark of this process's resident memory. On Linux the kernel keeps it and lets a process lower it again, so that each trial has its own.
import { readFileSync, writeFileSync } from 'node:fs';

export interface PeakMemory {
  readonly peakRssBytes: number;
  /** `vm-hwm`: since the last reset, or since the process began where none is allowed. `max-rss`: since the process began. */
  readonly rssMethod: 'vm-hwm' | 'max-rss';
}

/** Where the kernel allows it: proc(5), clear_refs, value 5. */
export function resetPeakMemory(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // No procfs, or a sandbox that forbids it: the peak is then the whole process's.
  }
}

/** Never the rusage figure where procfs has a better one: on Linux a child's rusage peak begins at its parent's. */
export function readPeakMemory(): PeakMemory {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return { peakRssBytes: Number(kilobytes) * 1024, rssMethod: 'vm-hwm' };
  } catch {
    // No procfs on this system.
  }
  return { peakRssBytes: process.resourceUsage().maxRSS * 1024, rssMethod: 'max-rss' };
}
