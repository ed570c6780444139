// One line of `agentgauge doctor`: what was looked at, what was found, and, where it is missing, what that costs and what brings it.

export interface Check {
  readonly name: string;
  /** `broken`: the default study cannot run without it. */
  readonly status: 'ok' | 'absent' | 'broken';
  readonly found: string;
  /** What it is needed for; only where something is missing. */
  readonly neededFor?: string;
  /** The command, or the change, that brings it. */
  readonly remedy?: string;
}

export type Look = () => Check | Promise<Check>;

export function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
