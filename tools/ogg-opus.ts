// Opus in Ogg (voice messages, .opus and .ogg): the packets by an own reader of pages, their samples by libopus (WebAssembly). Ogg: RFC 3533; Opus in it: RFC 7845.
import { Finding, loadPackage } from './tool-error.ts';

export interface OpusSound {
  readonly rate: number;
  readonly channels: number;
  /** Of the whole recording. */
  readonly seconds: number;
  /** The pages end before the recording says that it does. */
  readonly cutShort: boolean;
  /** One array a channel, from -1 to 1. */
  readonly parts: readonly { readonly channels: readonly Float32Array[]; readonly length: number }[];
}

/** What a recogniser of speech hears; libopus gives it at no loss of time. */
const RATE = 16_000;
/** In which positions in a file are counted, whatever its rate was. */
const GRANULES = 48_000;
/** Packets handed over at once. */
const BATCH = 250;

/** @returns what else is in the file, as `Ogg Vorbis`, where it is no Opus. @throws Finding when nothing in it can be read */
export async function readOggOpus(name: string, bytes: Uint8Array, maxSeconds: number): Promise<OpusSound | { readonly kind: string }> {
  const { packets, granule, isEnded } = streamOf(bytes);
  const [head, , ...audio] = packets;
  const codec = CODECS.find(({ mark }) => head !== undefined && Buffer.from(head.subarray(0, mark.length)).toString('latin1') === mark)?.name;
  if (head === undefined || codec !== 'Opus' || head.length < 19) return { kind: codec === undefined || codec === 'Opus' ? 'Ogg' : `Ogg ${codec}` };
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [channels, preSkip, gain, family] = [view.getUint8(9), view.getUint16(10, true), view.getInt16(16, true), view.getUint8(18)];
  if (family !== 0 || channels < 1 || channels > 2) throw new Finding(`${name} holds ${channels} channels of sound, which are not read; one or two are.`);
  const { OpusDecoder } = await loadPackage('opus-decoder', () => import('opus-decoder'));
  const decoder = new OpusDecoder({ sampleRate: RATE, channels, preSkip: Math.round((preSkip * RATE) / GRANULES) });
  await decoder.ready;
  const loudness = 10 ** (gain / (20 * 256));
  const parts: { channels: Float32Array[]; length: number }[] = [];
  let length = 0;
  try {
    for (let at = 0; at < audio.length && length < maxSeconds * RATE; at += BATCH) {
      const { channelData, samplesDecoded } = decoder.decodeFrames(audio.slice(at, at + BATCH));
      if (samplesDecoded === 0) continue;
      parts.push({ channels: channelData.map((samples) => samples.map((sample) => sample * loudness)), length: samplesDecoded });
      length += samplesDecoded;
    }
  } finally {
    decoder.free();
  }
  if (length === 0) throw new Finding(`${name} is damaged: nothing in it could be read as Opus.`);
  return { rate: RATE, channels, seconds: Math.max(0, (granule - preSkip) / GRANULES), cutShort: !isEnded, parts };
}

const CODECS = [
  { name: 'Opus', mark: 'OpusHead' },
  { name: 'Vorbis', mark: '\x01vorbis' },
  { name: 'FLAC', mark: '\x7fFLAC' },
  { name: 'Speex', mark: 'Speex   ' },
] as const;

/** The packets of the first stream in the file; what stands between pages is passed over. */
function streamOf(bytes: Uint8Array): { readonly packets: Uint8Array[]; readonly granule: number; readonly isEnded: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packets: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  let [stream, granule, isEnded, at] = [-1, 0, false, 0];
  while (at + 27 <= bytes.length) {
    // `OggS`
    if (view.getUint32(at) !== 0x4f676753) {
      at++;
      continue;
    }
    const segments = view.getUint8(at + 26);
    const table = bytes.subarray(at + 27, at + 27 + segments);
    let from = at + 27 + segments;
    const serial = view.getUint32(at + 14, true);
    if (stream < 0) stream = serial;
    const isOurs = serial === stream;
    if (isOurs) {
      const flags = view.getUint8(at + 5);
      // A page that goes on with a packet whose beginning is lost, or begins one anew.
      if ((flags & 1) === 0) open = [];
      isEnded = (flags & 4) !== 0 && from + table.reduce((sum, size) => sum + size, 0) <= bytes.length;
      const position = view.getBigInt64(at + 6, true);
      if (position > 0n) granule = Number(position);
    }
    for (const size of table) {
      if (isOurs) {
        open.push(bytes.subarray(from, from + size));
        if (size < 255) {
          packets.push(Buffer.concat(open));
          open = [];
        }
      }
      from += size;
    }
    at = from;
  }
  return { packets, granule, isEnded };
}
