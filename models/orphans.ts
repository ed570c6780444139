// What a killed host leaves behind. A worker that still listens leaves by itself when its channel closes; one that is caught in a loop never notices.
// The gateway outlives its host by an instant, so it ends those with their process groups and removes their folders. Not for the life of a host: there the host does it.
import { readFileSync, rmSync } from 'node:fs';

interface Orphan {
  readonly pid: number;
  readonly folder: string;
  readonly startTicks: string | undefined;
}

export class Orphans {
  readonly #byToken = new Map<string, Orphan>();

  /** @param pid leader of a process group of its own */
  add(token: string, pid: number, folder: string): void {
    this.#byToken.set(token, { pid, folder, startTicks: startTicksOf(pid) });
  }

  remove(token: string): void {
    this.#byToken.delete(token);
  }

  end(): void {
    for (const { pid, folder, startTicks } of this.#byToken.values()) {
      // A process id is used again after a while; the group of a leader that has ended may still have members, so no answer is no reason to spare it.
      const now = startTicksOf(pid);
      if (now === undefined || now === startTicks) kill(pid);
      rmSync(folder, { recursive: true, force: true });
    }
    this.#byToken.clear();
  }
}

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group, which is what we want.
  }
}

/** When a process began, in kernel ticks since boot; absent when it is gone or there is no procfs. */
function startTicksOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
