// Time and chance as the engine takes them: arguments of `execute`, so that a test drives both by hand and a run can be repeated.

export interface Clock {
  /** Monotonic milliseconds with a fraction. */
  nowMs(): number;
  /** Calls back once after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The host's monotonic clock and timers. */
export const systemClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The point in time at which a trace is laid, for whoever exports it; nothing in a run depends on it. */
export function currentDate(): Date {
  return new Date();
}

/** A number in [0, 1), drawn anew at each call. */
export type Random = () => number;

/** Mulberry32: small, the same on every platform, good enough to spread retries. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits `delayMs` or until the signal aborts, whichever comes first; leaves neither timer nor listener. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
