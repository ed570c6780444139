// Ends a child and all that it started: SIGTERM to the process group, SIGKILL after a grace. Only children that were spawned `detached` lead a group of their own.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface TerminateOptions {
  /** How long SIGTERM may take before SIGKILL, in milliseconds. */
  readonly graceMs: number;
}

/** Resolves when the child is gone. Already gone is fine. */
export async function terminate(child: ChildProcess, { graceMs }: TerminateOptions): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    return;
  }
  const gone = once(child, 'exit');
  signalGroup(child.pid, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child.pid as number, 'SIGKILL'), graceMs);
  await gone;
  clearTimeout(timer);
  // The leader is gone; what it left behind in its group goes too.
  signalGroup(child.pid, 'SIGKILL');
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: nobody left in the group, which is what we want. EPERM cannot be mended from here.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
