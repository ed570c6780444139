// A recording before it is text: its facts in words, and the stretches of speech in it. Runs in a reader thread; what hears them is transcripts.ts.
import { decodeAudio, MAX_SECONDS } from './audio-file.ts';
import { type Stretch, stretchesOf } from './audio-segments.ts';

export interface HeardFile {
  /** `WAV, 0:23, 16000 Hz, 1 channel` */
  readonly facts: string;
  /** What else must be known of it. */
  readonly notes: readonly string[];
  readonly rate: number;
  readonly stretches: readonly Stretch[];
}

/** @throws Finding as `decodeAudio` */
export async function readAudio(name: string, bytes: Uint8Array): Promise<HeardFile> {
  const { kind, rate, channels, seconds, cutShort, samples } = await decodeAudio(name, bytes);
  const isLonger = seconds === undefined || seconds > MAX_SECONDS;
  const length = seconds === undefined ? `more than ${clockText(MAX_SECONDS)}` : clockText(seconds);
  return {
    facts: [kind, length, `${rate} Hz`, ...(channels === undefined ? [] : [`${channels} channel${channels === 1 ? '' : 's'}`])].join(', '),
    notes: [
      ...(cutShort ? ['The file is cut short: it promises more than it holds.'] : []),
      ...(isLonger ? [`Only the first ${clockText(MAX_SECONDS)} of it are transcribed.`] : []),
    ],
    rate,
    stretches: stretchesOf({ rate, samples }),
  };
}

/** `12:05` */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
