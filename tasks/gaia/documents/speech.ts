// A recording: sentences with pauses between them, as a WAV file of plain samples.
import type { AttachedFile } from '../template.ts';
import { FLITE, type Speaker } from './speech-synthesis.ts';

const LEAD_SECONDS = 0.5;
/** Longer than any pause within a sentence: who listens can tell the sentences apart. */
const PAUSE_SECONDS = 1.5;

/** @throws GaugeError MISSING_PACKAGE */
export async function speechFile(sentences: readonly string[], { rate, speak }: Speaker = FLITE): Promise<AttachedFile> {
  const spoken: Int16Array[] = [];
  for (const sentence of sentences) spoken.push(await speak(sentence), new Int16Array(PAUSE_SECONDS * rate));
  return { extension: 'wav', bytes: wavBytes([new Int16Array(LEAD_SECONDS * rate), ...spoken], rate) };
}

function wavBytes(parts: readonly Int16Array[], rate: number): Uint8Array {
  const size = 2 * parts.reduce((sum, { length }) => sum + length, 0);
  const view = new DataView(new ArrayBuffer(44 + size));
  const word = (at: number, letters: string) => {
    for (const [i, letter] of [...letters].entries()) view.setUint8(at + i, letter.charCodeAt(0));
  };
  word(0, 'RIFF');
  view.setUint32(4, 36 + size, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  // Plain samples, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, size, true);
  let at = 44;
  for (const part of parts) {
    for (const sample of part) {
      view.setInt16(at, sample, true);
      at += 2;
    }
  }
  return new Uint8Array(view.buffer);
}
