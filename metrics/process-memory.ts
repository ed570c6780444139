// Resident memory of another process, from outside. The peak is the child's own VmHWM: the peak of `rusage` starts at the parent's, so a small program under a large
// parent looks as large as it (and stays so through every report). Where no such figure exists there is none.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import pidusage from 'pidusage';

export interface MemoryReading {
  readonly bytes: number;
  /** `vm-hwm`: the kernel's high-water mark since start or reset. `pidusage`: what was resident at this instant. */
  readonly method: 'vm-hwm' | 'pidusage';
  /** Processes behind the figure. */
  readonly processes: number;
}

/** @returns `undefined` off Linux and for a process that has ended */
export function readPeakMemory(pid: number): MemoryReading | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? undefined : { bytes: Number(kilobytes) * 1024, method: 'vm-hwm', processes: 1 };
}

/** Lowers the mark to what is resident now (proc(5), clear_refs, value 5). @returns whether the kernel did it */
export function resetPeakMemory(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false; // No procfs, not our process, or a sandbox that forbids it.
  }
}

/** What a process and all its descendants hold now. Shared pages count in each. @returns `undefined` when the process has ended */
export async function sampleTreeMemory(pid: number): Promise<MemoryReading | undefined> {
  const tree = descendantsOf(pid, listParents());
  const usage = await Promise.all(tree.map((member) => pidusage(member).catch(() => undefined)));
  const alive = usage.filter((stat) => stat !== undefined);
  if (alive.length === 0) return undefined;
  return { bytes: alive.reduce((total, { memory }) => total + memory, 0), method: 'pidusage', processes: alive.length };
}

/** The process itself first. @param parents pairs of a process and its parent */
export function descendantsOf(root: number, parents: readonly (readonly [pid: number, parent: number])[]): number[] {
  const found = [root];
  for (const member of found) {
    for (const [pid, parent] of parents) if (parent === member && !found.includes(pid)) found.push(pid);
  }
  return found;
}

function listParents(): [number, number][] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name): [number, number][] => {
        const stat = readProc(Number(name), 'stat') ?? '';
        // The name in brackets may hold blanks and brackets itself: the fields begin behind the last one.
        const parent = /^\) \S (\d+)/.exec(stat.slice(stat.lastIndexOf(')')))?.[1];
        return parent === undefined ? [] : [[Number(name), Number(parent)]];
      });
  }
  if (process.platform === 'win32') return [];
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return [...table.matchAll(/(\d+)\s+(\d+)/g)].map(([, pid, parent]) => [Number(pid), Number(parent)]);
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // It has ended, or there is no procfs.
  }
}
