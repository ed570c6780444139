// A recording as samples of one channel: WAV by an own reader, MP3 by mpg123 and Opus by libopus (WebAssembly). Every size is held against the bytes that are really there, and no
// more than the first minutes are unpacked.
import type { Sound } from './audio-segments.ts';
import { readOggOpus } from './ogg-opus.ts';
import { Finding, loadPackage } from './tool-error.ts';

export interface Recording extends Sound {
  readonly kind: 'WAV' | 'MP3' | 'Opus';
  /** Absent for mp3, where one may be stored as two. */
  readonly channels?: number;
  /** Of the whole recording; absent when it was not read to its end. */
  readonly seconds?: number;
  /** The file promises more than it has. */
  readonly cutShort: boolean;
}

/** What follows is not transcribed. */
export const MAX_SECONDS = 600;

const KNOWN: readonly { readonly name: string; readonly at: number; readonly letters: string }[] = [
  { name: 'FLAC', at: 0, letters: 'fLaC' },
  { name: 'MP4 (m4a)', at: 4, letters: 'ftyp' },
  { name: 'AIFF', at: 0, letters: 'FORM' },
  { name: 'AAC', at: 0, letters: '\xff\xf1' },
  { name: 'AAC', at: 0, letters: '\xff\xf9' },
  { name: 'AMR', at: 0, letters: '#!AMR' },
  { name: 'CAF', at: 0, letters: 'caff' },
  { name: 'WebM', at: 0, letters: '\x1a\x45\xdf\xa3' },
  { name: 'WMA', at: 0, letters: '\x30\x26\xb2\x75' },
];

const CONVERT =
  'No tool here converts it: look for the same elsewhere, or answer without it. Whoever runs the task can convert it beforehand (ffmpeg -i IN out.wav).';

/** @throws Finding when it is no recording, of a kind that is not read, or damaged */
export async function decodeAudio(name: string, bytes: Uint8Array): Promise<Recording> {
  const letters = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (letters(0, 4) === 'RIFF' && letters(8, 4) === 'WAVE') return readWav(name, bytes);
  if (letters(0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)) return readMp3(name, bytes);
  if (letters(0, 4) === 'OggS') return readOpus(name, bytes);
  const other = KNOWN.find(({ at, letters: mark }) => letters(at, mark.length) === mark);
  if (other) throw notRead(name, other.name);
  throw new Finding(`${name} is no recording: it does not begin like a wav, mp3 or Ogg file.`);
}

function notRead(name: string, kind: string): Finding {
  return new Finding(`${name} is a recording of the kind ${kind}, which is not read; wav, mp3 and Ogg Opus are. ${CONVERT}`);
}

interface Format {
  /** 1: whole numbers, 3: floating-point numbers. */
  readonly coding: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
}

function readWav(name: string, bytes: Uint8Array): Recording {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Format | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const kind = String.fromCharCode(...bytes.subarray(at, at + 4));
    const promised = view.getUint32(at + 4, true);
    const start = at + 8;
    const size = Math.min(promised, bytes.length - start);
    if (kind === 'fmt ' && size >= 16) format = formatOf(name, view, start, size);
    if (kind === 'data') {
      if (!format) throw new Finding(`${name} is damaged: its samples come before it says how they are written.`);
      return soundOf(format, view, start, size, promised > size);
    }
    // Chunks begin at even places.
    at = start + promised + (promised & 1);
  }
  throw new Finding(`${name} is cut short or damaged: no samples were found in it.`);
}

const EXTENSIBLE = 0xfffe;

function formatOf(name: string, view: DataView, at: number, size: number): Format {
  const stated = view.getUint16(at, true);
  const coding = stated === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : stated;
  const format = { coding, channels: view.getUint16(at + 2, true), rate: view.getUint32(at + 4, true), bits: view.getUint16(at + 14, true) };
  const { channels, rate, bits } = format;
  const isKnown = (coding === 1 && [8, 16, 24, 32].includes(bits)) || (coding === 3 && bits === 32);
  if (!isKnown) throw new Finding(`${name} holds samples that are not read (coding ${coding}, ${bits} bits); plain ones of 8 to 32 bits are.`);
  if (channels < 1 || channels > 8 || rate < 4_000 || rate > 192_000)
    throw new Finding(`${name} is damaged: it says that it has ${channels} channels of ${rate} samples a second.`);
  return format;
}

function soundOf({ coding, channels, rate, bits }: Format, view: DataView, start: number, size: number, cutShort: boolean): Recording {
  const width = bits / 8;
  const count = Math.floor(size / (width * channels));
  const samples = new Int16Array(Math.min(count, MAX_SECONDS * rate));
  const read = (at: number): number => {
    if (coding === 3) return view.getFloat32(at, true) * 32_768;
    if (width === 1) return (view.getUint8(at) - 128) * 256;
    if (width === 2) return view.getInt16(at, true);
    // The two bytes that count most.
    return view.getInt16(at + width - 2, true);
  };
  for (let i = 0; i < samples.length; i++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += read(start + (i * channels + channel) * width);
    samples[i] = clamped(sum / channels);
  }
  return { kind: 'WAV', rate, channels, seconds: count / rate, cutShort, samples };
}

/** Handed over in pieces, so that a long recording is not unpacked beyond what is wanted. */
const PIECE = 1 << 16;

async function readMp3(name: string, bytes: Uint8Array): Promise<Recording> {
  const { MPEGDecoder } = await loadPackage('mpg123-decoder', () => import('mpg123-decoder'));
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const parts: Int16Array[] = [];
  let [length, rate, at] = [0, 0, 0];
  try {
    for (; at < bytes.length && (rate === 0 || length < MAX_SECONDS * rate); at += PIECE) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(bytes.subarray(at, at + PIECE));
      if (samplesDecoded === 0) continue;
      // A file may change its rate only if it was joined from several: the first part is read.
      if (rate !== 0 && sampleRate !== rate) break;
      rate = sampleRate;
      parts.push(mixedDown(channelData, samplesDecoded));
      length += samplesDecoded;
    }
  } finally {
    decoder.free();
  }
  if (rate === 0) throw new Finding(`${name} is damaged: nothing in it could be read as mp3.`);
  return {
    kind: 'MP3',
    rate,
    samples: joined(parts, Math.min(length, MAX_SECONDS * rate)),
    cutShort: false,
    ...(at < bytes.length ? {} : { seconds: length / rate }),
  };
}

async function readOpus(name: string, bytes: Uint8Array): Promise<Recording> {
  const sound = await readOggOpus(name, bytes, MAX_SECONDS);
  if ('kind' in sound) throw notRead(name, sound.kind);
  const { rate, channels, seconds, cutShort, parts } = sound;
  const mixed = parts.map((part) => mixedDown(part.channels, part.length));
  const length = mixed.reduce((sum, part) => sum + part.length, 0);
  // The last packet may hold more than the recording has.
  return {
    kind: 'Opus',
    rate,
    channels,
    seconds,
    cutShort,
    samples: joined(mixed, Math.min(length, MAX_SECONDS * rate, Math.round(seconds * rate) || length)),
  };
}

function mixedDown(channels: readonly Float32Array[], length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => clamped((32_768 * channels.reduce((sum, channel) => sum + (channel[i] as number), 0)) / channels.length));
}

function joined(parts: readonly Int16Array[], length: number): Int16Array {
  const samples = new Int16Array(length);
  let end = 0;
  for (const part of parts) {
    const fitting = part.subarray(0, length - end);
    samples.set(fitting, end);
    end += fitting.length;
  }
  return samples;
}

function clamped(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(-32_768, Math.min(32_767, Math.round(value)));
}
