// A block's last trial has no next trial whose opening would show what its framework still does. It is watched for 250 ms instead, while other rows go on,
// unless the row's next block takes worker and trial over before that.
import { systemClock } from '../base/clock.ts';
import type { RunnableRow } from './rows.ts';
import type { EndedTrial } from './trial.ts';
import type { WorkerHost } from './worker-host.ts';

export interface LastTrial {
  readonly worker: WorkerHost;
  readonly ended: EndedTrial;
}

interface Watched {
  readonly row: RunnableRow;
  /** @returns nothing when the watch is over and its trial is being written */
  takeOver(): LastTrial | undefined;
  readonly settled: Promise<void>;
}

/** What comes this long after a trial's end is its stray work (method M5.3). */
const STRAY_WINDOW_MS = 250;

export class StrayWatch {
  readonly #finish: (last: LastTrial) => Promise<void>;
  readonly #watched = new Set<Watched>();

  /** @param finish called for each trial that nobody took over; must not reject */
  constructor(finish: (last: LastTrial) => Promise<void>) {
    this.#finish = finish;
  }

  watch(last: LastTrial): void {
    const { row } = last.worker;
    let state: 'waiting' | 'taken' | 'finishing' = 'waiting';
    let wake = () => {};
    const waited = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, last.ended.worker.endedMs + STRAY_WINDOW_MS - systemClock.nowMs()));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    const settled = waited.then(async () => {
      if (state === 'taken') return;
      state = 'finishing';
      await this.#finish(last);
      this.#watched.delete(watched);
    });
    const takeOver = () => {
      if (state === 'finishing') return undefined;
      state = 'taken';
      this.#watched.delete(watched);
      wake();
      return last;
    };
    const watched: Watched = { row, takeOver, settled };
    this.#watched.add(watched);
  }

  /** A last worker and trial of the row, if one is still watched. Otherwise resolves when a worker of the row is free for the pool again. */
  async takeOver(row: RunnableRow): Promise<LastTrial | undefined> {
    const ofRow = [...this.#watched].filter((watched) => watched.row === row);
    for (const watched of ofRow) {
      const last = watched.takeOver();
      if (last !== undefined) return last;
    }
    await ofRow[0]?.settled;
    return undefined;
  }

  async all(): Promise<void> {
    await Promise.all([...this.#watched].map(({ settled }) => settled));
  }
}
