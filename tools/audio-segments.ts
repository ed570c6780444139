// Cuts a recording into stretches of speech: at pauses of a second, and where one is longer than the recogniser's window of half a minute. A stretch begins and
// ends at its first and last loud sample, so that the same words have the same samples wherever in a recording they stand.
import { createHash } from 'node:crypto';

/** One channel. */
export interface Sound {
  readonly rate: number;
  readonly samples: Int16Array;
}

export interface Stretch {
  readonly startSeconds: number;
  readonly samples: Int16Array;
}

/** About a hundredth of full scale: what is softer counts as silence. */
const LOUD = 328;
const PAUSE_SECONDS = 1;
const WINDOW_SECONDS = 28;
/** So long before the end of a window a quiet place to cut is looked for. */
const SEARCH_SECONDS = 8;
const FRAME_SECONDS = 0.05;

export function stretchesOf({ rate, samples }: Sound): Stretch[] {
  const stretches: Stretch[] = [];
  const pause = PAUSE_SECONDS * rate;
  let [first, last] = [-1, -1];
  const close = () => {
    if (first >= 0) stretches.push(...windowsOf(samples, first, last + 1, rate));
    first = -1;
  };
  for (let i = 0; i < samples.length; i++) {
    if (Math.abs(samples[i] as number) < LOUD) continue;
    if (i - last > pause) close();
    if (first < 0) first = i;
    last = i;
  }
  close();
  return stretches;
}

function windowsOf(samples: Int16Array, start: number, end: number, rate: number): Stretch[] {
  const windows: Stretch[] = [];
  let from = start;
  while (end - from > WINDOW_SECONDS * rate) {
    const cut = quietestPlace(samples, from + (WINDOW_SECONDS - SEARCH_SECONDS) * rate, from + WINDOW_SECONDS * rate, rate);
    windows.push({ startSeconds: from / rate, samples: samples.slice(from, cut) });
    from = cut;
  }
  return [...windows, { startSeconds: from / rate, samples: samples.slice(from, end) }];
}

function quietestPlace(samples: Int16Array, from: number, to: number, rate: number): number {
  const frame = Math.round(FRAME_SECONDS * rate);
  let [place, least] = [to, Number.POSITIVE_INFINITY];
  for (let at = from; at + frame <= to; at += frame) {
    let sum = 0;
    for (let i = at; i < at + frame; i++) sum += Math.abs(samples[i] as number);
    if (sum < least) [place, least] = [at + (frame >> 1), sum];
  }
  return place;
}

/** What a transcript is kept under: what the recogniser hears. */
export function stretchKey(rate: number, samples: Int16Array): string {
  // Bytes in one order, whatever the processor's is.
  const bytes = new DataView(new ArrayBuffer(2 * samples.length));
  for (let i = 0; i < samples.length; i++) bytes.setInt16(2 * i, samples[i] as number, true);
  return createHash('sha256').update(`${rate}\n`).update(new Uint8Array(bytes.buffer)).digest('hex').slice(0, 32);
}
