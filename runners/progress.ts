// What a person sees while a study runs: how far, how fast, how long still, what has failed. One line that renews itself on a terminal, plain lines elsewhere.
import type { Clock } from '../base/clock.ts';
import type { TrialRecord } from '../metrics/record.ts';

export interface ProgressOptions {
  readonly total: number;
  readonly clock: Clock;
  readonly write: (text: string) => void;
  readonly terminal: boolean;
  readonly columns: number;
}

export interface Progress {
  /** A phase in words, by its purpose: `memory and import times`. */
  phase(name: string, total: number): void;
  trial(record: TrialRecord, rowName: string): void;
  /** Something done that is no trial. */
  step(rowName: string): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

const PLAIN_EVERY_MS = 10_000;
const TERMINAL_EVERY_MS = 100;

export function createProgress(options: ProgressOptions): Progress {
  const { clock, write, terminal } = options;
  let name = 'trials';
  let total = options.total;
  let done = 0;
  let startedMs = clock.nowMs();
  let shownMs = Number.NEGATIVE_INFINITY;
  const failures = new Map<string, number>();
  let open = false;

  const clear = () => {
    if (open) write('\r\x1b[2K');
    open = false;
  };
  const show = (rowName: string, force: boolean) => {
    const now = clock.nowMs();
    if (!force && now - shownMs < (terminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS)) return;
    shownMs = now;
    const line = progressLine({ name, total, done, elapsedMs: now - startedMs, rowName, failures });
    clear();
    write(terminal ? line.slice(0, Math.max(20, options.columns - 1)) : `${line}\n`);
    open = terminal;
  };
  return {
    phase: (newName, newTotal) => {
      clear();
      name = newName;
      total = newTotal;
      done = 0;
      failures.clear();
      startedMs = clock.nowMs();
      shownMs = Number.NEGATIVE_INFINITY;
    },
    trial: (record, rowName) => {
      done += 1;
      if (record.outcome !== 'completed') {
        const code = record.code ?? record.outcome;
        failures.set(code, (failures.get(code) ?? 0) + 1);
      }
      show(rowName, done === total);
    },
    step: (rowName) => {
      done += 1;
      show(rowName, done === total);
    },
    note: (text) => {
      clear();
      write(`${text}\n`);
    },
    end: () => {
      if (open) write('\n');
      open = false;
    },
  };
}

/** Pure: one line of progress. Rate and time left are absent until there is something to tell them from. */
export function progressLine(state: {
  readonly name: string;
  readonly total: number;
  readonly done: number;
  readonly elapsedMs: number;
  readonly rowName: string;
  readonly failures: ReadonlyMap<string, number>;
}): string {
  const parts = [`${state.name} ${state.done}/${state.total}`];
  if (state.done > 0 && state.elapsedMs > 0) {
    parts.push(`${((state.done * 1000) / state.elapsedMs).toFixed(1)}/s`);
    if (state.done < state.total) parts.push(`${duration((state.elapsedMs / state.done) * (state.total - state.done))} left`);
  }
  parts.push(state.rowName);
  const failed = [...state.failures].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (failed.length > 0) parts.push(`not completed: ${failed.map(([code, n]) => `${n} ${code}`).join(', ')}`);
  return parts.join('  ');
}

/** `45 s`, `3 min 05 s`, `2 h 05 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
  const minutes = Math.round(ms / 60_000);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
